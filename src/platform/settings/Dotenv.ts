/**
 * Reads the text of a `.env` file: lines of the form `NAME=value`, with quotes, comments and `export`. A value never
 * has several lines.
 */

export interface DotenvEntry {
  readonly name: string
  readonly value: string
  /** The number of the line. The first line has the number 1. */
  readonly line: number
}

export interface DotenvMistake {
  readonly line: number
  /** The name of the setting. Undefined if the line does not have the form `NAME=value`, so the name is not known. */
  readonly name: string | undefined
  /** The correct form of the line. It never contains the text of the line, because the text can contain a secret. */
  readonly rule: string
}

export interface Dotenv {
  readonly entries: ReadonlyArray<DotenvEntry>
  readonly mistakes: ReadonlyArray<DotenvMistake>
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\", $: "$" }

const quotedValue = /^(?:'([^']*)'|"((?:[^"\\]|\\.)*)")\s*(?:#.*)?$/s

/** Returns the value after the equals sign. Returns undefined if the closing quote is missing. */
const valueOf = (text: string): string | undefined => {
  if (/^['"]/.test(text)) {
    const found = quotedValue.exec(text)
    if (found === null) return undefined
    // A text in single quotes stays as it is written. A text in double quotes can have escapes, and unknown escapes
    // stay as they are written.
    return found[1] ?? (found[2] ?? "").replaceAll(/\\(.)/gs, (whole, letter: string) => escapes[letter] ?? whole)
  }
  // A number sign begins a comment only after a space, so that a password can contain a number sign.
  return text.replace(/(^|\s+)#.*$/s, "").trim()
}

/**
 * Reads the text of a file. Both types of line end are accepted. If a name occurs twice, the result has two entries, in
 * the order of the file.
 */
export const parseDotenv = (text: string): Dotenv => {
  const entries: Array<DotenvEntry> = []
  const mistakes: Array<DotenvMistake> = []
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/)
  for (const [index, raw] of lines.entries()) {
    const line = index + 1
    const content = raw.trim()
    if (content === "" || content.startsWith("#")) continue
    const [, name, rest] = /^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/s.exec(content) ?? []
    if (name === undefined || rest === undefined) {
      mistakes.push({ line, name: undefined, rule: "a line must be NAME=value or a comment" })
      continue
    }
    const value = valueOf(rest)
    if (value === undefined) {
      mistakes.push({
        line,
        name,
        rule: "the closing quote must be on the same line, and only a comment may follow it"
      })
    } else {
      entries.push({ name, value, line })
    }
  }
  return { entries, mistakes }
}
