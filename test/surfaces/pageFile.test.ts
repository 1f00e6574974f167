/** Tests which texts the pod serves compressed. */
import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { gunzipSync } from "node:zlib"
import type { Exchange } from "../../src/surfaces/Exchange.ts"
import { builtPage, compressedPage, sendBuilt } from "../../src/surfaces/PageFile.ts"

/** Returns bytes that look random, so that no compression makes them shorter. They are the same in each run. */
const incompressible = (length: number): Uint8Array => {
  const parts: Array<Buffer> = []
  for (let at = 0; at < length; at += 32) parts.push(createHash("sha256").update(String(at)).digest())
  return Buffer.concat(parts).subarray(0, length)
}

describe("the encodings of a page", () => {
  it("the pod does not compress a text if the compressed form is longer", () => {
    const text = incompressible(2_000)
    const { forms } = compressedPage(() => text, "text/plain")
    for (const coding of ["gzip", "br"] as const) {
      assert.isUndefined(forms[coding]().coding, coding)
      assert.deepStrictEqual(forms[coding](), forms.identity(), coding)
    }
  })

  it("the pod does not compress a text of less than 1,000 bytes", () => {
    const { forms } = compressedPage(() => Buffer.from("a".repeat(999)), "text/plain")
    assert.deepStrictEqual(forms.gzip(), forms.identity())
  })

  it("the pod compresses a text of 1,000 bytes or more if this makes the text shorter, and the compressed text has its own ETag", () => {
    const text = Buffer.from("a".repeat(1_000))
    const { forms } = compressedPage(() => text, "text/plain")
    const { bytes, coding, tag } = forms.gzip()
    assert.strictEqual(coding, "gzip")
    assert.isBelow(bytes.length, text.length)
    assert.isTrue(gunzipSync(bytes).equals(text))
    assert.notStrictEqual(tag, forms.identity().tag)
  })
})

describe("a file of the build", () => {
  const exchange = { request: { headers: {} }, response: {} } as unknown as Exchange

  it("a file that a later build has removed is absent, and not an internal error", () => {
    const refused: Array<Exchange> = []
    const gone = builtPage("/no/such/folder/app-1234.js", "text/javascript")
    sendBuilt(exchange, gone, {}, (one) => void refused.push(one))
    assert.deepStrictEqual(refused, [exchange])
  })

  it("every other failure to read a file stays an internal error", () => {
    const folder = builtPage("/", "text/javascript")
    assert.throws(() => sendBuilt(exchange, folder, {}, () => assert.fail("absent")), /EISDIR/)
  })
})
