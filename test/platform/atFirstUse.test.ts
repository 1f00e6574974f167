/** Tests work that the pod does only when the result is first used. */
import { assert, it } from "@effect/vitest"
import { atFirstUse } from "../../src/platform/AtFirstUse.ts"

it("a function that is made at its first use is not made before its first call, and is made only once", () => {
  let made = 0
  const sum = atFirstUse(() => {
    made += 1
    return (one: number, other: number) => one + other
  })
  assert.strictEqual(made, 0)
  assert.deepStrictEqual([sum(1, 2), sum(3, 4)], [3, 7])
  assert.strictEqual(made, 1)
})

it("if making a function fails, the call fails, and the next call tries again", () => {
  let tries = 0
  const answer = atFirstUse(() => {
    tries += 1
    if (tries === 1) throw new Error("not yet")
    return () => tries
  })
  assert.throws(answer, "not yet")
  assert.strictEqual(answer(), 2)
})
