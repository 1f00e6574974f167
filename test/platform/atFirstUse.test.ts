/** Tests work that the pod does only when the result is first used. */
import { assert, it } from "@effect/vitest"
import { atFirstUse } from "../../src/platform/AtFirstUse.ts"

it("a lazily made function is made at its first call, not earlier, and only once", () => {
  let made = 0
  const sum = atFirstUse(() => {
    made += 1
    return (one: number, other: number) => one + other
  })
  assert.strictEqual(made, 0)
  assert.deepStrictEqual([sum(1, 2), sum(3, 4)], [3, 7])
  assert.strictEqual(made, 1)
})

it("if a lazily made function cannot be made, the call fails, and the next call tries to make the function again", () => {
  let tries = 0
  const answer = atFirstUse(() => {
    tries += 1
    if (tries === 1) throw new Error("not yet")
    return () => tries
  })
  assert.throws(answer, "not yet")
  assert.strictEqual(answer(), 2)
})
