/** Decides whether a call may ask which records are in a project. */
import type { ReachShape } from "../../doors/Reach.ts"

/**
 * Returns true if the call may ask for the records of this project. The call must be able to read the project, or the
 * grant must be limited to projects and name this one. For any other caller the project must look like a missing one,
 * so a list or a search with this project finds nothing.
 *
 * The function needs no query. A role of a person allows the same reads of projects as of entities, so a call that
 * reads an entity of a space reads the projects of this space too, unless its grant says otherwise.
 */
export const mayAskForProject = ({ bounds }: ReachShape, projectId: string): boolean => {
  const granted = bounds("entity", "read").projects
  if (granted !== null) return granted.includes(projectId)
  const { objects, spaces } = bounds("project", "read")
  return spaces.length > 0 && (objects === null || objects.includes(projectId))
}
