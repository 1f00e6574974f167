/** What an agent reads of a document: the sections of Markdown and the words of HTML. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { sectionsMax, sectionsOf, textOfHtml } from "../../../src/features/documents/ReadableText.ts"

describe("the sections of a Markdown text", () => {
  const found = (content: string) =>
    sectionsOf(content).map(({ end, level, start, title }) => [level, title, content.slice(start, end)])

  it("code blocks, lines that begin with seven hash signs and words that begin with a hash sign do not begin a section of a Markdown text", () => {
    for (const text of [
      "",
      "text",
      "####### seven",
      "#tag",
      "```\n# code\n```",
      "~~~~\n# a\n~~~\n# b\n~~~~",
      "```js\n# code\n```",
      "```\n# a\n```js\n# b\n```",
      "~~~\n# a\n~~~ js\n# b\n  ~~~~ \t",
      "~~~ `js`\n# code\n~~~",
      "    # code"
    ]) {
      assert.deepStrictEqual(found(text), [], text)
    }
  })

  it("a section of a Markdown text ends at the next heading of its own or a higher level", () => {
    assert.deepStrictEqual(found("intro\n# A\na\n## B ##\nb\n```\n# no\n```\n## C\n# D"), [
      [1, "A", "# A\na\n## B ##\nb\n```\n# no\n```\n## C\n"],
      [2, "B", "## B ##\nb\n```\n# no\n```\n"],
      [2, "C", "## C\n"],
      [1, "D", "# D"]
    ])
  })

  it("a heading after a closing fence or after inline code begins a section, because the heading is not in a code block", () => {
    for (const before of ["```\ncode\n```\r", "```\na\n```js\nb\n````  ", "```js```", "``` a`b"]) {
      assert.deepStrictEqual(found(`${before}\n# A`), [[1, "A", "# A"]], before)
    }
  })

  it("a section of a Markdown text begins with the hash signs of its heading, and two sections overlap only if one of them contains the other", () => {
    const line = fc.constantFrom("# a", "## b", "### c", "text", "```", "", "###### f")
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const content = lines.join("\n")
        const sections = sectionsOf(content)
        for (const { end, level, start } of sections) {
          assert.isTrue(content.startsWith("#".repeat(level), start) && start < end && end <= content.length)
        }
        for (const one of sections) {
          for (const other of sections) {
            if (other.start <= one.start || other.start >= one.end) continue
            assert.isTrue(other.end <= one.end && other.level > one.level)
          }
        }
      })
    )
  })

  it("the list of sections of a very long Markdown text contains only a limited number of sections", () => {
    assert.lengthOf(sectionsOf("# a\n".repeat(200_000)), sectionsMax)
  })
})

describe("the words of an HTML text", () => {
  it("the readable text of HTML has no tags, comments, scripts or styles", () => {
    const html =
      "<style>p{}</style><h1>Tom &amp; Ann</h1><!-- <p>no</p> --><p class='a'>1 < 2</p>" +
      "<SCRIPT>if (a < b) alert('<p>no</p>')</SCRIPT><p>end<br/>line"
    assert.strictEqual(textOfHtml(html), "Tom & Ann\n1 < 2\nend\nline")
  })

  it("the readable text of HTML with nested or broken tags contains no tag", () => {
    const part = fc.constantFrom("<b>", "</b>", "<script>", "</script>", "<!--", "-->", "word", "<", "<p", " ")
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        assert.notMatch(textOfHtml(parts.join("")), /<(?:b|\/b|script|\/script|p)>/)
      })
    )
  })

  it("a text of one million equal characters is converted to readable text within the time limit", () => {
    for (const text of ["<", "<!--", "<script>", "<a", "&", "<p>", "</", "\n ", "# "]) {
      const began = performance.now()
      textOfHtml(text.repeat(1_000_000 / text.length))
      sectionsOf(text.repeat(1_000_000 / text.length))
      assert.isBelow(performance.now() - began, 3000, text)
    }
  })
})
