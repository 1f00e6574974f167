/**
 * Shows the versions of a knowledge entry, latest first. Each version has the content after a write, the writer, and
 * the event of the write.
 */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { type AnswerOf, hubPageQuery } from "../../api/hub.ts"
import { useNames } from "../../api/useNames.ts"
import { Pager } from "../../ui/Pager.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { Value } from "./valueText.tsx"

type Version = AnswerOf<"GET /api/hub/knowledge/:key/versions">[number]

// A page shows this many rows.
const limit = 25

const columnsBy = (nameOf: (id: string) => string): ReadonlyArray<Column<Version>> => [
  { name: "Version", isNumber: true, cell: ({ version }) => version },
  {
    name: "When",
    cell: ({ at, eventId }) =>
      eventId === null ? (
        <Time at={at} />
      ) : (
        <Link to="/events" search={{ event: eventId }}>
          <Time at={at} />
        </Link>
      )
  },
  { name: "By", cell: ({ actorId }) => nameOf(actorId) },
  { name: "Status", cell: ({ status }) => status },
  { name: "Value", cell: ({ value }) => <Value of={value} /> }
]

interface KnowledgeVersionsProps {
  readonly entryKey: string
  readonly workspaceId: string | undefined
}

export const KnowledgeVersions = ({ entryKey, workspaceId }: KnowledgeVersionsProps) => {
  const [after, setAfter] = useState<string>()
  const { name } = useNames()
  const versions = useQuery(
    hubPageQuery("GET /api/hub/knowledge/:key/versions", {
      params: { key: entryKey },
      query: { ...(workspaceId === undefined ? {} : { workspaceId }), limit, cursor: after }
    })
  )
  return (
    <QueryResult what="the history" query={versions}>
      {({ answer: rows, next }) => (
        <div className="grid gap-3">
          <Table label="History" columns={columnsBy(name)} rows={rows} keyOf={({ version }) => String(version)} />
          <Pager label="Pages of the history" after={after} next={next} onGo={setAfter} />
        </div>
      )}
    </QueryResult>
  )
}
