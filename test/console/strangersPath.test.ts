/**
 * The first steps of a new user in one run: start the pod with npm, become its owner, make a key for an agent, connect
 * an MCP client with exactly the shown configuration, and decide on the proposal of the agent. The user types with the
 * keyboard alone. The test prints the time of each step but sets no limit for it.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { spawn } from "node:child_process"
import type { BrowserContext } from "playwright-core"
import { afterAll, assert, it } from "vitest"
import { aFolder } from "../support/builtPod.ts"
import { projectRoot } from "../support/migrations.ts"
import { describeBrowser, sharedBrowser } from "../support/playwrightBrowser.ts"

const password = "correct horse battery staple"

/**
 * Starts the pod in a fresh directory with `npm start`. Returns the setup link from its log, and a function that stops
 * the pod.
 */
const started = async (home: string) => {
  const npm = spawn("npm", ["start"], {
    cwd: projectRoot,
    detached: true, // The process group is separate, so that npm and its child processes end together.
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      POD_PORT: "0",
      POD_DATA_DIR: `${home}/data`,
      POD_LOG_FORMAT: "json",
      POD_STOP_GRACE: "0s"
    }
  })
  let output = ""
  const ended = new Promise<void>((resolve) => npm.stdout.once("end", resolve))
  const setupLink = await new Promise<string>((resolve, reject) => {
    npm.stdout.on("data", (part) => {
      output += part
      const line = output.split("\n").find((each) => each.includes('"msg":"ready"'))
      if (line !== undefined) resolve(JSON.parse(line).setupLink)
    })
    npm.once("close", () => reject(new Error(output)))
  })
  const stop = async () => {
    process.kill(-npm.pid!, "SIGTERM")
    await ended
  }
  return { setupLink, stop }
}

describeBrowser("the first minutes of a new user", () => {
  const folder = aFolder()
  let stop: (() => Promise<void>) | undefined
  let context: BrowserContext | undefined
  afterAll(async () => {
    await context?.close()
    await stop?.()
    folder.remove()
  })

  it("a new user starts a pod in an empty directory, connects an agent, approves its proposal and undoes the approval", async () => {
    const times: Array<string> = []
    let last = performance.now()
    const step = (name: string) => {
      const now = performance.now()
      times.push(`${((now - last) / 1000).toFixed(1).padStart(6)} s  ${name}`)
      last = now
    }

    const pod = await started(folder.path)
    stop = pod.stop
    step("npm start, until the pod is ready")

    context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const pressed = async (role: "button" | "link" | "tab", name: string | RegExp) => {
      await page.getByRole(role, { name }).first().focus()
      await page.keyboard.press("Enter")
    }
    await page.goto(pod.setupLink)
    await page.getByRole("heading", { name: "Become its owner" }).waitFor()
    for (const text of ["Ada", "ada@example.com", password]) {
      await page.keyboard.press("Tab")
      await page.keyboard.type(text)
    }
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "You own this pod" }).waitFor()
    step("the owner is made from the setup link")

    await pressed("link", "Create the first key")
    await pressed("button", /^Agent that proposes/)
    // The form opens when the pod has answered that there is no agent.
    await page.getByLabel("Name of the agent").waitFor()
    await page.getByLabel("Name of the agent").focus()
    await page.keyboard.type("Scribe")
    await page.keyboard.press("Enter")
    await page.locator("option:checked", { hasText: "Scribe" }).waitFor({ state: "attached" })
    await page.getByLabel("I have checked").focus()
    await page.keyboard.press("Space")
    await page.getByLabel("Name of the key").focus()
    await page.keyboard.type("Scribe on my laptop")
    await page.getByRole("button", { name: "Create the key", disabled: false }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Your new key" }).waitFor()
    await pressed("button", "I stored it")
    step("an agent and its key are made in the wizard")

    const shown = (name: RegExp) => page.getByRole("region", { name }).innerText()
    const client = await connected(await shown(/^the file/), await shown(/^the variable/))
    await page.getByText(/Connected: .* via \/mcp, \d+ tools visible\./).waitFor()
    step("an MCP client connects as shown, and the light turns green")

    const asked = await client.callTool({
      name: "svc_create_entity",
      arguments: { profileSlug: "note", title: "Harbour opening hours", reasoning: "You asked me to." }
    })
    const { proposalId, status } = asked.structuredContent as { readonly proposalId: string; readonly status: string }
    assert.strictEqual(status, "proposed")
    step("the agent proposes a note over MCP")

    // The test leaves the text field, because shortcut keys have no effect in a text field.
    await page.evaluate("document.activeElement?.blur()")
    await page.keyboard.press("g")
    await page.keyboard.press("i")
    await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor()
    const row = page.getByRole("link", { name: "Harbour opening hours" })
    const approved = async () => {
      await row.waitFor()
      await page.keyboard.press("j")
      await page.getByRole("region", { name: "Open proposal" }).getByRole("button", { name: "Approve" }).waitFor()
      await page.keyboard.press("a")
      await page.getByText("Nothing waits for you.").waitFor()
    }
    await approved()
    await page.keyboard.press("z")
    await row.waitFor()
    step("the approval by the key a is taken back by the key z")

    await approved()
    const answer = await client.callTool({ name: "svc_wait_for_answer", arguments: { proposalId } })
    assert.include(JSON.stringify(answer.structuredContent), "approved")
    step("the next approval is sent, and the agent hears it")
    const found = await client.callTool({ name: "svc_get_entities", arguments: { profileSlug: "note" } })
    assert.include(JSON.stringify(found.structuredContent), "Harbour opening hours")
    await client.close()

    process.stdout.write(`\nThe stranger's path:\n${times.map((line) => `  ${line}\n`).join("")}`)
  })
})

/** Connects like a client that reads the shown file and has the shown variable in its environment. */
const connected = async (file: string, variable: string): Promise<Client> => {
  const [, name, value] = /export (\w+)='([^']+)'/.exec(variable) ?? []
  const { mcpServers } = JSON.parse(file) as {
    readonly mcpServers: Record<string, { readonly url: string; readonly headers: Readonly<Record<string, string>> }>
  }
  const [server] = Object.values(mcpServers)
  assert.isDefined(server)
  const headers = Object.fromEntries(
    Object.entries(server.headers).map(([header, text]) => [header, text.replaceAll(`\${${name}}`, value ?? "")])
  )
  const client = new Client({ name: "stranger", version: "1" })
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }))
  return client
}
