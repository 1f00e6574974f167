/**
 * Misspelt words in a question: the search uses a similar word from the texts that the caller may read, and the answer
 * shows this word.
 */
import { assert, describe, it } from "@effect/vitest"
import { keptSources, spaceId } from "./keptSources.ts"
import { aSource } from "./postings/corpus.ts"

const idOf = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, "0")}`

const texts = [
  "Cavitation harms the pump.",
  "The concrete is dry.",
  "Frost in the night.",
  "The front of the house.",
  "Ventilation of the shed.",
  "A spare key."
]

const search = (isVisible?: (id: string) => boolean) => {
  const kept = keptSources(isVisible === undefined ? {} : { isVisible })
  for (const [at, text] of texts.entries()) kept.put(aSource({ id: idOf(at), spaceId, title: `N${at}`, text }))
  return kept
}

describe("misspelt words of a question", () => {
  const rows: ReadonlyArray<readonly [asked: string, meant: string]> = [
    ["cavitatoin", "cavitation"],
    ["cavitaton", "cavitation"],
    ["ventilatoin", "ventilation"],
    ["concerte", "concrete"],
    ["frots", "frost"],
    ["sapre", "spare"]
  ]
  for (const [asked, meant] of rows) {
    it(`a search for the misspelt word “${asked}” finds texts with “${meant}”, and the answer shows the corrected word`, async () => {
      const { corrected, items } = await search().find(asked)
      assert.deepStrictEqual(corrected, [{ from: asked, to: meant }])
      assert.deepStrictEqual(items[0].matched, [meant])
      assert.include(items[0].passage.toLowerCase(), meant)
    })
  }

  it("a search does not correct a misspelt word to a word that only hidden rows contain", async () => {
    for (const [at, [asked]] of rows.entries()) {
      const { corrected } = await search(() => false).find(asked)
      assert.deepStrictEqual(corrected, [], String(at))
    }
  })

  it("a search does not correct a long word if the texts that the caller may see contain no similar word", async () => {
    assert.deepStrictEqual((await search().find("xylophonists")).corrected, [])
  })
})
