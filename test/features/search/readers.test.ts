/** A search pauses while it reads an index, and the index changes only when no search reads it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { runWithoutPause, inSlices, type Steps } from "../../../src/platform/InSlices.ts"
import { Readers } from "../../../src/features/search/Readers.ts"

describe("a search index that several searches read at once", () => {
  it.effect(
    "a change of a search index waits until no search reads the index, and a search that begins meanwhile does not wait for the change",
    () =>
      Effect.gen(function* () {
        const readers = new Readers()
        const changes: Array<string> = []
        readers.begin()
        readers.begin()
        const change = yield* Effect.fork(readers.exclusively(() => void changes.push("changed")))
        yield* Effect.yieldNow()
        readers.end()
        yield* Effect.yieldNow()
        assert.deepStrictEqual(changes, [])
        readers.end()
        // Another search begins to read before the change runs.
        readers.begin()
        yield* Effect.yieldNow()
        assert.deepStrictEqual(changes, [])
        readers.end()
        yield* Fiber.join(change)
        assert.deepStrictEqual(changes, ["changed"])
      })
  )

  it.live(
    "other tasks can run between the parts of a long computation, and the division into parts does not change the result",
    () =>
      Effect.gen(function* () {
        const steps = function* (): Steps<number> {
          let sum = 0
          for (let at = 0; at < 40; at++) {
            const until = performance.now() + 1
            while (performance.now() < until) sum += 0
            sum += at
            yield
          }
          return sum
        }
        let turns = 0
        const counting = yield* Effect.fork(
          Effect.forever(
            Effect.zipRight(
              Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve))),
              Effect.sync(() => turns++)
            )
          )
        )
        const sum = yield* inSlices(steps())
        yield* Fiber.interrupt(counting)
        assert.strictEqual(sum, runWithoutPause(steps()))
        assert.isAbove(turns, 1)
      })
  )
})
