/** The calls of a delivery: when the pod called, and what the receiver answered. */
import { Badge } from "../../ui/Badge.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { type Attempt, headerLines, latencyText } from "./webhookFacts.ts"

// The table shows this many characters of an answer. A person can open the whole answer below these characters.
const answerShown = 200

const columns = [
  { name: "Call", isNumber: true, cell: ({ attempt }: Attempt) => attempt },
  { name: "When", cell: ({ at }: Attempt) => <Time at={at} /> },
  {
    name: "Status",
    cell: ({ error, responseStatus }: Attempt) => {
      const isGood = responseStatus !== null && responseStatus.startsWith("2")
      return (
        <div className="grid justify-items-start gap-1">
          <Badge tone={isGood ? "good" : "bad"}>
            {responseStatus === null ? "no answer" : `HTTP ${responseStatus}`}
          </Badge>
          {error !== null && <span>{error}</span>}
        </div>
      )
    }
  },
  { name: "Took", isNumber: true, cell: ({ latencyMs }: Attempt) => latencyText(latencyMs) },
  {
    name: "Answer",
    cell: ({ attempt, responseBody, responseHeaders }: Attempt) =>
      responseBody === null && responseHeaders === null ? (
        <span className="text-muted">none</span>
      ) : (
        <div className="grid gap-1">
          {responseBody !== null && responseBody !== "" && (
            <code className="break-all whitespace-pre-wrap">{responseBody.slice(0, answerShown)}</code>
          )}
          <details>
            <summary className="min-h-6">Whole answer to call {attempt}</summary>
            <Copyable
              name={`the answer to call ${attempt}`}
              text={[headerLines(responseHeaders ?? {}), "", responseBody ?? ""].join("\n").trim()}
            />
          </details>
        </div>
      )
  }
]

export const CallTable = ({ calls }: { readonly calls: ReadonlyArray<Attempt> }) => (
  <Table label="Calls of the delivery" columns={columns} rows={calls} keyOf={(call) => `${call.attempt} ${call.at}`} />
)
