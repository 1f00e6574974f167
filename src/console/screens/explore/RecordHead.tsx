/** The line below the title of a record: its kind, its version, its space and when it changed. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { hubQuery } from "../../api/hub.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Time } from "../../ui/Time.tsx"

interface RecordHeadProps {
  readonly kindName: string
  /** The kind as the address of the Explore page names it, such as `task` or `:document`. */
  readonly kind: string
  readonly version: number
  readonly workspaceId: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export const RecordHead = ({ createdAt, kind, kindName, updatedAt, version, workspaceId }: RecordHeadProps) => {
  const { data } = useQuery({ ...hubQuery("GET /api/hub/workspaces", {}), enabled: workspaceId !== null })
  const workspace = data?.workspaces.find(({ id }) => id === workspaceId)?.name ?? "a workspace"
  return (
    <p className="text-muted flex flex-wrap items-center gap-x-3 gap-y-1">
      <Link to="/explore" search={{ kind }} title={`All records of the kind ${kindName}`}>
        <Badge tone="accent">{kindName}</Badge>
      </Link>
      <span>version {version}</span>
      <span>{workspaceId === null ? "in your personal space" : `in ${workspace}`}</span>
      <span>
        changed <Time at={updatedAt} />
      </span>
      <span>
        created <Time at={createdAt} />
      </span>
    </p>
  )
}
