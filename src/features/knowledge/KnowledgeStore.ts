/** What knowledge entries need kept. Every method is bounded by the call's Reach; nothing outside it exists. */
import { Context, DateTime, Effect, Layer, Option, Ref } from "effect"
import type { Action } from "../../doors/Door.ts"
import type { Cursor } from "../../doors/Fields.ts"
import { cutPage, type Page } from "../../doors/Page.ts"
import { type Bounds, inSpaces, nothing, Reach, type ReachShape } from "../../doors/Reach.ts"
import { actorOf } from "../events/AppendEvent.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import {
  archived,
  type KnowledgeEntry,
  KnowledgeKeyTaken,
  knowledgeKind,
  type KnowledgeVersion
} from "./KnowledgeEntry.ts"

/** Where an entry is: keys are unique within a space. */
export interface KnowledgePlace {
  readonly spaceId: string
  readonly key: string
}

/** What a client may say of an entry. A field of a change that is left out stays as it is. */
export type KnowledgeFields = Pick<KnowledgeEntry, "value" | "namespace" | "slug" | "status" | "author">

/** An entry with where it is, and with who wrote it last. */
export interface LocatedKnowledge {
  readonly spaceId: string
  readonly entry: KnowledgeEntry
  /** A person wrote it last, and no agent of theirs. */
  readonly isByPerson: boolean
}

export interface VersionPage {
  readonly limit: number
  readonly offset?: number | undefined
  readonly cursor?: Cursor | undefined
}

export interface NewKnowledge extends KnowledgePlace, KnowledgeFields {
  readonly id: string
}

export interface KnowledgeFilter {
  readonly spaceId: string
  readonly namespace: string | undefined
  /** Undefined: every entry that is not archived. */
  readonly status: string | undefined
  readonly limit: number
  readonly offset: number
}

/** A change of an entry that was found. */
export interface KnowledgeChange {
  /** The action that the gate let through; its bounds are the statement's. */
  readonly action: Exclude<Action, "read">
  /** The state it must still be in when the statement runs, or else nothing is changed. */
  readonly from: "archived" | "live" | "any"
  /** The version it must still be at; left out to write over whatever is there. */
  readonly version?: number | null
  readonly fields: Partial<KnowledgeFields>
}

/**
 * The spaces in which a call may act on knowledge entries. Row-level security knows their spaces only, so what a grant
 * says of the kind is decided here, whole: it covers `entity.knowledge.<action>` or it touches nothing. An entry is in
 * no project and on no list of objects, so a grant limited to either touches nothing as well.
 */
export const knowledgeBounds = (reach: ReachShape, action: Action): Bounds => {
  const { spaces, kinds, objects, projects } = reach.bounds("entity", action)
  const isCovered = kinds === null || kinds.includes(knowledgeKind)
  return isCovered && objects === null && projects === null ? { ...nothing, spaces } : nothing
}

/** The only way by which both stores come to bounds: those of the action, in one space. */
export const boundsAt = (reach: ReachShape, action: Action, spaceId: string): Bounds =>
  inSpaces(knowledgeBounds(reach, action), [spaceId])

export class KnowledgeStore extends Context.Tag("pod/KnowledgeStore")<
  KnowledgeStore,
  {
    /** Newest first by last update, then by id. */
    readonly list: (filter: KnowledgeFilter) => Effect.Effect<ReadonlyArray<KnowledgeEntry>, never, Reach>
    /** The entry of a place in whatever state, for a call that may act on it so. */
    readonly find: (place: KnowledgePlace, action: Action) => Effect.Effect<Option.Option<KnowledgeEntry>, never, Reach>
    /** The same by its id, with where it is. */
    readonly locate: (id: string, action: Action) => Effect.Effect<Option.Option<LocatedKnowledge>, never, Reach>
    /** Also fails for a place outside the reach, which the gate lets nobody come to. */
    readonly add: (
      made: NewKnowledge,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<KnowledgeEntry, KnowledgeKeyTaken, Reach>
    /** None, and no event, when the entry is out of reach, or not in the expected state or at the expected version. */
    readonly change: (
      place: KnowledgePlace,
      change: KnowledgeChange,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Option.Option<KnowledgeEntry>, never, Reach>
    /** What each write of an entry left, the latest first; none where the call does not read the entry. */
    readonly versions: (place: KnowledgePlace, page: VersionPage) => Effect.Effect<Page<KnowledgeVersion>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const kept = yield* Ref.make<ReadonlyArray<LocatedKnowledge>>([])
      const revisions = yield* Ref.make<ReadonlyArray<{ readonly entryId: string; readonly said: KnowledgeVersion }>>(
        []
      )

      /** Appends the event of a write, and keeps what the write left under it. */
      const noted = (reach: ReachShape, spaceId: string, entry: KnowledgeEntry, event: EventDraft, passed: Passed) =>
        Effect.flatMap(append(reach, spaceId, event, passed), ({ id: eventId }) => {
          const { author, id: entryId, namespace, slug, status, updatedAt: at, value, version } = entry
          const said = { version, value, namespace, slug, status, author, actorId: actorOf(reach), eventId, at }
          return Ref.update(revisions, (all) => [...all, { entryId, said }])
        })
      const isByPerson = (reach: ReachShape) => actorOf(reach) === reach.principal.personId

      const bounded = (action: Action, spaceId: string) =>
        Effect.map(Reach, (reach) => {
          const { spaces } = boundsAt(reach, action, spaceId)
          return { reach, within: (one: { readonly spaceId: string }) => spaces.includes(one.spaceId) }
        })

      return {
        list: (filter) =>
          Effect.gen(function* () {
            const { within } = yield* bounded("read", filter.spaceId)
            const all = yield* Ref.get(kept)
            return all
              .filter(within)
              .map(({ entry }) => entry)
              .filter(
                (entry) =>
                  (filter.namespace === undefined || entry.namespace === filter.namespace) &&
                  (filter.status === undefined ? entry.status !== archived : entry.status === filter.status)
              )
              .toSorted(newestFirst)
              .slice(filter.offset, filter.offset + filter.limit)
          }),
        find: (place, action) =>
          Effect.gen(function* () {
            const { within } = yield* bounded(action, place.spaceId)
            const found = (yield* Ref.get(kept)).find((one) => within(one) && isAt(place)(one))
            return Option.map(Option.fromNullable(found), ({ entry }) => entry)
          }),
        locate: (id, action) =>
          Effect.gen(function* () {
            const { spaces } = knowledgeBounds(yield* Reach, action)
            const found = (yield* Ref.get(kept)).find(
              ({ entry, spaceId }) => entry.id === id && spaces.includes(spaceId)
            )
            return Option.fromNullable(found)
          }),
        add: ({ id, spaceId, key, value, namespace, slug, status, author }, event, passed) =>
          Effect.gen(function* () {
            const { reach, within } = yield* bounded("create", spaceId)
            const now = yield* DateTime.now
            const workspaceId = spaceId === reach.principal.personId ? null : spaceId
            const fields = { value: copyOf(value), namespace, slug, status, author }
            const entry = { id, key, ...fields, workspaceId, version: 1, createdAt: now, updatedAt: now }
            const isAdded = yield* Ref.modify(kept, (all) =>
              !within({ spaceId }) || all.some(isAt({ spaceId, key }))
                ? [false, all]
                : [true, [...all, { spaceId, entry, isByPerson: isByPerson(reach) }]]
            )
            if (!isAdded) return yield* new KnowledgeKeyTaken({ key })
            yield* noted(reach, spaceId, entry, event, passed)
            return entry
          }),
        change: (place, { action, from, fields, version = null }, event, passed) =>
          Effect.gen(function* () {
            const { reach, within } = yield* bounded(action, place.spaceId)
            const updatedAt = yield* DateTime.now
            const changed = yield* Ref.modify(kept, (all) => {
              const found = all.find((one) => within(one) && isAt(place)(one) && isIn(from, one.entry))
              if (found === undefined || (version !== null && version !== found.entry.version)) {
                return [Option.none<KnowledgeEntry>(), all]
              }
              const value = fields.value === undefined ? found.entry.value : copyOf(fields.value)
              const entry = { ...found.entry, ...fields, value, version: found.entry.version + 1, updatedAt }
              const made = { ...found, entry, isByPerson: isByPerson(reach) }
              return [Option.some(entry), all.map((one) => (one === found ? made : one))]
            })
            if (Option.isSome(changed)) yield* noted(reach, place.spaceId, changed.value, event, passed)
            return changed
          }),
        versions: (place, { cursor, limit, offset = 0 }) =>
          Effect.gen(function* () {
            const { within } = yield* bounded("read", place.spaceId)
            const found = (yield* Ref.get(kept)).find((one) => within(one) && isAt(place)(one))
            const all = (yield* Ref.get(revisions))
              .filter(({ entryId }) => entryId === found?.entry.id)
              .map(({ said }) => said)
              .toReversed()
            const past = cursor === undefined ? 0 : all.findIndex(({ eventId }) => eventId === cursor.id) + 1
            const from = cursor !== undefined && past === 0 ? all.length : past + offset
            return pageOfVersions(all.slice(from, from + limit + 1), limit)
          })
      }
    })
  )
}

/** The page of versions of which one more than the limit was asked for. The next one begins after the last event. */
export const pageOfVersions = (found: ReadonlyArray<KnowledgeVersion>, limit: number): Page<KnowledgeVersion> =>
  // Only the first version can be without an event, and no page follows that.
  cutPage(found, limit, ({ eventId }) => ({ at: null, id: eventId ?? "" }))

const isAt = (place: KnowledgePlace) => (kept: LocatedKnowledge) =>
  kept.spaceId === place.spaceId && kept.entry.key === place.key

const isIn = (state: KnowledgeChange["from"], entry: KnowledgeEntry) =>
  state === "any" || (entry.status === archived) === (state === "archived")

/** A value of its own, as a database keeps one: what the caller does to theirs afterwards changes nothing. */
const copyOf = (value: unknown): unknown => structuredClone(value)

const newestFirst = (one: KnowledgeEntry, other: KnowledgeEntry) =>
  DateTime.distance(one.updatedAt, other.updatedAt) || (one.id < other.id ? 1 : -1)
