/** Shows the numbers of waiting, running and failed jobs. Only the owner of the pod gets these numbers. */
import type { UseQueryResult } from "@tanstack/react-query"
import type { ProcedureOutput } from "../../api/procedures.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Empty, Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"

type Metrics = ProcedureOutput<"health.metrics">
type Queue = Metrics["jobs"][number]

const columns: ReadonlyArray<Column<Queue>> = [
  { name: "Queue", sortBy: ({ queue }) => queue, cell: ({ queue }: Queue) => <code>{queue}</code> },
  { name: "Waiting", isNumber: true, sortBy: ({ waiting }) => waiting, cell: ({ waiting }: Queue) => waiting },
  { name: "Running", isNumber: true, sortBy: ({ running }) => running, cell: ({ running }: Queue) => running },
  {
    name: "Failed",
    sortBy: ({ failed }) => failed,
    isNumber: true,
    cell: ({ failed }: Queue) => (failed === 0 ? 0 : <Badge tone="bad">{failed} failed</Badge>)
  },
  {
    name: "Oldest waits",
    sortBy: ({ oldestSeconds }) => oldestSeconds,
    isNumber: true,
    cell: ({ oldestSeconds }: Queue) => (oldestSeconds === null ? "–" : `${Math.round(oldestSeconds)} s`)
  }
]

export const QueuesPanel = ({ metrics }: { readonly metrics: UseQueryResult<Metrics> }) => (
  <Panel title="Queues">
    <QueryResult what="the queues" query={metrics}>
      {({ jobs }) =>
        jobs.length === 0 ? (
          <Empty title="No jobs to see.">
            <p>No job waits, or you do not own this pod.</p>
          </Empty>
        ) : (
          <Table label="Queues" columns={columns} rows={jobs} keyOf={({ queue }) => queue} isWhole />
        )
      }
    </QueryResult>
  </Panel>
)
