/**
 * The history of records. For each write, it has a revision: the record as it was after the write. Not every record
 * type has a history. A caller who may read the record may also read its history.
 */
import { Context, Effect, Layer } from "effect"
import type { PagePlace } from "../../doors/PageOrder.ts"
import { cutPage, type Page } from "../../doors/Page.ts"
import type { Reach } from "../../doors/Reach.ts"
import { memoryStatements, type ReadContext } from "../events/EventTable.ts"
import { type Revision, revisionTable } from "./MemoryRevisions.ts"
import { RecordNotFound } from "./Records.ts"
import { recordAt } from "./RecordTable.ts"
import type { Common, RecordType } from "./RecordType.ts"

export class RecordHistory extends Context.Tag("pod/RecordHistory")<
  RecordHistory,
  {
    /** Lists the revisions of a record, latest first. The list is empty if the caller may not read the record. */
    readonly list: <A extends Common>(
      type: RecordType<A>,
      id: string,
      page: PagePlace
    ) => Effect.Effect<Page<Revision<A>>, never, Reach>
    /**
     * Reads one revision. The error is the same for a missing revision and for a record that the caller may not read.
     */
    readonly get: <A extends Common>(
      type: RecordType<A>,
      id: string,
      version: number
    ) => Effect.Effect<Revision<A>, RecordNotFound, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read }) => {
      /** Lists all revisions of a record that the call may read, oldest first. */
      const all = <A extends Common>({ reach, rows }: ReadContext, type: RecordType<A>, id: string) => {
        if (type.history === undefined || recordAt(rows, reach, type, id) === undefined) return []
        const found = rows.all(revisionTable(type.history)).filter(({ recordId }) => recordId === id)
        // The cast is correct, because each revision was written with a record of this type.
        return found as unknown as ReadonlyArray<Revision<A>>
      }

      return {
        list: (type, id, { cursor, limit, offset = 0 }) =>
          read((at) => {
            const found = all(at, type, id).toReversed()
            const past = cursor === undefined ? 0 : found.findIndex(({ eventId }) => eventId === cursor.id) + 1
            const from = cursor !== undefined && past === 0 ? found.length : past + offset
            return Effect.succeed(pageOfRevisions(found.slice(from, from + limit + 1), limit))
          }),
        get: (type, id, version) =>
          read((at) => {
            const found = all(at, type, id).find((revision) => revision.version === version)
            return found === undefined ? new RecordNotFound({ id }) : Effect.succeed(found)
          })
      }
    })
  )
}

/**
 * Makes a page from up to `limit` + 1 revisions. The cursor of the next page is the id of the last event on this page.
 */
export const pageOfRevisions = <A extends Common>(
  found: ReadonlyArray<Revision<A>>,
  limit: number
): Page<Revision<A>> => cutPage(found, limit, ({ eventId }) => ({ at: null, id: eventId }))
