/** Tests the pages of docs/ over HTTP, and the two texts for language models, /llms.txt and /llms-full.txt. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { markdownHtml } from "../../src/surfaces/GuideHtml.ts"
import { projectRoot } from "../support/migrations.ts"
import { aPod, type TestPod } from "../support/pod.ts"

const fullBytesMax = 60_000 // A small language model has room for a text of this size together with a question.

describe("the pages of docs/", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
  })
  afterAll(() => pod.stop())

  const read = (path: string) => pod.stranger.send("GET", path)

  it("a request for a missing page below /docs or /llms.txt gets 404", async () => {
    for (const path of [
      "/docs/guides/absent.md",
      "/docs/guides/..%2f..%2fpackage.json",
      "/docs/guides",
      "/llms.txt/more"
    ]) {
      assert.strictEqual((await read(path)).status, 404, path)
    }
  })

  it("the pod answers a POST to a documentation page with 405", async () => {
    assert.strictEqual((await pod.stranger.send("POST", "/llms.txt", {})).status, 405)
  })

  it("/llms.txt lists only pages that exist", async () => {
    const { body, headers } = await read("/llms.txt")
    assert.match(headers.get("content-type") ?? "", /^text\/plain/)
    const paths = [...String(body).matchAll(/\]\((docs\/[^)]+\.md)\)/g)].map(([, path]) => path)
    assert.isAbove(paths.length, 10)
    for (const path of paths) {
      const page = await read(`/${path}`)
      assert.strictEqual(page.status, 200, path)
      assert.match(page.headers.get("content-type") ?? "", /^text\/markdown/)
      assert.match(String(page.body), /^# /)
    }
  })

  it("every link of a served page to another page of docs/ leads to a page that the pod serves too", async () => {
    const list = String((await read("/llms.txt")).body)
    const paths = [...list.matchAll(/\]\((docs\/[^)]+\.md)\)/g)].map(([, path]) => path ?? "")
    assert.include(paths, "docs/configuration.md")
    for (const path of paths) {
      const page = String((await read(`/${path}`)).body)
      for (const [, target = ""] of page.matchAll(/\]\(((?!https?:|#)[^)#\s]+\.md)/g)) {
        const { pathname } = new URL(target, `http://pod/${path}`)
        if (!pathname.startsWith("/docs/")) continue
        assert.strictEqual((await read(pathname)).status, 200, `${path} links to ${target}`)
      }
    }
  })

  it("the pod serves a documentation page under its name with and without `.md`, as Markdown to programs and as HTML to browsers", async () => {
    const as = async (path: string, accept: string, beginning: RegExp) => {
      const { body, headers, status } = await pod.stranger.send("GET", path, undefined, { accept })
      assert.strictEqual(status, 200, accept)
      assert.match(String(body), beginning)
      assert.include(headers.get("vary"), "accept,")
      assert.include(headers.get("content-security-policy"), "default-src 'none'")
      return headers.get("content-type")
    }
    const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
    for (const path of ["/docs/guides/connect", "/docs/guides/connect.md", "/docs/configuration.md"]) {
      assert.match((await as(path, "text/markdown", /^# /)) ?? "", /^text\/markdown/)
      assert.match((await as(path, "*/*", /^# /)) ?? "", /^text\/markdown/)
      assert.match((await as(path, browser, /^<!doctype html>/)) ?? "", /^text\/html/)
    }
    // A browser downloads Markdown, so the link to the Markdown of a page leads to a plain text.
    const { body } = await pod.stranger.send("GET", "/docs/guides/connect", undefined, { accept: browser })
    const [, source = ""] = /<a href="([^"]+)">Markdown<\/a>/.exec(String(body)) ?? []
    const { pathname, search } = new URL(source, "http://pod/docs/guides/connect")
    assert.match((await as(`${pathname}${search}`, browser, /^# /)) ?? "", /^text\/plain/)
    assert.strictEqual((await read("/docs/guides/absent")).status, 404)
  })

  it("in a browser, every documentation page shows no mark of Markdown, links only to pages and files that exist, and loads nothing from other origins", async () => {
    const list = String((await read("/llms.txt")).body)
    const paths = [...list.matchAll(/\]\((docs\/[^)]+)\.md\)/g)].map(([, path = ""]) => `/${path}`)
    const found = new Map<string, string>()
    for (const path of paths) {
      const page = await pod.stranger.send("GET", path, undefined, { accept: "text/html" })
      found.set(path, String(page.body))
    }
    for (const [path, html] of found) {
      const words = html
        .replaceAll(/<pre>[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, "")
        .replaceAll(/<[^>]+>/g, "")
        .split("\n")
      assert.deepStrictEqual(
        words.filter((line) => /`|\*\*|\]\(|^\s*(?:#|[-*] |\||\d+\. )/.test(line)),
        [],
        path
      )
      assert.notMatch(html, /(?:src|rel="stylesheet" href)="(?:https?:)?\/\//, path)
      for (const [, target = ""] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const url = new URL(target.replaceAll("&amp;", "&"), `http://pod${path}`)
        if (url.host !== "pod") continue
        const other = found.get(url.pathname)
        if (other === undefined) assert.notStrictEqual((await read(url.pathname)).status, 404, `${path}: ${target}`)
        else if (url.hash !== "") assert.include(other, `id="${url.hash.slice(1)}"`, `${path}: ${target}`)
      }
    }
  })

  it("a table cell with a bar, a list inside a list, a code block and a character of HTML are shown as they are written", () => {
    const html = markdownHtml(
      [
        "| A | B |",
        "|---|---|",
        "| `a\\|b` | <i> |",
        "",
        "1. one",
        "   - in **it**",
        "2. two",
        "",
        "Run:",
        "",
        "    $ a < b"
      ].join("\n"),
      { hrefOf: () => undefined }
    )
    assert.include(html, "<td><code>a|b</code></td>\n<td>&lt;i&gt;</td>")
    assert.include(html, "<ol>\n<li>one<ul>\n<li>in <strong>it</strong></li>\n</ul>\n</li>\n<li>two</li>\n</ol>")
    assert.include(html, "<pre><code>$ a &lt; b\n</code></pre>")
  })

  it("/llms-full.txt contains the first steps, the concepts and the guides, without links between these pages, and has at most 60 kB", async () => {
    const { body } = await read("/llms-full.txt")
    for (const folder of ["start", "concepts", "guides"]) {
      for (const name of readdirSync(`${projectRoot}docs/${folder}`).filter((page) => page !== "console.md")) {
        const [heading = ""] = readFileSync(`${projectRoot}docs/${folder}/${name}`, "utf8").split("\n")
        assert.include(String(body), `${heading}\n`, name)
      }
    }
    assert.notMatch(String(body), /\]\((?!https?:)/)
    assert.match(String(body), /^# Pod\n/)
    assert.include(String(body), "# The gate and proposals")
    // The section is there once, so the pages that use its variables do not lead to it.
    assert.lengthOf(String(body).match(/^## Variables$/gm) ?? [], 1)
    assert.notMatch(String(body), /^Variables: see|More about MCP|^Next: /m)
    assert.isAtMost(Buffer.byteLength(String(body)), fullBytesMax)
  })

  it("the pod answers a request for a reference page with Markdown if the client prefers Markdown, and otherwise with HTML", async () => {
    for (const [path, title] of [
      ["/docs", "# REST"],
      ["/docs/errors", "# Errors"]
    ] as const) {
      const typeFor = async (accept: string) => {
        const { body, headers } = await pod.stranger.send("GET", path, undefined, { accept })
        assert.include(headers.get("vary") ?? "", "accept,", path)
        return [headers.get("content-type")?.split(";")[0], String(body).slice(0, title.length)]
      }
      for (const accept of ["text/markdown", "text/markdown, text/html;q=0.9, */*;q=0.1", "Text/Markdown;q=0.5"]) {
        assert.deepStrictEqual(await typeFor(accept), ["text/markdown", title], `${path} ${accept}`)
      }
      for (const accept of ["*/*", "text/html", "text/html, text/markdown", "text/markdown;q=0", "text/markdownx"]) {
        assert.strictEqual((await typeFor(accept))[0], "text/html", `${path} ${accept}`)
      }
    }
  })

  it("the manifest of the pod and the answer of `/api/hub/discover` mention `/llms.txt`", async () => {
    const { body } = await read("/api/hub/manifest")
    assert.include(body.discoveryEndpoints.llms, "/llms.txt")
    const discovered = await pod.owner.send("GET", "/api/hub/discover?userId=me")
    assert.include(JSON.stringify(discovered.body), "GET /llms.txt")
  })
})
