/** What a call may touch of edges: those in spaces where it reaches relations, between entities that it reads. */
import type { Action } from "../../doors/Door.ts"
import type { Bounds, ReachShape } from "../../doors/Reach.ts"

/**
 * The bounds of the entities at the ends of edges that a call may read, create or delete. An edge within the spaces is
 * within the bounds when both its ends are: so a limit to kinds, objects or projects holds for what an edge tells too.
 */
export const edgeBounds = ({ bounds }: ReachShape, action: Exclude<Action, "update">): Bounds => {
  const { spaces } = bounds("relation", action)
  const ends = bounds("entity", "read")
  return { ...ends, spaces: ends.spaces.filter((space) => spaces.includes(space)) }
}
