/**
 * Lists of the ids that a call is allowed to find. A search needs a list if a grant names objects or projects, or if a
 * question names projects. The pod caches each list. Each change of a row or of its projects is an event. So to update
 * a cached list, the pod reads only the objects with newer events.
 */
import { Context, Effect, Layer } from "effect"
import { type Bounds, Reach } from "../../doors/Reach.ts"
import { isUuid } from "../../platform/Ids.ts"
import { indexReach } from "./IndexReach.ts"
import type { SearchedType } from "./postings/IndexedObject.ts"
import { type Head, type IndexedEvent, SearchStore } from "./SearchStore.ts"
import type { Filing } from "./SearchBounds.ts"

export interface IdList {
  /** The name under which the cache keeps the list. Two lists with the same name are equal. */
  readonly name: string
  readonly ids: ReadonlySet<string>
}

interface CachedList extends IdList {
  /** For each space, the number of the last event whose changes are in the list. */
  readonly read: ReadonlyMap<string, number>
}

// the maximum weight of all cached lists together; an id weighs 1
const weightMax = 500_000
// the number of bytes of memory that an id takes, about
const idBytes = 100
// if a space has more new events than this, the pod reads the whole list again
const eventsMax = 1_000

/**
 * Returns how much of the cache a list takes. A list without ids has a weight too. Its key has the ids of spaces,
 * projects and objects that a caller or a grant names, and the list keeps this text twice.
 */
const weightOf = (key: string, { ids, read }: CachedList): number =>
  ids.size + read.size + Math.ceil((2 * key.length) / idBytes)

export class ReadableIds extends Context.Tag("pod/ReadableIds")<
  ReadableIds,
  {
    /**
     * Returns the ids of one type that the call is allowed to find. Uses the cache if possible. `heads` has the number
     * of the last event of each searched space.
     */
    readonly of: (
      type: SearchedType,
      bounds: Bounds,
      filing: Filing,
      heads: ReadonlyArray<Head>
    ) => Effect.Effect<IdList, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SearchStore, (store) => {
      const cachedLists = new Map<string, CachedList>()
      let weight = 0
      let listNumber = 0
      const forget = (key: string) => {
        const list = cachedLists.get(key)
        if (list === undefined) return
        weight -= weightOf(key, list)
        cachedLists.delete(key)
      }
      /** Puts the list at the end of the cache. So the first list is the least recently used list. */
      const keep = (key: string, list: CachedList) => {
        forget(key)
        cachedLists.set(key, list)
        weight += weightOf(key, list)
        for (const oldest of cachedLists.keys()) {
          if (weight <= weightMax) break
          forget(oldest)
        }
        return list
      }
      const named = (key: string, ids: ReadonlySet<string>, read: CachedList["read"]): CachedList => ({
        name: `${key} ${++listNumber}`,
        ids,
        read
      })

      /**
       * Finds the objects of this type that possibly changed in a space after the event number `after`. Returns null if
       * the pod must read the whole list again.
       */
      const changedIn = (type: SearchedType, { seq, spaceId }: Head, after: number) =>
        Effect.gen(function* () {
          if (seq <= after) return []
          const laterEvents = yield* store.eventsAfter(spaceId, after, eventsMax + 1)
          if (laterEvents.length > eventsMax || laterEvents.some(changesMany)) return null
          // An event from a client, such as `relation.noted`, can have any text where other events have the id of an
          // entity. So the pod uses only the texts that are UUIDs.
          const named = laterEvents.flatMap(({ sourceEntityId, subjectId }) =>
            [subjectId ?? [], sourceEntityId ?? []].flat()
          )
          const ids = [...new Set(named)].filter(isUuid)
          // A document of an entity is in the projects of the entity.
          const owned = type === "document" && ids.length > 0 ? yield* store.documentsOf(spaceId, ids) : []
          return [...ids, ...owned]
        }).pipe(Effect.provideService(Reach, indexReach([spaceId])))

      /** Applies the latest changes to the cached list. Returns null if the pod must read the whole list again. */
      const broughtUp = Effect.fnUntraced(function* (
        key: string,
        known: CachedList,
        type: SearchedType,
        filing: Filing,
        heads: ReadonlyArray<Head>
      ) {
        const changed = new Set<string>()
        for (const head of heads) {
          const ids = yield* changedIn(type, head, known.read.get(head.spaceId) ?? 0)
          if (ids === null) return null
          for (const id of ids) changed.add(id)
        }
        const found = changed.size === 0 ? [] : yield* store.readable(type, filing, [...changed])
        const present = new Set(found)
        const isEqual = [...changed].every((id) => present.has(id) === known.ids.has(id))
        const read = headsOf(heads)
        if (isEqual) return { ...known, read }
        // Copies the list, because a search that still runs might read the older list.
        const ids = new Set(known.ids)
        for (const id of changed) if (!present.has(id)) ids.delete(id)
        for (const id of present) ids.add(id)
        return named(key, ids, read)
      })

      return {
        of: Effect.fnUntraced(function* (type, bounds, filing, heads) {
          const spaces = heads.map(({ spaceId }) => spaceId).toSorted()
          const key = JSON.stringify([type, bounds, filing, spaces])
          const known = cachedLists.get(key)
          const later = known === undefined ? null : yield* broughtUp(key, known, type, filing, heads)
          if (later !== null) return keep(key, later)
          const ids = yield* store.readable(type, filing, null)
          return keep(key, named(key, new Set(ids), headsOf(heads)))
        })
      }
    })
  )
}

const headsOf = (heads: ReadonlyArray<Head>): ReadonlyMap<string, number> =>
  new Map(heads.map(({ seq, spaceId }) => [spaceId, seq]))

/**
 * Returns true if an event can change the projects of many objects. For example, if a project is removed, none of its
 * entities is in the project any more.
 */
const changesMany = ({ type }: IndexedEvent): boolean => type.startsWith("project.")
