/**
 * The bounds of edges: a call may touch an edge if its grant covers relations in the space of the edge, and the caller
 * may read both ends.
 */
import type { Action } from "../../doors/Door.ts"
import type { Bounds, ReachShape } from "../../doors/Reach.ts"

/**
 * The bounds of the entities at the ends of edges that a call may read, create or delete. An edge in these spaces is
 * within the bounds if both its ends are. So a limit to kinds, objects or projects also limits the edges that the
 * caller sees.
 */
export const edgeBounds = ({ bounds }: ReachShape, action: Exclude<Action, "update">): Bounds => {
  const { spaces } = bounds("relation", action)
  const ends = bounds("entity", "read")
  return { ...ends, spaces: ends.spaces.filter((space) => spaces.includes(space)) }
}
