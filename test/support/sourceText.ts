/** Reads a TypeScript source as text: its imports, its code without comments and strings, and its templates. */

export interface Template {
  /** True if the template is tagged with `sql`. */
  readonly isSql: boolean
  /**
   * The text of the template, without the strings inside its placeholders. A template inside a placeholder is an entry
   * of its own.
   */
  readonly text: string
  /** The names of the calls around the template, outermost first. A call without a name is an empty string. */
  readonly calls: ReadonlyArray<string>
}

export interface SourceText {
  readonly imports: ReadonlyArray<string>
  readonly strings: ReadonlyArray<string>
  readonly templates: ReadonlyArray<Template>
  /** The source without comments, and with empty strings in place of all strings. All line breaks are kept. */
  readonly code: string
}

const isImport = /(?:\bfrom|\bimport|\bimport\s*\()\s*$/
const isTaggedSql = /\bsql\s*(?:<[^;()]*>)?$/
// After code that matches this pattern, a slash begins a regular expression. After a name or a closing bracket, a slash
// means division.
const beforeExpression = /(?:^|[(,=:[!&|?{};+\n]|=>|\breturn)\s*$/

/**
 * Returns the name of the function that is called, from code that ends directly before an opening bracket. Skips the
 * type arguments of the call.
 */
const calleeOf = (code: string): string => {
  let at = code.trimEnd().length
  if (code[at - 1] === ">" && code[at - 2] !== "=") {
    for (let depth = 0; at > 0;) {
      const mark = code[--at]
      if (mark === ">" && code[at - 1] !== "=") depth++
      if (mark === "<" && --depth === 0) break
    }
  }
  return /(\w+)\s*$/.exec(code.slice(Math.max(0, at - 100), at))?.[1] ?? ""
}

/** Returns the position after the closing mark of a string or a regular expression that begins at `at`. */
const endOf = (text: string, at: number, close: string): number => {
  let isClass = false
  for (let end = at + 1; end < text.length; end++) {
    const mark = text[end]
    if (mark === "\\") end++
    else if (close === "/" && mark === "[") isClass = true
    else if (close === "/" && mark === "]") isClass = false
    else if (mark === close && !isClass) return end + 1
  }
  return text.length
}

export const readSource = (text: string): SourceText => {
  const imports: Array<string> = []
  const strings: Array<string> = []
  const templates: Array<Template> = []
  const calls: Array<string> = []
  let at = 0

  const template = (isSql: boolean) => {
    let content = ""
    at++
    while (at < text.length && text[at] !== "`") {
      if (text[at] === "\\") {
        content += text.slice(at, at + 2)
        at += 2
      } else if (text.startsWith("${", at)) {
        at += 2
        content += `\${${code(true)}}`
        at++
      } else {
        content += text[at++]
      }
    }
    at++
    templates.push({ isSql, text: content, calls: [...calls] })
  }

  /** Reads code up to its end, or up to the brace that closes a placeholder of a template. */
  const code = (isPlaceholder: boolean): string => {
    let out = ""
    let depth = 0
    while (at < text.length) {
      const mark = text[at]
      if (text.startsWith("//", at)) {
        const end = text.indexOf("\n", at)
        at = end === -1 ? text.length : end
      } else if (text.startsWith("/*", at)) {
        const end = text.indexOf("*/", at)
        at = end === -1 ? text.length : end + 2
      } else if (mark === '"' || mark === "'") {
        const end = endOf(text, at, mark)
        const content = text.slice(at + 1, end - 1)
        ;(isImport.test(out.slice(-20)) ? imports : strings).push(content)
        out += '""'
        at = end
      } else if (mark === "`") {
        template(isTaggedSql.test(out.slice(-300)))
        out += "``"
      } else if (mark === "/" && beforeExpression.test(out.slice(-20))) {
        at = endOf(text, at, "/")
        out += "//"
      } else {
        if (mark === "(") calls.push(calleeOf(out.slice(-400)))
        if (mark === ")") calls.pop()
        if (mark === "{") depth++
        if (mark === "}" && depth-- === 0 && isPlaceholder) return out
        out += mark
        at++
      }
    }
    return out
  }

  return { code: code(false), imports, strings, templates }
}
