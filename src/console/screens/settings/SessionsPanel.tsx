/** Shows where the person is signed in: each session with its program and address, and a button that ends it. */
import { useQuery } from "@tanstack/react-query"
import { change, procedureQuery, type ProcedureOutput } from "../../api/procedures.ts"
import { useWrite } from "../../api/useWrite.ts"
import { ConfirmButton } from "../../ui/ConfirmButton.tsx"
import { Badge } from "../../ui/Badge.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { programOf } from "./programOf.ts"

type OwnSession = ProcedureOutput<"sessions.list">[number]

const EndButton = ({ session }: { readonly session: OwnSession }) => {
  const write = useWrite({
    run: () => change("sessions.end", { sessionId: session.id }),
    stale: ["sessions"],
    successMessage: () => "The session has ended."
  })
  const name = programOf(session.userAgent)
  return (
    <ConfirmButton
      name="End"
      label={`End the session of ${name}`}
      question={`End the session of ${name}?`}
      confirm="End the session"
      onConfirm={() => write.mutateAsync(undefined)}
    >
      <p>The browser or program that uses it has to sign in again. Calls that run now are stopped.</p>
    </ConfirmButton>
  )
}

const columns: ReadonlyArray<Column<OwnSession>> = [
  {
    name: "Program",
    sortBy: ({ userAgent }) => programOf(userAgent),
    cell: ({ userAgent, isCurrent }: OwnSession) => (
      <span title={userAgent ?? undefined}>
        {programOf(userAgent)} {isCurrent && <Badge tone="accent">this one</Badge>}
      </span>
    )
  },
  {
    name: "Address",
    sortBy: ({ address }) => address,
    cell: ({ address }: OwnSession) => address ?? <span className="text-muted">not known</span>
  },
  {
    name: "Signed in",
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }: OwnSession) => <Time at={createdAt} />
  },
  { name: "Ends", sortBy: ({ expiresAt }) => expiresAt, cell: ({ expiresAt }: OwnSession) => <Time at={expiresAt} /> },
  {
    name: "Actions",
    cell: (session: OwnSession) => (session.isCurrent ? null : <EndButton session={session} />)
  }
]

export const SessionsPanel = () => {
  const sessions = useQuery(procedureQuery("sessions.list", {}))
  const endOthers = useWrite({
    run: () => change("sessions.endOthers", {}),
    stale: ["sessions"],
    successMessage: ({ endedSessions }) =>
      endedSessions === 1 ? "One other session has ended." : `${endedSessions} other sessions have ended.`
  })
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0
  return (
    <Panel
      title="Where you are signed in"
      actions={
        others > 0 && (
          <ConfirmButton
            name="Sign out everywhere else"
            question="Sign out everywhere else?"
            confirm="End the other sessions"
            onConfirm={() => endOthers.mutateAsync(undefined)}
          >
            <p>
              {others === 1 ? "One other session ends" : `${others} other sessions end`} at once. This session and your
              keys stay.
            </p>
          </ConfirmButton>
        )
      }
    >
      <QueryResult what="your sessions" query={sessions}>
        {(rows) => <Table label="Your sessions" columns={columns} rows={rows} keyOf={({ id }) => id} isWhole />}
      </QueryResult>
    </Panel>
  )
}
