/**
 * The event log. Each space has one sequence of events without gaps. The pod stores an event together with the change
 * that the event reports.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Page } from "../../doors/Page.ts"
import { byId, pageOfAll } from "../../doors/PageOrder.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { Passed } from "../gate/Passed.ts"
import { type Event, type EventDraft, type EventFilter, EventNotFound } from "./Event.ts"
import { metadataKindOf } from "./EventMetadata.ts"
import { eventTable, memoryStatements, ownEvents, type ReadContext } from "./EventTable.ts"

/** The event that records a decision about a request, with the credential with which the request was made. */
export interface DecisionEvent {
  readonly event: Event
  /** The id of the credential that made the request. Null if the pod itself made the request. */
  readonly credentialId: string | null
}

export class EventLog extends Context.Tag("pod/EventLog")<
  EventLog,
  {
    /**
     * Appends an event to the log of a space in which the call is allowed to write events. Dies for any other space,
     * because the gate must refuse such a write earlier.
     */
    readonly append: (spaceId: string, draft: EventDraft, passed: Passed) => Effect.Effect<Event, never, Reach>
    /** Returns the caller's own events in every space that the caller is allowed to read, newest first. */
    readonly list: (filter: EventFilter) => Effect.Effect<Page<Event>, never, Reach>
    readonly get: (eventId: string) => Effect.Effect<Event, EventNotFound, Reach>
    /** Returns the events with these ids, in no particular order. Leaves out events that `get` would not find. */
    readonly listByIds: (eventIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Event>, never, Reach>
    /**
     * Returns the event that records a decision about a request, and the credential with which the request was made.
     * Finds only requests of the caller's person. This method does not check the grant. The feature that calls this
     * method must decide what the caller is allowed to know.
     */
    readonly decided: (eventId: string) => Effect.Effect<DecisionEvent, EventNotFound, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => {
      const visible = (at: ReadContext) => ownEvents(at, at.reach.bounds("event", "read")).map(({ event }) => event)
      return {
        append: (spaceId, draft, passed) =>
          write(({ append, reach }) =>
            reach.bounds("event", "create").spaces.includes(spaceId)
              ? Effect.succeed(append(spaceId, draft, passed))
              : Effect.dieMessage("an event was appended outside the reach of its call")
          ),
        list: ({ actorId, hasMetadata, metadataKind, sessionId, source, type, until, ...place }) =>
          read((at) =>
            Effect.succeed(
              pageOfAll(
                byId,
                visible(at).filter(
                  (event) =>
                    (type === undefined || event.type === type) &&
                    (actorId === undefined || event.actorId === actorId) &&
                    (sessionId === undefined || event.sessionId === sessionId) &&
                    (until === undefined || DateTime.lessThanOrEqualTo(event.timestamp, until)) &&
                    (source === undefined || event.source === source) &&
                    (hasMetadata !== true || event.metadata !== undefined) &&
                    (metadataKind === undefined || metadataKindOf(event.metadata) === metadataKind)
                ),
                place
              )
            )
          ),
        get: (eventId) =>
          read((at) => {
            const found = visible(at).find(({ id }) => id === eventId)
            return found === undefined ? new EventNotFound({ eventId }) : Effect.succeed(found)
          }),
        listByIds: (eventIds) => read((at) => Effect.succeed(visible(at).filter(({ id }) => eventIds.includes(id)))),
        decided: (eventId) =>
          read(({ reach, rows }) => {
            const found = rows.find(eventTable, eventId)
            return found?.event.decision === undefined || found.event.userId !== reach.principal.personId
              ? new EventNotFound({ eventId })
              : Effect.succeed(found)
          })
      }
    })
  )
}
