/** Shows the history of one record: its events, latest first. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { type AnswerOf, hubPageQuery } from "../../api/hub.ts"
import { useNames } from "../../api/useNames.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Empty } from "../../ui/Page.tsx"
import { Pager } from "../../ui/Pager.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"

type Event = AnswerOf<"GET /api/hub/events">[number]

const pageRows = 25

/** The query for all events of a record, from the beginning of the log. */
export const historyQuery = (subjectId: string, after?: string) => ({
  query: { subjectId, fromDate: "1970-01-01T00:00:00Z", limit: pageRows, cursor: after }
})

export const verdictTones = { allow: "good", propose: "warn", deny: "bad" } as const

const ActorName = ({ id }: { readonly id: string }) => <span title={id}>{useNames().name(id)}</span>

const columns = [
  { name: "When", cell: ({ timestamp }: Event) => <Time at={timestamp} /> },
  {
    name: "What",
    cell: ({ id, type }: Event) => (
      <Link to="/events" search={{ event: id }}>
        {type}
      </Link>
    )
  },
  { name: "By", cell: ({ actorId }: Event) => <ActorName id={actorId} /> },
  {
    name: "Decision",
    cell: ({ decision }: Event) =>
      decision === undefined ? "–" : <Badge tone={verdictTones[decision.verdict]}>{decision.verdict}</Badge>
  },
  { name: "Rule", cell: ({ decision }: Event) => decision?.rung ?? "–" }
]

export const History = ({ id }: { readonly id: string }) => {
  const [after, setAfter] = useState<string>()
  const events = useQuery(hubPageQuery("GET /api/hub/events", historyQuery(id, after)))
  return (
    <QueryResult what="the history" query={events}>
      {({ answer: rows, next }) => (
        <div className="grid gap-3">
          {rows.length === 0 && after === undefined ? (
            <Empty title="Your log has no event of this record.">
              <p>Your log contains only what you and your agents did.</p>
            </Empty>
          ) : (
            <Table label="History" columns={columns} rows={rows} keyOf={(event) => event.id} />
          )}
          <Pager label="Pages of the history" after={after} next={next} onGo={setAfter} />
        </div>
      )}
    </QueryResult>
  )
}
