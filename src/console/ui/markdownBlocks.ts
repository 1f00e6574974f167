/**
 * Parses a Markdown text into blocks and inline pieces. Supports the Markdown that people and agents use in notes. All
 * other syntax stays plain text.
 */

// An attacker can write a text that is slow to parse. So a text with more characters than this becomes one paragraph.
const markdownMax = 20_000

export type Inline =
  | { readonly kind: "text" | "code" | "strong" | "emphasis"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string }

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph" | "quote" | "code"; readonly text: string }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: ReadonlyArray<string> }
  | { readonly kind: "rule" }

const heading = /^(#{1,6})\s+(.*)$/
const bullet = /^\s{0,3}[-*+]\s+(.*)$/
const numbered = /^\s{0,3}\d{1,9}[.)]\s+(.*)$/
const quoted = /^\s{0,3}>\s?(.*)$/
const fence = /^\s{0,3}(```|~~~)/
const rule = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/
const isBlank = (line: string) => line.trim() === ""

/** Returns the content of the lines that match `form`, from the line `from` to the first line that does not match. */
const run = (lines: ReadonlyArray<string>, from: number, form: RegExp): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let at = from; at < lines.length; at++) {
    const text = form.exec(lines[at] ?? "")?.[1]
    if (text === undefined) break
    found.push(text)
  }
  return found
}

const begins = (line: string) => [heading, bullet, numbered, quoted, fence, rule].some((form) => form.test(line))

export const blocksOf = (text: string): ReadonlyArray<Block> => {
  if (text.length > markdownMax) return [{ kind: "paragraph", text }]
  const lines = text.replaceAll("\r\n", "\n").split("\n")
  const blocks: Array<Block> = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ""
    const mark = fence.exec(line)?.[1]
    const head = heading.exec(line)
    if (isBlank(line)) at += 1
    else if (mark !== undefined) {
      let last = at + 1
      while (last < lines.length && !(lines[last] ?? "").trim().startsWith(mark)) last += 1
      blocks.push({ kind: "code", text: lines.slice(at + 1, last).join("\n") })
      at = last + 1
    } else if (head !== null) {
      blocks.push({ kind: "heading", level: head[1]?.length ?? 1, text: head[2] ?? "" })
      at += 1
    } else if (rule.test(line)) {
      blocks.push({ kind: "rule" })
      at += 1
    } else if (quoted.test(line)) {
      const found = run(lines, at, quoted)
      blocks.push({ kind: "quote", text: found.join("\n") })
      at += found.length
    } else if (bullet.test(line) || numbered.test(line)) {
      const isOrdered = !bullet.test(line)
      const items = run(lines, at, isOrdered ? numbered : bullet)
      blocks.push({ kind: "list", isOrdered, items })
      at += items.length
    } else {
      let end = at + 1
      while (end < lines.length && !isBlank(lines[end] ?? "") && !begins(lines[end] ?? "")) end += 1
      blocks.push({ kind: "paragraph", text: lines.slice(at, end).join("\n") })
      at = end
    }
  }
  return blocks
}

/**
 * Matches the inline pieces of a text. Only safe addresses become links, so an address such as `javascript:` stays
 * text. The length of each piece is limited, because a search for a missing closing mark would be slow.
 */
const pieces =
  /`([^`\n]{1,1000})`|\*\*([^*\n]{1,1000})\*\*|__([^_\n]{1,1000})__|\*([^*\s][^*\n]{0,1000})\*|(?<![\w_])_([^_\s][^_\n]{0,1000})_(?![\w_])|\[([^\][\n]{1,300})\]\((https?:\/\/[^\s)]{1,2000})\)/g

export const inlinesOf = (text: string): ReadonlyArray<Inline> => {
  const found: Array<Inline> = []
  let from = 0
  if (text.length > markdownMax) return [{ kind: "text", text }]
  for (const match of text.matchAll(pieces)) {
    if (match.index > from) found.push({ kind: "text", text: text.slice(from, match.index) })
    const [whole, code, bold, underlined, slanted, slantedToo, label, href] = match
    if (code !== undefined) found.push({ kind: "code", text: code })
    else if (label !== undefined && href !== undefined) found.push({ kind: "link", text: label, href })
    else if (bold !== undefined || underlined !== undefined)
      found.push({ kind: "strong", text: bold ?? underlined ?? "" })
    else found.push({ kind: "emphasis", text: slanted ?? slantedToo ?? "" })
    from = match.index + whole.length
  }
  if (from < text.length) found.push({ kind: "text", text: text.slice(from) })
  return found
}

/** True if the text looks different when it is shown as Markdown. */
export const isMarkdown = (text: string): boolean =>
  blocksOf(text).some(
    (block) => block.kind !== "paragraph" || inlinesOf(block.text).some(({ kind }) => kind !== "text")
  )
