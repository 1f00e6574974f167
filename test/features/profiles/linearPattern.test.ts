/**
 * Patterns in property definitions: the pod refuses some patterns, no pattern is slow, and a pattern matches like a
 * regular expression.
 */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import fc from "fast-check"
import { linearPattern, patternMax } from "../../../src/features/profiles/LinearPattern.ts"

const fits = (source: string, text: string): boolean => Either.getOrThrow(linearPattern(source)).test(text)

describe("refused patterns of text properties", () => {
  const refused: ReadonlyArray<readonly [what: string, source: string, why: RegExp]> = [
    ["a group without an end", "(a", /not a regular expression/],
    ["a character class without an end", "[a", /not a regular expression/],
    ["a repetition without a part to repeat", "*", /not a regular expression/],
    ["an unknown escape", "\\q", /not a regular expression/],
    ["too many characters", "a".repeat(patternMax + 1), /longer than 200/],
    ["a back reference", "(a)\\1", /back-reference/],
    ["a back reference before its group", "\\1(a)", /back-reference/],
    ["a reference to a named group", "(?<x>a)\\k<x>", /look-around, named groups/],
    ["a look-ahead", "(?=a)a", /look-around/],
    ["a negative look-ahead", "^(?!admin)", /look-around/],
    ["a look-behind", "(?<=a)b", /look-around/],
    ["too large a repetition count", "a{251}", /repeats too many times/],
    ["nested repetitions that multiply to a large count", "((a{9}){9}){9}", /repeats too many times/],
    ["nested repetitions of an empty group", "((((){999}){999}){999}){999}", /repeats too many times/],
    ["a repetition count beyond the largest number", `a{0,${"9".repeat(190)}}`, /repeats too many times/],
    ["too deeply nested groups", `${"(".repeat(30)}a${")".repeat(30)}`, /nested groups/]
  ]
  for (const [what, source, why] of refused) {
    it(`a property pattern with ${what} is refused`, () => {
      assert.match(
        Either.getOrElse(Either.flip(linearPattern(source)), () => "accepted"),
        why
      )
    })
  }
})

describe("patterns that are matched against long texts", () => {
  const text = `${"a".repeat(10_000)}!`
  for (const source of [
    "^(a+)+$",
    "^(a|aa)*$",
    "^(a|a)*$",
    "^.*.*.*.*.*.*=$",
    "^(.*a){12}$",
    "(a*)*b",
    "^(a{0,9}){0,9}b"
  ]) {
    it(`the property pattern “${source}” is matched against ten thousand characters within the time limit`, () => {
      assert.isFalse(fits(source, text))
    })
  }
})

describe("which texts a pattern matches", () => {
  const cases: ReadonlyArray<readonly [source: string, fit: ReadonlyArray<string>, unfit: ReadonlyArray<string>]> = [
    ["^[A-Z]{2,3}-\\d{4,}$", ["AB-1234", "ABC-12345"], ["A-1234", "ABCD-1234", "AB-123", "xAB-1234"]],
    ["cat|dog", ["a cat", "dogs"], ["bird"]],
    ["^$", [""], [" "]],
    ["^.$", ["a", "😀"], ["\n", "ab"]],
    ["^\\p{Lu}\\p{L}+$", ["Élan"], ["élan"]],
    ["^\\ud83d\\ude00$", ["😀"], ["😁"]],
    ["^\\u{1F600}+?$", ["😀😀"], [""]],
    ["\\bcat\\b", ["a cat."], ["cats", "scat"]],
    ["\\Bcat", ["scat"], ["cat", "a cat"]],
    ["^[^\\]\\d]+$", ["ab"], ["a]", "a1"]],
    ["^[^]$", ["\n"], [""]],
    ["^(?:|a)b?$", ["", "a", "ab"], ["aa"]]
  ]
  for (const [source, fit, unfit] of cases) {
    it(`the property pattern “${source}” matches the texts that the test expects and no others`, () => {
      for (const text of fit) assert.isTrue(fits(source, text), text)
      for (const text of unfit) assert.isFalse(fits(source, text), text)
    })
  }

  const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 3, depthIdentifier: "pattern" },
      fc.array(tie("part"), { maxLength: 4 }).map((parts) => parts.join("")),
      fc.array(tie("part"), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("|"))
    ),
    part: fc.oneof(
      { maxDepth: 3, depthIdentifier: "pattern" },
      fc.constantFrom("a", "b", "😀", ".", "\\w", "\\W", "[ab]", "[^a]", "[a-b\\n]", "^", "$", "\\b", "\\B", "\\x61"),
      fc
        .tuple(
          fc.constantFrom("a", "b", ".", "[^a]", "\\s"),
          fc.constantFrom("*", "+", "?", "{0}", "{2}", "{1,}", "{0,2}", "*?")
        )
        .map((both) => both.join("")),
      fc
        .tuple(fc.constantFrom("(", "(?:"), tie("pattern"), fc.constantFrom("", "*", "+", "?", "{2}", "{1,3}"))
        .map(([open, within, repeat]) => `${open}${within})${repeat}`)
    )
  }))
  const text = fc
    .array(fc.constantFrom("a", "b", " ", "\n", "😀", "\ud83d"), { maxLength: 6 })
    .map((all) => all.join(""))

  it.prop(
    "a property pattern matches the same texts as a regular expression with the same source",
    [pattern, text],
    ([source, given]) => {
      const made = linearPattern(source)
      fc.pre(Either.isRight(made))
      // The regular expression engine matches \B between the two halves of a surrogate pair, and our patterns do not.
      fc.pre(!source.includes("\\B") || !given.includes("😀"))
      assert.strictEqual(Either.getOrThrow(made).test(given), new RegExp(source, "u").test(given))
    },
    { fastCheck: { numRuns: 3_000 } }
  )

  it.prop(
    "the compiler of property patterns accepts or refuses any text, and never throws",
    [fc.fullUnicodeString()],
    ([source]) => {
      const made = linearPattern(source)
      if (Either.isRight(made)) assert.isBoolean(made.right.test(source))
      else assert.isNotEmpty(made.left)
    }
  )
})
