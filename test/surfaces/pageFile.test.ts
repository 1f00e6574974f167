/** Tests which texts the pod serves compressed. */
import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { packedPage } from "../../src/surfaces/PageFile.ts"

/** Returns bytes that look random, so that no compression makes them shorter. They are the same in each run. */
const incompressible = (length: number): Uint8Array => {
  const parts: Array<Buffer> = []
  for (let at = 0; at < length; at += 32) parts.push(createHash("sha256").update(String(at)).digest())
  return Buffer.concat(parts).subarray(0, length)
}

describe("the encodings of a page", () => {
  it("the pod does not compress a text if the compressed form is longer", () => {
    const text = incompressible(2_000)
    const { forms } = packedPage(() => text, "text/plain")
    for (const coding of ["gzip", "br"] as const) {
      assert.isUndefined(forms[coding]().coding, coding)
      assert.deepStrictEqual(forms[coding](), forms.identity(), coding)
    }
  })

  it("the pod does not compress a text of less than 1,000 bytes", () => {
    const { forms } = packedPage(() => Buffer.from("a".repeat(999)), "text/plain")
    assert.deepStrictEqual(forms.gzip(), forms.identity())
  })

  it("the pod compresses a text of 1,000 bytes or more if this makes the text shorter, and the compressed text has its own ETag", () => {
    const text = Buffer.from("a".repeat(1_000))
    const { forms } = packedPage(() => text, "text/plain")
    const { bytes, coding, tag } = forms.gzip()
    assert.strictEqual(coding, "gzip")
    assert.isBelow(bytes.length, text.length)
    assert.isTrue(gunzipSync(bytes).equals(text))
    assert.notStrictEqual(tag, forms.identity().tag)
  })
})
