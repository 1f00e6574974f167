/**
 * The ids that a call may find. They are needed if a grant names objects or projects, or if a question names projects.
 * A list is cached as long as its spaces do not change. Each change of a row or of its projects is an event, and each
 * event changes the head of the space (the number of its last event).
 */
import { Context, Effect, Layer } from "effect"
import type { Bounds, Reach } from "../../doors/Reach.ts"
import type { SearchedType } from "./postings/PostingIndex.ts"
import { type Filing, type Head, SearchStore } from "./SearchStore.ts"

export interface IdList {
  /** A name for the list. Only equal lists have the same name. */
  readonly name: string
  readonly ids: ReadonlySet<string>
}

const idsMost = 500_000 // the most ids in all cached lists together; an id takes about 100 bytes

export class ReadableIds extends Context.Tag("pod/ReadableIds")<
  ReadableIds,
  {
    /**
     * Returns the ids of one type that the call may find, from the cache if possible. `heads` are the current heads of
     * the spaces that the question searches.
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
    Effect.map(SearchStore, ({ readable }) => {
      const kept = new Map<string, IdList>()
      let count = 0
      const forget = (key: string) => {
        count -= kept.get(key)?.ids.size ?? 0
        kept.delete(key)
      }
      const keep = (list: IdList) => {
        forget(list.name)
        kept.set(list.name, list)
        count += list.ids.size
        for (const oldest of kept.keys()) {
          if (count <= idsMost) break
          forget(oldest)
        }
        return list
      }
      return {
        of: (type, bounds, filing, heads) => {
          const states = heads.map(({ seq, spaceId }) => `${spaceId} ${seq}`).toSorted()
          const name = JSON.stringify([type, bounds, filing, states])
          const known = kept.get(name)
          // `keep` moves the list to the end of the cache. So the first list in the cache is always the one whose last
          // use is longest ago.
          return known === undefined
            ? Effect.map(readable(type, filing), (ids) => keep({ name, ids: new Set(ids) }))
            : Effect.sync(() => keep(known))
        }
      }
    })
  )
}
