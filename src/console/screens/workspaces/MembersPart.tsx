/** Shows the people and agents of a workspace, its invitations, and the form that adds one of the person's agents. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { FormEvent } from "react"
import { hub } from "../../api/hub.ts"
import { procedureQuery } from "../../api/procedures.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { SelectField, textsOf } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Page.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { InvitationsPanel } from "../settings/InvitationsPanel.tsx"
import { MemberActions } from "./MemberActions.tsx"
import type { Workspace, WorkspacePartProps } from "./workspaceOf.ts"
import { isManager } from "./workspaceParts.ts"

type Member = Workspace["members"][number]

const columnsOf = (workspace: Workspace): ReadonlyArray<Column<Member>> => [
  { name: "Name", sortBy: ({ name }) => name, cell: ({ name }: Member) => name },
  {
    name: "Kind",
    sortBy: ({ kind }) => kind,
    cell: ({ kind }: Member) => <Badge tone={kind === "person" ? "accent" : "plain"}>{kind}</Badge>
  },
  { name: "Role", sortBy: ({ role }) => role, cell: ({ role }: Member) => role },
  { name: "Joined", sortBy: ({ joinedAt }) => joinedAt, cell: ({ joinedAt }: Member) => <Time at={joinedAt} /> },
  {
    name: "Actions",
    cell: (member: Member) => <MemberActions member={member} workspace={workspace} />
  }
]

const roles = ["viewer", "editor", "admin"] as const

const LetIn = ({ workspace }: WorkspacePartProps) => {
  const agents = useQuery(procedureQuery("agents.list", {}))
  const write = useWrite({
    run: (texts: Readonly<Record<string, string>>) =>
      hub("POST /api/hub/workspaces/enroll-agent", {
        body: {
          agentUserId: texts["agent"] ?? "",
          workspaceId: workspace.id,
          role: roles.find((role) => role === texts["role"]) ?? "editor"
        }
      }),
    stale: ["workspaces", "agentConfigs"],
    successMessage: () => "The agent is in the workspace."
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    write.mutate(textsOf(event.currentTarget))
  }
  const inside = new Set(workspace.members.map(({ userId }) => userId))
  const outside = agents.data?.filter(({ id }) => !inside.has(id)) ?? []
  return (
    <Panel title="Let one of your agents in">
      {outside.length === 0 ? (
        <p className="text-muted">
          {agents.data?.length === 0 ? "You have no agents. " : "All your agents are members already. "}
          <Link to="/agents">Go to your agents</Link>.
        </p>
      ) : (
        <form onSubmit={submit} className="grid items-end gap-3 sm:grid-cols-3">
          <SelectField label="Agent" name="agent">
            {outside.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField label="Role" name="role" defaultValue="editor">
            {roles.map((role) => (
              <option key={role} value={role}>
                {role}
              </option>
            ))}
          </SelectField>
          <div>
            <Button type="submit" kind="primary" isBusy={write.isPending}>
              Let it in
            </Button>
          </div>
          {write.error !== null && (
            <div className="sm:col-span-3">
              <ErrorBox error={write.error} />
            </div>
          )}
        </form>
      )}
    </Panel>
  )
}

export const MembersPart = ({ workspace }: WorkspacePartProps) => (
  <div className="grid gap-4">
    <Table
      label="Members"
      columns={columnsOf(workspace)}
      rows={workspace.members}
      keyOf={({ userId }) => userId}
      isWhole
    />
    {isManager(workspace.role) && (
      <>
        <LetIn workspace={workspace} />
        <InvitationsPanel workspaceId={workspace.id} />
      </>
    )}
  </div>
)
