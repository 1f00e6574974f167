/** Shows who can see a record: the members of its workspace or only the person, and the keys that can read it. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type AnswerOf, hubQuery } from "../../api/hub.ts"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { KeyReaders } from "./KeyReaders.tsx"

type Member = AnswerOf<"GET /api/hub/workspaces/:workspaceId">["members"][number]

const columns: ReadonlyArray<Column<Member>> = [
  { name: "Name", sortBy: ({ name }) => name, cell: ({ name }: Member) => name },
  { name: "Kind", sortBy: ({ kind }) => kind, cell: ({ kind }: Member) => kind },
  { name: "Role", sortBy: ({ role }) => role, cell: ({ role }: Member) => role },
  { name: "Since", sortBy: ({ joinedAt }) => joinedAt, cell: ({ joinedAt }: Member) => <Time at={joinedAt} /> }
]

const MembersOf = ({ workspaceId }: { readonly workspaceId: string }) => {
  const workspace = useQuery(hubQuery("GET /api/hub/workspaces/:workspaceId", { params: { workspaceId } }))
  return (
    <QueryResult what="the members" query={workspace}>
      {({ members, name, publicProjection }) => (
        <div className="grid min-w-0 gap-3">
          <p>Every member of {name} can read it.</p>
          {publicProjection !== null && (
            <p className="text-warn">
              A part of this workspace is public.{" "}
              <Link to="/workspaces/$id" params={{ id: workspaceId }}>
                See which part
              </Link>
            </p>
          )}
          <Table label="Who can see it" columns={columns} rows={members} keyOf={({ userId }) => userId} isWhole />
        </div>
      )}
    </QueryResult>
  )
}

interface RecordReadersProps {
  readonly type: string
  readonly id: string
  readonly workspaceId: string | null
}

/** The name that lists of readers and previews use for a record type. */
export const readType = (type: string): string => (type === "knowledge" ? "knowledge_entry" : type)

export const RecordReaders = ({ id, type, workspaceId }: RecordReadersProps) => (
  <div className="grid min-w-0 gap-4">
    {workspaceId === null ? (
      <p>It is in your personal space: no other person can read it.</p>
    ) : (
      <MembersOf workspaceId={workspaceId} />
    )}
    <KeyReaders type={readType(type)} id={id} isShared={workspaceId !== null} />
  </div>
)
