/** Shows the services that the pod depends on, each with its state, the reason for this state, and its answer time. */
import type { UseQueryResult } from "@tanstack/react-query"
import type { AnswerOf } from "../../api/hub.ts"
import { Badge, type Tone } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"

type Report = AnswerOf<"GET /api/hub/health/dependencies">
type Dependency = Report["dependencies"][number]

const states: Readonly<Record<Dependency["state"], { readonly text: string; readonly tone: Tone }>> = {
  ok: { text: "ok", tone: "good" },
  down: { text: "down", tone: "bad" },
  not_configured: { text: "not configured", tone: "plain" }
}

const columns: ReadonlyArray<Column<Dependency>> = [
  { name: "Service", sortBy: ({ name }) => name, cell: ({ name }: Dependency) => name },
  {
    name: "State",
    sortBy: ({ state }) => states[state].text,
    cell: ({ state }: Dependency) => <Badge tone={states[state].tone}>{states[state].text}</Badge>
  },
  {
    name: "Answered in",
    isNumber: true,
    sortBy: ({ latencyMs, reachable }) => (reachable ? latencyMs : null),
    cell: ({ latencyMs, reachable }: Dependency) => (reachable ? `${latencyMs} ms` : "–")
  },
  { name: "Reason", cell: ({ reason }: Dependency) => reason ?? "" },
  { name: "Address", cell: ({ endpoint }: Dependency) => endpoint ?? "" }
]

export const DependenciesPanel = ({ report }: { readonly report: UseQueryResult<Report> }) => (
  <Panel
    title="What it depends on"
    actions={
      <Button isBusy={report.isFetching} onClick={() => void report.refetch()}>
        Check again
      </Button>
    }
  >
    <QueryResult what="the services" query={report}>
      {({ checkedAt, dependencies, status }) => (
        <>
          <p>
            {status === "ok" ? "Every configured service answers." : "A configured service does not answer."}{" "}
            <span className="text-muted">
              Checked <Time at={checkedAt} />.
            </span>
          </p>
          <Table
            label="What the pod depends on"
            columns={columns}
            rows={dependencies}
            keyOf={({ name }) => name}
            isWhole
          />
        </>
      )}
    </QueryResult>
  </Panel>
)
