/** The events that a feature shows together with what reacted to them. */
import { Context, Effect, Layer } from "effect"
import { Reach } from "../../doors/Reach.ts"
import type { Event } from "./Event.ts"
import { feedBounds } from "./EventFeed.ts"
import { eventTable, memoryStatements } from "./EventTable.ts"
import { isOfKind, type ReactionKind } from "./ReactionKind.ts"

export interface ReactiveFilter {
  /** Events that are of one of these kinds by themselves are listed. */
  readonly kinds: ReadonlyArray<ReactionKind>
  /** These events are listed too. */
  readonly ids: ReadonlyArray<string>
  readonly type?: string | undefined
  readonly workspaceId?: string | undefined
  /** Only earlier events than this one. */
  readonly before?: string | undefined
  readonly limit: number
}

export class ReactiveEvents extends Context.Tag("pod/ReactiveEvents")<
  ReactiveEvents,
  {
    /** The caller's own events that match, newest first. */
    readonly list: (filter: ReactiveFilter) => Effect.Effect<ReadonlyArray<Event>, never, Reach>
    /** The caller's own events that this event caused, oldest first. */
    readonly causedBy: (eventId: string, limit: number) => Effect.Effect<ReadonlyArray<Event>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read }) => {
      const own = (filter: Pick<ReactiveFilter, "workspaceId">) =>
        read(({ reach, rows }) => {
          const { spaces } = feedBounds(reach, filter)
          return Effect.succeed(
            rows
              .all(eventTable)
              .filter(({ event, spaceId }) => spaces.includes(spaceId) && event.userId === reach.principal.personId)
              .map(({ event }) => event)
              .toSorted((one, other) => (one.id < other.id ? 1 : -1))
          )
        })
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
        causedBy: (eventId, limit) =>
          Effect.map(own({}), (events) =>
            events
              .filter(({ causationId }) => causationId === eventId)
              .toReversed()
              .slice(0, limit)
          )
      }
    })
  )
}
