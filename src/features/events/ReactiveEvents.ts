/** The store of the events that the pulse shows. */
import { Context, Effect, Layer } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { newestFirst } from "../../doors/RowOrder.ts"
import type { Event } from "./Event.ts"
import { feedBounds } from "./EventFeed.ts"
import { memoryStatements, ownEvents } from "./EventTable.ts"
import type { Recent } from "./Reaction.ts"
import { isOfKind, type ReactionKind } from "./ReactionKind.ts"

export interface ReactiveFilter {
  /** Selects events that are themselves reactions of one of these kinds. */
  readonly kinds: ReadonlyArray<ReactionKind>
  /** Selects also the events with these ids. */
  readonly ids: ReadonlyArray<string>
  readonly type?: string | undefined
  readonly workspaceId?: string | undefined
  /** Only events before the event with this id. */
  readonly before?: string | undefined
  readonly limit: number
}

/**
 * The two kinds of reactions that write events into the log. An automation logs its writes. For a notification, the pod
 * logs that it stored the notification.
 */
export type CausedKind = "automation" | "notification"

export const isCaused = ({ source, type }: Pick<Event, "source" | "type">, caused: CausedKind): boolean =>
  caused === "automation" ? source === "automation" : type === "notification.create"

export class ReactiveEvents extends Context.Tag("pod/ReactiveEvents")<
  ReactiveEvents,
  {
    /** Returns the caller's own events that match, newest first. */
    readonly list: (filter: ReactiveFilter) => Effect.Effect<ReadonlyArray<Event>, never, Reach>
    /** Returns the caller's own events that these events caused, oldest first. */
    readonly causedBy: (
      eventIds: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Event>, never, Reach>
    /**
     * Finds the caller's own events that are of the given kind, `automation` or `notification`. Returns the ids of the
     * events that caused these events, newest first.
     */
    readonly causesOf: (caused: CausedKind, query: Recent) => Effect.Effect<ReadonlyArray<string>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read }) => {
      const own = (filter: Pick<ReactiveFilter, "workspaceId">) =>
        read((at) =>
          Effect.succeed(
            ownEvents(at, feedBounds(at.reach, filter))
              .map(({ event }) => event)
              .toSorted(newestFirst)
          )
        )
      return {
        list: ({ before, ids, kinds, limit, type, workspaceId }) =>
          Effect.map(own({ workspaceId }), (events) =>
            events
              .filter(
                (event) =>
                  (before === undefined || event.id < before) &&
                  (type === undefined || event.type === type) &&
                  (ids.includes(event.id) || kinds.some((kind) => isOfKind(event, kind)))
              )
              .slice(0, limit)
          ),
        causedBy: (eventIds, limit) =>
          Effect.map(own({}), (events) =>
            events
              .filter(({ causationId }) => causationId !== undefined && eventIds.includes(causationId))
              .toReversed()
              .slice(0, limit)
          ),
        causesOf: (caused, { before, limit }) =>
          Effect.map(own({}), (events) =>
            [...new Set(events.flatMap((event) => (isCaused(event, caused) ? (event.causationId ?? []) : [])))]
              .filter((id) => before === undefined || id < before)
              .toSorted()
              .toReversed()
              .slice(0, limit)
          )
      }
    })
  )
}
