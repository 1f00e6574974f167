/** A client that subscribes to the pod's events. It is the official tRPC client with its subscription link. */
import { createTRPCClient, httpSubscriptionLink, type TRPCClientError } from "@trpc/client"
import { EventSource } from "eventsource"
import type { AppRouter, Event } from "pod/app-router"
import { anEvent } from "../wire/trpcFixture.ts"

export interface Tracked {
  readonly id: string
  readonly data: Event
}

type Input = Exclude<Parameters<ReturnType<typeof aSubscribingClient>["events"]["stream"]["subscribe"]>[0], void>

/** Returns the path of the procedures for this credential: /api/hub/trpc for keys, /trpc for sessions. */
export const proceduresFor = (headers: Readonly<Record<string, string>>): string =>
  "authorization" in headers ? "/api/hub/trpc" : "/trpc"

/**
 * Makes a client that sends these headers with every request. The client calls `asked` with the address and the last
 * event id of each request.
 */
export const aSubscribingClient = (
  url: string,
  headers: Readonly<Record<string, string>>,
  asked: (url: URL, lastEventId: string | null) => void = () => {}
) =>
  createTRPCClient<AppRouter>({
    links: [
      httpSubscriptionLink({
        url,
        EventSource,
        eventSourceOptions: {
          fetch: (address, init) => {
            const sent = new Headers({ ...init.headers, ...headers })
            asked(new URL(address), sent.get("last-event-id"))
            return fetch(address, { ...init, headers: sent })
          }
        }
      })
    ]
  })

/** A subscription to events. If the pod refuses the subscription, every wait for an event fails. */
export interface Subscriber {
  /** Resolves when the pod has reported that the subscription is open. Rejects if the pod refuses the subscription. */
  readonly opened: Promise<void>
  /** Returns the next `count` events, in the order in which the client receives them. */
  readonly next: (count: number) => Promise<ReadonlyArray<Tracked>>
  /** Returns the events that were received but not yet returned by `next`. */
  readonly taken: () => ReadonlyArray<Tracked>
  readonly failed: Promise<TRPCClientError<AppRouter>>
  readonly leave: () => void
}

export const aSubscriber = (client: ReturnType<typeof aSubscribingClient>, input: Input = {}): Subscriber => {
  const came: Array<Tracked> = []
  const waiting = new Set<() => void>()
  const started = anEvent()
  const failed = anEvent<TRPCClientError<AppRouter>>()
  const subscription = client.events.stream.subscribe(input, {
    onStarted: () => started.happen(),
    onData: (item) => {
      came.push(item)
      for (const look of waiting) look()
    },
    onError: (error) => failed.happen(error)
  })
  const orFailed = <A>(wanted: Promise<A>): Promise<A> =>
    Promise.race([wanted, failed.happened.then((error) => Promise.reject(error))])
  return {
    opened: orFailed(started.happened),
    next: (count) =>
      orFailed(
        new Promise((resolve) => {
          const look = () => {
            if (came.length < count) return
            waiting.delete(look)
            resolve(came.splice(0, count))
          }
          waiting.add(look)
          look()
        })
      ),
    taken: () => came.splice(0),
    failed: failed.happened,
    leave: () => subscription.unsubscribe()
  }
}
