/** The limits of a list of entities and of a new entity. */
import { type Bounds, emptyBounds, inSpaces, type ReachShape } from "../../doors/Reach.ts"

/**
 * Returns the limits of a list of entities. The list has only entities that the call may read, and only entities of the
 * given spaces.
 */
export const listingBounds = (reach: ReachShape, spaces: ReadonlyArray<string> | null): Bounds => {
  const bounds = reach.bounds("entity", "read")
  return spaces === null ? bounds : inSpaces(bounds, spaces)
}

/**
 * Returns the spaces where the caller is allowed to add an entity of this kind. Ignores limits of a grant to objects
 * and projects, because a new entity has no id and no project yet. The gate checks these limits.
 */
export const createBounds = (reach: ReachShape, kind: string): Bounds => {
  const { spaces, kinds } = reach.bounds("entity", "create")
  return kinds === null || kinds.includes(kind) ? { ...emptyBounds, spaces } : emptyBounds
}
