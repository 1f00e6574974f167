/** Reads all pages of a list, for callers that need every record. */
import { DateTime, Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
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
    while (true) {
      const last = all.at(-1)
      const at = last === undefined || type.order === "created" ? null : DateTime.formatIso(last.updatedAt)
      const cursor = last === undefined ? undefined : { at, id: last.id }
      const { items, next } = yield* records.list(type, { ...listing, cursor, limit: pageSize })
      all.push(...items)
      if (next === null) return all
    }
  })
