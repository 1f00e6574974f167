/**
 * Shows the tree of causes of an event: the first event at the top, and below each event the events that it caused.
 * Each event also shows what reacted to it.
 */
import { queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { pagesQuery } from "../../api/everyPage.ts"
import { hubPage, hubQuery } from "../../api/hub.ts"
import { ask } from "../../api/procedures.ts"
import { Refusal } from "../../api/refusal.ts"
import type { PodEvent } from "../../api/stream.ts"
import { Badge, type Tone } from "../../ui/Badge.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { EventLine } from "./EventLine.tsx"

const levelsUp = 20
// The tree shows at most this many levels. To see more, the person opens an event of the last level.
const levelsDown = 8
const childrenAtOnce = 50

interface Root {
  readonly event: PodEvent
  /**
   * True if the root has a cause that the tree does not show. Either the person is not allowed to read this cause, or
   * the chain is too long.
   */
  readonly isCut: boolean
}

/**
 * Follows the causes of an event up to the first event. Stops before a cause that the person is not allowed to read.
 */
const rootQuery = (event: PodEvent) =>
  queryOptions<Root, Refusal>({
    queryKey: ["events", "root", event.id],
    queryFn: async ({ signal }) => {
      let root = event
      for (let level = 0; level < levelsUp && root.causationId !== undefined; level++) {
        try {
          root = await ask("events.get", { eventId: root.causationId }, signal)
        } catch (failure) {
          if (failure instanceof Refusal && failure.status === 404) return { event: root, isCut: true }
          throw failure
        }
      }
      return { event: root, isCut: root.causationId !== undefined }
    }
  })

const tones: Readonly<Record<"success" | "pending" | "failed", Tone>> = {
  success: "good",
  pending: "warn",
  failed: "bad"
}

const Reactions = ({ id }: { readonly id: string }) => {
  const fanout = useQuery({
    ...hubQuery("GET /api/hub/subscriptions/:eventId/fanout", { params: { eventId: id } }),
    retry: false
  })
  const reactions = fanout.data?.reactions ?? []
  return reactions.length === 0 ? null : (
    <ul aria-label="Reactions" className="grid gap-1 pl-4">
      {reactions.map(({ detail, kind, label, responseStatus, status }, index) => (
        <li key={`${kind} ${label} ${index}`} className="flex flex-wrap items-center gap-2">
          <span aria-hidden>↳</span>
          {kind}: {label}
          {status !== undefined && <Badge tone={tones[status]}>{status}</Badge>}
          {responseStatus !== undefined && <span className="text-muted">HTTP {responseStatus}</span>}
          {detail !== undefined && <span className="text-muted">{detail}</span>}
        </li>
      ))}
    </ul>
  )
}

interface BranchProps {
  readonly event: PodEvent
  readonly shown: string
  readonly level: number
}

const Branch = ({ event, level, shown }: BranchProps) => {
  const caused = useInfiniteQuery(
    pagesQuery<PodEvent>(["events", "GET /api/hub/events", "caused", event.id], {
      atOnce: childrenAtOnce,
      read: (page, signal) =>
        hubPage(
          "GET /api/hub/events",
          { query: { causationId: event.id, fromDate: "1970-01-01T00:00:00Z", ...page } },
          signal
        )
    })
  )
  return (
    <li className="grid min-w-0 gap-1">
      <EventLine event={event} isShown={event.id === shown} />
      <Reactions id={event.id} />
      {caused.data !== undefined && caused.data.length > 0 && (
        <>
          {level < levelsDown ? (
            <ul className="border-line grid gap-1 border-l pl-4">
              {caused.data.toReversed().map((child) => (
                <Branch key={child.id} event={child} shown={shown} level={level + 1} />
              ))}
            </ul>
          ) : (
            <p className="text-muted">It caused more events. Open it to see them.</p>
          )}
          <ShowMore what="of what it caused" query={caused} />
        </>
      )}
    </li>
  )
}

export const CauseTree = ({ event }: { readonly event: PodEvent }) => {
  const root = useQuery(rootQuery(event))
  return (
    <QueryResult what="the causes" query={root}>
      {({ event: first, isCut }) => (
        <div className="grid gap-2">
          {isCut && <p className="text-muted">Its cause is not in your log, so the tree begins here.</p>}
          <ul aria-label="Tree of causes" className="grid gap-1">
            <Branch event={first} shown={event.id} level={0} />
          </ul>
        </div>
      )}
    </QueryResult>
  )
}
