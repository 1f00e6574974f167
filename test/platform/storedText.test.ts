/** `shortenText` removes the end of a text that is too long, and never splits a character. */
import { assert, it } from "@effect/vitest"
import { shortenText } from "../../src/platform/StoredText.ts"

it("if a text is cut inside an emoji, the shortened text ends before the emoji", () => {
  assert.strictEqual(shortenText("a😀b", 2), "a")
  assert.strictEqual(shortenText("a😀b", 3), "a😀")
  assert.strictEqual(shortenText("😀", 2), "😀")
  assert.strictEqual(shortenText("abc", 5), "abc")
})
