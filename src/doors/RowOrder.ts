/**
 * Orders of rows without pages: in the stores in memory, and in reads by ids. Lists with pages declare their order in
 * `PageOrder.ts`.
 */
import { DateTime, Effect } from "effect"

interface Row {
  readonly id: string
}

interface UpdatedRow extends Row {
  readonly updatedAt: DateTime.Utc
}

/** Compares two rows, so that the newest is first. An id begins with the time at which it was made. */
export const newestFirst = ({ id: one }: Row, { id: other }: Row): number => (one < other ? 1 : one > other ? -1 : 0)

/** Compares two rows, so that the row with the latest update is first. */
export const latestFirst = (one: UpdatedRow, other: UpdatedRow): number =>
  DateTime.distance(one.updatedAt, other.updatedAt) || newestFirst(one, other)

/** Reads the rows with these ids, in the order of the ids. Leaves out ids without a row. Without ids, reads nothing. */
export const readInOrder = <A extends Row, E, R>(
  ids: ReadonlyArray<string>,
  read: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  ids.length === 0
    ? Effect.succeed([])
    : Effect.map(read(ids), (found) => {
        const byId = new Map(found.map((row) => [row.id, row]))
        return ids.flatMap((id) => byId.get(id) ?? [])
      })
