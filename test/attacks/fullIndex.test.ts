/**
 * Attacks by a person who fills a search index with texts. Searches must not fail, and must not miss the texts of other
 * people.
 */
import { assert, describe, it } from "@effect/vitest"
import { PostingIndex } from "../../src/features/search/postings/PostingIndex.ts"
import { correctWord } from "../../src/features/search/postings/Spelling.ts"
import { runWithoutPause } from "../../src/platform/InSlices.ts"
import { sliceOf } from "../../src/features/search/postings/Visible.ts"
import { aText } from "../features/search/postings/corpus.ts"
import { aPod, type Caller } from "../support/pod.ts"
import { randomFrom } from "../support/random.ts"
import { assertOk } from "./attackScene.ts"

const letters = "bcdfghjklmnpqrtvwxz" // The stemmer of the index does not change words of these letters.

/**
 * Returns words of seven letters. All the words are different, and their order looks random. The other texts of these
 * tests do not contain the words.
 */
const strangeWords = (count: number, from = 0): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => {
    let rest = ((from + at) * 2_654_435_761) % letters.length ** 7
    return Array.from({ length: 7 }, () => {
      const letter = letters[rest % letters.length]
      rest = Math.floor(rest / letters.length)
      return letter
    }).join("")
  })

const noise = (count: number, from = 0) => strangeWords(count, from).join(" ")

describe("attack: one person fills the vocabulary of the search index of a workspace", () => {
  it("a search finds the words of a person who writes little, even if another person has filled the vocabulary of the search index earlier", () => {
    const index = new PostingIndex(1_000_000)
    index.put(aText({ id: "noise", writerId: "hostile", title: "", text: noise(5000) }))
    assert.isTrue(index.isFull)
    for (let at = 0; at < 20; at++) {
      index.put(aText({ id: `new ${at}`, writerId: "friend", title: "", text: noise(20, 100_000 + 20 * at) }))
      index.put(aText({ id: `noise ${at}`, writerId: "hostile", title: "", text: noise(5000, 200_000 + 5000 * at) }))
    }
    const missing = strangeWords(400, 100_000).filter((word) => index.postingsOf(word)?.count !== 1)
    assert.deepStrictEqual(missing, [])
    assert.isBelow(index.vocabulary.length, 1101)
  })

  it("if the search index removes words of a writer, it keeps the words that occur in the most texts and the words that other writers use too", () => {
    const index = new PostingIndex(1_000_000)
    const often = strangeWords(100, 300_000).join(" ")
    index.put(aText({ id: "noise", writerId: "hostile", title: "", text: noise(800) }))
    index.put(aText({ id: "shared", writerId: "friend", title: "", text: noise(50) }))
    for (const id of ["one", "two"]) index.put(aText({ id, writerId: "hostile", title: "", text: often }))
    index.put(aText({ id: "more", writerId: "friend", title: "", text: noise(400, 400_000) }))
    const count = (word: string) => index.postingsOf(word)?.count ?? 0
    assert.isTrue(strangeWords(50).every((word) => count(word) === 2))
    assert.isTrue(strangeWords(100, 300_000).every((word) => count(word) === 2))
    assert.isTrue(strangeWords(400, 400_000).every((word) => count(word) === 1))
    assert.isBelow(strangeWords(800).filter((word) => count(word) > 0).length, 700)
  })

  it("a search index accepts further texts even if several writers use the same words and these words fill the vocabulary of the index", () => {
    const index = new PostingIndex(300_000) // The memory limit in bytes, with room for 300 words.
    const all = strangeWords(400)
    const upTo = randomFrom(1)
    const text = () => Array.from({ length: 40 }, () => all[Math.floor(400 * (upTo(10_000) / 10_000) ** 2)]).join(" ")
    for (let at = 0; at < 600; at++) {
      index.put(aText({ id: `${at % 150}`, writerId: `${upTo(4)}`, title: "", text: text() }))
    }
    assert.strictEqual(index.size, 150)
  })

  it("from the beginning, the reported memory use of a search index includes the table of letter pairs, which the index builds only at the first misspelt word", () => {
    const [short, long] = [10, 90].map((length) => {
      const index = new PostingIndex()
      const words = strangeWords(1000).map((word) => word.padEnd(length, "z"))
      index.put(aText({ id: "words", title: "", text: words.join(" ") }))
      const before = index.bytes
      const slice = runWithoutPause(sliceOf(index, { isVisible: () => true, withFacets: false }))
      assert.strictEqual(
        runWithoutPause(correctWord(`${words[0].slice(0, -1)}y`, words[0], [slice], (word) => word)),
        words[0]
      )
      assert.strictEqual(index.bytes, before)
      return index.bytes
    })
    // Each further letter of a word adds one pair of letters to the table, and each pair takes four bytes.
    assert.isAtLeast(long - short, 80 * 1000 * 4)
  })
})

describe("attack: texts that fill the whole index of a workspace", () => {
  it("if a search index has no room for a part of a text, the index leaves this part out and reports this, and it accepts new parts after other parts were removed", () => {
    const index = new PostingIndex(Infinity, 10)
    for (let at = 0; at < 12; at++) index.put(aText({ id: `${at}`, title: "", text: "lighthouse" }))
    assert.deepStrictEqual([index.size, index.isIncomplete, index.isWorthReading], [10, true, false])
    index.remove("0")
    index.remove("1")
    assert.isTrue(index.isWorthReading)
    index.put(aText({ id: "later", title: "", text: "schooner" }))
    assert.strictEqual(index.postingsOf("schooner")?.count, 1)
  })

  it("a search index stays within its memory limit, however long the texts are", () => {
    const index = new PostingIndex(300_000)
    for (let at = 0; at < 400; at++) index.put(aText({ id: `${at}`, title: "", text: noise(900, 900 * (at % 3)) }))
    assert.isTrue(index.isIncomplete)
    assert.isBelow(index.bytes, 320_000)
  })

  it("while a search index is full, a search answers with the items that the index has and says that items might be missing", async () => {
    const pod = await aPod({ kind: "memory" }, { searchMemoryBytes: 1_000_000 })
    const asked = async (caller: Caller, query: string) => {
      const { answers, degraded } = assertOk(await caller.send("POST", "/api/hub/knowledge/search", { query }))
      return {
        degraded,
        titles: answers[0].items.map(({ title }: { title: string }) => title),
        status: answers[0].status
      }
    }
    const document = async (title: string, content: string) =>
      assertOk(await pod.owner.send("POST", "/api/hub/documents", { title, content })) as { readonly id: string }
    try {
      await document("First", "the lighthouse is rusty")
      const filling: Array<string> = []
      for (let at = 0; at < 4; at++) filling.push((await document(`Noise ${at}`, `${noise(400)} `.repeat(150))).id)
      await document("Last", "the lighthouse is painted")
      const full = await asked(pod.owner, "lighthouse")
      assert.deepStrictEqual(full, { degraded: ["semantic:index-full"], titles: ["First"], status: "ok" })
      for (const id of filling) assertOk(await pod.owner.send("DELETE", `/api/hub/documents/${id}`))
      const { degraded, titles } = await asked(pod.owner, "lighthouse")
      assert.deepStrictEqual([degraded, titles.toSorted()], [[], ["First", "Last"]])
    } finally {
      await pod.stop()
    }
  })
})
