/**
 * The kit of a brand as text. The text is always the same for the same brand, and contains only declarations of design
 * tokens.
 */
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import fc from "fast-check"
import { Brand } from "../../../src/features/brands/Brand.ts"
import { kitContent } from "../../../src/features/brands/KitContent.ts"
import { BrandTokens } from "../../../src/features/brands/Tokens.ts"

const tokensOf = (input: unknown) => Schema.decodeUnknownEither(BrandTokens)(input)
const acme = Either.getOrThrow(
  tokensOf({
    colors: { primary: "#0055ff", "accent-2": "rgb(0 85 255 / 50%)" },
    fonts: { body: { family: "Inter", weight: 400 } },
    sizes: { gap: "0.5rem" },
    logo: { url: "https://example.com/logo.svg?v=2" },
    voice: { tone: ["calm"], avoids: ["shouting"] }
  })
)

/** Values that a malicious person writes into design tokens. */
const attacks = [
  "red; } body { display: none",
  "#fff;background:url(//evil.example)",
  "url(javascript:alert(1))",
  "expression(alert(1))",
  "#fff\n}",
  "#fff*/",
  "</style><script>alert(1)</script>",
  '"; --x: "',
  "\\27 ",
  "rgb(0,0,0);x:y",
  "rgb(0,0,0",
  "var(--x)",
  "#fff ",
  " #fff",
  "rgb(1 2 3)\n"
]

describe("the design tokens of a brand", () => {
  it("a design token with an invalid name or value is refused in each group of tokens", () => {
    for (const attack of attacks) {
      for (const tokens of [
        { colors: { a: attack } },
        { sizes: { a: attack } },
        { fonts: { a: { family: attack } } },
        { fonts: { a: { family: "Inter", fallback: attack } } },
        { logo: { url: attack } },
        { logo: { url: `https://example.com/${attack}` } },
        { colors: { [attack]: "#fff" } },
        { sizes: { [attack]: "1px" } }
      ]) {
        const isAddress = "logo" in tokens && !/["'()\\<>\s]/.test(attack) && tokens.logo.url.startsWith("https:")
        if (!isAddress) assert.isTrue(Either.isLeft(tokensOf(tokens)), JSON.stringify(tokens))
      }
    }
  })

  it("a brand with an unknown token group, a token name with capitals or spaces, or too many tokens is refused, and no token is silently dropped", () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`c${at}`, "#fff"]))
    for (const tokens of [
      { colours: {} },
      { colors: { Primary: "#fff" } },
      { colors: { "a b": "#fff" } },
      { colors: { "-a": "#fff" } },
      { colors: { "": "#fff" } },
      { colors: many },
      { logo: { url: "http://example.com/x.png" } },
      { voice: { tone: ["two\nlines"] } }
    ]) {
      assert.isTrue(Either.isLeft(tokensOf(tokens)), JSON.stringify(tokens).slice(0, 80))
    }
  })

  it("a design token of every supported form is accepted", () => {
    for (const color of [
      "#fff",
      "#FFFF",
      "#a1b2c3",
      "#a1b2c3d4",
      "rgb(1, 2, 3)",
      "hsl(120deg 50% 50%)",
      "oklch(0.7 0.1 200 / 0.5)"
    ]) {
      assert.isTrue(Either.isRight(tokensOf({ colors: { a: color } })), color)
    }
    for (const size of ["0", "4px", "-1.25rem", "100%"])
      assert.isTrue(Either.isRight(tokensOf({ sizes: { a: size } })), size)
  })
})

describe("the text of a brand kit", () => {
  it("a brand kit as CSS is one CSS rule with one custom property on each line", () => {
    assert.strictEqual(
      kitContent({ name: "Acme */ } body {", tokens: acme }, "css").content,
      [
        ":root {",
        "  --brand-color-accent-2: rgb(0 85 255 / 50%);",
        "  --brand-color-primary: #0055ff;",
        '  --brand-font-body: "Inter", sans-serif;',
        "  --brand-font-body-weight: 400;",
        "  --brand-size-gap: 0.5rem;",
        '  --brand-logo: url("https://example.com/logo.svg?v=2");',
        "}",
        ""
      ].join("\n")
    )
  })

  it("for any design tokens that the pod accepts, a brand kit as CSS contains nothing but declarations", () => {
    const declaration =
      /^ {2}--brand-[a-z0-9-]+: (?:[^;"{}\\<>]*|"[A-Za-z0-9 _-]+", [a-z-]+|url\("https:[^"\\()\s<>]*"\));$/
    const texts = fc.oneof(
      fc.constantFrom(...attacks, "#fff", "1px", "Inter", "https://a.example/b;c"),
      fc.string({ unit: "binary", maxLength: 12 })
    )
    let taken = 0
    fc.assert(
      fc.property(
        fc.record({ name: fc.oneof(fc.constantFrom("a", "a-b"), texts), value: texts }),
        ({ name, value }) => {
          for (const tokens of [
            { colors: { [name]: value } },
            { sizes: { [name]: value } },
            { fonts: { [name]: { family: value } } },
            { logo: { url: value } }
          ]) {
            const decoded = tokensOf(tokens)
            if (Either.isLeft(decoded)) continue
            taken++
            const [first, ...lines] = kitContent({ name: value, tokens: decoded.right }, "css").content.split("\n")
            assert.deepStrictEqual([first, ...lines.slice(-2)], [":root {", "}", ""])
            for (const line of lines.slice(0, -2)) assert.match(line, declaration)
          }
        }
      ),
      { numRuns: 2000 }
    )
    assert.isAbove(taken, 50)
  })

  it("a brand kit has the same text and hash whatever the order of its design tokens", () => {
    const reordered = Either.getOrThrow(
      tokensOf({
        voice: { avoids: ["shouting"], tone: ["calm"] },
        logo: { url: "https://example.com/logo.svg?v=2" },
        sizes: { gap: "0.5rem" },
        fonts: { body: { weight: 400, family: "Inter" } },
        colors: { "accent-2": "rgb(0 85 255 / 50%)", primary: "#0055ff" }
      })
    )
    for (const format of ["json", "css", "frame-md"] as const) {
      const [one, other] = [acme, reordered].map((tokens) => kitContent({ name: "Acme", tokens }, format))
      assert.deepStrictEqual(one, other)
      assert.match(one.hash, /^[0-9a-f]{64}$/)
      const changed = { ...acme, colors: { ...acme.colors, primary: "#0055fe" } }
      assert.notStrictEqual(kitContent({ name: "Acme", tokens: changed }, format).hash, one.hash)
    }
  })

  it("a brand kit as Markdown escapes names and texts, so that they cannot become a heading, link, tag or code", () => {
    const voice = { summary: "# not a heading <b>", tone: ["[x](https://evil.example)"], does: [], avoids: ["`code`"] }
    const { content } = kitContent({ name: "*Acme*", tokens: { ...acme, voice } }, "frame-md")
    assert.include(content, "# \\*Acme\\*\n")
    assert.include(content, "- \\# not a heading \\<b\\>\n")
    assert.include(content, "- \\[x\\](https://evil.example)\n")
    assert.include(content, "- \\`code\\`\n")
  })

  it("a brand kit as JSON contains the name and every design token", () => {
    const parsed = JSON.parse(kitContent({ name: "Acme", tokens: acme }, "json").content)
    assert.deepInclude(parsed, { name: "Acme", colors: acme.colors, sizes: acme.sizes })
    assert.deepStrictEqual(Schema.decodeUnknownSync(Brand.content)({ tokens: acme }).tokens, acme)
  })
})
