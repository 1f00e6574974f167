/**
 * Checks that everything to which the documentation refers exists: pages, headings, settings, and texts of `pod
 * connect`.
 */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { clientNames, setupOf } from "../../src/cli/ClientConfig.ts"
import { codeMeanings, failureMeanings } from "../../src/doors/FailureReference.ts"
import { UnauthorizedReason } from "../../src/doors/Failure.ts"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { settingsTable } from "../../src/platform/settings/Settings.ts"
import { clientConfigs } from "../../src/shared/clientConfigs.ts"
import { blocksOf, docPages, readPage } from "../support/docCommands.ts"
import { projectRoot } from "../support/migrations.ts"

const pages = [...docPages, "ARCHITECTURE.md", "CHANGELOG.md"]

/** Returns the part after `#` in a link to this heading. */
const anchorOf = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const withoutBlocks = (text: string) => text.replaceAll(/^```.*\n[\s\S]*?^```$/gm, "")
const anchorsOf = (text: string) =>
  new Set([...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading)))

/** Returns the reason why a link is broken. Returns undefined if the link is correct. */
const linkFault = (page: string, link: string): string | undefined => {
  const [path = "", anchor] = link.split("#")
  const file = path === "" ? page : normalize(join(dirname(page), path))
  if (!existsSync(projectRoot + file)) return "there is no such file"
  if (anchor === undefined || !file.endsWith(".md")) return undefined
  return anchorsOf(readFileSync(projectRoot + file, "utf8")).has(anchor) ? undefined : "the page has no such heading"
}

/** Variables of the environment that are not settings of the server, but of clients, examples and tests. */
const otherVariables: ReadonlySet<string> = new Set([
  "POD_API_KEY",
  "POD_BENCH_COLLECTION",
  "POD_EMAIL",
  "POD_LLM_API_KEY", // This is another name of `POD_LLM_KEY`.
  "POD_LLM_BASE_URL", // This is another name of `POD_LLM_URL`.
  "POD_METRICS", // The documentation says that the pod has no setting with this name.
  "POD_PACKED_ROUNDS",
  "POD_PASSWORD",
  "POD_PROFILE",
  "POD_REQUIRE_BROWSER",
  "POD_REQUIRE_POSTGRES",
  "POD_TEST_DATABASE_URL",
  "POD_URL",
  "POD_WEBHOOK_ALLOW_PRIVATE", // The documentation says that the pod has no setting with this name.
  "POD_WEBHOOK_SECRET"
])

describe("the pages of the documentation", () => {
  it("every link between pages of the documentation leads to a page and a heading that exist", () => {
    const links = pages.flatMap((page) =>
      [...withoutBlocks(readPage(page)).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = ""]) => ({
        page,
        link
      }))
    )
    assert.isAbove(links.length, 180)
    const faults = links.flatMap(({ link, page }) => {
      const fault = linkFault(page, link)
      return fault === undefined ? [] : [`${page}: ${link}: ${fault}`]
    })
    assert.deepStrictEqual(faults, [])
    assert.strictEqual(linkFault("README.md", "docs/none.md"), "there is no such file")
    assert.strictEqual(linkFault("README.md", "#none"), "the page has no such heading")
  })

  it("every page of docs/ can be reached by links from the README", () => {
    const reached = new Set<string>()
    const visit = (page: string) => {
      if (reached.has(page) || !page.endsWith(".md") || !existsSync(projectRoot + page)) return
      reached.add(page)
      for (const [, link = ""] of readPage(page).matchAll(/\]\((?!https?:)([^)#\s]+)/g)) {
        visit(normalize(join(dirname(page), link)))
      }
    }
    visit("README.md")
    assert.deepStrictEqual(
      docPages.filter((page) => page.startsWith("docs/") && !reached.has(page)),
      []
    )
  })

  it("every `POD_` variable in the documentation is a setting of the pod, or a variable of its clients, examples or tests", () => {
    const settings = new Set<string>(Object.values(settingsTable).map(({ name }) => name))
    const unknown = docPages.flatMap((page) =>
      [...readPage(page).matchAll(/(?<![A-Z_])POD_[A-Z]+(?:_[A-Z]+)*(?![A-Z_*])/g)]
        .map(([name]) => name)
        .filter((name) => !settings.has(name.replace(/_FILE$/, "")) && !otherVariables.has(name))
        .map((name) => `${page}: ${name}`)
    )
    assert.deepStrictEqual(unknown, [])
  })

  it("the troubleshooting page contains only failures and codes that the pod has, and all exit codes after which a person must do something", () => {
    const page = readPage("docs/operate/troubleshooting.md")
    const cells = [...page.matchAll(/^\| (.*?) \|/gm)].map(([, cell = ""]) => cell)
    const named = cells.flatMap((cell) => [...cell.matchAll(/`([A-Za-z_]+)`/g)].map(([, code = ""]) => code))
    const known = new Set([
      ...Object.keys(failureMeanings),
      ...Object.keys(codeMeanings),
      ...UnauthorizedReason.literals,
      "Retry-After"
    ])
    assert.isAbove(named.length, 12)
    assert.deepStrictEqual(
      named.filter((code) => !known.has(code)),
      []
    )
    const exits = cells.filter((cell) => /^\d{1,2}$/.test(cell)).map(Number)
    const { interrupted, stopped, unexpected, ...others } = exitCodes
    assert.sameMembers(exits, Object.values(others), `besides ${stopped}, ${unexpected} and ${interrupted}`)
  })

  it("the README has at most 250 lines", () => {
    assert.isAtMost(readPage("README.md").split("\n").length, 250)
  })
})

const url = "http://localhost:8787" // The pages use this address for the pod.
const withoutSpace = (text: string) => text.trim()

describe("the pages about connecting clients", () => {
  it("each client that `pod connect` supports has a page in the documentation, with exactly the texts that the command prints", () => {
    for (const client of clientNames) {
      const page = readPage(`docs/start/connect-${client}.md`)
      const { steps } = setupOf(client, url)
      const config = clientConfigs({ url }).find(({ id }) => id === client)
      for (const { text } of config?.texts ?? []) {
        // The console shows the text for Claude Desktop. The command writes a bundle instead.
        if (client !== "claude-desktop") assert.include(page, text, client)
      }
      for (const { language, text } of blocksOf(page)) {
        if (["json", "toml", "text"].includes(language)) assert.include(steps, withoutSpace(text), client)
      }
    }
  })

  it("the files of examples/mcp-config are exactly what `pod connect --write` writes", () => {
    const files = {
      "claude-code": "claudeCode.json",
      cursor: "cursor.json",
      vscode: "vsCode.json",
      codex: "codex.toml"
    }
    assert.sameMembers(readdirSync(`${projectRoot}examples/mcp-config`), Object.values(files))
    for (const [client, name] of Object.entries(files)) {
      const text = readFileSync(`${projectRoot}examples/mcp-config/${name}`, "utf8")
      const config = clientConfigs({ url }).find(({ id }) => id === client)
      const written = config?.texts.find(({ file }) => file !== undefined)?.text ?? ""
      if (name.endsWith(".json")) assert.deepStrictEqual(JSON.parse(text), JSON.parse(written))
      else assert.strictEqual(withoutSpace(text), written)
    }
  })
})
