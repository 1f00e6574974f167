/** Shows whether the pod can serve requests now, and the version of its API schema. */
import type { UseQueryResult } from "@tanstack/react-query"
import type { AnswerOf } from "../../api/hub.ts"
import { Badge } from "../../ui/Badge.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"

interface ReadyPanelProps {
  readonly ready: UseQueryResult<AnswerOf<"GET /readyz">>
  readonly health: UseQueryResult<AnswerOf<"GET /api/hub/health">>
}

export const ReadyPanel = ({ ready, health }: ReadyPanelProps) => (
  <Panel title="Right now">
    {ready.error !== null ? (
      <>
        <p>
          <Badge tone="bad">not ready</Badge> The pod does not serve everything.
        </p>
        <ErrorBox error={ready.error} onRetry={() => void ready.refetch()} />
      </>
    ) : (
      <QueryResult what="whether the pod is ready" query={ready}>
        {({ checks }) => (
          <p role="status">
            <Badge tone="good">ready</Badge> The database is {checks.database}, and the pod accepts calls.
          </p>
        )}
      </QueryResult>
    )}
    <QueryResult what="the schema" query={health}>
      {({ schemaHash, service }) => (
        <p className="text-muted">
          {service}, schema <code>{schemaHash}</code>
        </p>
      )}
    </QueryResult>
  </Panel>
)
