/** Shows one webhook: its state, its actions and its latest deliveries. */
import { useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect } from "react"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { Empty, Panel } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { TimeRangeFields } from "../../ui/TimeRangeFields.tsx"
import { isRange, noTimeRange, type TimeRange } from "../../ui/timeRange.ts"
import { drawerLink } from "../../ui/useDrawer.ts"
import { DeliveryDetail } from "./DeliveryDetail.tsx"
import { useDeliveries } from "./useDeliveries.ts"
import { WebhookActions } from "./WebhookActions.tsx"
import { type Delivery, deliveryTones, stateOf, type Webhook } from "./webhookFacts.ts"
import { Inline } from "../../ui/Inline.tsx"

interface WebhookDetailProps {
  readonly webhook: Webhook
  /** The id of the shown delivery. The page gets this id from its address. Undefined if the page shows no delivery. */
  readonly delivery: string | undefined
  /** The name of the shown tab of the delivery. The page gets this name from its address. */
  readonly tab: string | undefined
  readonly onTab: (tab: string | undefined) => void
  readonly onCloseDelivery: () => void
  readonly onGone: () => void
  /** The range of time of the shown deliveries. The page gets this range from its address. */
  readonly range: TimeRange
  readonly onRange: (range: TimeRange) => void
}

const lenses = { all: "all", internal: "from inside the pod", external: "from outside" } as const

const columns: ReadonlyArray<Column<Delivery>> = [
  {
    name: "Event",
    sortBy: ({ eventType }) => eventType,
    cell: ({ eventType, id }: Delivery) => (
      <Link to="/webhooks" search={(now) => ({ ...now, delivery: id })} {...drawerLink}>
        {eventType}
      </Link>
    )
  },
  {
    name: "State",
    sortBy: ({ status }) => status,
    cell: ({ status }: Delivery) => <Badge tone={deliveryTones[status]}>{status}</Badge>
  },
  { name: "Calls", isNumber: true, sortBy: ({ attempt }) => attempt, cell: ({ attempt }: Delivery) => attempt },
  {
    name: "Answer",
    sortBy: ({ error, responseStatus }) => responseStatus ?? error,
    cell: ({ error, responseStatus }: Delivery) => (responseStatus === null ? (error ?? "–") : `HTTP ${responseStatus}`)
  },
  { name: "Planned", sortBy: ({ createdAt }) => createdAt, cell: ({ createdAt }: Delivery) => <Time at={createdAt} /> },
  {
    name: "Next call",
    sortBy: ({ nextAttemptAt }) => nextAttemptAt,
    cell: ({ nextAttemptAt }: Delivery) => <Time at={nextAttemptAt} absent="none" />
  }
]

// The pod keeps deliveries for 30 days, so longer periods would show the same rows.
const offeredPeriods = ["1h", "24h", "7d"] as const

export const WebhookDetail = ({
  delivery,
  onCloseDelivery,
  onGone,
  onRange,
  onTab,
  range,
  tab,
  webhook
}: WebhookDetailProps) => {
  const deliveries = useDeliveries(webhook.id, range)
  const queries = useQueryClient()
  const ended = deliveries.data?.filter(({ status }) => status !== "pending").length
  // A call to the receiver can also change the state of the webhook. So the console reads the state again after each
  // call.
  useEffect(() => {
    if (ended === undefined) return
    for (const read of ["GET /api/hub/webhooks", "webhooks.figures"]) {
      void queries.invalidateQueries({ queryKey: ["webhooks", read] })
    }
  }, [ended, queries])
  const opened = deliveries.data?.find(({ id }) => id === delivery)
  const { why } = stateOf(webhook)
  return (
    <Panel title={webhook.name}>
      {why !== undefined && (
        <p role="status" className="border-bad bg-bad-soft rounded-md border p-3">
          <Inline text={why} /> Repair the receiver or edit the address. Then choose Resume.
        </p>
      )}
      <Facts
        facts={[
          ["Address", webhook.url],
          ["Types of events", webhook.eventTypes.join(", ")],
          ["Which events", lenses[webhook.lens]],
          ["Retries", webhook.retryConfig.maxRetries],
          ["Last call", <Time at={webhook.lastTriggeredAt} />],
          [
            "Former secret",
            webhook.formerSecretEnds === null ? (
              "none"
            ) : (
              <>
                also signs the calls, and ends <Time at={webhook.formerSecretEnds} />
              </>
            )
          ]
        ]}
      />
      <WebhookActions webhook={webhook} onGone={onGone} />
      <div className="grid max-w-4xl grid-cols-2 items-end gap-3 lg:grid-cols-4">
        <TimeRangeFields range={range} none="Last 30 days" offered={offeredPeriods} onChange={onRange} />
      </div>
      <QueryResult what="the deliveries" query={deliveries}>
        {(rows) =>
          rows.length === 0 && isRange(range) ? (
            <Empty title="Nothing was sent in this time.">
              <Button onClick={() => onRange(noTimeRange)}>Show all deliveries</Button>
            </Empty>
          ) : rows.length === 0 ? (
            <Empty title="Nothing was sent yet.">
              <p>Send a test, or wait for an event that the webhook follows.</p>
            </Empty>
          ) : (
            <>
              <Table
                label={`Deliveries of ${webhook.name}`}
                columns={columns}
                rows={rows}
                isWhole={!deliveries.hasNextPage}
                keyOf={({ id }) => id}
                isChosen={({ id }) => id === delivery}
              />
              <ShowMore what="deliveries" query={deliveries} />
            </>
          )
        }
      </QueryResult>
      <Dialog title="Delivery" shape="drawer" isOpen={opened !== undefined} onClose={onCloseDelivery}>
        {opened !== undefined && <DeliveryDetail delivery={opened} tab={tab} onTab={onTab} />}
      </Dialog>
    </Panel>
  )
}
