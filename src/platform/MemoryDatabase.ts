/**
 * One database in memory. The in-memory versions of all stores keep their rows in it. A transaction that fails leaves
 * no rows behind.
 */
import { Context, Effect, Exit, FiberRef, Layer } from "effect"
import { withCommitHooks } from "./CommitHooks.ts"

/** A table whose rows are found by a key. It is declared in the same file as the type of its rows. */
export interface MemoryTable<Row> {
  readonly name: string
  readonly keyOf: (row: Row) => string
}

export const memoryTable = <Row>(name: string, keyOf: (row: Row) => string): MemoryTable<Row> => ({ name, keyOf })

/**
 * The rows as the reading fiber sees them. They include the changes of the fiber's own transaction, but not the
 * uncommitted changes of other fibers.
 */
export interface Rows {
  readonly find: <Row>(table: MemoryTable<Row>, key: string) => Row | undefined
  /** All rows in the order in which they were added. A changed row keeps its place. */
  readonly all: <Row>(table: MemoryTable<Row>) => ReadonlyArray<Row>
}

export interface WritableRows extends Rows {
  readonly put: <Row>(table: MemoryTable<Row>, ...rows: ReadonlyArray<Row>) => void
  readonly remove: (table: MemoryTable<never>, key: string) => void
}

export class MemoryDatabase extends Context.Tag("pod/MemoryDatabase")<
  MemoryDatabase,
  {
    readonly rows: Effect.Effect<Rows>
    /**
     * Runs the work in a transaction. If the work fails, has a defect or is interrupted, its changes are undone. Other
     * fibers see the changes only after the transaction has ended, and other transactions wait until then. Inside
     * another transaction, the work is a part of the outer transaction. If only the work fails, the outer transaction
     * can continue. If the outer transaction fails, the work is undone too.
     */
    readonly atomically: <A, E, R>(work: (rows: WritableRows) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const one = yield* Effect.makeSemaphore(1)
      const committed = committedRows()
      const current = FiberRef.unsafeMake<Transaction | null>(null)
      const innermost = Effect.map(FiberRef.get(current), openOf)
      const committing = withCommitHooks<never>(one.withPermits(1))

      return {
        rows: Effect.map(innermost, (open) => open?.rows ?? committed),
        atomically: (work) =>
          Effect.flatMap(innermost, (outer) => {
            const run = Effect.suspend(() => {
              const begun = begin(outer, committed)
              return Effect.onExit(Effect.locally(work(begun.rows), current, begun), (exit) =>
                Effect.sync(() => begun.end(Exit.isSuccess(exit)))
              )
            })
            return outer === null ? committing(run) : run
          })
      }
    })
  )
}

interface Transaction {
  readonly outer: Transaction | null
  readonly rows: WritableRows
  readonly isOpen: () => boolean
  readonly end: (isCommit: boolean) => void
}

/**
 * Returns the innermost transaction that is still open. A fiber that was forked in a transaction can run longer than
 * the transaction. Such a fiber then sees the rows of the next outer transaction that is still open, or the committed
 * rows.
 */
const openOf = (innermost: Transaction | null): Transaction | null => {
  let open = innermost
  while (open !== null && !open.isOpen()) open = open.outer
  return open
}

const removedRow = Symbol("gone")

interface Changes<Row> {
  readonly table: MemoryTable<Row>
  /** The rows that the transaction has changed, by key. A row that the transaction removed is `removedRow`. */
  readonly rows: Map<string, Row | typeof removedRow>
}

const begin = (outer: Transaction | null, committed: WritableRows): Transaction => {
  const below = outer?.rows ?? committed
  const changed = new Map<string, Changes<never>>()
  let isOpen = true
  // `note` writes only rows of the table of this name, so the rows have the type of the table and the cast is safe.
  const changesOf = <Row>({ name }: MemoryTable<Row>) => changed.get(name) as Changes<Row> | undefined
  const note = <Row>(table: MemoryTable<Row>, key: string, row: Row | typeof removedRow) => {
    if (!isOpen) throw new Error(`${table.name} was written after the transaction had ended`)
    let changes = changesOf(table)
    if (changes === undefined) changed.set(table.name, (changes = { table, rows: new Map() }))
    changes.rows.set(key, row)
  }
  const rows: WritableRows = {
    find: <Row>(table: MemoryTable<Row>, key: string) => {
      const row = changesOf(table)?.rows.get(key)
      return row === undefined ? below.find(table, key) : row === removedRow ? undefined : row
    },
    all: <Row>(table: MemoryTable<Row>) => {
      const changes = changesOf(table)
      if (changes === undefined) return below.all(table)
      const merged = new Map<string, Row>(below.all(table).map((row) => [table.keyOf(row), row]))
      for (const [key, row] of changes.rows) {
        if (row === removedRow) merged.delete(key)
        else merged.set(key, row)
      }
      return [...merged.values()]
    },
    put: (table, ...added) => {
      for (const row of added) note(table, table.keyOf(row), row)
    },
    remove: (table, key) => note(table, key, removedRow)
  }
  return {
    outer,
    rows,
    isOpen: () => isOpen,
    end: (isCommit) => {
      isOpen = false
      if (!isCommit) return
      for (const { rows: written, table } of changed.values()) {
        written.forEach((row, key) => {
          if (row === removedRow) below.remove(table, key)
          else below.put(table, row)
        })
      }
    }
  }
}

const committedRows = (): WritableRows => {
  interface Stored<Row> {
    readonly rows: Map<string, Row>
    listed: ReadonlyArray<Row> | null
  }
  const tables = new Map<string, Stored<unknown>>()
  const tableOf = <Row>({ name }: MemoryTable<Row>): Stored<Row> => {
    let stored = tables.get(name)
    if (stored === undefined) tables.set(name, (stored = { rows: new Map(), listed: null }))
    // `put` writes only rows of the table of this name, so the rows have the type of the table and the cast is safe.
    return stored as Stored<Row>
  }
  return {
    find: <Row>(table: MemoryTable<Row>, key: string) => tableOf(table).rows.get(key),
    // All readers share one list until the next write, because tables are read far more often than written.
    all: <Row>(table: MemoryTable<Row>) => {
      const found = tableOf(table)
      return (found.listed ??= [...found.rows.values()])
    },
    put: (table, ...added) => {
      const found = tableOf(table)
      for (const row of added) found.rows.set(table.keyOf(row), row)
      found.listed = null
    },
    remove: (table, key) => {
      const found = tableOf(table)
      if (found.rows.delete(key)) found.listed = null
    }
  }
}
