/**
 * The bounds of edges. A call may touch an edge if two conditions are met: the grant of the call covers relations in
 * the space of the edge, and the caller may read the entities at both ends.
 */
import type { Action } from "../../doors/Door.ts"
import type { Bounds, ReachShape } from "../../doors/Reach.ts"

/**
 * The bounds for the entities at the ends of edges that a call may read, create or delete. A call reaches an edge only
 * if both entities are within these bounds. So a limit of the grant to kinds, objects or projects also limits the
 * edges.
 */
export const edgeBounds = ({ bounds }: ReachShape, action: Exclude<Action, "update">): Bounds => {
  const { spaces } = bounds("relation", action)
  const ends = bounds("entity", "read")
  return { ...ends, spaces: ends.spaces.filter((space) => spaces.includes(space)) }
}
