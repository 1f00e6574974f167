/** Prepares a document for an agent: the text without markup, and the start of each section. */

export interface Section {
  /** The level of the heading, 1 to 6. */
  readonly level: number
  readonly title: string
  /**
   * The range in UTF-16 code units, from the heading of the section to the next heading of the same or a higher level.
   */
  readonly start: number
  readonly end: number
}

// the maximum number of headings in a list of sections; a longer list would not help its reader
export const sectionsMax = 500
// the maximum number of UTF-16 code units that the code reads of one line; real headings are shorter
const lineMax = 1000

const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/s

/** Finds the sections of a Markdown text by the `#` headings. Ignores lines in fenced code (CommonMark 4.2 and 4.5). */
export const sectionsOf = (content: string): ReadonlyArray<Section> => {
  const sections: Array<{ level: number; title: string; start: number; end: number }> = []
  const open: Array<(typeof sections)[number]> = []
  let fenced: string | undefined
  let next = 0
  for (let start = 0; start < content.length; start = next) {
    const newline = content.indexOf("\n", start)
    next = newline === -1 ? content.length : newline + 1
    const line = content.slice(start, Math.min(next, start + lineMax)).trimEnd()
    const [, mark = "", info = ""] = fence.exec(line) ?? []
    if (fenced === undefined) {
      // A line such as "```js```" is inline code, so it opens no fenced code.
      const isOpening = mark.startsWith("~") || (mark !== "" && !info.includes("`"))
      if (isOpening) fenced = mark
    } else if (mark.startsWith(fenced) && info === "") fenced = undefined
    const [, marks, title = ""] = (fenced === undefined ? heading.exec(line) : null) ?? []
    if (marks === undefined) continue
    while ((open.at(-1)?.level ?? 0) >= marks.length) open.pop()!.end = start
    if (sections.length === sectionsMax) continue
    const section = { level: marks.length, title: title.replace(/(?:^|[ \t])#+$/, "").trim(), start, end: 0 }
    sections.push(section)
    open.push(section)
  }
  for (const section of open) section.end = content.length
  return sections
}

const hiddenElement = /^<(script|style|template|noscript)(?=[\s/>])/i
const endsBlock = /^<\/?(?:p|div|br|li|ul|ol|tr|h[1-6]|section|article|header|footer|table|pre|blockquote)(?=[\s/>])/i
const namedEntities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }

/**
 * Returns the words of an HTML text, without tags, comments, scripts and styles. Reads the text in one pass, so that no
 * malicious input can make the function slow.
 */
export const textOfHtml = (html: string): string => {
  const pieces: Array<string> = []
  for (let at = 0; at < html.length;) {
    const tag = html.indexOf("<", at)
    pieces.push(html.slice(at, tag === -1 ? html.length : tag))
    if (tag === -1) break
    const ahead = html.slice(tag, tag + 20)
    if (!/^<[a-z/!?]/i.test(ahead)) {
      pieces.push("<")
      at = tag + 1
      continue
    }
    const isComment = ahead.startsWith("<!--")
    const silent = hiddenElement.exec(ahead)?.[1]
    const closing = isComment ? "-->" : ">"
    const end = html.indexOf(closing, tag)
    if (end === -1) break
    if (endsBlock.test(ahead)) pieces.push("\n")
    at = end + closing.length
    if (silent !== undefined) {
      const close = html.slice(at).search(new RegExp(`</${silent}`, "i"))
      at = close === -1 ? html.length : at + close
    }
  }
  return pieces
    .join("")
    .replaceAll(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => namedEntities[name] ?? "")
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/ ?\n[ \n]*/g, "\n")
    .trim()
}
