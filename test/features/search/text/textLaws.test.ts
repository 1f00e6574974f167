/**
 * Rules for the code that reads texts and questions: terms, passages, snippets and questions. The tests use random
 * texts.
 */
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

describe("reading a search question", () => {
  it("any text can be read as a search question, and no search word of the question is empty or has a count of zero", () => {
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

  it("if a search question has no quotes, minus signs or filters, the pod searches for the whole question", () => {
    const words = fc.array(fc.constantFrom("wind", "wave", "harbour", "東京"), { minLength: 1 })
    fc.assert(fc.property(words, (asked) => assert.strictEqual(questionOf(asked.join(" ")).text, asked.join(" "))))
  })
})

describe("reading the filters of a search question", () => {
  const me = "01900000-0000-7000-8000-00000000000a"
  const agent = "01900000-0000-7000-8000-00000000000B"
  const none = { types: [], projects: [], workspaces: [], makers: [] }
  const nothing = { ...none, without: none, before: undefined, after: undefined }

  it("the search treats a word that only looks like a filter, such as `by:anna`, as an ordinary word of the question", () => {
    for (const part of ["by:anna", "-by:anna", "by:2024", "by:", "-before:lunch", "by:me"]) {
      const { excluded, filters, text } = questionOf(`crane ${part}`)
      assert.deepStrictEqual([text, filters, excluded], [`crane ${part}`, nothing, []], part)
    }
  })

  it("the value of the search filter `by:` is the id of a person or an agent, or the word `me` for the caller", () => {
    const { filters, text } = questionOf(`by:me crane by:${agent}`, me)
    assert.deepStrictEqual([text, filters], ["crane", { ...nothing, makers: [me, agent.toLowerCase()] }])
  })

  it("a search filter with a minus leaves out the records that match the same filter without a minus", () => {
    const asked = `-type:Note -kind:task -project:"North Quay" -in:Harbour -by:me -before:2024-02 -after:2025`
    assert.deepStrictEqual(questionOf(asked, me).filters, {
      ...nothing,
      without: { types: ["note", "task"], projects: ["North Quay"], workspaces: ["Harbour"], makers: [me] },
      before: Date.UTC(2025, 0, 1),
      after: Date.UTC(2024, 1, 1)
    })
  })
})

describe("dividing a text into passages", () => {
  const long = fc
    .tuple(fc.array(text, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 60 }))
    .map(([texts, times]) => texts.join("").repeat(times).slice(0, 40_000))

  it("the passages of a text, joined together, are the whole text, and each passage begins at the character offset that it states", () => {
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

describe("snippets of a text that show where words match", () => {
  const asked = new Set(["wave", "wind", "err-4012", "東京", "gross"])

  it("each mark of a snippet lies inside the snippet and covers a word that matches", () => {
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

  it("a snippet of a valid text contains no half of a character", () => {
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

describe("the terms that the search index keeps of a text", () => {
  it("the search terms of a text come from all of its words except function words", () => {
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

  it("if the analysis splits a Chinese, Japanese or Korean text into search terms, then it splits none of these terms again", () => {
    const run = fc.stringOf(fc.constantFrom(..."東京都港湾ひらカタカナー한국어항구"), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(run, (whole) => {
        for (const term of analyse(whole, "simple")) assert.deepStrictEqual(analyse(term, "simple"), [term])
      })
    )
  })

  it("the search terms of a text with an identifier include the whole identifier and each of its parts", () => {
    for (const [written, terms] of [
      ["ERR-4012", ["err-4012", "err", "4012"]],
      ["v1.2.3", ["v1.2.3", "v1", "2", "3"]],
      ["a1@b2.org", ["a1@b2.org", "a1", "b2", "org"]]
    ] as const) {
      assert.deepStrictEqual(analyse(written, "english"), terms)
    }
  })

  it("in each language the different forms of one word give the same search term", () => {
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
