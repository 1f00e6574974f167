/**
 * Limits the memory that the rows of one statement use. A list of a thousand records can be larger than the memory of
 * the process, because one record can have many megabytes.
 */
import { SqlError } from "@effect/sql"
import { Effect, Option } from "effect"
import pg from "pg"

// The maximum number of bytes of the rows that one statement returns. An answer with these rows needs several times as
// much memory: as texts, as values, and as JSON.
export const resultBytesMax = 32 * 1024 * 1024

/** A statement returned more rows than fit into the limit. The rows are dropped. */
export class ResultTooLarge extends Error {
  override readonly name = "ResultTooLarge"
}

/** Counts the bytes of the rows of one statement. */
export class ResultSize {
  #bytes = 0

  /**
   * Counts a row. Returns false if the rows so far are larger than the limit. A single row is always allowed, because a
   * caller who asks for one record cannot ask for less.
   */
  admits(rowBytes: number): boolean {
    const isFirst = this.#bytes === 0
    this.#bytes += rowBytes
    return isFirst || this.#bytes <= resultBytesMax
  }
}

export const resultTooLarge = () => new ResultTooLarge(`The rows have more than ${resultBytesMax} bytes.`)

/** If the rows of a statement of `work` were too large, runs `smaller` in its place. */
const whenResultTooLarge =
  <B, E2, R2>(smaller: () => Effect.Effect<B, E2, R2>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A | B, E | E2, R | R2> =>
    Effect.catchSomeDefect(work, (defect) =>
      defect instanceof SqlError.SqlError && defect.cause instanceof ResultTooLarge
        ? Option.some(smaller())
        : Option.none()
    )

/**
 * Reads at most `limit` rows. If they are too large for one statement, reads fewer. Returns the limit that was used, so
 * that the caller sees whether there can be more rows.
 */
export const readAtMost = <A, E, R>(
  limit: number,
  read: (limit: number) => Effect.Effect<A, E, R>
): Effect.Effect<{ readonly found: A; readonly limit: number }, E, R> => {
  const all = Effect.map(read(limit), (found) => ({ found, limit }))
  // One row always fits, so a read of one row is not divided further.
  return limit < 2 ? all : whenResultTooLarge(() => readAtMost(Math.ceil(limit / 2), read))(all)
}

/**
 * Reads the first rows, at most `limit`. If they are too large for one statement, reads fewer. It is for callers that
 * show only the first rows.
 */
export const readFirst = <A, E, R>(
  limit: number,
  read: (limit: number) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.map(readAtMost(limit, read), ({ found }) => found)

/**
 * Makes a read of items from a read whose rows can be too large for one statement. It then reads the items in several
 * parts.
 */
export const inParts = <I, A, E, R>(read: (items: ReadonlyArray<I>) => Effect.Effect<ReadonlyArray<A>, E, R>) => {
  const readAll = (items: ReadonlyArray<I>): Effect.Effect<ReadonlyArray<A>, E, R> => {
    if (items.length < 2) return read(items)
    const middle = Math.ceil(items.length / 2)
    const inTwo = () =>
      Effect.map(Effect.forEach([items.slice(0, middle), items.slice(middle)], readAll), (rows) => rows.flat())
    return whenResultTooLarge(inTwo)(read(items))
  }
  return readAll
}

/** The part of the driver's query that is used here. */
interface DriverQuery {
  _canceledDueToError: Error | false
  readonly _result: { rows: Array<unknown> }
}

// The types of the driver omit the methods that read the messages of an answer.
interface Receiver {
  handleDataRow(message: { readonly length: number }): void
}

const receiver = pg.Query.prototype as unknown as Receiver

/** A query of the driver that fails if its rows are too large. */
export class LimitedQuery extends pg.Query {
  readonly #size = new ResultSize()

  handleDataRow(message: { readonly length: number }): void {
    if (this.#size.admits(message.length)) return receiver.handleDataRow.call(this, message)
    const query = this as unknown as DriverQuery
    // The driver drops the further rows of such a query, and passes on this error when the server has sent all rows.
    query._canceledDueToError ||= resultTooLarge()
    query._result.rows = []
  }
}
