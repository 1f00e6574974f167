/** Tests work that the pod does only when the result is first used. */
import { assert, it } from "@effect/vitest"
import { atFirstUse } from "../../src/platform/AtFirstUse.ts"

it("a lazily made value is made at its first use, not earlier, and only once", () => {
  let made = 0
  const value = atFirstUse(() => ({ number: (made += 1) }))
  assert.strictEqual(made, 0)
  assert.strictEqual(value(), value())
  assert.strictEqual(made, 1)
})

it("if a lazily made value cannot be made, its use fails, and the next use tries to make it again", () => {
  let tries = 0
  const value = atFirstUse(() => {
    tries += 1
    if (tries === 1) throw new Error("not yet")
    return { tries }
  })
  assert.throws(value, "not yet")
  assert.strictEqual(value().tries, 2)
})
