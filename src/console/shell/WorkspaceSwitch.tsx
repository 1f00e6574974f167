/** The switch in the top bar. The person chooses one workspace, or all workspaces that they see. */
import { useNavigate, useRouterState } from "@tanstack/react-router"
import { useEffect } from "react"
import { useOfferedWorkspaces } from "../api/hiddenSample.ts"
import { filteredPath, rememberWorkspace, useChosenWorkspace } from "./workspaceChoice.ts"

export const WorkspaceSwitch = () => {
  const navigate = useNavigate()
  const remembered = useChosenWorkspace()
  const path = useRouterState({ select: ({ location }) => filteredPath(location.pathname) })
  const searchNow = useRouterState({ select: ({ location }) => location.search })
  const shown = "workspaceId" in searchNow ? searchNow.workspaceId : undefined
  // The address of the page, for example in a link from a colleague, can name another workspace than the remembered
  // one. The switch then shows the workspace of the address.
  const value = (path === undefined ? remembered : shown) ?? ""
  const offered = useOfferedWorkspaces(shown)
  const choose = (workspaceId: string | undefined) => {
    rememberWorkspace(workspaceId)
    if (path !== undefined) {
      void navigate({ to: path, search: { ...searchNow, after: undefined, workspaceId } })
    }
  }
  const isGone = offered !== undefined && value !== "" && !offered.some(({ id }) => id === value)
  // If the person has left the workspace or has hidden it, the console forgets the choice.
  useEffect(() => {
    if (isGone && value === remembered) choose(undefined)
  })
  if (offered === undefined || offered.length === 0) return null
  return (
    <select
      aria-label="Working in"
      className="border-control bg-panel text-text min-h-9 max-w-48 min-w-0 rounded-md border px-2"
      value={isGone ? "" : value}
      onChange={({ target }) => choose(target.value || undefined)}
    >
      <option value="">All I can see</option>
      {offered.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
