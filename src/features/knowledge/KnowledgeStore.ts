/** The store of knowledge entries. Every method reads and writes only entries that the caller may read or write. */
import { Context, Effect, Layer, Option } from "effect"
import { byUpdate, pageOfAll, type PagePlace } from "../../doors/PageOrder.ts"
import type { Action } from "../../doors/Door.ts"
import { countedMax, cutPage, type Page } from "../../doors/Page.ts"
import { type Bounds, inSpaces, type Reach, type ReachShape } from "../../doors/Reach.ts"
import { latestFirst } from "../../doors/RowOrder.ts"
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import { actorOf } from "../events/AppendEvent.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements, type ReadContext, type WriteContext } from "../events/EventTable.ts"
import { entryTable, knowledgeBounds, type KnowledgePlace, type LocatedKnowledge, placeKey } from "./KnowledgeTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { archivedStatus, type KnowledgeEntry, KnowledgeKeyTaken, type KnowledgeVersion } from "./KnowledgeEntry.ts"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"

/** The fields of an entry that a client can set. A field that a change leaves out keeps its value. */
export type KnowledgeFields = Pick<KnowledgeEntry, "value" | "namespace" | "slug" | "status" | "author">

export interface NewKnowledge extends KnowledgePlace, KnowledgeFields {
  readonly id: string
}

export interface KnowledgeFilter extends PagePlace {
  readonly spaceId: string
  readonly namespace: string | undefined
  /** The status to select. Undefined selects every entry that is not archived. */
  readonly status: string | undefined
}

export interface KnowledgeChange {
  /**
   * The action that the gate allowed. The statement changes only entries on which the caller is allowed to do this
   * action.
   */
  readonly action: Exclude<Action, "read">
  /**
   * The state that the entry must have when the statement runs: archived, not archived (`live`), or any state. If the
   * entry has another state, the statement does not change it.
   */
  readonly from: "archived" | "live" | "any"
  /** The version that the entry must still have. If this is absent, the write replaces any version. */
  readonly version?: number | null
  readonly fields: Partial<KnowledgeFields>
}

/**
 * Returns the limits for a statement that does this action on the knowledge entries of one space. The SQL store and the
 * in-memory store both use this function.
 */
export const boundsAt = (reach: ReachShape, action: Action, spaceId: string): Bounds =>
  inSpaces(knowledgeBounds(reach, action), [spaceId])

export class KnowledgeStore extends Context.Tag("pod/KnowledgeStore")<
  KnowledgeStore,
  {
    /** Lists entries, latest update first. Entries with the same time are sorted by id. */
    readonly list: (filter: KnowledgeFilter) => Effect.Effect<Page<KnowledgeEntry>, never, Reach>
    /** Lists entries of every space that the call may read, latest update first. Leaves out archived entries. */
    readonly latest: (limit: number) => Effect.Effect<ReadonlyArray<KnowledgeEntry>, never, Reach>
    /**
     * The number of entries in each space that the call may read, without archived entries. The store stops counting a
     * space at `countedMax` entries. Leaves out spaces without entries.
     */
    readonly countBySpace: Effect.Effect<
      ReadonlyArray<{ readonly spaceId: string; readonly count: number }>,
      never,
      Reach
    >
    /**
     * Finds the entry with this space and key, archived or not. Returns None if the caller is not allowed to do this
     * action on the entry.
     */
    readonly find: (place: KnowledgePlace, action: Action) => Effect.Effect<Option.Option<KnowledgeEntry>, never, Reach>
    /**
     * Finds the entry with this id. The result also has the space and the key of the entry. Returns None if the caller
     * is not allowed to do this action on the entry.
     */
    readonly locate: (id: string, action: Action) => Effect.Effect<Option.Option<LocatedKnowledge>, never, Reach>
    /** Reads the entries with these ids in one statement, in no particular order. Leaves out unreadable entries. */
    readonly listByIds: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<KnowledgeEntry>, never, Reach>
    /**
     * Adds an entry. Fails with KnowledgeKeyTaken if the space already has the key, and also if the caller is not
     * allowed to write in the space. In the second case, the gate usually refuses the write before this call.
     */
    readonly add: (
      entry: NewKnowledge,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<KnowledgeEntry, KnowledgeKeyTaken, Reach>
    /**
     * Changes an entry. Returns None and appends no event if the caller is not allowed to change the entry, or if the
     * entry does not have the expected state or version.
     */
    readonly change: (
      place: KnowledgePlace,
      change: KnowledgeChange,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Option.Option<KnowledgeEntry>, never, Reach>
    /** Lists the versions of an entry, latest first. Returns no versions if the call may not read the entry. */
    readonly versions: (place: KnowledgePlace, page: PagePlace) => Effect.Effect<Page<KnowledgeVersion>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => {
      const at = ({ reach, rows }: ReadContext, place: KnowledgePlace, action: Action) =>
        boundsAt(reach, action, place.spaceId).spaces.length === 0 ? undefined : rows.find(entryTable, placeKey(place))
      const put = (
        { append, reach, rows }: WriteContext,
        spaceId: string,
        entry: KnowledgeEntry,
        event: EventDraft,
        passed: Passed
      ) => {
        const { personId: userId } = reach.principal
        rows.put(entryTable, { spaceId, entry, userId, isByPerson: actorOf(reach) === userId })
        const { id: eventId } = append(spaceId, event, passed)
        const { author, id: entryId, namespace, slug, status, updatedAt, value, version } = entry
        const knowledgeVersion = {
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
        rows.put(versionTable, { entryId, eventId, knowledgeVersion })
      }

      return {
        list: ({ namespace, spaceId, status, ...place }) =>
          read(({ reach, rows }) => {
            const { spaces } = boundsAt(reach, "read", spaceId)
            const found = rows
              .all(entryTable)
              .filter((row) => spaces.includes(row.spaceId))
              .map(({ entry }) => entry)
              .filter(
                (entry) =>
                  (namespace === undefined || entry.namespace === namespace) &&
                  (status === undefined ? entry.status !== archivedStatus : entry.status === status)
              )
            return Effect.succeed(pageOfAll(byUpdate, found, place))
          }),
        latest: (limit) =>
          read(({ reach, rows }) =>
            Effect.succeed(
              livingIn(rows.all(entryTable), knowledgeBounds(reach, "read"))
                .map(({ entry }) => entry)
                .toSorted(latestFirst)
                .slice(0, limit)
            )
          ),
        countBySpace: read(({ reach, rows }) => {
          const counts = new Map<string, number>()
          for (const { spaceId } of livingIn(rows.all(entryTable), knowledgeBounds(reach, "read"))) {
            counts.set(spaceId, Math.min((counts.get(spaceId) ?? 0) + 1, countedMax))
          }
          return Effect.succeed(
            [...counts]
              .map(([spaceId, count]) => ({ spaceId, count }))
              .toSorted((one, other) => (one.spaceId < other.spaceId ? -1 : 1))
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
        listByIds: (ids) =>
          read(({ reach, rows }) => {
            const { spaces } = knowledgeBounds(reach, "read")
            const found = rows.all(entryTable).filter(({ spaceId }) => spaces.includes(spaceId))
            return Effect.succeed(found.map(({ entry }) => entry).filter(({ id }) => ids.includes(id)))
          }),
        add: ({ id, spaceId, key, value, namespace, slug, status, author }, event, passed) =>
          write((writing) => {
            const { now, reach, rows } = writing
            const isWithin = boundsAt(reach, "create", spaceId).spaces.length > 0
            if (!isWithin || rows.find(entryTable, placeKey({ spaceId, key })) !== undefined) {
              return new KnowledgeKeyTaken({ key })
            }
            const workspaceId = workspaceIdOf(spaceId, reach.principal.personId)
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
              .map(({ knowledgeVersion }) => knowledgeVersion)
              .toReversed()
            const past = cursor === undefined ? 0 : all.findIndex(({ eventId }) => eventId === cursor.id) + 1
            const from = cursor !== undefined && past === 0 ? all.length : past + offset
            return Effect.succeed(pageOfVersions(all.slice(from, from + limit + 1), limit))
          })
      }
    })
  )
}

const versionTable = memoryTable<{
  readonly entryId: string
  readonly eventId: string
  readonly knowledgeVersion: KnowledgeVersion
}>("knowledge_versions", ({ eventId }) => eventId)

/**
 * Makes a page of at most `limit` versions. If there is a next page, `found` contains one version more than `limit`.
 * The next page begins after the event of the last version on this page.
 */
export const pageOfVersions = (found: ReadonlyArray<KnowledgeVersion>, limit: number): Page<KnowledgeVersion> =>
  // Only the first version of an entry can lack an event. This version is the last in the list, so no page follows it.
  cutPage(found, limit, ({ eventId }) => ({ at: null, id: eventId ?? "" }))

const livingIn = (all: ReadonlyArray<LocatedKnowledge>, { spaces }: Bounds) =>
  all.filter(({ entry, spaceId }) => spaces.includes(spaceId) && entry.status !== archivedStatus)

const isIn = (state: KnowledgeChange["from"], entry: KnowledgeEntry) =>
  state === "any" || (entry.status === archivedStatus) === (state === "archived")

/** Copies the value, as a database would. If the caller later changes the object, the stored value does not change. */
const copyOf = (value: unknown): unknown => structuredClone(value)
