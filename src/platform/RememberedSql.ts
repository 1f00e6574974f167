/**
 * The `sql` tag with a cache of statement texts. The library `@effect/sql` builds the text of a template again at every
 * call, from about sixty pieces. This costs more than the rest of a small read (measured). The tag here builds the text
 * once for each shape (the same templates, nested in the same way). A later call only collects the values.
 */
import { SqlClient, type SqlConnection, type SqlError, Statement } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Effectable, FiberRef, Layer } from "effect"
import { withCommitHooks } from "./CommitHooks.ts"
import { type FairShare, payerOf } from "./FairShare.ts"
import type { StatementRunner, Lanes } from "./Lanes.ts"
import { collectedSpans, currentSpan, inSpan, type Spans } from "./Spans.ts"
import { statementKind } from "./StatementKind.ts"

/**
 * A node in a prefix tree of SQL statements. The path from the root to the node is the sequence of the text pieces that
 * were read so far. If a statement ends at this node, the node has the whole text of the statement.
 */
interface Shape {
  readonly further: Map<unknown, Shape>
  text: string | undefined
}

// the maximum number of cached texts; `@effect/sql` builds the texts of further statements at each call
const shapesMax = 500

const hole = Symbol("a value")
const identifier = Symbol("an identifier follows")

/**
 * A function that goes from a node to the next node for a piece of a statement. It returns undefined if there is no
 * next node.
 */
type Step = (shape: Shape, piece: unknown) => Shape | undefined

const findShape: Step = (shape, piece) => shape.further.get(piece)

/** Goes to the next node, and makes this node if it does not exist. */
const findOrMake = (shape: Shape, piece: unknown): Shape => {
  const before = findShape(shape, piece)
  if (before !== undefined) return before
  const next: Shape = { further: new Map(), text: undefined }
  shape.further.set(piece, next)
  return next
}

/** Makes a `Step` function that stays at the node of the tree and only collects the pieces of the statement. */
const collectPieces =
  (pieces: Array<unknown>): Step =>
  (shape, piece) => {
    pieces.push(piece)
    return shape
  }

const stepTo = (step: Step, from: Shape, name: string): Shape | undefined => {
  const shape = step(from, identifier)
  return shape === undefined ? undefined : step(shape, name)
}

/**
 * Collects the values of the pieces and returns the node at the end of the steps. Returns undefined if there is no such
 * node. Also returns undefined if the text of a piece depends on its values, because such a text cannot be cached.
 */
const throughSegments = (
  step: Step,
  from: Shape,
  segments: ReadonlyArray<Statement.Segment>,
  values: Array<unknown>
): Shape | undefined => {
  let shape: Shape | undefined = from
  for (const segment of segments) {
    if (shape === undefined) return undefined
    if (segment._tag === "Literal" && segment.params === undefined) shape = step(shape, segment.value)
    else if (segment._tag === "Identifier") shape = stepTo(step, shape, segment.value)
    else if (segment._tag === "Parameter") {
      values.push(segment.value)
      shape = step(shape, hole)
    } else return undefined
  }
  return shape
}

/**
 * Returns true if the value is passed to the driver unchanged. Any other object might be a helper of `@effect/sql` that
 * adds text to the statement.
 */
const isPlain = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  Array.isArray(value) ||
  value instanceof Date ||
  value instanceof Uint8Array

/** The identifiers that this tag has made. Their class is not exported, so this set is used to recognise them. */
const identifiers = new WeakSet<object>()
const isIdentifier = (value: unknown): value is Statement.Identifier =>
  typeof value === "object" && value !== null && identifiers.has(value)

const identifierOf = (client: SqlClient.SqlClient, name: string): Statement.Identifier => {
  const identifier = client(name)
  identifiers.add(identifier)
  return identifier
}

const through = (
  step: Step,
  from: Shape,
  strings: TemplateStringsArray,
  holes: ReadonlyArray<unknown>,
  values: Array<unknown>
): Shape | undefined => {
  let shape: Shape | undefined = step(from, strings)
  for (const each of holes) {
    if (shape === undefined) return undefined
    if (isPlain(each)) {
      values.push(each)
      shape = step(shape, hole)
    } else if (each instanceof Remembered) shape = through(step, shape, each.strings, each.holes, values)
    else if (Statement.isFragment(each)) shape = throughSegments(step, shape, each.segments, values)
    else if (isIdentifier(each)) shape = stepTo(step, shape, each.value)
    else return undefined
  }
  return shape
}

interface Tag {
  readonly plain: Statement.Constructor
  /** Where a statement outside of a transaction runs. */
  readonly outside: StatementRunner
  readonly shapes: Shape
  /** The collector of spans. Undefined if spans are not collected. */
  readonly spans: Spans | undefined
  count: number
}

/** Behaves like the statement of `@effect/sql` for the same template, but uses the cached text when it runs. */
class Remembered<Row>
  extends Effectable.Class<ReadonlyArray<Row>, SqlError.SqlError>
  implements Statement.Statement<Row>
{
  readonly strings: TemplateStringsArray
  readonly holes: ReadonlyArray<unknown>
  readonly #tag: Tag

  constructor(tag: Tag, strings: TemplateStringsArray, holes: ReadonlyArray<unknown>) {
    super()
    this.#tag = tag
    this.strings = strings
    this.holes = holes
  }

  get [Statement.FragmentId]() {
    return (_: never): Statement.FragmentId => _
  }

  /** The statement of `@effect/sql` for the same template, without the cache. */
  get #plain(): Statement.Statement<Row> {
    // The holes come from a call with the types of the library, and only the library reads them.
    return this.#tag.plain<Row & object>(this.strings, ...(this.holes as Array<never>))
  }

  #remembered(): readonly [text: string, values: ReadonlyArray<unknown>] {
    const tag = this.#tag
    const values: Array<unknown> = []
    const shape = through(findShape, tag.shapes, this.strings, this.holes, values)
    if (shape?.text !== undefined) return [shape.text, values]
    const compiled = this.#plain.compile()
    if (tag.count < shapesMax) this.#remember(compiled)
    return compiled
  }

  /** Caches the text, unless it depends on the values. Only the nodes of cached texts are kept. */
  #remember([text, expected]: readonly [text: string, values: ReadonlyArray<unknown>]): void {
    const tag = this.#tag
    const pieces: Array<unknown> = []
    const values: Array<unknown> = []
    if (through(collectPieces(pieces), tag.shapes, this.strings, this.holes, values) === undefined) return
    if (expected.length !== values.length || !expected.every((value, at) => Object.is(value, values[at]))) return
    pieces.reduce<Shape>(findOrMake, tag.shapes).text = text
    tag.count += 1
  }

  override commit(): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> {
    return Effect.withFiberRuntime((fiber) => {
      const { spans } = this.#tag
      // Only statements of calls make spans. Work of the pod itself makes no spans, and runs as if no spans were
      // collected.
      const isOfCall = spans !== undefined && currentSpan(fiber.currentContext) !== undefined
      if (fiber.getFiberRef(FiberRef.currentTracerEnabled) && !isOfCall) {
        return spans === undefined ? this.#plain : Effect.withTracerEnabled(this.#plain, false)
      }
      const transaction = Context.getOption(fiber.currentContext, SqlClient.TransactionConnection)
      const [text, values] = this.#remembered()
      const executed =
        transaction._tag === "Some"
          ? transaction.value[0].execute(text, values, undefined)
          : this.#tag.outside.execute(text, values, undefined, payerOf(fiber.currentContext))
      if (!isOfCall) return executed
      const kind = statementKind(text)
      return inSpan(spans, `sql ${kind}`, executed, () => ({
        "db.system.name": "postgresql",
        "pod.statement.kind": kind
      }))
    })
  }

  get segments() {
    return this.#plain.segments
  }
  get raw() {
    return this.#plain.raw
  }
  get stream() {
    return this.#plain.stream
  }
  get values() {
    return this.#plain.values
  }
  get unprepared() {
    return this.#plain.unprepared
  }
  get withoutTransform() {
    return this.#plain.withoutTransform
  }
  compile(withoutTransform?: boolean) {
    return this.#plain.compile(withoutTransform)
  }
}

/**
 * Makes a transaction wait for the turn of its credential before it takes a connection (`FairShare.ts`). A transaction
 * inside another transaction needs no connection of its own.
 */
const sharedTransactions =
  (client: SqlClient.SqlClient, share: FairShare): SqlClient.SqlClient["withTransaction"] =>
  (work) =>
    Effect.withFiberRuntime((fiber) =>
      Context.getOption(fiber.currentContext, SqlClient.TransactionConnection)._tag === "Some"
        ? client.withTransaction(work)
        : share.run(payerOf(fiber.currentContext), client.withTransaction(work))
    )

/**
 * Makes the client with the caching tag. After each commit of a transaction, it runs the work that was registered with
 * `afterCommit`.
 */
const rememberingClient = Effect.fnUntraced(function* (client: SqlClient.SqlClient, share: FairShare, lanes: Lanes) {
  // The library `@effect/sql` does not export the effect that acquires a connection of the pool. But every statement
  // contains this effect, so the code takes it from a statement.
  const { acquirer } = client`SELECT 1` as unknown as { readonly acquirer: SqlConnection.Connection.Acquirer }
  const pool = yield* Effect.scoped(acquirer)
  const tag: Tag = {
    plain: client,
    outside: lanes({
      execute: (text, values, transformRows, payer) => share.run(payer, pool.execute(text, values, transformRows))
    }),
    shapes: { further: new Map(), text: undefined },
    spans: yield* collectedSpans,
    count: 0
  }
  const sql = (strings: TemplateStringsArray | string, ...holes: ReadonlyArray<unknown>) =>
    typeof strings === "string" ? identifierOf(client, strings) : new Remembered(tag, strings, holes)
  const withTransaction = withCommitHooks<SqlError.SqlError>(sharedTransactions(client, share))
  // `sql` accepts the same calls as the client of the library, but without its overloads.
  const cachingClient = Object.assign(sql, client, { withTransaction }) as SqlClient.SqlClient
  return Object.assign(cachingClient, { safe: cachingClient })
})

const noLanes: Lanes = Object.assign((pool: StatementRunner) => pool, { waiting: () => 0 })
const noShare: FairShare = { run: (_payer, work) => work, waiting: () => 0 }

/**
 * Replaces the driver's client by the caching client. Only this function chooses where a statement runs: on the
 * connection of its transaction, on a lane, or on a connection of the pool.
 */
export const layerRemembering = <E, R>(
  driver: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, E, R>,
  share: FairShare = noShare,
  lanes: Lanes = noLanes
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, E | SqlError.SqlError, R> =>
  Layer.flatMap(driver, (context) =>
    Layer.effectContext(
      Effect.map(rememberingClient(Context.get(context, PgClient.PgClient), share, lanes), (client) =>
        Context.add(context, SqlClient.SqlClient, client)
      )
    )
  )
