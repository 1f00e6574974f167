/** Markdown as the console shows it: known marks become blocks and inline parts, and everything else stays text. */
import { assert, describe, it } from "vitest"
import { blocksOf, inlinesOf, isMarkdown } from "../../src/console/ui/markdownBlocks.ts"

describe("Markdown in the console", () => {
  it("the console shows HTML in a Markdown text, and a link that could run a script, as plain text", () => {
    for (const text of [
      "[a](javascript:alert(1))",
      "[a](data:text/html,x)",
      "<script>alert(1)</script>",
      "![a](x.png)"
    ]) {
      assert.deepStrictEqual(inlinesOf(text), [{ kind: "text", text }])
    }
  })

  it("the Markdown reader of the console returns the parts of a line in their order and loses no text", () => {
    assert.deepStrictEqual(inlinesOf("a **b** `c` *d* [e](https://example.com/?q=1) snake_case_name"), [
      { kind: "text", text: "a " },
      { kind: "strong", text: "b" },
      { kind: "text", text: " " },
      { kind: "code", text: "c" },
      { kind: "text", text: " " },
      { kind: "emphasis", text: "d" },
      { kind: "text", text: " " },
      { kind: "link", text: "e", href: "https://example.com/?q=1" },
      { kind: "text", text: " snake_case_name" }
    ])
  })

  it("in the Markdown reader of the console, a block ends where the next begins, and a code block without an end mark ends with the text", () => {
    assert.deepStrictEqual(blocksOf("# Head\ntext\nmore\n- one\n- two\n1. first\n> said\n---\n```js\nlet a\n\nlet b"), [
      { kind: "heading", level: 1, text: "Head" },
      { kind: "paragraph", text: "text\nmore" },
      { kind: "list", isOrdered: false, items: ["one", "two"] },
      { kind: "list", isOrdered: true, items: ["first"] },
      { kind: "quote", text: "said" },
      { kind: "rule" },
      { kind: "code", text: "let a\n\nlet b" }
    ])
  })

  it("the console shows a text as Markdown only if the text contains Markdown marks", () => {
    assert.isFalse(isMarkdown("Meet on Monday.\nBring the map."))
    assert.isFalse(isMarkdown("2 * 3 * 4 = 24, in file_name_one"))
    assert.isTrue(isMarkdown("Bring the **map**."))
  })

  it("if a text is too long to be read as Markdown in the browser, the console shows the text unchanged", () => {
    const long = `**bold** ${"[".repeat(900_000)}`
    assert.isFalse(isMarkdown(long))
    assert.deepStrictEqual(blocksOf(long), [{ kind: "paragraph", text: long }])
    assert.deepStrictEqual(inlinesOf(long), [{ kind: "text", text: long }])
  })
})
