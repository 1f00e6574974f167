/**
 * Serves the pages and documents that are not operations: the API description, the page that shows it, the pages with a
 * form, and the files that these pages use.
 */
import { FileSystem } from "@effect/platform"
import { Data, Effect, Either } from "effect"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { errorsPath } from "../doors/FailureReference.ts"
import { atFirstUse } from "../platform/AtFirstUse.ts"
import type { CatalogDocument } from "./CatalogDocument.ts"
import { type Exchange, sendFailure } from "./Exchange.ts"
import type { OpenApiDocument } from "./OpenApiDocument.ts"
import { tagOfQuery, openApiPart } from "./OpenApiPart.ts"
import { guidePage } from "./Guides.ts"
import { compressedPage, isRead, mediaTypes, notAllowed, type Page, revalidateHeaders, send } from "./PageFile.ts"
import { redirectFrom } from "./Redirect.ts"
import type { Mount } from "./Server.ts"

const folder = fileURLToPath(new URL("../../pages/", import.meta.url))

/** A page of the pod is missing or cannot be read. */
export class PagesUnfit extends Data.TaggedError("PagesUnfit")<{ readonly message: string }> {}

const unfit = (name: string) =>
  new PagesUnfit({
    message: `${folder}${name} cannot be read: the pod was not installed completely. Install it again.`
  })

const json = (make: () => object): Page => compressedPage(() => Buffer.from(JSON.stringify(make())), "application/json")

type Pages = ReadonlyMap<string, Page>

/** The files of `pages/`, by name. The pod reads them once, because they change only with the version of the pod. */
const readPages = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const pages = new Map<string, Page>()
  for (const name of yield* Effect.mapError(files.readDirectory(folder), () => unfit(""))) {
    const mediaType = mediaTypes[extname(name)]
    if (mediaType === undefined) continue
    const bytes = yield* Effect.mapError(files.readFile(`${folder}${name}`), () => unfit(name))
    pages.set(
      name,
      compressedPage(() => bytes, mediaType)
    )
  }
  return pages
})

const found = (pages: Pages, name: string): Effect.Effect<Page, PagesUnfit> =>
  Effect.mapError(Effect.fromNullable(pages.get(name)), () => unfit(name))

/** Serves one text at one path. `serveBelow` answers requests for paths below this path. */
const single = (at: string, text: Page, serveBelow: (exchange: Exchange) => void): Mount => ({
  at,
  handle: (exchange) => {
    if (exchange.path !== at) serveBelow(exchange)
    else if (isRead(exchange)) send(exchange, text, revalidateHeaders)
    else notAllowed(exchange)
  }
})

/**
 * Serves the description of the REST API. With a tag in the query (`?tag=entities`), serves only the operations with
 * this tag. The pod keeps every part that it has made. There is one part for each tag, so clients cannot fill the
 * memory.
 */
const described = (make: () => OpenApiDocument) => {
  const document = atFirstUse(make)
  const pages = new Map<string | undefined, Page>()
  const pageOf = (tag: string | undefined): Page => {
    const page = pages.get(tag) ?? json(() => openApiPart(document(), tag))
    pages.set(tag, page)
    return page
  }
  return (at: string, serveBelow: (exchange: Exchange) => void): Mount => ({
    at,
    handle: (exchange) => {
      if (exchange.path !== at) serveBelow(exchange)
      else if (isRead(exchange)) {
        Either.match(tagOfQuery(document(), exchange.search), {
          onLeft: (failure) => sendFailure(exchange, failure),
          onRight: (tag) => send(exchange, pageOf(tag), revalidateHeaders)
        })
      } else notAllowed(exchange)
    }
  })
}

const weightIn = (accept: string, type: string): number => {
  const part = accept
    .toLowerCase()
    .split(",")
    .find((each) => each.split(";")[0]?.trim() === type)
  const weight = /;\s*q=([\d.]+)/.exec(part ?? "")?.[1]
  return part === undefined ? 0 : weight === undefined ? 1 : Number(weight) || 0
}

/** True if the client prefers Markdown to HTML. A client that accepts every type gets HTML. */
const prefersMarkdown = ({ request }: Exchange): boolean => {
  const accept = request.headers.accept ?? ""
  const weight = weightIn(accept, "text/markdown")
  return weight > 0 && weight > weightIn(accept, "text/html")
}

/** Serves a page as HTML, and serves the same content as Markdown to clients that prefer Markdown. */
const inTwoForms = (at: string, page: Page, markdown: Page, serveBelow: (exchange: Exchange) => void): Mount => ({
  at,
  handle: (exchange) => {
    if (exchange.path !== at) serveBelow(exchange)
    else if (isRead(exchange)) {
      const rules = { ...revalidateHeaders, vary: "accept, accept-encoding" }
      send(exchange, prefersMarkdown(exchange) ? markdown : page, rules)
    } else notAllowed(exchange)
  }
})

/** Redirects from one path to another page, such as a screen of the console. `serveBelow` answers requests for paths below this path. */
const redirectMount = (at: string, to: string, serveBelow: (exchange: Exchange) => void): Mount => ({
  at,
  handle: (exchange) => (exchange.path === at ? redirectFrom(exchange, at, to) : serveBelow(exchange))
})

const assets = (pages: Pages, absent: PageSettings["absent"]): Mount => ({
  at: "/assets",
  handle: (exchange) => {
    const name = exchange.path.slice("/assets/".length)
    const asset = name.endsWith(".html") ? undefined : pages.get(name)
    if (asset === undefined) absent(exchange)
    else if (isRead(exchange)) send(exchange, asset, revalidateHeaders)
    else notAllowed(exchange)
  }
})

export interface PageSettings {
  /** Makes the description of the REST API. The pod calls it at the first request for the description. */
  readonly document: () => OpenApiDocument
  /**
   * Makes the description of the procedures and the MCP tools. The pod calls it at the first request for the
   * description.
   */
  readonly catalog: () => CatalogDocument
  /** The path of the API. The description of the API is also served below this path. */
  readonly apiMount: string
  /**
   * The path of the console. Earlier versions of the pod had other pages, and the pod redirects their paths to screens
   * of the console.
   */
  readonly adminPath: string
  /** Answers a request for an operation below `/setup`. Returns false if the path is not an operation. */
  readonly rest: (exchange: Exchange) => boolean
  /** Answers requests for paths that do not exist. */
  readonly absent: (exchange: Exchange) => void
}

/** Makes the handlers of all pages. Pages use only relative links, because a proxy can serve the pod below any path. */
export const servePages = ({
  absent,
  adminPath,
  catalog,
  document,
  apiMount,
  rest
}: PageSettings): Effect.Effect<ReadonlyArray<Mount>, PagesUnfit, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const pages = yield* readPages
    const description = described(document)
    return [
      redirectMount("/", `${adminPath}/`, absent),
      inTwoForms("/docs", yield* found(pages, "docs.html"), guidePage("reference/rest.md"), absent),
      inTwoForms(errorsPath, yield* found(pages, "errors.html"), guidePage("reference/errors.md"), absent),
      single("/docs/catalog.json", json(catalog), absent),
      redirectMount("/join", `${adminPath}/join`, absent),
      redirectMount("/account", `${adminPath}/settings?show=Account`, absent),
      redirectMount("/setup", `${adminPath}/setup`, (exchange) => {
        if (!rest(exchange)) absent(exchange)
      }),
      description("/openapi.json", absent),
      description(`${apiMount}/openapi.json`, absent),
      redirectMount(`${apiMount}/docs`, "/docs", absent),
      single("/favicon.ico", yield* found(pages, "icon.svg"), absent),
      assets(pages, absent)
    ]
  })
