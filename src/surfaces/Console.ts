/**
 * Serves the console that `npm run build` made. The name of each file contains a hash, so browsers can cache the files
 * for a year. Every path that is not a file gets the same page.
 */
import { FileSystem } from "@effect/platform"
import { Effect, Option } from "effect"
import { readFileSync } from "node:fs"
import { extname, relative } from "node:path/posix"
import { fileURLToPath } from "node:url"
import type { Exchange } from "./Exchange.ts"
import { builtPage, isRead, mediaTypes, notAllowed, compressedPage, type Page, send, sendBuilt } from "./PageFile.ts"
import type { Mount } from "./Server.ts"

const folder = fileURLToPath(new URL("../../dist/console/", import.meta.url))

/**
 * The file with the code of the MCP bridge. The console downloads this code and packs it into the extension file for
 * Claude Desktop.
 */
const bridgePath = fileURLToPath(new URL("../../dist/pod-mcp-bridge.cjs", import.meta.url))

/**
 * Headers of the page. With them, the page loads only files of this pod, runs no inline code, and cannot be shown
 * inside another page. The base address of the page must be an address of this pod.
 */
const documentRules = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
  "referrer-policy": "same-origin"
}

/** Browsers can cache these files for a year, because the name of each file contains the hash of its content. */
const assetRules = { "cache-control": "public, max-age=31536000, immutable" }

/** The page of the console and the files that it loads. The pod reads a file at the first request for this file. */
const readBuilt = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const html = yield* files.readFileString(`${folder}index.html`)
  const names = yield* files.readDirectory(`${folder}assets`)
  const assets = new Map(
    names.flatMap((name) => {
      const mediaType = mediaTypes[extname(name)]
      return mediaType === undefined ? [] : [[name, builtPage(`${folder}assets/${name}`, mediaType)] as const]
    })
  )
  const bridge = yield* files.exists(bridgePath)
  return {
    html,
    assets,
    icon: builtPage(`${folder}icon.svg`, "image/svg+xml"),
    bridge: bridge ? compressedPage(() => readFileSync(bridgePath), "text/javascript; charset=utf-8") : undefined
  }
})

/**
 * Returns the relative link from a page at the path `from` to the path `to`. Links are relative because a proxy can
 * serve the pod below any path.
 */
const linkFrom = (from: string, to: string): string => {
  const link = relative(from.slice(0, from.lastIndexOf("/")) || "/", to)
  return link === "" ? "./" : `${link}/`
}

const notBuilt =
  "<!doctype html><title>Pod</title><p>The console was not built. Run <code>npm run build</code>, then start the pod again.</p>"

interface BuiltConsole {
  readonly html: string
  readonly assets: ReadonlyMap<string, Page>
  readonly icon: Page | undefined
  readonly bridge: Page | undefined
}

const unbuilt: BuiltConsole = { html: notBuilt, assets: new Map(), icon: undefined, bridge: undefined }

export interface ConsoleSettings {
  /** The path of the console, such as `/admin`. */
  readonly at: string
  /** Answers a request for a file below `assets/` that the console does not have. */
  readonly absent: (exchange: Exchange) => void
}

/**
 * Makes the handler for the path of the console. The icon, the MCP bridge and the paths below `assets/` are files. Every
 * other path gets the same page, and the page shows the screen for its path.
 */
export const serveConsole = ({ absent, at }: ConsoleSettings): Effect.Effect<Mount, never, FileSystem.FileSystem> =>
  Effect.map(Effect.option(readBuilt), (built) =>
    mountOf(
      at,
      Option.getOrElse(built, () => unbuilt),
      absent
    )
  )

const mountOf = (
  at: string,
  { assets, bridge, html, icon }: BuiltConsole,
  absent: ConsoleSettings["absent"]
): Mount => {
  const documents = new Map<string, Page>()

  /**
   * Returns the page of the console for a path. The page depends only on the depth of the path, so the pod makes one
   * page for each depth and keeps it.
   */
  const documentFor = (path: string): Page => {
    const base = linkFrom(path, at)
    const known = documents.get(base)
    if (known !== undefined) return known
    const text = html
      .replace('<base href="./" />', `<base href="${base}" />`)
      // The page resolves this link against its base, so the link does not depend on the path of the page.
      .replace(
        '<meta name="pod-root" content="../" />',
        `<meta name="pod-root" content="${linkFrom(`${at}/`, "/")}" />`
      )
    const page = compressedPage(() => Buffer.from(text), "text/html; charset=utf-8")
    if (documents.size < pagesMax) documents.set(base, page)
    return page
  }

  return {
    at,
    handle: (exchange) => {
      const { path, response, search } = exchange
      if (!isRead(exchange)) return notAllowed(exchange)
      // Redirects to the path with a slash at the end. Without the slash, the browser would look for the files of the
      // console one level too high.
      if (path === at) {
        response.writeHead(308, {
          location: `${at.slice(at.lastIndexOf("/") + 1)}/${search === "" ? "" : `?${search}`}`
        })
        response.end()
        return
      }
      const name = path.slice(at.length + 1)
      if (name === "icon.svg" && icon !== undefined) return send(exchange, icon, { "cache-control": "no-cache" })
      if (name === "pod-mcp-bridge.cjs") {
        if (bridge === undefined) absent(exchange)
        else send(exchange, bridge, { "cache-control": "no-cache" })
        return
      }
      if (!name.startsWith("assets/")) return send(exchange, documentFor(path), documentRules)
      const asset = assets.get(name.slice("assets/".length))
      if (asset === undefined) absent(exchange)
      else sendBuilt(exchange, asset, assetRules, absent)
    }
  }
}

// The pod keeps a page for at most this many depths. The path of each screen has fewer levels.
const pagesMax = 16
