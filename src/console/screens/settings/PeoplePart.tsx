/**
 * Shows the people of the pod: members, suspended people, administrators and invitations. Only the owner and
 * administrators see this part.
 */
import { useQuery } from "@tanstack/react-query"
import { type AnswerOf, hub, hubPageQuery, hubQuery } from "../../api/hub.ts"
import { Refusal } from "../../api/refusal.ts"
import { useWrite } from "../../api/useWrite.ts"
import { ConfirmButton } from "../../ui/ConfirmButton.tsx"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Pager } from "../../ui/Pager.tsx"
import { Empty, Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { useFirstPage } from "../../ui/useFirstPage.ts"
import { InvitationsPanel } from "./InvitationsPanel.tsx"

type Person = AnswerOf<"GET /api/hub/people">[number]

const pageLength = 50

const Suspension = ({ person }: { readonly person: Person }) => {
  const write = useWrite({
    run: (isSuspended: boolean) =>
      hub("PATCH /api/hub/people/:id", { params: { id: person.id }, body: { isSuspended } }),
    stale: ["people"],
    successMessage: ({ isSuspended, name }) => (isSuspended ? `${name} is suspended.` : `${name} is active again.`)
  })
  if (person.isSuspended) {
    return (
      <Button
        aria-label={`End the suspension of ${person.name}`}
        isBusy={write.isPending}
        onClick={() => write.mutate(false)}
      >
        End the suspension
      </Button>
    )
  }
  return (
    <ConfirmButton
      name="Suspend"
      label={`Suspend ${person.name}`}
      question={`Suspend ${person.name}?`}
      confirm={`Suspend ${person.name}`}
      onConfirm={() => write.mutateAsync(true)}
    >
      <p>
        All calls of {person.name} and of their agents stop at once, and their sessions end for good. Their keys work
        again when you end the suspension. Nothing of theirs is deleted.
      </p>
    </ConfirmButton>
  )
}

const Appointment = ({ person }: { readonly person: Person }) => {
  const write = useWrite({
    run: (isAdministrator: boolean) =>
      hub("PATCH /api/hub/people/:id", { params: { id: person.id }, body: { isAdministrator } }),
    stale: ["people"],
    successMessage: ({ isAdministrator, name }) =>
      isAdministrator ? `${name} is an administrator.` : `${name} is no administrator any more.`
  })
  if (person.isAdministrator) {
    return (
      <ConfirmButton
        name="Dismiss"
        label={`Dismiss ${person.name}`}
        question={`Dismiss ${person.name} as an administrator?`}
        confirm={`Dismiss ${person.name}`}
        onConfirm={() => write.mutateAsync(false)}
      >
        <p>
          {person.name} stays a person of the pod, but can no longer suspend people or invite new people. Their open
          links create no accounts any more.
        </p>
      </ConfirmButton>
    )
  }
  return (
    <ConfirmButton
      name="Appoint"
      label={`Appoint ${person.name}`}
      question={`Make ${person.name} an administrator?`}
      confirm={`Appoint ${person.name}`}
      onConfirm={() => write.mutateAsync(true)}
    >
      <p>
        An administrator sees the people of this pod with their e-mail addresses, invites new people, and suspends
        everybody except you and other administrators. Your records stay closed to {person.name}, as before.
      </p>
    </ConfirmButton>
  )
}

/**
 * The buttons that act on the account of a person. The owner may act on everybody else, and an administrator only on
 * members.
 */
const ActionsFor = ({ isByOwner, person }: { readonly isByOwner: boolean; readonly person: Person }) => {
  if (person.isOwner || (person.isAdministrator && !isByOwner)) return null
  return (
    <div className="flex flex-wrap gap-2">
      {isByOwner && <Appointment person={person} />}
      <Suspension person={person} />
    </div>
  )
}

const tones = { owner: "accent", administrator: "accent", suspended: "bad", active: "good" } as const

/** The state of a person in the table. A suspended administrator counts as suspended. */
const stateOf = ({ isAdministrator, isOwner, isSuspended }: Person): keyof typeof tones => {
  if (isOwner) return "owner"
  if (isSuspended) return "suspended"
  return isAdministrator ? "administrator" : "active"
}

const columnsFor = (isByOwner: boolean): ReadonlyArray<Column<Person>> => [
  { name: "Name", sortBy: ({ name }) => name, cell: ({ name }: Person) => name },
  { name: "E-mail address", sortBy: ({ email }) => email, cell: ({ email }: Person) => email ?? "none" },
  {
    name: "State",
    sortBy: stateOf,
    cell: (person: Person) => <Badge tone={tones[stateOf(person)]}>{stateOf(person)}</Badge>
  },
  { name: "Joined", sortBy: ({ createdAt }) => createdAt, cell: ({ createdAt }: Person) => <Time at={createdAt} /> },
  { name: "Actions", cell: (person: Person) => <ActionsFor isByOwner={isByOwner} person={person} /> }
]

interface PeoplePartProps {
  readonly after: string | undefined
  readonly onGo: (after: string | undefined) => void
}

/** The request for one page of the people. */
export const peopleRead = (after: string | undefined) => ({ query: { limit: pageLength, cursor: after } })

export const PeoplePart = ({ after, onGo }: PeoplePartProps) => {
  const people = useQuery(hubPageQuery("GET /api/hub/people", peopleRead(after)))
  useFirstPage(people.error)
  const me = useQuery(hubQuery("GET /api/hub/users/me", {}))
  if (people.error instanceof Refusal && people.error.status === 403) {
    return (
      <Empty title="Only the owner and the administrators of the pod see its people.">
        <p>You see the members of your workspaces on the screen of each workspace.</p>
      </Empty>
    )
  }
  return (
    <div className="grid gap-4">
      <Panel title="People of this pod">
        <QueryResult what="the people of the pod" query={people}>
          {({ answer: rows, next }) => (
            <>
              <Table
                label="People of this pod"
                columns={columnsFor(me.data?.podRole === "owner")}
                rows={rows}
                keyOf={({ id }) => id}
                isWhole={after === undefined && next === undefined}
              />
              <Pager label="Pages of the people" after={after} next={next} onGo={onGo} />
            </>
          )}
        </QueryResult>
      </Panel>
      <InvitationsPanel />
    </div>
  )
}
