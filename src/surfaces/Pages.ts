/**
 * Serves the pages and documents that are not operations: the API description, the page that shows it, the pages with a
 * form, and their assets.
 */
import { FileSystem } from "@effect/platform"
import { Data, Effect } from "effect"
import { createHash } from "node:crypto"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { MethodNotAllowed, wireAnswerOf } from "../doors/Failure.ts"
import type { CatalogDocument } from "./CatalogDocument.ts"
import { type Exchange, sendJson } from "./Exchange.ts"
import type { OpenApiDocument } from "./OpenApiDocument.ts"
import type { Mount } from "./Server.ts"

/** A page may load only files of this pod, may not run inline code, and may not be shown in a frame. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml"
}

/** One encoding of a text. The tag identifies the version and the encoding together (RFC 9110 §8.8.3.3). */
interface Form {
  readonly bytes: Uint8Array
  readonly tag: string
  /** The `content-encoding` header of this form; undefined for the text without encoding. */
  readonly coding?: Coding
}

type Coding = "br" | "gzip"

/** A text that is served as it is, or compressed if that is shorter and the client accepts it. */
interface Page {
  readonly mediaType: string
  readonly forms: Readonly<Record<Coding | "identity", () => Form>>
}

const leastPacked = 1_000 // bytes; for a shorter text compression saves less than its header costs

/** Makes the value when it is first asked for, and keeps it. */
const once = <A extends object>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => (made ??= make())
}

/**
 * A page is made and compressed only once, because it changes only with the version of the pod. This happens at the first
 * request, so that the start of the pod does not wait for pages that nobody asks for.
 */
const page = (text: () => Uint8Array, mediaType: string): Page => {
  const plain = once((): Form => {
    const bytes = text()
    return { bytes, tag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` }
  })
  const packed = (coding: Coding, pack: (bytes: Uint8Array) => Uint8Array) =>
    once((): Form => {
      const { bytes, tag } = plain()
      return bytes.length < leastPacked
        ? plain()
        : { bytes: pack(bytes), tag: `"${tag.slice(1, -1)}-${coding}"`, coding }
    })
  return {
    mediaType,
    forms: {
      identity: plain,
      gzip: packed("gzip", (bytes) => gzipSync(bytes, { level: 9 })),
      // Quality 9 takes a tenth of the time of quality 11, and the first request for the page waits for the compression.
      br: packed("br", (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
    }
  }
}

/**
 * The form that a client asks for: the accepted encoding with the highest weight, else the text without encoding (RFC
 * 9110 §12.5.3).
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

const folder = fileURLToPath(new URL("../../pages/", import.meta.url))

/** A page of the pod is missing or cannot be read. */
export class PagesUnfit extends Data.TaggedError("PagesUnfit")<{ readonly message: string }> {}

const unfit = (name: string) =>
  new PagesUnfit({
    message: `${folder}${name} cannot be read: the pod was not installed completely. Install it again.`
  })

type Pages = ReadonlyMap<string, Page>

/** The files of `pages/`, by name. They are read once, because they change only with the version of the pod. */
const readPages = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const pages = new Map<string, Page>()
  for (const name of yield* Effect.mapError(files.readDirectory(folder), () => unfit(""))) {
    const mediaType = mediaTypes[extname(name)]
    if (mediaType === undefined) continue
    const bytes = yield* Effect.mapError(files.readFile(`${folder}${name}`), () => unfit(name))
    pages.set(
      name,
      page(() => bytes, mediaType)
    )
  }
  return pages
})

const found = (pages: Pages, name: string): Effect.Effect<Page, PagesUnfit> =>
  Effect.mapError(Effect.fromNullable(pages.get(name)), () => unfit(name))

/** Whether the client says that it has this version already (RFC 9110 §13.1.2; weak comparison). */
const isHeld = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  header.split(",").some((part) => part.trim() === "*" || part.trim().replace(/^W\//, "") === tag)

const send = ({ request, response }: Exchange, text: Page): void => {
  const { bytes, coding, tag } = formFor(text, request.headers["accept-encoding"])
  const { mediaType } = text
  const headers = {
    etag: tag,
    vary: "accept-encoding",
    // The browser asks again every time and mostly gets 304, so that a new version of the pod is shown immediately.
    "cache-control": "no-cache",
    "content-security-policy": contentSecurityPolicy,
    "cross-origin-resource-policy": "same-origin"
  }
  if (isHeld(request.headers["if-none-match"], tag)) {
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

const isRead = ({ request }: Exchange) => request.method === "GET" || request.method === "HEAD"

const notAllowed = (exchange: Exchange) => {
  const { status, body, headers } = wireAnswerOf(new MethodNotAllowed({ allowed: ["GET"] }))
  sendJson(exchange, status, body, headers)
}

/** Serves one text at one path. `beyond` answers the paths below it. */
const single = (at: string, text: Page, beyond: (exchange: Exchange) => void): Mount => ({
  at,
  handle: (exchange) => {
    if (exchange.path !== at) beyond(exchange)
    else if (isRead(exchange)) send(exchange, text)
    else notAllowed(exchange)
  }
})

const assets = (pages: Pages, absent: PageSettings["absent"]): Mount => ({
  at: "/assets",
  handle: (exchange) => {
    const name = exchange.path.slice("/assets/".length)
    const asset = name.endsWith(".html") ? undefined : pages.get(name)
    if (asset === undefined) absent(exchange)
    else if (isRead(exchange)) send(exchange, asset)
    else notAllowed(exchange)
  }
})

export interface PageSettings {
  /** Makes the description of the REST API, at the first request for it. */
  readonly document: () => OpenApiDocument
  /** Makes the description of the procedures and the MCP tools, at the first request for it. */
  readonly catalog: () => CatalogDocument
  /** The mount of the API. The description is also served below it. */
  readonly apiMount: string
  /** Answers the paths below `/setup`, which are operations. Returns false if the path is not an operation. */
  readonly rest: (exchange: Exchange) => boolean
  /** Answers a path that nothing else answers. */
  readonly absent: (exchange: Exchange) => void
}

/** The mounts of all pages. Pages use only relative links, so that a proxy may serve the pod below any path. */
export const servePages = ({
  absent,
  catalog,
  document,
  apiMount,
  rest
}: PageSettings): Effect.Effect<ReadonlyArray<Mount>, PagesUnfit, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const pages = yield* readPages
    const json = (make: () => object) => page(() => Buffer.from(JSON.stringify(make())), "application/json")
    const description = json(document)
    return [
      single("/", yield* found(pages, "home.html"), absent),
      single("/docs", yield* found(pages, "docs.html"), absent),
      single("/docs/catalog.json", json(catalog), absent),
      single("/join", yield* found(pages, "join.html"), absent),
      single("/account", yield* found(pages, "account.html"), absent),
      single("/setup", yield* found(pages, "setup.html"), (exchange) => {
        if (!rest(exchange)) absent(exchange)
      }),
      single("/openapi.json", description, absent),
      single(`${apiMount}/openapi.json`, description, absent),
      single("/favicon.ico", yield* found(pages, "icon.svg"), absent),
      assets(pages, absent)
    ]
  })
