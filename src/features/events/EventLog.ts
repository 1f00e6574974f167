/** The log of everything that happened: one gap-free sequence per space, appended with the change it tells of. */
import { Context, DateTime, Effect, Layer, Ref } from "effect"
import { noteConfirmed } from "../../doors/Authority.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import { actorOf, correlationOf, eventIdentity } from "./AppendEvent.ts"
import type { Passed } from "../gate/Passed.ts"
import { type Event, type EventDraft, type EventFilter, EventNotFound } from "./Event.ts"

/** A decision as the log knows it. */
export interface Decided {
  readonly event: Event
  /** `null`: the pod itself. */
  readonly credentialId: string | null
}

export class EventLog extends Context.Tag("pod/EventLog")<
  EventLog,
  {
    /** Appends to the log of a space the call may write events in; elsewhere it is a defect, for the gate decides first. */
    readonly append: (spaceId: string, draft: EventDraft, passed: Passed) => Effect.Effect<Event, never, Reach>
    /** The caller's own events in every space they may read, newest first. */
    readonly list: (filter: EventFilter) => Effect.Effect<ReadonlyArray<Event>, never, Reach>
    readonly get: (eventId: string) => Effect.Effect<Event, EventNotFound, Reach>
    /**
     * The event of a decision on a request of the caller's person, and the credential the request was made with. What
     * a caller may know of it is for them who ask to say: no grant is looked at.
     */
    readonly decided: (eventId: string) => Effect.Effect<Decided, EventNotFound, Reach>
  }
>() {
  /** The twin in memory. Its `MemoryEvents` is what the memory twins of the stores append to. */
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { events, append } = yield* MemoryEvents
      const visible = (reach: ReachShape) => {
        const { spaces } = reach.bounds("event", "read")
        return Effect.map(Ref.get(events), (all) =>
          all
            .filter(({ spaceId, event }) => spaces.includes(spaceId) && event.userId === reach.principal.personId)
            .map(({ event }) => event)
            .toReversed()
        )
      }
      return {
        append: (spaceId, draft, passed) =>
          Effect.flatMap(Reach, (reach) =>
            reach.bounds("event", "create").spaces.includes(spaceId)
              ? append(reach, spaceId, draft, passed)
              : Effect.dieMessage("an event was appended outside the reach of its call")
          ),
        list: (filter) =>
          Effect.gen(function* () {
            const all = yield* visible(yield* Reach)
            return all
              .filter(
                (event) =>
                  (filter.type === undefined || event.type === filter.type) &&
                  (filter.source === undefined || event.source === filter.source) &&
                  (filter.hasMetadata !== true || event.metadata !== undefined)
              )
              .slice(filter.offset, filter.offset + filter.limit)
          }),
        get: (eventId) =>
          Effect.gen(function* () {
            const found = (yield* visible(yield* Reach)).find((event) => event.id === eventId)
            return found ?? (yield* new EventNotFound({ eventId }))
          }),
        decided: (eventId) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            const found = (yield* Ref.get(events)).find(
              ({ event }) => event.id === eventId && event.userId === principal.personId && event.decision !== undefined
            )
            return found ?? (yield* new EventNotFound({ eventId }))
          })
      }
    })
  )
}

interface Kept extends Decided {
  readonly spaceId: string
}

/** Where the memory twins keep events. */
export class MemoryEvents extends Context.Tag("pod/MemoryEvents")<
  MemoryEvents,
  {
    readonly events: Ref.Ref<ReadonlyArray<Kept>>
    readonly append: (reach: ReachShape, spaceId: string, draft: EventDraft, passed: Passed) => Effect.Effect<Event>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const events = yield* Ref.make<ReadonlyArray<Kept>>([])
      return {
        events,
        append: (reach, spaceId, draft, passed) =>
          Effect.flatMap(DateTime.now, (timestamp) =>
            Ref.modify(events, (all) => {
              const { id, decision } = eventIdentity(passed, draft)
              const causationId = draft.causationId ?? passed.causationId
              const event: Event = {
                id,
                version: "v1",
                type: draft.type,
                ...(draft.subjectId === undefined ? {} : { subjectId: draft.subjectId }),
                data: draft.data,
                ...(draft.metadata === undefined ? {} : { metadata: draft.metadata }),
                userId: reach.principal.personId,
                actorId: actorOf(reach),
                source: draft.source ?? "api",
                workspaceId: spaceId === reach.principal.personId ? null : spaceId,
                seq: all.filter((kept) => kept.spaceId === spaceId).length + 1,
                timestamp,
                correlationId: correlationOf(reach),
                ...(causationId === null ? {} : { causationId }),
                ...(decision === undefined ? {} : { decision })
              }
              noteConfirmed(reach)
              const credentialId = reach.authority.kind === "system" ? null : reach.authority.credentialId
              return [event, [...all, { spaceId, event, credentialId }]]
            })
          )
      }
    })
  )
}
