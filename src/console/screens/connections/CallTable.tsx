/** Shows the last calls of a key, newest first, each with its result and the reason. */
import { Link } from "@tanstack/react-router"
import { Badge } from "../../ui/Badge.tsx"
import { Table } from "../../ui/Table.tsx"
import { WhyRefused } from "../../ui/WhyRefused.tsx"
import { Time } from "../../ui/Time.tsx"
import { clientName, type KeyCall, outcomeOf, surfaceName } from "../connect/firstCall.ts"
import { Inline } from "../../ui/Inline.tsx"

const columnsFor = (keyId: string) => [
  { name: "When", cell: ({ at }: KeyCall) => <Time at={at} /> },
  {
    name: "Call",
    cell: ({ operation, surface }: KeyCall) => (
      <span className="block md:min-w-40">
        <code>{operation ?? "greeting"}</code> <span className="text-muted">{surfaceName(surface)}</span>
      </span>
    )
  },
  {
    name: "Decision",
    cell: (call: KeyCall) => {
      const { isGood, word } = outcomeOf(call)
      return (
        <div
          className={`grid min-w-0 justify-items-start gap-1 wrap-anywhere ${call.reason === null ? "" : "md:min-w-56"}`}
        >
          <Badge tone={isGood ? "good" : "bad"}>
            {word} {call.proposalId === null && call.status}
          </Badge>
          {call.proposalId !== null && (
            <Link to="/inbox/$id" params={{ id: call.proposalId }}>
              Open the proposal
            </Link>
          )}
          {call.reason !== null && (
            <span>
              <Inline text={call.reason} />
            </span>
          )}
          {call.status === 403 && call.operation !== null && <WhyRefused operation={call.operation} keyId={keyId} />}
        </div>
      )
    }
  },
  {
    name: "Client",
    cell: ({ address, clientName: ownName, userAgent }: KeyCall) => (
      <>
        {clientName(ownName ?? userAgent)} <span className="text-muted">{address}</span>
      </>
    )
  }
]

interface CallTableProps {
  readonly keyId: string
  readonly calls: ReadonlyArray<KeyCall>
}

export const CallTable = ({ calls, keyId }: CallTableProps) =>
  calls.length === 0 ? (
    <p className="text-muted">No call with this key yet.</p>
  ) : (
    <Table label="Last calls" columns={columnsFor(keyId)} rows={calls} keyOf={({ id }) => id} />
  )
