/** Decides whether a call may ask which records are in a project. */
import type { ReachShape } from "../../doors/Reach.ts"

/**
 * Returns true if the call may ask for the records of this project. The call must be able to read the project, or the
 * grant must be limited to projects and name this one. For any other caller the project must look like a missing one,
 * so a list or a search with this project finds nothing.
 *
 * The function needs no query. A role of a person allows the same reads of projects as of entities. So a call that may
 * read an entity of a space may also read the projects of this space, unless the limits of its grant forbid that.
 */
export const mayAskForProject = ({ bounds }: ReachShape, projectId: string): boolean => {
  const granted = bounds("entity", "read").projects
  if (granted !== null) return granted.includes(projectId)
  const { objects, spaces } = bounds("project", "read")
  return spaces.length > 0 && (objects === null || objects.includes(projectId))
}
