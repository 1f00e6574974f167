/** The table of facts in the in-memory database, and the spaces whose facts a call can access. */
import type { Action } from "../../doors/Door.ts"
import { type Bounds, emptyBounds, inSpaces, type ReachShape } from "../../doors/Reach.ts"
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import type { KeptFact } from "./MemoryFact.ts"

/** Returns the primary key of a row that belongs to a person. */
export const keyOf = (userId: string, id: string) => `${userId} ${id}`

export const factTable = memoryTable<KeptFact>("memory_facts", ({ id, userId }) => keyOf(userId, id))

/**
 * Returns the spaces in which the caller is allowed to do the action on facts. The result is the person's own space, or
 * no space at all. A grant that is limited to objects or projects gives no access to facts, because a fact is in no
 * project and in no list of objects. A grant that is limited to workspaces also gives no access to facts, because a
 * fact is in the person's own space.
 */
export const memoryBounds = (reach: ReachShape, action: Action): Bounds => {
  const { spaces, kinds, objects, projects } = reach.bounds("memory", action)
  const isCovered = kinds === null && objects === null && projects === null
  return isCovered ? inSpaces({ ...emptyBounds, spaces }, [reach.principal.personId]) : emptyBounds
}
