/** The history of records whose type keeps one: each write as a revision, for whoever reads the record as it is now. */
import { Context, Effect, Layer, Ref } from "effect"
import type { Cursor } from "../../doors/Fields.ts"
import { cutPage, type Page } from "../../doors/Page.ts"
import type { Reach } from "../../doors/Reach.ts"
import { MemoryRevisions, type Revision } from "./MemoryRevisions.ts"
import { RecordNotFound, Records } from "./Records.ts"
import type { Common, RecordType } from "./RecordType.ts"

export interface RevisionPage {
  readonly limit: number
  readonly offset?: number | undefined
  readonly cursor?: Cursor | undefined
}

export class RecordHistory extends Context.Tag("pod/RecordHistory")<
  RecordHistory,
  {
    /** Latest first; none of a record that the call does not read. */
    readonly list: <A extends Common>(
      type: RecordType<A>,
      id: string,
      page: RevisionPage
    ) => Effect.Effect<Page<Revision<A>>, never, Reach>
    /** Missing, and of a record that the call does not read, are one answer. */
    readonly get: <A extends Common>(
      type: RecordType<A>,
      id: string,
      version: number
    ) => Effect.Effect<Revision<A>, RecordNotFound, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const kept = yield* MemoryRevisions

      const all = <A extends Common>(type: RecordType<A>, id: string) =>
        Effect.gen(function* () {
          const isRead = yield* Effect.isSuccess(records.get(type, id))
          if (!isRead) return []
          const found = (yield* Ref.get(kept)).filter(
            ({ recordId, table }) => recordId === id && table === type.history
          )
          return found.toReversed() as unknown as ReadonlyArray<Revision<A>>
        })

      return {
        list: (type, id, { cursor, limit, offset = 0 }) =>
          Effect.gen(function* () {
            const found = yield* all(type, id)
            const past = cursor === undefined ? 0 : found.findIndex(({ eventId }) => eventId === cursor.id) + 1
            const from = cursor !== undefined && past === 0 ? found.length : past + offset
            return pageOfRevisions(found.slice(from, from + limit + 1), limit)
          }),
        get: (type, id, version) =>
          Effect.gen(function* () {
            const found = (yield* all(type, id)).find((revision) => revision.version === version)
            return found ?? (yield* new RecordNotFound({ id }))
          })
      }
    })
  )
}

/** The page of revisions of which one more than the limit was asked for. The next one begins after the last event. */
export const pageOfRevisions = <A extends Common>(
  found: ReadonlyArray<Revision<A>>,
  limit: number
): Page<Revision<A>> => cutPage(found, limit, ({ eventId }) => ({ at: null, id: eventId }))
