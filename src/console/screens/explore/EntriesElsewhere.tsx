/**
 * Shows links to the workspaces that have knowledge entries. A list or a search of the personal space finds no entries
 * of workspaces, so the person needs these links.
 */
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { hubQuery } from "../../api/hub.ts"
import { useWholePreview } from "../keys/useGrantPreview.ts"
import { readType } from "./RecordReaders.tsx"

interface EntriesOf {
  readonly workspaceId: string
  readonly name: string
  readonly count: number
}

interface EntriesElsewhereProps {
  /** Makes the link that shows the entries of one workspace. */
  readonly linkTo: (space: EntriesOf) => ReactNode
}

export const EntriesElsewhere = ({ linkTo }: EntriesElsewhereProps) => {
  const counts = useWholePreview().data?.counts ?? []
  const workspaces = useQuery(hubQuery("GET /api/hub/workspaces", {})).data?.workspaces ?? []
  const spaces = workspaces.flatMap(({ id, name }): ReadonlyArray<EntriesOf> => {
    const found = counts.find(({ type, workspaceId }) => type === readType("knowledge") && workspaceId === id)
    return found === undefined || found.count === 0 ? [] : [{ workspaceId: id, name, count: found.count }]
  })
  return spaces.length === 0 ? null : (
    <p className="flex flex-wrap items-center gap-x-3">
      Knowledge entries of workspaces:
      {spaces.map((space) => (
        <span key={space.workspaceId}>
          {linkTo(space)} <span className="text-muted tabular-nums">{space.count}</span>
        </span>
      ))}
    </p>
  )
}
