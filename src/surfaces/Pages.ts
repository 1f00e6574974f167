/** The pages and documents that are no operation: the API description, its reading page, the pages with a form, their assets. */
import { FileSystem } from "@effect/platform"
import { Data, Effect } from "effect"
import { createHash } from "node:crypto"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { MethodNotAllowed, wireOf } from "../doors/Failure.ts"
import { type Exchange, sendJson } from "./Exchange.ts"
import type { OpenApiDocument } from "./OpenApiDocument.ts"
import type { Mount } from "./Server.ts"

/** Nothing but what this pod serves, nothing inline, and nobody frames it. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml"
}

/** A text that is served as it is, with the tag that names this very version of it. */
interface Page {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly tag: string
}

const page = (bytes: Uint8Array, mediaType: string): Page => ({
  bytes,
  mediaType,
  tag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`
})

const folder = fileURLToPath(new URL("../../pages/", import.meta.url))

/** A page that belongs to the pod is not there or cannot be read. */
export class PagesUnfit extends Data.TaggedError("PagesUnfit")<{ readonly message: string }> {}

const unfit = (name: string) =>
  new PagesUnfit({
    message: `${folder}${name} cannot be read: the pod was not installed completely. Install it again.`
  })

type Pages = ReadonlyMap<string, Page>

/** The files of `pages/`, by name. Read once: they change with the version of the pod alone. */
const readPages = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const pages = new Map<string, Page>()
  for (const name of yield* Effect.mapError(files.readDirectory(folder), () => unfit(""))) {
    const mediaType = mediaTypes[extname(name)]
    if (mediaType === undefined) continue
    pages.set(name, page(yield* Effect.mapError(files.readFile(`${folder}${name}`), () => unfit(name)), mediaType))
  }
  return pages
})

const found = (pages: Pages, name: string): Effect.Effect<Page, PagesUnfit> =>
  Effect.mapError(Effect.fromNullable(pages.get(name)), () => unfit(name))

/** Whether the client says that it has this version already (RFC 9110 §13.1.2; weak comparison). */
const isHeld = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  header.split(",").some((part) => part.trim() === "*" || part.trim().replace(/^W\//, "") === tag)

const send = ({ request, response }: Exchange, { bytes, mediaType, tag }: Page): void => {
  const headers = {
    etag: tag,
    // Asked again every time and mostly answered 304, so that a new version of the pod shows at once.
    "cache-control": "no-cache",
    "content-security-policy": contentSecurityPolicy,
    "cross-origin-resource-policy": "same-origin"
  }
  if (isHeld(request.headers["if-none-match"], tag)) {
    response.writeHead(304, headers)
    response.end()
    return
  }
  response.writeHead(200, { ...headers, "content-type": mediaType, "content-length": bytes.length })
  response.end(request.method === "HEAD" ? undefined : bytes)
}

const isRead = ({ request }: Exchange) => request.method === "GET" || request.method === "HEAD"

const notAllowed = (exchange: Exchange) => {
  const { status, body, headers } = wireOf(new MethodNotAllowed({ allowed: ["GET"] }))
  sendJson(exchange, status, body, headers)
}

/** One path with one text. `beyond` takes the paths below it. */
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
  /** The description of the REST API. */
  readonly document: OpenApiDocument
  /** The mount of the API, below which its description is found too. */
  readonly apiMount: string
  /** Takes what is below `/setup`, which belongs to operations; answers false for what is not its own. */
  readonly rest: (exchange: Exchange) => boolean
  /** Answers what nobody takes. */
  readonly absent: (exchange: Exchange) => void
}

/**
 * Pages link to each other relatively and find everything beside themselves, so that a proxy may serve the pod below
 * any path.
 */
export const servePages = ({
  absent,
  document,
  apiMount,
  rest
}: PageSettings): Effect.Effect<ReadonlyArray<Mount>, PagesUnfit, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const pages = yield* readPages
    const description = page(Buffer.from(JSON.stringify(document)), "application/json")
    return [
      single("/", yield* found(pages, "home.html"), absent),
      single("/docs", yield* found(pages, "docs.html"), absent),
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
