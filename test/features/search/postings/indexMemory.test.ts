/** The search index stores words and numbers. It must not keep the texts of these words in memory. */
import { assert, it } from "@effect/vitest"
import { PostingIndex } from "../../../../src/features/search/postings/PostingIndex.ts"
import { keptBytes } from "../../../support/keptBytes.ts"
import { aText } from "./corpus.ts"

const texts = 100
const charactersOfText = 400_000

it("the search index keeps no copy of the texts that it has indexed, even if they have long words", () => {
  const index = new PostingIndex()
  const before = keptBytes()
  for (let at = 0; at < texts; at++) {
    const filler = Buffer.alloc(charactersOfText, "wave ").toString()
    const letters = String.fromCharCode(...Array.from({ length: 20 }, (_, place) => 97 + ((at * (place + 3)) % 26)))
    index.put(aText({ id: `${at}`, title: "", text: `${filler} identifier-${at}-of-some-length ${letters}` }))
  }
  const grown = keptBytes() - before
  assert.strictEqual(index.size, texts)
  assert.isBelow(grown, (texts * charactersOfText) / 4)
})
