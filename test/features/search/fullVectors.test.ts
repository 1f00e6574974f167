/** Tests searches in a space whose vectors do not fit into the memory of the search index. */
import { assert, describe, it } from "@effect/vitest"
import { keptSources, spaceId } from "./keptSources.ts"
import { aSource } from "./postings/corpus.ts"

const idOf = (at: number) => `01900000-0000-7000-8000-${String(at).padStart(12, "0")}`
const numbersOf = (text: string) => Array.from({ length: 1536 }, (_, at) => Math.sin(text.length + at))

describe("a search index whose vectors do not fit into memory", () => {
  it("if the vectors of a space do not fit into memory, a search reads them once, and later searches compare only words", async () => {
    const search = keptSources({ bytesMax: 100_000, vectorOf: numbersOf })
    for (let at = 0; at < 100; at++) search.put(aSource({ id: idOf(at), spaceId, text: "crane" }))
    const found = await search.find("crane")
    assert.strictEqual(found.items.length, 20)
    const reads = search.vectorReads()
    assert.isAbove(reads, 0)
    assert.deepStrictEqual(await search.find("crane"), found)
    assert.strictEqual(search.vectorReads(), reads)
  })
})
