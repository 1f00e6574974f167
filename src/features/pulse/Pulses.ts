/**
 * The service of the pulse. It gets the reactions from every source, and shows the events that caused these reactions.
 */
import { Context, Effect, Layer } from "effect"
import type { Forbidden, NotFound } from "../../doors/Failure.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import type { Page } from "../../doors/Page.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { Event } from "../events/Event.ts"
import { checkWorkspace } from "../events/EventBatch.ts"
import { EventLog } from "../events/EventLog.ts"
import type { Reaction, ReactionSource } from "../events/Reaction.ts"
import { isOfKind, kindsOfLens, type ReactionKind, type ReactionLens } from "../events/ReactionKind.ts"
import { ReactiveEvents } from "../events/ReactiveEvents.ts"
import { describeEvent } from "./EventWords.ts"
import type { PulseQuery } from "./PulseApi.ts"
import { PulseNames } from "./PulseNames.ts"
import type { ReactionEvent } from "./ReactionEvent.ts"

// the maximum number of pages that one answer reads from each source of reactions; a filter can leave out most of a
// page
const roundsMax = 10
// the maximum number of caused events in the answer about one event
const causedMax = 100

export class Pulses extends Context.Tag("pod/Pulses")<
  Pulses,
  {
    /**
     * Lists the caller's own events that have reactions, newest first. The list shows only reactions of the requested
     * kinds.
     */
    readonly list: (query: typeof PulseQuery.Type) => Effect.Effect<Page<ReactionEvent>, Forbidden, Reach>
    /** Returns one of the caller's own events, with its reactions and the events that it caused. */
    readonly fanout: (eventId: string, lens: ReactionLens) => Effect.Effect<ReactionEvent, NotFound, Reach>
  }
>() {
  static readonly layer = (sources: ReadonlyArray<ReactionSource>) =>
    Layer.effect(
      this,
      Effect.gen(function* () {
        const reactive = yield* ReactiveEvents
        const log = yield* EventLog
        const names = yield* PulseNames

        const reactionsTo = Effect.fnUntraced(function* (
          events: ReadonlyArray<Event>,
          kinds: ReadonlyArray<ReactionKind>
        ) {
          const byEvent = new Map<string, Array<Reaction>>()
          const ids = events.map(({ id }) => id)
          for (const source of sources) {
            if (ids.length === 0 || !kinds.includes(source.kind)) continue
            for (const { eventId, reaction } of yield* source.of(ids)) {
              const known = byEvent.get(eventId)
              if (known === undefined) byEvent.set(eventId, [reaction])
              else known.push(reaction)
            }
          }
          return byEvent
        })

        const shown = Effect.fnUntraced(function* (events: ReadonlyArray<Event>, kinds: ReadonlyArray<ReactionKind>) {
          const reactions = yield* reactionsTo(events, kinds)
          const known = yield* names.of(events)
          return events.map((event) => ({ ...describeEvent(event, known), reactions: reactions.get(event.id) ?? [] }))
        })

        /**
         * Reads the next part of the list. Each source returns one page of event ids, newest first. If a page is full,
         * its source possibly has older ids that the pod has not read yet. So the part ends at the last id of the full
         * page. If several pages are full, the part ends at the newest of their last ids. The next call continues after
         * this id.
         */
        const round =
          ({ eventType: type, limit, workspaceId }: typeof PulseQuery.Type, kinds: ReadonlyArray<ReactionKind>) =>
          (before: string | undefined) =>
            Effect.gen(function* () {
              const pages = yield* Effect.forEach(
                sources.filter(({ kind }) => kinds.includes(kind)),
                ({ recent }) => recent({ before, limit })
              )
              const ends = pages.flatMap((ids) => (ids.length < limit ? [] : [ids[limit - 1]]))
              const ids = [...new Set(pages.flat())]
              const events = yield* reactive.list({ before, ids, kinds, limit, type, workspaceId })
              const end = newest([...ends, ...(events.length < limit ? [] : [events[limit - 1].id])])
              return { end, events: events.filter(({ id }) => end === undefined || id >= end) }
            })

        return {
          list: Effect.fnUntraced(function* (query) {
            yield* checkWorkspace(query)
            const kinds = kindsOfLens(query.lens).filter((kind) => query.kind === undefined || kind === query.kind)
            const next = round(query, kinds)
            const found: Array<Event> = []
            let before = query.cursor?.id
            for (let rounds = 0; rounds < roundsMax && found.length < query.limit; rounds++) {
              const { end, events } = yield* next(before)
              found.push(...events)
              before = end
              if (end === undefined) break
            }
            const events = found.slice(0, query.limit)
            const last = found.length > query.limit ? events[events.length - 1].id : before
            return {
              items: yield* shown(events, kinds),
              next: last === undefined ? null : { at: null, id: last }
            }
          }),

          fanout: Effect.fnUntraced(
            function* (eventId, lens) {
              const event = yield* log.get(eventId)
              const kinds = kindsOfLens(lens)
              const [item] = yield* shown([event], kinds)
              const caused = yield* reactive.causedBy([eventId], causedMax)
              const known = yield* names.of(caused)
              const further = caused.flatMap((each) => {
                const kind = kinds.find((one) => isOfKind(each, one))
                const { failed, subject } = describeEvent(each, known)
                const status = failed === true ? ("failed" as const) : ("success" as const)
                return kind === undefined ? [] : [{ kind, label: subject, status }]
              })
              return { ...item, reactions: [...item.reactions, ...further] }
            },
            Effect.catchTag("EventNotFound", () => missingRecord("event"))
          )
        }
      })
    )
}

/** Returns the greatest id, which is the newest, because ids grow with time. Returns undefined for an empty list. */
const newest = (ids: ReadonlyArray<string>): string | undefined => ids.toSorted().at(-1)
