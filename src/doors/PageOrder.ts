/**
 * The orders of lists. A list declares its order once, and the stores sort, cut and continue it by this order. So a row
 * that is added or removed between two pages neither repeats nor skips another row.
 */
import { DateTime } from "effect"
import type { Cursor } from "./Cursor.ts"
import { cutPage, type Page } from "./Page.ts"

/** Which part of a list a caller asks for. */
export interface PagePlace {
  readonly limit: number
  readonly offset?: number | undefined
  readonly cursor?: Cursor | undefined
}

export interface PageOrder<Row> {
  /** Returns the place of a row: a cursor with this place continues after the row. */
  readonly placeOf: (row: Row) => Cursor
  readonly isOldestFirst?: true
}

const byTime = (time: DateTime.Utc, id: string): Cursor => ({ at: DateTime.formatIso(time), id })

interface Identified {
  readonly id: string
}

/** The row that was changed last is first. */
export const byUpdate: PageOrder<Identified & { readonly updatedAt: DateTime.Utc }> = {
  placeOf: ({ id, updatedAt }) => byTime(updatedAt, id)
}

type Created = Identified & { readonly createdAt: DateTime.Utc }

/** The newest row is first. */
export const byCreation: PageOrder<Created> = { placeOf: ({ createdAt, id }) => byTime(createdAt, id) }

/** The oldest row is first. */
export const byAge: PageOrder<Created> = { ...byCreation, isOldestFirst: true }

/** The newest row is first. An id begins with the time at which it was made. */
export const byId: PageOrder<Identified> = { placeOf: ({ id }) => ({ at: null, id }) }

/** Compares two texts without the rules of a language, as `COLLATE "C"` does. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Returns a positive number if the first place is behind the second in this order. */
const distance = ({ isOldestFirst }: PageOrder<never>, one: Cursor, other: Cursor): number =>
  (compareTexts(one.at ?? "", other.at ?? "") || compareTexts(one.id, other.id)) * (isOldestFirst === true ? 1 : -1)

/** Makes a page from at most `limit` + 1 rows, which are already in this order. */
export const pageOfSorted = <Row>(
  { placeOf }: PageOrder<Row>,
  rows: ReadonlyArray<Row>,
  { limit }: Pick<PagePlace, "limit">
): Page<Row> => cutPage(rows, limit, placeOf)

/** Makes a page of all rows of a list. */
export const pageOfAll = <Row>(
  order: PageOrder<Row>,
  rows: ReadonlyArray<Row>,
  { cursor, limit, offset = 0 }: PagePlace
): Page<Row> => {
  const behind = rows
    .map((row) => ({ row, place: order.placeOf(row) }))
    .filter(({ place }) => cursor === undefined || distance(order, place, cursor) > 0)
    .toSorted((one, other) => distance(order, one.place, other.place))
    .map(({ row }) => row)
  return pageOfSorted(order, behind.slice(offset, offset + limit + 1), { limit })
}
