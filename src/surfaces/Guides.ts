/**
 * Serves the pages of `docs/`: as HTML to browsers, and as Markdown to programs. For programs, `/llms.txt` lists the
 * pages, and `/llms-full.txt` contains the first steps, the concepts and the guides as one text.
 */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Exchange } from "./Exchange.ts"
import { escapeHtml, markdownHtml } from "./GuideHtml.ts"
import { compressedPage, isRead, mediaTypes, notAllowed, type Page, revalidateHeaders, send } from "./PageFile.ts"
import type { Mount } from "./Server.ts"
import { atFirstUse } from "../platform/AtFirstUse.ts"
import { keysOf } from "../platform/OwnKeys.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The folders of `docs/` with their headings, in the order in which a new user reads them. */
const folders = {
  start: "Start",
  concepts: "Concepts",
  guides: "Guides",
  operate: "Operation",
  reference: "References"
} as const
type Folder = keyof typeof folders

interface Guide {
  /** The path below `docs/`, such as `guides/connect.md`. */
  readonly path: string
  readonly title: string
  readonly text: string
}

/** The page of all settings. It stands beside the folders, because the pod and its messages name it by this path. */
const settingsPage = "configuration.md"

const titleOf = (text: string): string => /^# (.*)$/m.exec(text)?.[1] ?? ""

const guideAt = (path: string): Guide => {
  const text = readFileSync(`${root}docs/${path}`, "utf8")
  return { path, title: titleOf(text), text }
}

/** The pages that a new user reads first. The other pages of a folder are sorted by their names. */
const firstPages = ["run.md", "claim.md", "first-key.md"]
const place = (name: string): number => (firstPages.includes(name) ? firstPages.indexOf(name) : firstPages.length)

const guidesIn = (folder: Folder): ReadonlyArray<Guide> => [
  ...readdirSync(`${root}docs/${folder}`)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .sort((one, other) => place(one) - place(other))
    .map((name) => guideAt(`${folder}/${name}`)),
  ...(folder === "reference" ? [guideAt(settingsPage)] : [])
]

const markdown = "text/markdown; charset=utf-8"
const plainTextType = "text/plain; charset=utf-8"
const html = mediaTypes[".html"] ?? ""
const rules = { ...revalidateHeaders, vary: "accept, accept-encoding" }

/** Returns one page of `docs/`. The pod reads the file at the first request for the page. */
export const guidePage = (path: string): Page => compressedPage(() => readFileSync(`${root}docs/${path}`), markdown)

type Guides = ReadonlyMap<Folder, ReadonlyArray<Guide>>

/**
 * Returns the list of pages in the form of https://llmstxt.org. Links are relative because a proxy can serve the pod
 * below any path.
 */
const listText = (guides: Guides): string => {
  const sections = [...guides].map(
    ([folder, members]) =>
      `## ${folders[folder]}\n\n${members.map(({ path, title }) => `- [${title}](docs/${path})`).join("\n")}`
  )
  const about =
    "> One server that keeps what a team knows. Apps, scripts and agents use it over REST, tRPC and MCP, with keys that never allow more than the person behind the key may do."
  const programs =
    "Programs read [openapi.json](openapi.json) for REST and [docs/catalog.json](docs/catalog.json) for procedures and MCP tools. [llms-full.txt](llms-full.txt) contains the first steps, the concepts and the guides."
  return `# Pod\n\n${about}\n\n${programs}\n\n${sections.join("\n\n")}\n`
}

/** With this query, a browser gets the Markdown of a page, as a text that the browser shows and does not download. */
const sourceQuery = "source"

/** Returns the path of a page without `.md`, which people see in the address bar. */
const htmlPath = (path: string): string => path.replace(/\.md$/, "")

/**
 * Makes the HTML of a page, with links to all pages. Links are relative because a proxy can serve the pod below any
 * path. A link to a file that the pod does not serve, such as the README, keeps only its words.
 */
const guideHtml = ({ path, text, title }: Guide, guides: Guides): string => {
  const base = new URL(`http://pod/docs/${path}`)
  const served = new Set([...guides.values()].flat().map((guide) => `/docs/${guide.path}`))
  const root = "../".repeat(path.split("/").length)
  const hrefOf = (target: string): string | undefined => {
    if (/^https?:/.test(target) || target.startsWith("#")) return target
    const { hash, pathname } = new URL(target, base)
    return served.has(pathname) ? `${root}${htmlPath(pathname.slice(1))}${hash}` : undefined
  }
  const link = (guide: Guide) => {
    const isHere = guide.path === path ? ' aria-current="page"' : ""
    return `<li><a href="${root}docs/${htmlPath(guide.path)}"${isHere}>${escapeHtml(guide.title)}</a></li>`
  }
  const contents = [...guides].map(
    ([folder, members]) => `<h2>${folders[folder]}</h2>\n<ul>${members.map(link).join("\n")}</ul>`
  )
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escapeHtml(title)} · Pod</title>
    <link rel="icon" href="${root}assets/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${root}assets/page.css" />
    <link rel="stylesheet" href="${root}assets/guide.css" />
  </head>
  <body>
    <a class="skip" href="#page">Skip to the page</a>
    <header class="bar">
      <a class="brand" href="${root}"><img src="${root}assets/icon.svg" alt="" />Pod</a>
      <a href="${root}docs">API reference</a>
      <a href="${root}docs/${path}?${sourceQuery}">Markdown</a>
    </header>
    <div class="guide">
      <nav aria-label="Pages">${contents.join("\n")}</nav>
      <main id="page">
${markdownHtml(text, { hrefOf })}
      </main>
    </div>
  </body>
</html>
`
}

/** Guides that explain screens to a person. A program cannot use them. */
const onScreen: ReadonlySet<string> = new Set(["guides/console.md"])

/** Sentences that only lead to another page. In one long text, the other page is there already. */
const leadingElsewhere = / ?More about MCP\.|^Variables: see a first key\.\n\n|^Next: [^\n]*\.$/gm

/**
 * Shortens the text of `/llms-full.txt`. Links between pages do not work in one long text, so only the words of a link stay.
 * The spaces that align comments are removed.
 */
const shortened = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, "$1")
    .replaceAll(/ {2,}(?=# )/g, " ")
    .replaceAll(leadingElsewhere, "")

/**
 * Returns the text of the README before its first section. The pages of `docs/` contain the other sections, with the
 * same commands.
 */
const introduction = (readme: string): string => readme.slice(0, readme.indexOf("\n## "))

const wholeText = (guides: Guides): string => {
  const pages = (["start", "concepts", "guides"] as const)
    .flatMap((folder) => guides.get(folder) ?? [])
    .filter(({ path }) => !onScreen.has(path))
  const texts = [introduction(readFileSync(`${root}README.md`, "utf8")), ...pages.map(({ text }) => text)]
  return shortened(texts.map((text) => text.trim()).join("\n\n---\n\n"))
}

/**
 * Makes the handlers that serve the pages. The pod reads the files only at the first request, because most pods get no
 * such request.
 */
export const serveGuides = (absent: (exchange: Exchange) => void): ReadonlyArray<Mount> => {
  const guides = atFirstUse(() => new Map(keysOf(folders).map((folder) => [folder, guidesIn(folder)])))
  const pages = atFirstUse(
    () =>
      new Map(
        [...guides().values()].flat().map((guide) => [
          `/docs/${guide.path}`,
          {
            text: compressedPage(() => Buffer.from(guide.text), markdown),
            source: compressedPage(() => Buffer.from(guide.text), plainTextType),
            html: compressedPage(() => Buffer.from(guideHtml(guide, guides())), html)
          }
        ])
      )
  )
  const list = compressedPage(() => Buffer.from(listText(guides())), plainTextType)
  const whole = compressedPage(() => Buffer.from(`${wholeText(guides())}\n`), plainTextType)

  const mount = (at: string, pageAt: (path: string, exchange: Exchange) => Page | undefined): Mount => ({
    at,
    handle: (exchange) => {
      const page = pageAt(exchange.path, exchange)
      if (page === undefined) absent(exchange)
      else if (isRead(exchange)) send(exchange, page, rules)
      else notAllowed(exchange)
    }
  })
  /** Finds a page by its path, with or without `.md`. A browser gets HTML, and a program gets Markdown. */
  const pageOf = (path: string, { request, search }: Exchange): Page | undefined => {
    const page = pages().get(path) ?? pages().get(`${path}.md`)
    const accepted = request.headers.accept ?? ""
    if (!accepted.includes("text/html") || accepted.includes("text/markdown")) return page?.text
    return search === sourceQuery ? page?.source : page?.html
  }
  return [
    mount("/llms.txt", (path) => (path === "/llms.txt" ? list : undefined)),
    mount("/llms-full.txt", (path) => (path === "/llms-full.txt" ? whole : undefined)),
    ...[...Object.keys(folders), settingsPage, settingsPage.replace(/\.md$/, "")].map((name) =>
      mount(`/docs/${name}`, pageOf)
    )
  ]
}
