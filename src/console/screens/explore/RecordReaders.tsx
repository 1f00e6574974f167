/** Who can see a record: the members of its workspace, or the person alone. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type AnswerOf, hubQuery } from "../../api/hub.ts"
import { Shown } from "../../ui/Shown.tsx"
import { Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"

type Member = AnswerOf<"GET /api/hub/workspaces/:workspaceId">["members"][number]

const columns = [
  { name: "Name", cell: ({ name }: Member) => name },
  { name: "Kind", cell: ({ kind }: Member) => kind },
  { name: "Role", cell: ({ role }: Member) => role },
  { name: "Since", cell: ({ joinedAt }: Member) => <Time at={joinedAt} /> }
]

const Keys = () => (
  <p className="text-muted">
    Keys see no more than their person, and only what their grants cover. <Link to="/connections">Connections</Link>{" "}
    says what each of your keys may touch.
  </p>
)

const MembersOf = ({ workspaceId }: { readonly workspaceId: string }) => {
  const workspace = useQuery(hubQuery("GET /api/hub/workspaces/:workspaceId", { params: { workspaceId } }))
  return (
    <Shown what="the members" query={workspace}>
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
          <Table label="Who can see it" columns={columns} rows={members} keyOf={({ userId }) => userId} />
          <Keys />
        </div>
      )}
    </Shown>
  )
}

export const RecordReaders = ({ workspaceId }: { readonly workspaceId: string | null }) =>
  workspaceId === null ? (
    <div className="grid gap-3">
      <p>It is in your personal space: no other person can read it. Your agents can, where they read what you read.</p>
      <Keys />
    </div>
  ) : (
    <MembersOf workspaceId={workspaceId} />
  )
