/** Knowledge entries in memory, and the spaces in which a call may use them. */
import type { Action } from "../../doors/Door.ts"
import { type Bounds, emptyBounds, type ReachShape } from "../../doors/Reach.ts"
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import { type KnowledgeEntry, knowledgeKind } from "./KnowledgeEntry.ts"

/** Where an entry is: keys are unique within a space. */
export interface KnowledgePlace {
  readonly spaceId: string
  readonly key: string
}

/** An entry with where it is, and with who wrote it last. */
export interface LocatedKnowledge {
  readonly spaceId: string
  readonly entry: KnowledgeEntry
  /** Whether a person, not an agent, wrote it last. */
  readonly isByPerson: boolean
  /** The person who wrote it last, or whose agent did. */
  readonly userId: string
}

export const placeKey = ({ key, spaceId }: KnowledgePlace) => `${spaceId} ${key}`

export const entryTable = memoryTable<LocatedKnowledge>("knowledge_entries", ({ entry, spaceId }) =>
  placeKey({ spaceId, key: entry.key })
)

/**
 * The spaces in which a call may act on knowledge entries. Row-level security checks only spaces, so this function
 * decides about the kind: a grant that does not cover `entity.knowledge.<action>` gives no spaces. An entry belongs to
 * no project and no list of objects, so a grant limited to either gives no spaces as well.
 */
export const knowledgeBounds = (reach: ReachShape, action: Action): Bounds => {
  const { spaces, kinds, objects, projects } = reach.bounds("entity", action)
  const isCovered = kinds === null || kinds.includes(knowledgeKind)
  return isCovered && objects === null && projects === null ? { ...emptyBounds, spaces } : emptyBounds
}
