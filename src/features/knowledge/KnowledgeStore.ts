/** Where knowledge entries are kept. Every method works only within the call's Reach. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Action } from "../../doors/Door.ts"
import type { Cursor } from "../../doors/Fields.ts"
import { cutPage, type Page } from "../../doors/Page.ts"
import { type Bounds, inSpaces, emptyBounds, type Reach, type ReachShape } from "../../doors/Reach.ts"
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import { actorOf } from "../events/AppendEvent.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements, type ReadContext, type WriteContext } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
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
  /** Whether a person, not an agent, wrote it last. */
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
 * The spaces in which a call may act on knowledge entries. Row-level security checks only spaces, so this function
 * decides about the kind: a grant that does not cover `entity.knowledge.<action>` gives no spaces. An entry belongs to
 * no project and no list of objects, so a grant limited to either gives no spaces as well.
 */
export const knowledgeBounds = (reach: ReachShape, action: Action): Bounds => {
  const { spaces, kinds, objects, projects } = reach.bounds("entity", action)
  const isCovered = kinds === null || kinds.includes(knowledgeKind)
  return isCovered && objects === null && projects === null ? { ...emptyBounds, spaces } : emptyBounds
}

/** The only way by which both stores come to bounds: those of the action, in one space. */
export const boundsAt = (reach: ReachShape, action: Action, spaceId: string): Bounds =>
  inSpaces(knowledgeBounds(reach, action), [spaceId])

export class KnowledgeStore extends Context.Tag("pod/KnowledgeStore")<
  KnowledgeStore,
  {
    /** Newest first by last update, then by id. */
    readonly list: (filter: KnowledgeFilter) => Effect.Effect<ReadonlyArray<KnowledgeEntry>, never, Reach>
    /** The entry of a place in any state, if the call may do this action with it. */
    readonly find: (place: KnowledgePlace, action: Action) => Effect.Effect<Option.Option<KnowledgeEntry>, never, Reach>
    /** The same by its id, with where it is. */
    readonly locate: (id: string, action: Action) => Effect.Effect<Option.Option<LocatedKnowledge>, never, Reach>
    /** Also fails for a place outside the reach; the gate refuses those earlier. */
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
    /** The versions of an entry, latest first; empty when the call may not read the entry. */
    readonly versions: (place: KnowledgePlace, page: VersionPage) => Effect.Effect<Page<KnowledgeVersion>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => {
      const at = ({ reach, rows }: ReadContext, place: KnowledgePlace, action: Action) =>
        boundsAt(reach, action, place.spaceId).spaces.length === 0 ? undefined : rows.find(entryTable, placeKey(place))
      /** Puts the entry there with its event, and with the version that the write left under it. */
      const put = (
        { append, reach, rows }: WriteContext,
        spaceId: string,
        entry: KnowledgeEntry,
        event: EventDraft,
        passed: Passed
      ) => {
        rows.put(entryTable, { spaceId, entry, isByPerson: actorOf(reach) === reach.principal.personId })
        const { id: eventId } = append(spaceId, event, passed)
        const { author, id: entryId, namespace, slug, status, updatedAt, value, version } = entry
        const said = {
          version,
          value,
          namespace,
          slug,
          status,
          author,
          actorId: actorOf(reach),
          eventId,
          at: updatedAt
        }
        rows.put(versionTable, { entryId, eventId, said })
      }

      return {
        list: ({ limit, namespace, offset, spaceId, status }) =>
          read(({ reach, rows }) => {
            const { spaces } = boundsAt(reach, "read", spaceId)
            return Effect.succeed(
              rows
                .all(entryTable)
                .filter((kept) => spaces.includes(kept.spaceId))
                .map(({ entry }) => entry)
                .filter(
                  (entry) =>
                    (namespace === undefined || entry.namespace === namespace) &&
                    (status === undefined ? entry.status !== archived : entry.status === status)
                )
                .toSorted(newestFirst)
                .slice(offset, offset + limit)
            )
          }),
        find: (place, action) =>
          read((reading) => Effect.succeed(Option.fromNullable(at(reading, place, action)?.entry))),
        locate: (id, action) =>
          read(({ reach, rows }) => {
            const { spaces } = knowledgeBounds(reach, action)
            const found = rows.all(entryTable).find(({ entry, spaceId }) => entry.id === id && spaces.includes(spaceId))
            return Effect.succeed(Option.fromNullable(found))
          }),
        add: ({ id, spaceId, key, value, namespace, slug, status, author }, event, passed) =>
          write((writing) => {
            const { now, reach, rows } = writing
            const isWithin = boundsAt(reach, "create", spaceId).spaces.length > 0
            if (!isWithin || rows.find(entryTable, placeKey({ spaceId, key })) !== undefined) {
              return new KnowledgeKeyTaken({ key })
            }
            const workspaceId = spaceId === reach.principal.personId ? null : spaceId
            const fields = { value: copyOf(value), namespace, slug, status, author }
            const entry = { id, key, ...fields, workspaceId, version: 1, createdAt: now, updatedAt: now }
            put(writing, spaceId, entry, event, passed)
            return Effect.succeed(entry)
          }),
        change: (place, { action, from, fields, version = null }, event, passed) =>
          write((writing) => {
            const found = at(writing, place, action)
            if (
              found === undefined ||
              !isIn(from, found.entry) ||
              (version !== null && version !== found.entry.version)
            ) {
              return Effect.succeedNone
            }
            const value = fields.value === undefined ? found.entry.value : copyOf(fields.value)
            const changed = { value, version: found.entry.version + 1, updatedAt: writing.now }
            const entry = { ...found.entry, ...fields, ...changed }
            put(writing, place.spaceId, entry, event, passed)
            return Effect.succeedSome(entry)
          }),
        versions: (place, { cursor, limit, offset = 0 }) =>
          read((reading) => {
            const found = at(reading, place, "read")
            const all = reading.rows
              .all(versionTable)
              .filter(({ entryId }) => entryId === found?.entry.id)
              .map(({ said }) => said)
              .toReversed()
            const past = cursor === undefined ? 0 : all.findIndex(({ eventId }) => eventId === cursor.id) + 1
            const from = cursor !== undefined && past === 0 ? all.length : past + offset
            return Effect.succeed(pageOfVersions(all.slice(from, from + limit + 1), limit))
          })
      }
    })
  )
}

const placeKey = ({ key, spaceId }: KnowledgePlace) => `${spaceId} ${key}`
const entryTable = memoryTable<LocatedKnowledge>("knowledge_entries", ({ entry, spaceId }) =>
  placeKey({ spaceId, key: entry.key })
)
const versionTable = memoryTable<{
  readonly entryId: string
  readonly eventId: string
  readonly said: KnowledgeVersion
}>("knowledge_versions", ({ eventId }) => eventId)

/** The page of versions of which one more than the limit was asked for. The next one begins after the last event. */
export const pageOfVersions = (found: ReadonlyArray<KnowledgeVersion>, limit: number): Page<KnowledgeVersion> =>
  // Only the first version can be without an event, and no page follows that.
  cutPage(found, limit, ({ eventId }) => ({ at: null, id: eventId ?? "" }))

const isIn = (state: KnowledgeChange["from"], entry: KnowledgeEntry) =>
  state === "any" || (entry.status === archived) === (state === "archived")

/** A value of its own, as a database keeps one: what the caller does to theirs afterwards changes nothing. */
const copyOf = (value: unknown): unknown => structuredClone(value)

const newestFirst = (one: KnowledgeEntry, other: KnowledgeEntry) =>
  DateTime.distance(one.updatedAt, other.updatedAt) || (one.id < other.id ? 1 : -1)
