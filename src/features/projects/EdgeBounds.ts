/**
 * Decides which edges a call may touch. The grant of the call must cover relations in the space of the edge. The caller
 * must also be able to read the entities at both ends of the edge.
 */
import type { Action } from "../../doors/Door.ts"
import type { Bounds, ReachShape } from "../../doors/Reach.ts"

/**
 * Returns the limits for the entities at the two ends of an edge. A call is allowed to read, create or delete an edge
 * only if both entities are within these limits. So a limit of the grant to kinds, objects or projects also limits the
 * edges.
 */
export const edgeBounds = ({ bounds }: ReachShape, action: Exclude<Action, "update">): Bounds => {
  const { spaces } = bounds("relation", action)
  const ends = bounds("entity", "read")
  return { ...ends, spaces: ends.spaces.filter((space) => spaces.includes(space)) }
}

/**
 * Returns true if the edge belongs to the person, or if it is in a space that people share. So in the own space of a
 * person, nobody else has edges. `edgesOfPerson` is the same rule in SQL.
 */
export const isEdgeOf = (personId: string, ownerId: string, spaceId: string): boolean =>
  ownerId === personId || (spaceId !== ownerId && spaceId !== personId)
