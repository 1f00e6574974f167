/** Addresses are parsed correctly at the first call, and also after so many calls that the parser is optimized. */
import { assert, describe, it } from "@effect/vitest"
import { parsedUrl, withoutLastSlashes } from "../../src/platform/ParsedUrl.ts"

describe("parsing of URLs", () => {
  it("a URL with letters beyond ASCII is parsed correctly even after so many calls that the compiler has optimized the parser", () => {
    for (let at = 0; at < 100_000; at++) assert.isDefined(parsedUrl(`https://example.com/${at}`))
    assert.strictEqual(parsedUrl("https://bücher.example/")?.host, "xn--bcher-kva.example")
    assert.isUndefined(parsedUrl("bücher"))
  })

  it("slashes are removed only at the end of a text, and a text of a million slashes that ends with a letter does not block the process", () => {
    for (const [text, expected] of [
      ["https://example.com//", "https://example.com"],
      ["https://example.com/a//b/", "https://example.com/a//b"],
      ["a", "a"],
      ["///", ""],
      ["", ""]
    ] as const) {
      assert.strictEqual(withoutLastSlashes(text), expected)
    }
    const slashes = `${"/".repeat(1_000_000)}a`
    assert.strictEqual(withoutLastSlashes(slashes), slashes)
  })
})
