/**
 * Sends a prepared statement as one message to the server. The driver's own query sends four messages. At each call the
 * driver also asks for the columns of the statement, and builds the parsers of these columns again. This extra work is
 * about a tenth of the pod's work for a small read (measured). Remove this file when the driver remembers the columns
 * of a prepared statement.
 */
import pg from "pg"
import { ResultSize, resultTooLarge } from "./ResultSize.ts"
import { readerOf } from "./RowTypes.ts"

/**
 * The columns of the rows that a prepared statement returns. If the columns change after the statement was prepared,
 * the server refuses to run the statement again.
 */
interface Columns {
  readonly names: ReadonlyArray<string>
  readonly readers: ReadonlyArray<(text: string) => unknown>
  /**
   * A row in which all values are null. Copies of it are fast, because they share one hidden class of the JavaScript
   * engine.
   */
  readonly empty: Readonly<Record<string, unknown>>
}

/** The columns of the prepared statements of one connection, by the name of the statement. */
export type KnownColumns = Map<string, Columns>

/** The part of the driver's connection that is used here. */
interface Connection {
  readonly stream: { readonly write: (message: Buffer) => boolean; readonly writable: boolean }
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Record<string, string>
  readonly parse: (statement: { readonly name: string; readonly text: string }) => void
}

interface RowDescription {
  readonly fields: ReadonlyArray<{ readonly name: string; readonly dataTypeID: number }>
}

/** A value that is sent as text. Other values are left to the driver. */
type PlainValue = string | number | boolean | null | undefined

const isPlain = (value: unknown): value is PlainValue =>
  typeof value === "string" ||
  typeof value === "number" ||
  typeof value === "boolean" ||
  value === null ||
  value === undefined

export const arePlain = (values: ReadonlyArray<unknown>): values is ReadonlyArray<PlainValue> => values.every(isPlain)

const describePortal = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0])
const executeAndSync = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])

const scratch = Buffer.allocUnsafe(64 * 1024)

/**
 * Returns the bytes of the messages Bind, Describe (if the columns are not known), Execute and Sync (PostgreSQL:
 * frontend/backend protocol, extended query).
 */
const messageOf = (name: string, values: ReadonlyArray<PlainValue>, describes: boolean): Buffer => {
  const texts = values.map((value) => (value === null || value === undefined ? null : String(value)))
  const bytesMax = texts.reduce((sum, text) => sum + 4 + (text === null ? 0 : text.length * 3), 64 + name.length)
  const buffer = bytesMax > scratch.length ? Buffer.allocUnsafe(bytesMax) : scratch
  buffer[0] = 0x42
  // the portal has no name, so only the zero byte that ends the name is sent
  buffer[5] = 0
  let at = 6 + buffer.write(name, 6, "latin1")
  buffer[at] = 0
  // no format codes for the values, so every value is text
  at = buffer.writeInt16BE(0, at + 1)
  at = buffer.writeUInt16BE(texts.length, at)
  for (const text of texts) {
    const length = text === null ? -1 : buffer.write(text, at + 4)
    at = buffer.writeInt32BE(length, at) + Math.max(length, 0)
  }
  // zero format codes, so the server sends every column as text
  at = buffer.writeInt16BE(0, at)
  buffer.writeInt32BE(at - 1, 1)
  if (describes) at += describePortal.copy(buffer, at)
  at += executeAndSync.copy(buffer, at)
  return Buffer.from(buffer.subarray(0, at))
}

const columnsOf = ({ fields }: RowDescription): Columns => ({
  names: fields.map(({ name }) => name),
  readers: fields.map(({ dataTypeID }) => readerOf(dataTypeID)),
  empty: Object.fromEntries(fields.map(({ name }) => [name, null]))
})

export interface PreparedStatement {
  readonly name: string
  readonly text: string
  readonly values: ReadonlyArray<PlainValue>
  readonly known: KnownColumns
}

/**
 * A query for the driver. The driver calls `submit` to send the query, and then one method for each message of the
 * answer.
 */
export class PreparedQuery extends pg.Query {
  readonly name: string
  readonly text: string
  readonly #values: ReadonlyArray<PlainValue>
  readonly #known: KnownColumns
  readonly #answered: (error: Error | null, rows: ReadonlyArray<object>) => void
  readonly #size = new ResultSize()
  #rows: Array<object> = []
  #fault: Error | undefined

  /** `answered` is called exactly once, with the error or with the rows. */
  constructor(
    { known, name, text, values }: PreparedStatement,
    answered: (error: Error | null, rows: ReadonlyArray<object>) => void
  ) {
    super(text, (error) => answered(error ?? null, []))
    this.name = name
    this.text = text
    this.#values = values
    this.#known = known
    this.#answered = answered
  }

  override submit = (sent: unknown): void => {
    // The driver passes its own connection, whose type it does not export.
    const connection = sent as Connection
    const { name, text } = this
    if (connection.parsedStatements[name] === undefined && connection.submittedNamedStatements[name] === undefined) {
      connection.parse({ name, text })
      connection.submittedNamedStatements[name] = text
    }
    if (connection.stream.writable) connection.stream.write(messageOf(name, this.#values, !this.#known.has(name)))
  }

  handleRowDescription(description: RowDescription): void {
    this.#known.set(this.name, columnsOf(description))
  }

  handleDataRow({ fields, length }: { readonly fields: ReadonlyArray<string | null>; readonly length: number }): void {
    const columns = this.#known.get(this.name)
    if (columns === undefined || this.#fault !== undefined) return
    if (!this.#size.admits(length)) {
      this.#fault = resultTooLarge()
      this.#rows = []
      return
    }
    const { empty, names, readers } = columns
    const row: Record<string, unknown> = { ...empty }
    try {
      for (let at = 0; at < fields.length; at++) {
        const text = fields[at]
        if (text !== null) row[names[at]] = readers[at](text)
      }
    } catch (cause) {
      this.#fault = cause instanceof Error ? cause : new Error(String(cause))
    }
    this.#rows.push(row)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    if (this.#fault === undefined) this.#answered(null, this.#rows)
    else this.#answered(this.#fault, [])
  }
}
