/**
 * Shows things that fail: webhooks that the pod no longer calls, webhooks with failed calls, and calls that the pod
 * refused.
 */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { onceKnown, useHiddenWebhook } from "../../api/hiddenSample.ts"
import { type AnswerOf, hubQuery } from "../../api/hub.ts"
import { allWebhooksQuery } from "../../api/wholeLists.ts"
import { procedureQuery } from "../../api/procedures.ts"
import { useNames } from "../../api/useNames.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"
import { allKeysQuery } from "../keys/allKeys.ts"
import { faultOf, type Key, refusalSpike, spikeDays } from "./homeFacts.ts"
import { refusalsInput } from "./homeReads.ts"
import { Inline } from "../../ui/Inline.tsx"

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

type Webhook = AnswerOf<"GET /api/hub/webhooks">[number]

const FailingWebhooks = ({ webhooks }: { readonly webhooks: ReadonlyArray<Webhook> }) => {
  const figures = useQuery(procedureQuery("webhooks.figures", {}))
  return (
    <QueryResult what="how your webhooks answer" query={figures}>
      {(all) => {
        const failing = webhooks.flatMap((webhook) => {
          const why = faultOf(webhook, all)
          return why === undefined ? [] : [{ ...webhook, why }]
        })
        return failing.length === 0 ? (
          <NoneFails />
        ) : (
          <ul className="grid gap-1">
            {failing.map(({ disabledReason, id, name, why }) => (
              <li key={id}>
                <Badge tone="bad">{disabledReason === null ? "failing" : "stopped"}</Badge>{" "}
                <Link to="/webhooks" search={{ id }}>
                  {name}
                </Link>
                <span className="text-muted">
                  : <Inline text={why} />
                </span>
              </li>
            ))}
          </ul>
        )
      }}
    </QueryResult>
  )
}

const NoneFails = () => <p className="text-muted">No webhook fails.</p>

const Webhooks = () => {
  const webhooks = useQuery(allWebhooksQuery)
  const hidden = useHiddenWebhook()
  return (
    <QueryResult what="your webhooks" query={onceKnown(hidden.isKnown, webhooks)}>
      {(all) => {
        const found = all.filter(({ id }) => id !== hidden.id)
        return found.length === 0 ? <NoneFails /> : <FailingWebhooks webhooks={found} />
      }}
    </QueryResult>
  )
}

/** A link to the key of a refused call. There the person can ask why the pod refused the call. */
const WithKey = ({ of }: { readonly of: Pick<Key, "id" | "keyName"> | undefined }) =>
  of === undefined ? null : (
    <>
      {" "}
      with the key{" "}
      <Link to="/connections" search={{ key: of.id }}>
        {of.keyName}
      </Link>
    </>
  )

const Refusals = () => {
  const refusals = useQuery(hubQuery("GET /api/hub/events", refusalsInput))
  const keys = useQuery(allKeysQuery)
  const { name } = useNames()
  return (
    <QueryResult what="the refusals" query={refusals}>
      {(found) =>
        found.length === 0 ? (
          <p className="text-muted">Nothing was refused in the last 7 days.</p>
        ) : (
          <ul className="grid gap-2">
            {found.map(({ data, id, timestamp }) => (
              <li key={id} className="grid gap-0.5">
                <span className="flex flex-wrap items-baseline gap-x-2">
                  <Link to="/events" search={{ event: id }}>
                    <code>{textOf(data["operation"])}</code>
                  </Link>
                  <Badge tone="warn">{textOf(data["code"])}</Badge>
                </span>
                {/* The reason can be long. The event, to which the operation links, has the whole text. */}
                <span className="line-clamp-2">
                  <Inline text={textOf(data["why"])} />
                </span>
                <span className="text-muted text-xs">
                  by {name(textOf(data["holderId"]))}
                  <WithKey of={keys.data?.find((key) => key.id === data["credentialId"])} /> · <Time at={timestamp} />
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </QueryResult>
  )
}

const numberFormat = new Intl.NumberFormat("en", { maximumFractionDigits: 1 })

/** Shows a warning if the pod refuses more calls with the person's keys today than on the days before. */
const Spike = () => {
  const days = useQuery(procedureQuery("apiKeys.usageByDay", { days: spikeDays }))
  if (days.data === undefined) return null
  const { isSpike, now, usual } = refusalSpike(days.data, new Date().toISOString().slice(0, 10))
  return (
    <p className={isSpike ? "" : "text-muted"}>
      {isSpike && <Badge tone="bad">More than usual</Badge>} {now} refused today, {numberFormat.format(usual)} a day in
      the week before.{" "}
      {isSpike && (
        <Link to="/connections" search={{ only: "refused" }}>
          Show the keys
        </Link>
      )}
    </p>
  )
}

export const FailingPanel = () => (
  <Panel title="What fails" actions={<Link to="/events">All events</Link>}>
    <h3 className="font-medium">Webhooks</h3>
    <Webhooks />
    <h3 className="font-medium">Refused calls</h3>
    <Spike />
    <Refusals />
  </Panel>
)
