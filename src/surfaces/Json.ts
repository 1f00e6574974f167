/** What every surface asks of JSON before it believes it: depth, text that can be stored, numbers that stay what they are. */
import type { Fault } from "../doors/Failure.ts"

/** Nested arrays and objects in one input: far above any payload, far below the stack. */
export const depthMost = 64

/**
 * Looks at the text before it is parsed: a megabyte of brackets takes long to parse, and what comes of it would
 * overflow the stack of anything that walks it.
 */
export const nestsDeeperThan = (text: string, most: number): boolean => {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (inString) {
      if (character === 92) at++
      else if (character === 34) inString = false
    } else if (character === 34) inString = true
    else if (character === 93 || character === 125) depth--
    else if ((character === 91 || character === 123) && ++depth > most) return true
  }
  return false
}

const printedExactlyBelow = 1e21 // past it JavaScript prints an exponent, so nobody takes the digits for exact

/** Why a text cannot be stored or sent on; undefined when it can. */
export const textFault = (text: string): string | undefined =>
  text.includes("\0") ? "holds a NUL character" : text.isWellFormed() ? undefined : "holds half of a surrogate pair"

const join = (path: string, name: string) => (path === "" ? name : `${path}.${name}`).slice(0, 200)

/** The first thing in a parsed value that may not pass, and where. In: a value of at most `depthMost` levels. */
export const faultIn = (value: unknown, path = ""): Fault | undefined => {
  switch (typeof value) {
    case "string": {
      const message = textFault(value)
      return message === undefined ? undefined : { path, message }
    }
    case "number":
      if (!Number.isFinite(value)) return { path, message: "is a number too large to keep" }
      return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < printedExactlyBelow
        ? { path, message: "is a whole number past 2^53 that would lose digits; send it as text" }
        : undefined
    case "object": {
      if (value === null) return undefined
      for (const name of Object.keys(value)) {
        if (name === "__proto__") return { path: join(path, name), message: "is not a name a property may have" }
        if (textFault(name) !== undefined) return { path, message: `has a property whose name ${textFault(name)}` }
        const fault = faultIn((value as Record<string, unknown>)[name], join(path, name))
        if (fault !== undefined) return fault
      }
      return undefined
    }
    default:
      return undefined
  }
}
