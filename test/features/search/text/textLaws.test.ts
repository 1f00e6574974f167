/** Laws of reading texts and questions: terms, passages, snippets and questions, for any text. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { analyse, tokensOf } from "../../../../src/features/search/text/Analyser.ts"
import { passagesOf } from "../../../../src/features/search/text/Passages.ts"
import { askedWords, questionOf } from "../../../../src/features/search/text/Question.ts"
import { snippetOf } from "../../../../src/features/search/text/Snippet.ts"

const piece = fc.constantFrom(
  ..."the wind wave Größe 東京都 한국어 🌊 𠮷 é ERR-4012 v1.2.3 a@b.org isn't x -no type:note before:2024 . \n\n".split(
    " "
  ),
  '"',
  " ",
  " ",
  "🌊🌊🌊🌊🌊🌊🌊🌊",
  "𠮷".repeat(50)
)
const text = fc.oneof(
  fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join(" ")),
  fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join("")),
  fc.fullUnicodeString({ maxLength: 400 }),
  fc.string16bits({ maxLength: 400 })
)

describe("questions", () => {
  it("a question of any text is read, and its words are found in it", () => {
    fc.assert(
      fc.property(text, (asked) => {
        const question = questionOf(asked)
        for (const { times, word } of askedWords(question.text, "english")) {
          assert.isAbove(times, 0)
          assert.notStrictEqual(word, "")
        }
      })
    )
  })

  it("a question without quotes, minus and filters is its own text", () => {
    const words = fc.array(fc.constantFrom("wind", "wave", "harbour", "東京"), { minLength: 1 })
    fc.assert(fc.property(words, (asked) => assert.strictEqual(questionOf(asked.join(" ")).text, asked.join(" "))))
  })
})

describe("passages", () => {
  const long = fc
    .tuple(fc.array(text, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 60 }))
    .map(([texts, times]) => texts.join("").repeat(times).slice(0, 40_000))

  it("the passages of a text are together the text, at the offsets that they name in characters", () => {
    fc.assert(
      fc.property(long, (whole) => {
        const passages = passagesOf(whole)
        assert.strictEqual(passages.map((passage) => passage.text).join(""), whole)
        const characters = [...whole]
        for (const { length, start, text: part } of passages) {
          assert.strictEqual(characters.slice(start, start + length).join(""), part)
        }
      }),
      { numRuns: 50 }
    )
  })
})

describe("snippets", () => {
  const asked = new Set(["wave", "wind", "err-4012", "東京", "gross"])

  it("a mark lies in the snippet and covers a word that matches", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const { marks, text: shown } = snippetOf(whole, asked, "english")
        let after = 0
        for (const [start, end] of marks) {
          assert.isAtLeast(start, after)
          assert.isAbove(end, start)
          assert.isAtMost(end, shown.length)
          const terms = analyse(shown.slice(start, end), "english")
          assert.isTrue(
            terms.some((term) => asked.has(term)),
            shown.slice(start, end)
          )
          after = end
        }
      })
    )
  })

  it("a snippet of a whole text has no half characters", () => {
    const whole = text.filter((each) => each.isWellFormed())
    fc.assert(
      fc.property(whole, fc.integer({ min: 0, max: 300 }), (each, before) => {
        const cut = `${"𠮷".repeat(before)} ${each}${"🌊".repeat(before)} wave ${"𠮷🌊".repeat(200)}`
        for (const shown of [each, cut, `x${cut}`]) {
          assert.isTrue(snippetOf(shown, asked, "english").text.isWellFormed())
        }
      })
    )
  })
})

describe("terms", () => {
  it("the terms of tokens are the terms of the text, function words left out", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const kept = tokensOf(whole, "english").filter(({ isStopWord }) => !isStopWord)
        assert.deepStrictEqual(
          kept.flatMap(({ terms }) => terms),
          analyse(whole, "english")
        )
      })
    )
  })

  it("a term of Chinese, Japanese or Korean is its own only term", () => {
    const run = fc.stringOf(fc.constantFrom(..."東京都港湾ひらカタカナー한국어항구"), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(run, (whole) => {
        for (const term of analyse(whole, "simple")) assert.deepStrictEqual(analyse(term, "simple"), [term])
      })
    )
  })

  it("an identifier is found whole and by its parts", () => {
    for (const [written, terms] of [
      ["ERR-4012", ["err-4012", "err", "4012"]],
      ["v1.2.3", ["v1.2.3", "v1", "2", "3"]],
      ["a1@b2.org", ["a1@b2.org", "a1", "b2", "org"]]
    ] as const) {
      assert.deepStrictEqual(analyse(written, "english"), terms)
    }
  })

  it("the forms of a word meet in each language", () => {
    for (const [language, one, other] of [
      ["german", "Häuser", "Hauses"],
      ["german", "Größe", "Grössen"],
      ["french", "continuer", "continuation"],
      ["spanish", "canciones", "canción"],
      ["english", "connections", "connected"]
    ] as const) {
      assert.deepStrictEqual(analyse(one, language), analyse(other, language), `${one} and ${other}`)
    }
    assert.deepStrictEqual(analyse("der die das und", "german"), [])
    assert.deepStrictEqual(analyse("le la les et", "french"), [])
    assert.deepStrictEqual(analyse("el la los y", "spanish"), [])
  })
})
