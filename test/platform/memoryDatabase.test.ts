/**
 * The database in memory: which changes of a running transaction other callers see, and when other callers wait for its
 * end.
 */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { MemoryDatabase, memoryTable } from "../../src/platform/MemoryDatabase.ts"

interface Note {
  readonly id: string
  readonly text: string
}

const notes = memoryTable<Note>("notes", ({ id }) => id)

const rule = <E>(name: string, work: Effect.Effect<void, E, MemoryDatabase>) =>
  it.effect(name, () => Effect.provide(work, MemoryDatabase.layer))

const put = (id: string, text: string) =>
  Effect.flatMap(MemoryDatabase, ({ atomically }) =>
    atomically((rows) => Effect.sync(() => rows.put(notes, { id, text })))
  )
const texts = Effect.flatMap(MemoryDatabase, ({ rows }) =>
  Effect.map(rows, ({ all }) => all(notes).map(({ text }) => text))
)

/** Starts a transaction that writes a note and then waits. The effect `go` lets the transaction end. */
const standing = (end: Effect.Effect<void, string> = Effect.void) =>
  Effect.gen(function* () {
    const [isWritten, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const { atomically } = yield* MemoryDatabase
    const fiber = yield* Effect.fork(
      atomically(() =>
        put("one", "changed").pipe(
          Effect.zipRight(Deferred.succeed(isWritten, undefined)),
          Effect.zipRight(Deferred.await(mayEnd)),
          Effect.zipRight(end)
        )
      )
    )
    yield* Deferred.await(isWritten)
    return { fiber, go: Deferred.succeed(mayEnd, undefined) }
  })

rule(
  "the writes of a transaction are invisible to other callers until the transaction ends",
  Effect.gen(function* () {
    yield* put("one", "first")
    const { fiber, go } = yield* standing()
    assert.deepStrictEqual(yield* texts, ["first"])
    yield* go
    yield* Fiber.join(fiber)
    assert.deepStrictEqual(yield* texts, ["changed"])
  })
)

rule(
  "a writer waits for a running transaction and then sees the result of the transaction",
  Effect.gen(function* () {
    yield* put("one", "first")
    const { fiber, go } = yield* standing(Effect.fail("undone"))
    const { atomically } = yield* MemoryDatabase
    const later = yield* Effect.fork(
      atomically((rows) =>
        Effect.sync(() => rows.put(notes, { id: "one", text: `${rows.find(notes, "one")?.text}, later` }))
      )
    )
    yield* Effect.yieldNow()
    assert.deepStrictEqual(yield* texts, ["first"])
    yield* go
    yield* Fiber.await(fiber)
    yield* Fiber.join(later)
    assert.deepStrictEqual(yield* texts, ["first, later"])
  })
)

rule(
  "an interrupted transaction leaves no changes, and the next transaction can run",
  Effect.gen(function* () {
    yield* put("one", "first")
    const { fiber } = yield* standing()
    yield* Fiber.interrupt(fiber)
    yield* put("two", "second")
    assert.deepStrictEqual(yield* texts, ["first", "second"])
  })
)

rule(
  "in a transaction a changed row keeps its position among the rows of its table, and the transaction does not see a row that it has removed",
  Effect.gen(function* () {
    for (const id of ["one", "two", "three"]) yield* put(id, id)
    const { atomically } = yield* MemoryDatabase
    const within = yield* atomically((rows) =>
      Effect.sync(() => {
        rows.put(notes, { id: "one", text: "changed" })
        rows.remove(notes, "two")
        rows.put(notes, { id: "four", text: "four" })
        assert.isUndefined(rows.find(notes, "two"))
        return rows.all(notes).map(({ text }) => text)
      })
    )
    assert.deepStrictEqual(within, ["changed", "three", "four"])
    assert.deepStrictEqual(yield* texts, within)
  })
)

rule(
  "a fiber that still runs after its transaction has ended sees the committed rows of other writers, and can write",
  Effect.gen(function* () {
    const { atomically } = yield* MemoryDatabase
    const mayGo = yield* Deferred.make<void>()
    const fiber = yield* atomically(() =>
      Effect.forkDaemon(Effect.zipRight(Deferred.await(mayGo), Effect.zipRight(put("two", "late"), texts)))
    )
    yield* put("one", "first")
    yield* Deferred.succeed(mayGo, undefined)
    assert.deepStrictEqual(yield* Fiber.join(fiber), ["first", "late"])
  })
)
