/**
 * Renders the chart of deploy/helm without Helm, because no test machine has Helm. Supports only the parts of the
 * template language that the chart uses: values, `if`, `range`, `fail`, and a few functions. Anything else is an error.
 */

type Values = Readonly<Record<string, unknown>>

/** The error that the template function `fail` throws if the chart refuses its values. */
export class ChartRefused extends Error {
  override readonly name = "ChartRefused"
}

interface Step {
  readonly kind: "text" | "action"
  readonly text: string
}

/** Returns the parts of a template. A minus inside the braces removes the white space on that side. */
const stepsOf = (template: string): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  let at = 0
  for (const found of template.matchAll(/(\s*)\{\{(-?) ([\s\S]*?) (-?)\}\}(\s*)/g)) {
    const [whole, before = "", trimsLeft, action = "", trimsRight, after = ""] = found
    steps.push({ kind: "text", text: template.slice(at, found.index) + (trimsLeft === "" ? before : "") })
    steps.push({ kind: "action", text: action })
    at = found.index + whole.length - (trimsRight === "" ? after.length : 0)
  }
  return [...steps, { kind: "text", text: template.slice(at) }]
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.match(/"[^"]*"|\([^()]*(?:\([^()]*\)[^()]*)*\)|\S+/g) ?? []

const isSet = (value: unknown): boolean => !(value === undefined || value === "" || value === 0 || value === false)

const yamlOf = (value: unknown, indent = ""): string =>
  Object.entries(value as Values)
    .map(([name, entry]) =>
      typeof entry === "object"
        ? `${indent}${name}:\n${yamlOf(entry, `${indent}  `)}`
        : `${indent}${name}: ${JSON.stringify(entry)}`
    )
    .join("\n")

const call = (name: string, given: ReadonlyArray<unknown>): unknown => {
  const [one, other] = given
  switch (name) {
    case "and":
      return given.every(isSet)
    case "not":
      return !isSet(one)
    case "gt":
      return Number(one) > Number(other)
    case "int":
      return Math.trunc(Number(one))
    case "quote":
      return JSON.stringify(String(one))
    case "default":
      return isSet(other) ? other : one
    case "toYaml":
      return yamlOf(one)
    case "nindent":
      return `\n${String(other).replaceAll(/^/gm, " ".repeat(Number(one)))}`
    case "fail":
      throw new ChartRefused(String(one))
    default:
      throw new Error(`the renderer does not know ${name}`)
  }
}

export const renderChart = (template: string, scope: Values): string => {
  const steps = stepsOf(template)
  let at = 0

  const valueOf = (word: string, local: Values): unknown => {
    if (word.startsWith("(")) return evaluated(word.slice(1, -1), local)
    if (word.startsWith('"')) return JSON.parse(word)
    if (/^\d+$/.test(word)) return Number(word)
    if (word.startsWith("$")) return local[word]
    return word
      .slice(1)
      .split(".")
      .reduce<unknown>((part, name) => (part as Values | undefined)?.[name], scope)
  }
  const evaluated = (text: string, local: Values): unknown => {
    let piped: ReadonlyArray<unknown> = []
    for (const part of text.split(" | ")) {
      const [first = "", ...rest] = wordsOf(part)
      const given = [...rest.map((word) => valueOf(word, local)), ...piped]
      piped = [/^[a-z]/i.test(first) ? call(first, given) : valueOf(first, local)]
    }
    return piped[0]
  }

  /** Renders until the end of a block. If `isShown` is false, skips the block and evaluates nothing. */
  const rendered = (isShown: boolean, local: Values): { readonly text: string; readonly end: string } => {
    let text = ""
    for (; at < steps.length; at++) {
      const step = steps[at]
      if (step?.kind === "text") {
        text += step.text
        continue
      }
      const action = step?.text ?? ""
      const [word = "", ...rest] = wordsOf(action)
      if (word === "end" || word === "else") return { text, end: word }
      at++
      if (word === "if") {
        const holds = isShown && isSet(evaluated(rest.join(" "), local))
        const first = rendered(holds, local)
        if (holds) text += first.text
        if (first.end === "else") {
          at++
          const second = rendered(isShown && !holds, local)
          if (isShown && !holds) text += second.text
        }
      } else if (word === "range") {
        const began = at
        const [, key = "", value = "", path = ""] = /^range (\$\w+), (\$\w+) := (\S+)$/.exec(action) ?? []
        const entries = isShown ? Object.entries((valueOf(path, local) ?? {}) as Values) : []
        for (const [name, entry] of entries) {
          at = began
          text += rendered(true, { ...local, [key]: name, [value]: entry }).text
        }
        if (entries.length === 0) {
          at = began
          rendered(false, local)
        }
      } else {
        at--
        if (isShown) text += String(evaluated(action, local))
      }
    }
    return { text, end: "" }
  }
  return rendered(true, {}).text
}
