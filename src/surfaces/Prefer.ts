/** Reads the only client preference (RFC 7240) that the pod supports: `Prefer: handling=lenient`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { shortenText } from "../platform/StoredText.ts"

const lenient = /^handling\s*=\s*"?lenient"?$/i

/**
 * True if the pod ignores unknown fields in this request. If the client sends several `handling` preferences, the first
 * one is used, as the RFC says.
 */
export const isLenient = ({ headers }: IncomingMessage): boolean => {
  const given = headers["prefer"]
  if (given === undefined) return false
  const preferences = (Array.isArray(given) ? given.join(",") : given)
    .split(",")
    .map((preference) => preference.split(";", 1)[0].trim())
  return lenient.test(preferences.find((preference) => /^handling\b/i.test(preference)) ?? "")
}

// The header lists at most this many names.
const shownMax = 50
// The header shows at most this many characters of each name. The client finds the whole name in its own request.
const nameMax = 100

/**
 * Returns the names of ignored fields as a list in a header. The names are percent-encoded, because a name can contain
 * commas or letters outside ASCII.
 */
const listText = (names: Iterable<string>): string =>
  [...names]
    .slice(0, shownMax)
    .map((name) => encodeURIComponent(shortenText(name, nameMax)))
    .join(", ")

export const ignoredHeader = "x-svc-ignored-fields"

/**
 * Lists the ignored fields in a header. The calls of a batch share one answer, so the header lists the fields of all
 * calls.
 */
export const noteIgnored = (response: ServerResponse, ignored: ReadonlyArray<string>): void => {
  if (ignored.length === 0 || response.headersSent) return
  const before = String(response.getHeader(ignoredHeader) ?? "")
  const names = new Set([...(before === "" ? [] : before.split(", ").map(decodeURIComponent)), ...ignored])
  response.setHeader("preference-applied", "handling=lenient")
  response.setHeader(ignoredHeader, listText(names))
}
