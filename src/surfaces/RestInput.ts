/** Reads the path and the query of a REST request. */
import { Either } from "effect"
import { invalid, type Invalid } from "../doors/Failure.ts"
import { textFault } from "./Json.ts"
import { shortenText } from "../platform/StoredText.ts"

/** Returns the query of a URL. Fails if a parameter occurs twice, is not UTF-8, or cannot be stored in the database. */
export const queryOf = (search: string): Either.Either<Record<string, string>, Invalid> => {
  const query: Record<string, string> = {}
  if (search === "") return Either.right(query)
  for (const [name, value] of new URLSearchParams(search)) {
    if (name === "__proto__") return Either.left(invalid(name, "is not allowed as the name of a parameter"))
    if (Object.hasOwn(query, name)) return Either.left(invalid(name, "is given more than once"))
    const fault = textFault(name) ?? textFault(value) ?? (value.includes("\ufffd") ? "is not UTF-8" : undefined)
    if (fault !== undefined) return Either.left(invalid(shortenText(name, 100), fault))
    query[name] = value
  }
  return Either.right(query)
}

/**
 * True if a path is printable ASCII with valid percent-encoding. The pod refuses other bytes, because Node would accept
 * them and read them as Latin-1.
 */
export const isPath = (path: string): boolean => {
  if (!/^[\x21-\x7e]+$/.test(path)) return false
  if (!path.includes("%")) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

// Encodes `;` and `#`. Without this, the router would end the path at such a character, and `/knowledge/a;b` would mean
// `/knowledge/a`.
export const encodePath = (path: string) => path.replaceAll(/[;#]/g, encodeURIComponent) as `/${string}`
