/** Turns a page of `docs/` into HTML, so that a person can read it in a browser. The library marked reads the Markdown. */
import { Marked, type Tokens } from "marked"

export interface GuideLinks {
  /**
   * Returns the address of the link with this target, relative to the page. Returns undefined if the pod does not serve
   * the target, such as a file of the repository.
   */
  readonly hrefOf: (target: string) => string | undefined
}

const characters: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => characters[letter] ?? letter)

/** Returns the id of a heading as GitHub makes it, so that links to a part of a page work in both places. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-")

export const markdownHtml = (text: string, { hrefOf }: GuideLinks): string =>
  new Marked({
    renderer: {
      heading({ depth, text, tokens }: Tokens.Heading) {
        return `<h${depth} id="${escapeHtml(idOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      /** A link to a file that the pod does not serve keeps only its words. */
      link({ href, tokens }: Tokens.Link) {
        const address = hrefOf(href)
        const words = this.parser.parseInline(tokens)
        return address === undefined ? words : `<a href="${escapeHtml(address)}">${words}</a>`
      },
      // The pod does not serve the pictures of the documentation.
      image: ({ text }: Tokens.Image) => `<em>Picture: ${escapeHtml(text)}</em>`,
      // The pages contain no HTML, so a tag in a page is an example.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text)
    }
  }).parse(text, { async: false })
