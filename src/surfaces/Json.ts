/** Reads JSON from a client. Limits the size before parsing, and checks each value once after parsing. */
import type { Fault } from "../doors/Failure.ts"
import { shortenText } from "../platform/StoredText.ts"

/**
 * An input can have at most this many levels of nested arrays and objects. Real inputs have far fewer levels, and only
 * far more levels would overflow the stack.
 */
export const depthMax = 64

/**
 * A body can have at most this many values and names. Even a short value costs memory and time in every step up to the
 * database. A body of 10 MB can contain millions of values, which would block the event loop for seconds.
 */
export const valuesMax = 50_000

export const tooManyValues = `The body contains more than ${valuesMax} values and names of fields. Send a smaller body.`

const quote = 34
const backslash = 92

/** Returns the position after the end of the JSON string whose content begins at `from`. */
const afterString = (text: string, from: number): number => {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - escapes - 1) === backslash && end - escapes > from) escapes++
    if (escapes % 2 === 0) return end + 1
  }
  return text.length
}

/**
 * The result of a scan of a JSON text. `values`: the text has at most this many values and names. If the text exceeds a
 * limit, the result is the name of the limit: `deep` for too many nested levels, and `many` for too many values and
 * names.
 */
export type Extent = { readonly values: number } | "deep" | "many"

/**
 * Scans the text before it is parsed. Without the scan, a megabyte of brackets would take long to parse, and a visit of
 * the result would overflow the stack. The scan takes linear time and makes no copy.
 */
export const extentOf = (text: string, depthLimit: number): Extent => {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = afterString(text, at + 1) - 1
        break
      // the character code of `[`
      case 91:
      // the character code of `{`
      case 123:
        if (++depth > depthLimit) return "deep"
        values++
        break
      // the character code of `]`
      case 93:
      // the character code of `}`
      case 125:
        depth--
        break
      // the character code of `,`
      case 44:
      // the character code of `:`
      case 58:
        values++
    }
    if (values > valuesMax) return "many"
  }
  return { values }
}

/**
 * Returns the value of a JSON text, or the name of a problem. `deep` and `many`: the text exceeds a limit. `busy`:
 * there is not enough memory for the text. `broken`: the text is not JSON. `admit` gets the number of values before the
 * text is parsed, and decides whether there is enough memory for them.
 */
export const parseJson = (
  text: string,
  depthLimit: number,
  admit: (values: number) => boolean = () => true
): { readonly value: unknown } | "deep" | "many" | "busy" | "broken" => {
  const extent = extentOf(text, depthLimit)
  if (typeof extent === "string") return extent
  if (!admit(extent.values)) return "busy"
  try {
    return { value: JSON.parse(text) }
  } catch {
    return "broken"
  }
}

// From this number on, JavaScript writes numbers with an exponent, so their digits do not look exact.
const printedExactlyBelow = 1e21

/** Returns the reason why a text cannot be stored or passed on. Returns undefined if the text has no such fault. */
export const textFault = (text: string): string | undefined =>
  text.includes("\0")
    ? "contains a NUL character"
    : text.isWellFormed()
      ? undefined
      : "contains half of a surrogate pair"

/** A fault, and the names on the path to the faulty value. The innermost name comes first. */
interface JsonFault {
  readonly message: string
  readonly names: Array<string>
}

const found = (message: string): JsonFault => ({ message, names: [] })

const search = (value: unknown): JsonFault | undefined => {
  switch (typeof value) {
    case "string": {
      const message = textFault(value)
      return message === undefined ? undefined : found(message)
    }
    case "number":
      if (!Number.isFinite(value)) return found("is a number that is too large to store")
      return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < printedExactlyBelow
        ? found("is a whole number above 2^53 and would lose digits; send it as text")
        : undefined
    case "object": {
      if (value === null) return undefined
      const isArray = Array.isArray(value)
      for (const name of Object.keys(value)) {
        if (name === "__proto__") return { message: "is not allowed as the name of a property", names: [name] }
        const fault = isArray ? undefined : textFault(name)
        if (fault !== undefined) return found(`has a property whose name ${fault}`)
        // `name` is one of the names of this object, so the cast is safe.
        const inside = search((value as Record<string, unknown>)[name])
        if (inside !== undefined) {
          inside.names.push(name)
          return inside
        }
      }
      return undefined
    }
    default:
      return undefined
  }
}

/**
 * Returns the first fault in a parsed value. A fault is a text that the database cannot store, a number that is too
 * large or loses digits, or a name that changes a prototype. The function visits each part of the value once. The value
 * must have at most `depthMax` levels.
 */
export const faultIn = (value: unknown, path = ""): Fault | undefined => {
  const fault = search(value)
  if (fault === undefined) return undefined
  const names = [...(path === "" ? [] : [path]), ...fault.names.toReversed()]
  return { path: shortenText(names.join("."), 200), message: fault.message }
}
