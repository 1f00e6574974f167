/** The in-memory table of knowledge entries, and the spaces in which a call can access these entries. */
import type { Action } from "../../doors/Door.ts"
import { type Bounds, emptyBounds, type ReachShape } from "../../doors/Reach.ts"
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import { type KnowledgeEntry, knowledgeKind } from "./KnowledgeEntry.ts"

/** The place of an entry: its space and its key. A key is unique within a space. */
export interface KnowledgePlace {
  readonly spaceId: string
  readonly key: string
}

/** An entry with its space and key, and with the user who wrote it last. */
export interface LocatedKnowledge {
  readonly spaceId: string
  readonly entry: KnowledgeEntry
  /** Whether a person, and not an agent, wrote the entry last. */
  readonly isByPerson: boolean
  /** The person who wrote the entry last, or whose agent wrote it last. */
  readonly userId: string
}

export const placeKey = ({ key, spaceId }: KnowledgePlace) => `${spaceId} ${key}`

export const entryTable = memoryTable<LocatedKnowledge>("knowledge_entries", ({ entry, spaceId }) =>
  placeKey({ spaceId, key: entry.key })
)

/**
 * Returns the spaces in which a call is allowed to do an action on knowledge entries. Row-level security checks only
 * spaces, so this function also checks the grant. A grant that does not cover `entity.knowledge.<action>` gives no
 * spaces. A grant that is limited to projects or objects also gives no spaces, because an entry is in no project and in
 * no list of objects.
 */
export const knowledgeBounds = (reach: ReachShape, action: Action): Bounds => {
  const { spaces, kinds, objects, projects } = reach.bounds("entity", action)
  const isCovered = kinds === null || kinds.includes(knowledgeKind)
  return isCovered && objects === null && projects === null ? { ...emptyBounds, spaces } : emptyBounds
}
