/** `shortened` cuts a text to a length and never splits a character. */
import { assert, it } from "@effect/vitest"
import { shortened } from "../../src/platform/StoredText.ts"

it("if a text is cut inside an emoji, the shortened text ends before the emoji", () => {
  assert.strictEqual(shortened("a😀b", 2), "a")
  assert.strictEqual(shortened("a😀b", 3), "a😀")
  assert.strictEqual(shortened("😀", 2), "😀")
  assert.strictEqual(shortened("abc", 5), "abc")
})
