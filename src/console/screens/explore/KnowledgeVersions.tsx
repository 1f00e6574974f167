/**
 * Shows the versions of a knowledge entry, latest first. Each version has the content after a write, the writer, and
 * the event of the write.
 */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { type AnswerOf, hubQuery } from "../../api/hub.ts"
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
  const [offset, setOffset] = useState(0)
  const { name } = useNames()
  const versions = useQuery(
    hubQuery("GET /api/hub/knowledge/:key/versions", {
      params: { key: entryKey },
      query: { ...(workspaceId === undefined ? {} : { workspaceId }), limit, offset }
    })
  )
  return (
    <QueryResult what="the history" query={versions}>
      {(rows) => (
        <div className="grid gap-3">
          <Table label="History" columns={columnsBy(name)} rows={rows} keyOf={({ version }) => String(version)} />
          <Pager label="Pages of the history" offset={offset} limit={limit} count={rows.length} onGo={setOffset} />
        </div>
      )}
    </QueryResult>
  )
}
