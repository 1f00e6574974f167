/**
 * The page of webhooks. A webhook is an address that the pod calls. The page shows how the receivers answer, and has
 * actions that repair failed deliveries.
 */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { procedureQuery } from "../../api/procedures.ts"
import { useFreshReads } from "../../api/stream.ts"
import { allWebhooksQuery, webhooksAtOnce } from "../../api/wholeLists.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { FindField, hasText } from "../../ui/FindField.tsx"
import { NoMatch } from "../../ui/NoMatch.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { useDrawer } from "../../ui/useDrawer.ts"
import { useListAddress } from "../../ui/useListAddress.ts"
import { deliveryTimes, lookAgainMs } from "./useDeliveries.ts"
import { WebhookDetail } from "./WebhookDetail.tsx"
import { type Figures, latencyText, stateOf, successShare, successText, type Webhook } from "./webhookFacts.ts"
import { WebhookForm } from "./WebhookForm.tsx"
import { webhooksRoute } from "./webhooksRoutes.ts"

type Row = Webhook & { readonly figures: Figures | undefined }

const State = ({ row }: { readonly row: Row }) => {
  const { tone, word } = stateOf(row, row.figures)
  return <Badge tone={tone}>{word}</Badge>
}

/**
 * An event whose type begins with `webhook` reports a change of a webhook. After such an event, the cached reads of the
 * group `webhooks` are stale.
 */
const staleBy = { webhook: ["webhooks"] }

const columns: ReadonlyArray<Column<Row>> = [
  {
    name: "Name",
    isFixed: true,
    sortBy: ({ name }) => name,
    cell: ({ id, name }: Row) => (
      <Link to="/webhooks" search={({ q, sort }) => ({ id, q, sort })}>
        {name}
      </Link>
    )
  },
  { name: "Address", sortBy: ({ url }) => url, cell: ({ url }) => url },
  {
    name: "Events",
    cell: ({ eventTypes, lens }) => `${eventTypes.join(", ")}${lens === "all" ? "" : ` (${lens})`}`
  },
  { name: "State", sortBy: (row) => stateOf(row, row.figures).word, cell: (row) => <State row={row} /> },
  {
    name: "Success in 24 h",
    sortBy: ({ figures }) => (figures === undefined ? null : successShare(figures)),
    cell: ({ figures }) => (figures === undefined ? <span className="text-muted">no call</span> : successText(figures))
  },
  {
    name: "p95 in 24 h",
    isNumber: true,
    sortBy: ({ figures }) => figures?.p95Ms,
    cell: ({ figures }) => latencyText(figures?.p95Ms ?? null)
  },
  {
    name: "Next call",
    sortBy: ({ figures }) => figures?.nextAttemptAt,
    cell: ({ figures }) => <Time at={figures?.nextAttemptAt ?? null} absent="none" />
  }
]

export const WebhooksPage = () => {
  const search = webhooksRoute.useSearch()
  const navigate = webhooksRoute.useNavigate()
  const list = useListAddress(search)
  const drawer = useDrawer()
  const [isNew, setNew] = useState(false)
  const refetchInterval = useFreshReads(staleBy)
  const webhooks = useQuery({ ...allWebhooksQuery, refetchInterval })
  const figures = useQuery({
    ...procedureQuery("webhooks.figures", {}),
    refetchInterval: ({ state }) => lookAgainMs(state.data)
  })
  const shown = webhooks.data?.find(({ id }) => id === search.id)
  const show = (id: string | undefined) => void navigate({ search: ({ q, sort }) => ({ id, q, sort }) })
  return (
    <Page
      title="Webhooks"
      about="Addresses that the pod calls when something happens. A call says what happened, never the content."
      calls={[
        { route: "GET /api/hub/webhooks", input: { query: { limit: webhooksAtOnce } } },
        { procedure: "webhooks.figures", kind: "query", input: {} },
        ...(search.id === undefined
          ? []
          : [
              {
                route: "GET /api/hub/webhooks/:id/deliveries" as const,
                input: { params: { id: search.id }, query: deliveryTimes(search) }
              }
            ])
      ]}
      actions={
        <Button kind="primary" onClick={() => setNew(true)}>
          New webhook
        </Button>
      }
    >
      <QueryResult what="your webhooks" query={webhooks}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No webhook yet.">
              <Button onClick={() => setNew(true)}>New webhook</Button>
            </Empty>
          ) : (
            <Table
              above={<FindField hint="Name, address, event or state" {...list.find} />}
              label="Webhooks"
              columnsName="webhooks"
              isWhole
              sort={list.sort}
              columns={columns}
              rows={rows
                .map((row) => ({
                  ...row,
                  figures: figures.data?.find(({ subscriptionId }) => subscriptionId === row.id)
                }))
                .filter((row) =>
                  hasText(search.q, [row.name, row.url, ...row.eventTypes, stateOf(row, row.figures).word])
                )}
              empty={<NoMatch one="webhook" many="webhooks" text={search.q} onClear={list.showAll} />}
              keyOf={({ id }) => id}
              isChosen={({ id }) => id === search.id}
            />
          )
        }
      </QueryResult>
      {shown !== undefined && (
        <WebhookDetail
          key={shown.id}
          webhook={shown}
          delivery={search.delivery}
          tab={search.tab}
          range={{ last: search.last, since: search.since, until: search.until }}
          onRange={(range) => void navigate({ search: (now) => ({ ...now, ...range }) })}
          onTab={(tab) => drawer.show({ tab })}
          onCloseDelivery={() => drawer.close({ delivery: undefined, tab: undefined })}
          onGone={() => show(undefined)}
        />
      )}
      <Dialog title="New webhook" shape="drawer" isOpen={isNew} onClose={() => setNew(false)}>
        <WebhookForm
          onDone={(id) => {
            setNew(false)
            show(id)
          }}
        />
      </Dialog>
    </Page>
  )
}
