/** Serves one file for browsers, with its encodings (plain, gzip, brotli) and its version tag. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { MethodNotAllowed } from "../doors/Failure.ts"
import { atFirstUse } from "../platform/AtFirstUse.ts"
import { codeOf } from "../platform/ErrorCode.ts"
import { type Exchange, sendFailure } from "./Exchange.ts"

export const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml"
}

/**
 * With these headers, the browser asks the pod each time before it shows a cached page, and usually gets 304. So after
 * an update of the pod, the browser shows the new page immediately.
 */
export const revalidateHeaders = {
  "cache-control": "no-cache",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

/** One encoding of a text. The tag identifies the version and the encoding together (RFC 9110 §8.8.3.3). */
interface Form {
  readonly bytes: Uint8Array
  readonly tag: string
  /** The value of the header `content-encoding`. Undefined if the text is not encoded. */
  readonly coding?: Coding
}

type Coding = "br" | "gzip"

/**
 * A text that the pod serves. The pod sends the compressed text if the client accepts this, if the text is not short,
 * and if compression makes it shorter.
 */
export interface Page {
  readonly mediaType: string
  readonly forms: Readonly<Record<Coding | "identity", () => Form>>
}

// A text of fewer bytes is not compressed, because compression would save less than its header costs.
const packedBytesMin = 1_000

/**
 * Returns a page whose encodings are made when they are first needed. A page stays uncompressed if it is short or if
 * compression would make it longer.
 */
const pageOf = (
  mediaType: string,
  text: () => Uint8Array,
  packed: Readonly<Record<Coding, () => Uint8Array>>
): Page => {
  const plain = atFirstUse((): Form => {
    const bytes = text()
    return { bytes, tag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` }
  })
  const formOf = (coding: Coding) =>
    atFirstUse((): Form => {
      const { bytes, tag } = plain()
      if (bytes.length < packedBytesMin) return plain()
      const compressed = packed[coding]()
      return compressed.length < bytes.length
        ? { bytes: compressed, tag: `"${tag.slice(1, -1)}-${coding}"`, coding }
        : plain()
    })
  return { mediaType, forms: { identity: plain, gzip: formOf("gzip"), br: formOf("br") } }
}

/**
 * Returns a page that the pod makes and compresses once, because the page changes only with the version of the pod. The
 * pod does this at the first request for the page, so that the start does not wait for it.
 */
export const compressedPage = (text: () => Uint8Array, mediaType: string): Page => {
  const bytes = atFirstUse(text)
  return pageOf(mediaType, bytes, {
    gzip: () => gzipSync(bytes(), { level: 9 }),
    // Brotli quality 9 takes a tenth of the time of quality 11, and the first request for the page waits for the
    // compression.
    br: () => brotliCompressSync(bytes(), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  })
}

/** Returns a file that the build has compressed. The compressed files have the same path with `.br` and `.gz` added. */
export const builtPage = (path: string, mediaType: string): Page =>
  pageOf(mediaType, () => readFileSync(path), {
    gzip: () => readFileSync(`${path}.gz`),
    br: () => readFileSync(`${path}.br`)
  })

/**
 * Chooses the encoding for a client: the encoding with the highest weight in the request. If the client accepts no
 * encoding, the text stays unencoded (RFC 9110 §12.5.3).
 */
const formFor = ({ forms }: Page, accepted: string | undefined): Form => {
  const weights = new Map<string, number>()
  for (const part of (accepted ?? "").toLowerCase().split(",")) {
    const [coding = "", ...parameters] = part.split(";").map((each) => each.trim())
    const weight = parameters.find((each) => each.startsWith("q="))
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get("*") ?? 0
  const best = weightOf("gzip") > weightOf("br") ? "gzip" : "br"
  return weightOf(best) > 0 ? forms[best]() : forms.identity()
}

/** True if the client says that it already has this version (RFC 9110 §13.1.2; weak comparison). */
const hasVersion = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  header.split(",").some((part) => part.trim() === "*" || part.trim().replace(/^W\//, "") === tag)

/**
 * Answers with a text in an encoding that the client accepts. `rules` are the headers that say how long a browser can
 * cache the text and what the page is allowed to load.
 */
export const send = ({ request, response }: Exchange, text: Page, rules: Readonly<Record<string, string>>): void => {
  const { bytes, coding, tag } = formFor(text, request.headers["accept-encoding"])
  const { mediaType } = text
  const headers = {
    etag: tag,
    vary: "accept-encoding",
    ...rules,
    "cross-origin-resource-policy": "same-origin"
  }
  if (hasVersion(request.headers["if-none-match"], tag)) {
    response.writeHead(304, headers)
    response.end()
    return
  }
  response.writeHead(200, {
    ...headers,
    "content-type": mediaType,
    "content-length": bytes.length,
    ...(coding === undefined ? {} : { "content-encoding": coding })
  })
  response.end(request.method === "HEAD" ? undefined : bytes)
}

/**
 * Answers with a file of the build. Calls `absent` if the file is gone: a build beside a running pod replaces the files.
 */
export const sendBuilt = (
  exchange: Exchange,
  page: Page,
  rules: Readonly<Record<string, string>>,
  absent: (exchange: Exchange) => void
): void => {
  try {
    send(exchange, page, rules)
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw cause
    absent(exchange)
  }
}

export const isRead = ({ request }: Exchange) => request.method === "GET" || request.method === "HEAD"

export const notAllowed = (exchange: Exchange): void =>
  sendFailure(exchange, new MethodNotAllowed({ allowed: ["GET"] }))
