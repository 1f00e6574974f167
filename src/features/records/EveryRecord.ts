/** Reads all pages of a list, for callers that need every record. */
import { Effect } from "effect"
import type { Cursor } from "../../doors/Cursor.ts"
import type { Page } from "../../doors/Page.ts"
import type { Reach } from "../../doors/Reach.ts"
import { readFirst } from "../../platform/ResultSize.ts"
import type { Listing, Records } from "./Records.ts"
import type { Common, RecordType } from "./RecordType.ts"

const pageSize = 200

/** Reads all records that match the filter of the list, in the order that the record type declares. */
export const everyRecord = <A extends Common>(
  records: typeof Records.Service,
  type: RecordType<A>,
  listing: Pick<Listing<A>, "where" | "spaces">
): Effect.Effect<ReadonlyArray<A>, never, Reach> =>
  Effect.gen(function* () {
    const all: Array<A> = []
    let cursor: Cursor | undefined
    while (true) {
      const from = cursor
      const { items, next }: Page<A> = yield* readFirst(pageSize, (limit) =>
        records.list(type, { ...listing, cursor: from, limit })
      )
      all.push(...items)
      if (next === null) return all
      cursor = next
    }
  })
