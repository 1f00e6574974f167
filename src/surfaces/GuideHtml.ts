/**
 * Turns a page of `docs/` into HTML, so that a person can read it in a browser. Supports the Markdown that the pages
 * use: headings, paragraphs, lists, tables, code and links. A test checks that no mark of Markdown remains.
 */

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

// the text before the target of a link can contain code, whose brackets end nothing
const pieces =
  /(`+)(.+?)\1(?!`)|!\[([^\]]*)\]\([^)]*\)|\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\\([\\`*_{}[\]()#+.!|-])/g

const inlineHtml = (text: string, links: GuideLinks): string => {
  let html = ""
  let from = 0
  for (const match of text.matchAll(pieces)) {
    const [whole, , code, picture, label, target, strong, slanted, escaped] = match
    html += escapeHtml(text.slice(from, match.index))
    from = match.index + whole.length
    if (code !== undefined) html += `<code>${escapeHtml(code.trim())}</code>`
    else if (picture !== undefined) html += `<em>Picture: ${escapeHtml(picture)}</em>`
    else if (label !== undefined && target !== undefined) {
      const href = links.hrefOf(target)
      const inside = inlineHtml(label, links)
      html += href === undefined ? inside : `<a href="${escapeHtml(href)}">${inside}</a>`
    } else if (strong !== undefined) html += `<strong>${inlineHtml(strong, links)}</strong>`
    else if (slanted !== undefined) html += `<em>${inlineHtml(slanted, links)}</em>`
    else html += escapeHtml(escaped ?? "")
  }
  return html + escapeHtml(text.slice(from))
}

const headingForm = /^(#{1,4}) (.*)$/
const itemForm = /^( *)(?:[-*]|(\d+)\.) +(.*)$/
const fenceForm = /^```/
const tableForm = /^\|/
const codeIndent = /^ {4}/
const isBlank = (line: string) => line.trim() === ""

/** Returns the number of the first line from `from` on that `ends` accepts, or the number of lines. */
const endFrom = (lines: ReadonlyArray<string>, from: number, ends: (line: string) => boolean): number => {
  const at = lines.findIndex((line, index) => index >= from && ends(line))
  return at === -1 ? lines.length : at
}

/** Returns the cells of a row. A bar that is escaped, or in code, is a part of its cell. */
const cellsOf = (row: string): ReadonlyArray<string> =>
  row
    .trim()
    .replaceAll(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"))

const tableHtml = (rows: ReadonlyArray<string>, links: GuideLinks): string => {
  const [heads = "", , ...body] = rows
  const rowHtml = (row: string, tag: string) =>
    `<tr>${cellsOf(row)
      .map((cell) => `<${tag}>${inlineHtml(cell, links)}</${tag}>`)
      .join("")}</tr>`
  return `<div class="wide"><table><thead>${rowHtml(heads, "th")}</thead><tbody>${body
    .map((row) => rowHtml(row, "td"))
    .join("")}</tbody></table></div>`
}

/** Returns a list whose first item is at the line `at`, and the number of the line after the list. */
const listHtml = (lines: ReadonlyArray<string>, at: number, links: GuideLinks): readonly [string, number] => {
  const [, indent = "", number] = itemForm.exec(lines[at] ?? "") ?? []
  const items: Array<string> = []
  let next = at
  for (;;) {
    const item = itemForm.exec(lines[next] ?? "")
    if (item === null || item[1] !== indent || (item[2] === undefined) !== (number === undefined)) break
    const inner = (item[0] ?? "").length - (item[3] ?? "").length
    const isInside = (line: string) => line.startsWith(" ".repeat(inner))
    // A line without an indent continues the text of an item, unless it begins something else.
    const end = endFrom(lines, next + 1, (line) => !isInside(line) && (isBlank(line) || begins(line)))
    const inside = lines.slice(next + 1, end).map((line) => (isInside(line) ? line.slice(inner) : line))
    const [first = "", ...rest] = blocksOf([item[3] ?? "", ...inside], links)
    items.push(`<li>${[first.replace(/^<p>(.*)<\/p>$/s, "$1"), ...rest].join("\n")}</li>`)
    next = end
  }
  return [number === undefined ? `<ul>${items.join("")}</ul>` : `<ol>${items.join("")}</ol>`, next]
}

const begins = (line: string): boolean => [headingForm, itemForm, fenceForm, tableForm].some((form) => form.test(line))

const blocksOf = (lines: ReadonlyArray<string>, links: GuideLinks): ReadonlyArray<string> => {
  const blocks: Array<string> = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ""
    const heading = headingForm.exec(line)
    let end = at + 1
    if (isBlank(line)) {
      at = end
      continue
    }
    if (heading !== null) {
      const [, marks = "", text = ""] = heading
      blocks.push(`<h${marks.length} id="${escapeHtml(idOf(text))}">${inlineHtml(text, links)}</h${marks.length}>`)
    } else if (fenceForm.test(line)) {
      end = endFrom(lines, at + 1, (each) => fenceForm.test(each))
      blocks.push(`<pre><code>${escapeHtml(lines.slice(at + 1, end).join("\n"))}</code></pre>`)
      end += 1
    } else if (codeIndent.test(line)) {
      end = endFrom(lines, at, (each) => !codeIndent.test(each))
      const code = lines.slice(at, end).map((each) => each.slice(4))
      blocks.push(`<pre><code>${escapeHtml(code.join("\n"))}</code></pre>`)
    } else if (tableForm.test(line)) {
      end = endFrom(lines, at, (each) => !tableForm.test(each))
      blocks.push(tableHtml(lines.slice(at, end), links))
    } else if (itemForm.test(line)) {
      const [html, next] = listHtml(lines, at, links)
      blocks.push(html)
      end = next
    } else {
      end = endFrom(lines, at + 1, (each) => isBlank(each) || begins(each))
      blocks.push(`<p>${inlineHtml(lines.slice(at, end).join("\n"), links)}</p>`)
    }
    at = end
  }
  return blocks
}

export const markdownHtml = (text: string, links: GuideLinks): string => blocksOf(text.split("\n"), links).join("\n")
