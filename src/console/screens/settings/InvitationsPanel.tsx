/**
 * Shows invitations. An invitation is a link that works once, and with which a person joins the pod or a workspace. The
 * inviter sends the link, because the pod sends no mail.
 */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type AnswerOf, hub, hubQuery } from "../../api/hub.ts"
import { podRoot } from "../../api/root.ts"
import { useWrite } from "../../api/useWrite.ts"
import { allInvitationsQuery } from "../../api/wholeLists.ts"
import { ConfirmButton } from "../../ui/ConfirmButton.tsx"
import { Badge, type Tone } from "../../ui/Badge.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { Empty, Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { isManager } from "../workspaces/workspaceParts.ts"
import { InviteForm } from "./InviteForm.tsx"

type Invitation = AnswerOf<"GET /api/hub/invitations">[number]

const tones: Readonly<Record<Invitation["status"], Tone>> = {
  open: "accent",
  used: "good",
  withdrawn: "plain",
  expired: "plain"
}

const nameOf = ({ id, note }: Invitation) => note ?? `invitation ${id.slice(-6)}`

const Withdrawal = ({ invitation }: { readonly invitation: Invitation }) => {
  const write = useWrite({
    run: () => hub("DELETE /api/hub/invitations/:id", { params: { id: invitation.id } }),
    stale: ["invitations"],
    successMessage: () => "The link does not work any more."
  })
  return (
    <ConfirmButton
      name="Withdraw"
      label={`Withdraw ${nameOf(invitation)}`}
      question={`Withdraw the invitation for ${nameOf(invitation)}?`}
      confirm="Withdraw the invitation"
      onConfirm={() => write.mutateAsync(undefined)}
    >
      <p>Its link stops working. You can make a new one at any time.</p>
    </ConfirmButton>
  )
}

interface InvitationsPanelProps {
  /** If set, the panel shows and makes only invitations to the workspace with this id. */
  readonly workspaceId?: string
}

export const InvitationsPanel = ({ workspaceId: only }: InvitationsPanelProps) => {
  const [link, setLink] = useState<{ readonly url: string; readonly note: string } | undefined>()
  const invitations = useQuery(allInvitationsQuery)
  const workspaces = useQuery(hubQuery("GET /api/hub/workspaces", {}))
  const names = new Map(workspaces.data?.workspaces.map(({ id, name }) => [id, name]))
  const columns: ReadonlyArray<Column<Invitation>> = [
    { name: "For", sortBy: nameOf, cell: (invitation: Invitation) => nameOf(invitation) },
    {
      name: "Joins",
      cell: ({ role, workspaceId }: Invitation) =>
        workspaceId === null ? "the pod" : `${names.get(workspaceId) ?? "a workspace"} as ${role ?? "editor"}`
    },
    {
      name: "State",
      sortBy: ({ status }) => status,
      cell: ({ status }: Invitation) => <Badge tone={tones[status]}>{status}</Badge>
    },
    {
      name: "Created",
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }: Invitation) => <Time at={createdAt} />
    },
    {
      name: "Ends",
      sortBy: ({ expiresAt }) => expiresAt,
      cell: ({ expiresAt }: Invitation) => <Time at={expiresAt} />
    },
    {
      name: "Actions",
      cell: (invitation: Invitation) => (invitation.status === "open" ? <Withdrawal invitation={invitation} /> : null)
    }
  ]
  return (
    <Panel title="Invitations">
      {only !== undefined && (
        <p className="text-muted">
          A person who has an account on this pod signs in with the link and joins the workspace. If you are the owner
          or an administrator of the pod, a new person can also create an account with it.
        </p>
      )}
      <InviteForm
        workspaces={only ?? (workspaces.data?.workspaces ?? []).filter(({ role }) => isManager(role))}
        onMade={({ invitation, joinPath }) =>
          setLink({ url: `${podRoot}${joinPath.slice(1)}`, note: invitation.note ?? "the new person" })
        }
      />
      {link !== undefined && (
        <div role="status" className="grid gap-2">
          <p>
            Give this link to {link.note}. It works once, and it is shown only now. Anybody who has the link can join in
            place of this person.
          </p>
          <Copyable text={link.url} name="the link" />
        </div>
      )}
      <QueryResult what="your invitations" query={invitations}>
        {(all) => {
          const rows = only === undefined ? all : all.filter(({ workspaceId }) => workspaceId === only)
          return rows.length === 0 ? (
            <Empty title="You have invited nobody yet.">
              <p>Create a link above, and give it to the person yourself. The pod sends no mail.</p>
            </Empty>
          ) : (
            <Table label="Invitations" columns={columns} rows={rows} keyOf={({ id }) => id} isWhole />
          )
        }}
      </QueryResult>
    </Panel>
  )
}
