/**
 * Shows the person's keys that can access this workspace: keys that are limited to it, and keys without a limit to
 * workspaces.
 */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type ProcedureOutput } from "../../api/procedures.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Empty, Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import type { WorkspacePartProps } from "./workspaceOf.ts"
import { allKeysQuery } from "../keys/allKeys.ts"

type Key = ProcedureOutput<"apiKeys.list">[number]

const columns: ReadonlyArray<Column<Key>> = [
  {
    name: "Name",
    sortBy: ({ keyName }) => keyName,
    cell: ({ id, keyName, lastFour }: Key) => (
      <>
        <Link to="/connections" search={{ key: id }}>
          {keyName}
        </Link>{" "}
        <span className="text-muted whitespace-nowrap">…{lastFour}</span>
      </>
    )
  },
  { name: "What it may access", cell: ({ summary }: Key) => summary },
  { name: "Last use", sortBy: ({ lastUsedAt }) => lastUsedAt, cell: ({ lastUsedAt }: Key) => <Time at={lastUsedAt} /> },
  { name: "Ends", sortBy: ({ expiresAt }) => expiresAt, cell: ({ expiresAt }: Key) => <Time at={expiresAt} /> },
  {
    name: "State",
    sortBy: ({ isActive }) => (isActive ? "active" : "ended"),
    cell: ({ isActive }: Key) => <Badge tone={isActive ? "good" : "plain"}>{isActive ? "active" : "ended"}</Badge>
  }
]

/** True if the key is limited to certain workspaces, and this workspace is one of them. */
const isConfined = (key: Key, workspaceId: string): boolean =>
  key.workspaceId === workspaceId || key.grant?.workspaceIds?.includes(workspaceId) === true

export const KeysPart = ({ workspace }: WorkspacePartProps) => {
  const keys = useQuery(allKeysQuery)
  return (
    <Panel title="Keys limited to this workspace" actions={<Link to="/connections">All connections</Link>}>
      <QueryResult what="your keys" query={keys}>
        {(all) => {
          const confined = all.filter((key) => isConfined(key, workspace.id))
          const open = all.filter(
            ({ grant, isActive, workspaceId }) =>
              isActive && workspaceId === null && (grant === null || grant.workspaceIds === null)
          )
          return (
            <>
              {confined.length === 0 ? (
                <Empty title="No key of yours is limited to this workspace.">
                  <Link to="/keys/new">Create a key</Link>
                </Empty>
              ) : (
                <Table
                  label="Keys limited to this workspace"
                  columns={columns}
                  rows={confined}
                  keyOf={({ id }) => id}
                  isWhole
                />
              )}
              {open.length > 0 && (
                <p className="text-muted">
                  {open.length === 1 ? "One more key has" : `${open.length} more keys have`} access to this workspace,
                  because {open.length === 1 ? "it has" : "they have"} no limit to a workspace:{" "}
                  {open.map(({ id, keyName }, at) => (
                    <span key={id}>
                      {at > 0 && ", "}
                      <Link to="/connections" search={{ key: id }}>
                        {keyName}
                      </Link>
                    </span>
                  ))}
                  .
                </p>
              )}
            </>
          )
        }}
      </QueryResult>
    </Panel>
  )
}
