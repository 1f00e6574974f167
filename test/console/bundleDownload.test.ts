/** The tests download, unpack and run the bundle for Claude Desktop that the console makes in the browser. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { version } from "../../src/Version.ts"
import { aFolder } from "../support/builtPod.ts"
import { aPathProxy } from "../support/pathProxy.ts"
import { unpackBundle } from "../support/unpackedBundle.ts"
import { assertAccessible, describeConsole, it } from "./consoleScene.ts"

const downloadButton = (page: Page) => page.getByRole("button", { name: "Download pod.mcpb" })

const downloaded = async (page: Page, press: () => Promise<void>) => {
  const download = page.waitForEvent("download")
  await press()
  return await download
}

/** The names of the tools that a client sees when it starts the bridge of a bundle. */
const toolsOf = async (bridge: string, env: Record<string, string>) => {
  const client = new Client({ name: "test", version: "1.0.0" })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [bridge], env, stderr: "ignore" }))
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name }) => name)
}

describeConsole("the bundle for Claude Desktop", ({ open, pod }) => {
  it("if the pod lacks the bridge program for Claude Desktop, the console says this, and “Retry” downloads the installation file once the pod has the program", async () => {
    const page = await open("/connect?client=claude-desktop")
    await page.route("**/pod-mcp-bridge.cjs", (route) => route.fulfill({ status: 404, body: "" }))
    await downloadButton(page).click()
    await page.getByRole("alert").getByText("This pod was built without the bridge for Claude Desktop.").waitFor()
    await assertAccessible(page)
    await page.unroute("**/pod-mcp-bridge.cjs")
    const file = await downloaded(page, () => page.getByRole("button", { name: "Retry" }).click())
    assert.strictEqual(file.suggestedFilename(), "pod.mcpb")
  })

  it("if a proxy serves the pod below a path, the downloaded installation file for Claude Desktop contains no key, and its program reaches the pod through the proxy", async () => {
    const folder = aFolder()
    const proxy = await aPathProxy(pod(), "/team")
    const page = await open("/keys/new?recipe=read", { at: proxy.url })
    await page.getByLabel("Name of the key").fill("Claude Desktop")
    await page.getByLabel("I have checked").check()
    await page.getByRole("button", { name: "Create the key" }).click()
    const key = (await page.getByRole("region", { name: "the key", exact: true }).innerText()).trim()
    await page.getByRole("button", { name: "I stored it" }).click()
    await page.getByRole("tab", { name: "Claude Desktop", exact: true }).click()
    await assertAccessible(page)
    const bundle = await (await downloaded(page, () => downloadButton(page).click())).path()
    assert.deepStrictEqual(unpackBundle(bundle, folder.path), ["manifest.json", "server/index.js"])
    assert.notInclude(readFileSync(bundle, "latin1"), "svc_user_")
    const manifest = JSON.parse(readFileSync(join(folder.path, "manifest.json"), "utf8"))
    assert.deepStrictEqual([manifest.version, manifest.user_config.url.default], [version, proxy.url])
    const tools = await toolsOf(join(folder.path, "server/index.js"), { POD_API_KEY: key, POD_URL: proxy.url })
    assert.include(tools, "svc_get_entities")
    proxy.stop()
    folder.remove()
  })
})
