/**
 * One credential uses at most half of the pool. Waiting credentials are served in turns. If a waiting statement is
 * interrupted or waits too long, the next statement can run.
 */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Either, Fiber, FiberId } from "effect"
import { fairShare, ShareUsedUp, TurnTooLate } from "../../src/platform/FairShare.ts"

/**
 * Runs pieces of work by name. Each piece runs until the test calls `end` with its name. `begun` lists the names in the
 * order in which the pieces began.
 */
const aWorkplace = Effect.gen(function* () {
  const begun: Array<string> = []
  const ends = new Map<string, Deferred.Deferred<void>>()
  return {
    begun,
    work: (name: string) =>
      Effect.gen(function* () {
        const end = yield* Deferred.make<void>()
        ends.set(name, end)
        begun.push(name)
        yield* Deferred.await(end)
        return name
      }),
    end: (name: string) => Effect.suspend(() => Deferred.succeed(ends.get(name)!, undefined))
  }
})

/** Lets every fiber run as far as it can. */
const settled = Effect.repeatN(Effect.yieldNow(), 20)

describe("the share of a credential in the database connections", () => {
  it.effect(
    "while one credential runs twelve statements, half of the database connections stay free for other credentials",
    () =>
      Effect.gen(function* () {
        const { begun, end, work } = yield* aWorkplace
        const { run } = fairShare({ total: 4 })
        const costly = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, at) => at),
          (at) => Effect.fork(run("greedy", work(`greedy ${at}`)))
        )
        yield* settled
        assert.deepStrictEqual(begun, ["greedy 0", "greedy 1"])
        const other = yield* Effect.fork(run("other", work("other")))
        yield* settled
        assert.strictEqual(begun.at(-1), "other")
        yield* end("other")
        assert.strictEqual(yield* Fiber.join(other), "other")
        for (let at = 0; at < 12; at++) {
          yield* end(`greedy ${at}`)
          yield* settled
        }
        assert.lengthOf(yield* Fiber.join(Fiber.all(costly)), 12)
      })
  )

  it.effect(
    "on one database connection the waiting statements of different credentials run in turns, however many statements one credential has sent",
    () =>
      Effect.gen(function* () {
        const { begun, end, work } = yield* aWorkplace
        const { run } = fairShare({ total: 1 })
        for (const name of ["a 1", "a 2", "a 3", "b 1", "c 1"]) {
          yield* Effect.fork(run(name.slice(0, 1), work(name)))
          yield* settled
        }
        for (const expected of ["a 1", "a 2", "b 1", "c 1", "a 3"]) {
          assert.strictEqual(begun.at(-1), expected)
          yield* end(expected)
          yield* settled
        }
      })
  )

  it.effect("a credential with too many waiting statements is refused, and other credentials are not refused", () =>
    Effect.gen(function* () {
      const { begun, work } = yield* aWorkplace
      const { run, waiting } = fairShare({ total: 2 })
      for (let at = 0; at < 1_001; at++) yield* Effect.fork(run("greedy", work(`greedy ${at}`)))
      yield* settled
      assert.strictEqual(waiting(), 1_000)
      const refused = yield* Effect.either(run("greedy", work("one more")))
      assert.isTrue(Either.isLeft(refused) && refused.left.cause instanceof ShareUsedUp)
      yield* Effect.fork(run("other", work("other")))
      yield* settled
      assert.strictEqual(begun.at(-1), "other")
    })
  )

  it.live(
    "a statement that waits too long for a connection is refused, and if a waiting statement is interrupted, the next statement can run",
    () =>
      Effect.gen(function* () {
        const { begun, end, work } = yield* aWorkplace
        const { run } = fairShare({ total: 1, waitMs: 20 })
        yield* Effect.fork(run("a", work("first")))
        yield* settled
        const late = yield* Effect.either(run("b", work("late")))
        assert.isTrue(Either.isLeft(late) && late.left.cause instanceof TurnTooLate)
        const leaving = yield* Effect.fork(run("c", work("leaving")))
        yield* settled
        yield* Fiber.interrupt(leaving)
        const running = yield* Effect.fork(run("d", work("after")))
        yield* settled
        yield* end("first")
        yield* settled
        assert.deepStrictEqual(begun, ["first", "after"])
        yield* Fiber.interrupt(running) // An interrupted statement must give its connection back too.
        yield* Effect.fork(run("e", work("last")))
        yield* settled
        assert.strictEqual(begun.at(-1), "last")
      })
  )

  const ended = { first: Effect.fail("ended"), others: Effect.never }
  for (const total of [1, 2]) {
    it.live(
      `if a fiber ends at the moment when it gets a database connection, the next fiber gets this connection, with ${total} connections in the pool`,
      () =>
        Effect.gen(function* () {
          const { run } = fairShare({ total, waitMs: 200 })
          const end = yield* Deferred.make<void>()
          const first = run("a", Effect.zipRight(Deferred.await(end), ended.first))
          // When the first fiber ends, the next fiber gets the turn. At the same moment the failure of the first fiber
          // interrupts the next fiber.
          const all = yield* Effect.fork(
            Effect.all([first, run("a", ended.others), run("a", ended.others)], { concurrency: "unbounded" })
          )
          yield* settled
          yield* Deferred.succeed(end, undefined)
          assert.strictEqual((yield* Fiber.await(all))._tag, "Failure")
          // A running fiber and a waiting fiber are interrupted from outside at the same moment.
          const [running, waiting] = [
            yield* Effect.fork(run("a", Effect.never)),
            yield* Effect.fork(run("a", Effect.never))
          ]
          yield* settled
          for (const fiber of [running, waiting]) fiber.unsafeInterruptAsFork(FiberId.none)
          yield* Fiber.awaitAll([running, waiting])
          for (const payer of ["a", "b", undefined]) assert.strictEqual(yield* run(payer, Effect.succeed(1)), 1)
        })
    )
  }
})
