/**
 * Making a key in a browser: the wizard with its preview, the key that is shown once, and the light that shows the
 * first call of the client.
 */
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { KeyUsage } from "../../src/features/usage/KeyUsage.ts"
import { aFaultProxy } from "../support/faultProxy.ts"
import {
  assertAccessible,
  assertNoSidewaysScroll,
  assertScreenFits,
  describeConsole,
  it,
  narrow
} from "./consoleScene.ts"

const keyForm = /^svc_(?:user|hub_test)_[0-9A-Za-z]{49}$/

const nameIt = (page: Page, name: string) => page.getByLabel("Name of the key").fill(name)
const create = (page: Page) => page.getByRole("button", { name: "Create the key" })
/** Confirms the risks of a key with wide access. */
const confirm = (page: Page) => page.getByLabel("I have checked").check()
const secretOn = async (page: Page) =>
  (await page.getByRole("region", { name: "the key", exact: true }).innerText()).trim()
const preview = (page: Page) => page.getByRole("complementary", { name: "Preview" })

describeConsole("the key wizard of the console", ({ open, pod }) => {
  it("the empty form for a key says which values are missing, and passes the accessibility check of axe at every width and theme", async () => {
    const page = await open("/keys/new")
    await preview(page).getByText("Choose what the key may do").waitFor()
    assert.isTrue(await create(page).isDisabled())
    await assertScreenFits(page, "key-wizard-empty")
  })

  it("a recipe fills in the form for a key, and the preview describes the access of the key by a sentence, counts, some records and operations", async () => {
    await pod().owner.send("POST", "/api/hub/entities", { profileSlug: "note", title: "Crane inspection" })
    const page = await open("/keys/new?recipe=read")
    const side = preview(page)
    await side.getByText(/^Reads everything that you can see\. Cannot write\. Expires \d+ \w+ \d{4}\.$/).waitFor()
    await side.getByText(/\d+ records? of \d+ that you can see/).waitFor()
    await side.getByText(/of \d+ notes?$/).click()
    await side.getByRole("listitem").filter({ hasText: "Crane inspection" }).getByText("by *").waitFor()
    await side
      .getByText(/✗ \d+ closed/)
      .first()
      .waitFor()
    await nameIt(page, "Reader")
    await assertScreenFits(page, "key-wizard-filled")
  })

  it("in the key wizard, a change in the table of permissions changes the grant as JSON, and a change in this JSON changes the table", async () => {
    const page = await open("/keys/new")
    await page.getByRole("checkbox", { name: "entity.note.read", exact: true }).check()
    await page.getByRole("checkbox", { name: "document", exact: true }).check()
    assert.isTrue(await page.getByRole("checkbox", { name: "document.update, allowed by document" }).isDisabled())
    await page.getByRole("tab", { name: "As code" }).click()
    const code = page.getByLabel("The grant as JSON")
    assert.deepStrictEqual(JSON.parse(await code.inputValue()), { permissions: ["entity.note.read", "document"] })
    await code.fill('{ "permissions": ["entity.read"')
    await page.getByText("This is not JSON yet.").waitFor()
    await code.fill('{ "permissions": ["entity.read"] }')
    await page.getByRole("tab", { name: "Table" }).click()
    assert.isTrue(await page.getByRole("checkbox", { name: "entity.note.read, allowed by entity.read" }).isChecked())
    await preview(page)
      .getByText(/^Reads records of every kind\./)
      .waitFor()
  })

  it("the preview of a key shows the pod's message about a permission that the pod refuses", async () => {
    const page = await open("/keys/new?permissions=documnt.read")
    await preview(page)
      .getByText(/Did you mean document/)
      .first()
      .waitFor()
  })

  it("the key wizard warns if the scopes of the key do not allow its permissions, and if a key with wide access never expires", async () => {
    const page = await open("/keys/new?permissions=entity.note.create&name=Pair")
    await page.getByText("The table allows writing, but no scope for writing is chosen.").waitFor()
    await page.getByRole("button", { name: /^Full access/ }).click()
    await page.getByLabel("The key never ends").check()
    await preview(page).getByText("A forgotten key stays valid.").waitFor()
    await preview(page).getByText("may change everything that you may change").waitFor()
    assert.isTrue(await create(page).isDisabled())
    await page.getByLabel("I have checked").check()
    assert.isTrue(await create(page).isEnabled())
    await page.getByLabel("90 days").check()
    await preview(page).getByText("A forgotten key stays valid.").waitFor({ state: "detached" })
    assert.isTrue(await create(page).isDisabled(), "other risks need a second look again")
  })

  it("a person must confirm the risks of a key that can read everything that the person can read, even if the key cannot write", async () => {
    const page = await open("/keys/new?recipe=read&name=Wide")
    await preview(page)
      .getByText(/^Everybody who has the key may read everything that you can see/)
      .waitFor()
    assert.isTrue(await create(page).isDisabled())
    await confirm(page)
    assert.isTrue(await create(page).isEnabled())
  })

  it("a person makes and stores a key, and the connection light says “Connected” after the first successful call of the key", async () => {
    const page = await open("/keys/new?recipe=read")
    await nameIt(page, "Claude Code on my laptop")
    await confirm(page)
    await create(page).click()
    await page.getByRole("heading", { name: "Your new key" }).waitFor()
    const secret = await secretOn(page)
    assert.match(secret, keyForm)
    await assertScreenFits(page, "key-once")
    await page.getByRole("button", { name: "I stored it" }).click()
    await page.getByText("Waiting for the first call with this key").waitFor()
    assert.include(await page.getByRole("region", { name: "the command", exact: true }).innerText(), `Bearer ${secret}`)
    const mcp = { accept: "application/json, text/event-stream", "user-agent": "node" }
    const client = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "claude-code", version: "2.1.4" }
    }
    await pod()
      .as({ authorization: `Bearer ${secret}` })
      .send("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "initialize", params: client }, mcp)
    await page.getByText(/Connected: Claude Code 2\.1\.4 via \/mcp, \d+ tools visible\./).waitFor()
    await assertScreenFits(page, "key-connected")
  })

  it("if the first call of a key is refused, the connection light says so, and why", async () => {
    const page = await open("/keys/new?recipe=memory")
    await nameIt(page, "Too narrow")
    await create(page).click()
    const secret = await secretOn(page)
    await page.getByRole("button", { name: "I stored it" }).click()
    const caller = pod().as({ authorization: `Bearer ${secret}` })
    assert.strictEqual(
      (await caller.send("POST", "/api/hub/entities", { profileSlug: "note", title: "no" })).status,
      403
    )
    await page.getByText(/The first call was refused: .* via REST, GRANT_DENIED/).waitFor()
    await page.getByText("it may not call this operation").waitFor()
    await assertAccessible(page)
  })

  it("the connection light gives the pod's reason if the key in the address is a key of another person", async () => {
    const key = await pod().aKey(await pod().aPerson())
    await pod().aKey(pod().owner, { keyName: "Own" })
    const page = await open(`/connect?key=${key.id}`)
    const light = page.getByRole("region", { name: "First call" })
    await light.getByRole("alert").getByText("There is no such key of yours").waitFor()
    await light.getByText("The console does not watch this key.").waitFor()
    await assertAccessible(page)
    const again = page.waitForRequest((request) => request.url().includes("apiKeys.watchCalls"))
    await light.getByRole("button", { name: "Retry" }).click()
    await again
    await light.getByRole("alert").getByText("There is no such key of yours").waitFor()
  })

  it("if the connection to the pod breaks, the connection light says so, connects again, and shows the call that came meanwhile", async () => {
    const key = await pod().aKey(pod().owner, { keyName: "Cut" })
    const proxy = await aFaultProxy(pod().baseUrl)
    const page = await open(`/connect?key=${key.id}`, { at: `http://127.0.0.1:${proxy.port}` })
    const light = page.getByRole("region", { name: "First call" })
    await light.getByText("Waiting for the first call with this key").waitFor()
    await key.send("GET", "/api/hub/entities?limit=1", undefined, { "user-agent": "curl/8.5.0" })
    await light.getByText("Connected: curl 8.5.0 via REST.").waitFor()
    await proxy.refuse()
    await light.getByText("The console has lost the connection to the pod, and connects again.").waitFor()
    await key.send("GET", "/api/hub/no-such-path", undefined, { "user-agent": "curl/8.5.0" })
    await proxy.heal()
    await light.getByText("Connected, but the last call was refused: curl 8.5.0 via REST, NOT_FOUND.").waitFor()
    await light.getByText("The console has lost the connection").waitFor({ state: "detached" })
    await page.close()
    await proxy.close()
  })

  it("after a person has made a key, every client has a tab with its configuration, and no link contains the key", async () => {
    const page = await open("/keys/new?recipe=read")
    await nameIt(page, "Tabs")
    await confirm(page)
    await create(page).click()
    const secret = await secretOn(page)
    await page.getByRole("button", { name: "I stored it" }).click()
    for (const name of ["Cursor", "VS Code", "Codex", "n8n", "Claude Desktop", "curl", "Claude Code"]) {
      await page.getByRole("tab", { name, exact: true }).click()
      const links = await page.locator("a").evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""))
      assert.isFalse(links.some((link) => link.includes(secret) || link.includes(secret.slice(9))))
    }
    assert.notInclude(page.url(), secret)
  })

  it("as long as a person has not stored the new key, the console asks for confirmation before it leaves the page", async () => {
    const page = await open("/keys/new?recipe=memory")
    await nameIt(page, "Nearly lost")
    await create(page).click()
    const secret = await secretOn(page)
    const leave = page.getByRole("link", { name: "Home", exact: true })
    await leave.click()
    const question = page.getByRole("dialog", { name: "Leave without the key?" })
    await question.waitFor()
    await assertAccessible(page)
    await question.getByRole("button", { name: "Stay here" }).click()
    await question.waitFor({ state: "detached" })
    assert.strictEqual(await secretOn(page), secret)
    await page.getByRole("button", { name: "I stored it" }).click()
    await leave.click()
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
  })

  it("a reload and the Back button keep the draft of a key, and a new visit starts without it", async () => {
    const page = await open("/keys/new?name=First+name")
    const name = page.getByLabel("Name of the key")
    const menuLink = page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Connections" })
    await page.getByRole("button", { name: /^Memory only/ }).click()
    await page.getByLabel("30 days").check()
    await name.fill("Kept draft")
    await page.waitForFunction(() => JSON.stringify(sessionStorage).includes("Kept draft"))
    await page.reload()
    await name.waitFor()
    assert.strictEqual(await name.inputValue(), "Kept draft")
    assert.isTrue(await page.getByLabel("30 days").isChecked())
    await preview(page)
      .getByText(/^Remembers|memory/i)
      .first()
      .waitFor()
    await menuLink.click()
    await page.getByRole("heading", { level: 1, name: "Connections" }).waitFor()
    await page.goBack()
    await name.waitFor()
    assert.strictEqual(await name.inputValue(), "Kept draft")
    await menuLink.click()
    await page.getByRole("link", { name: "New key" }).first().click()
    await name.waitFor()
    assert.strictEqual(await name.inputValue(), "")
  })

  it("if the projects for the limits of a key cannot be read, the form shows the reason and reads them again on request", async () => {
    const project = await pod().owner.send("POST", "/api/hub/projects", { name: "Read at the second try" })
    assert.strictEqual(project.status, 200, JSON.stringify(project.body))
    const page = await open("/sign-in")
    await page.route("**/api/hub/projects*", (route) =>
      route.fulfill({ status: 400, json: { error: "The projects cannot be read.", code: "INVALID" } })
    )
    await page.goto(`${pod().baseUrl}/admin/keys/new`)
    await page.getByLabel("Only these projects").check()
    await page.getByText("The projects cannot be read.").waitFor()
    await page.unroute("**/api/hub/projects*")
    await page.getByRole("group", { name: "projects" }).getByRole("button", { name: "Retry" }).click()
    await page.getByRole("checkbox", { name: "Read at the second try" }).waitFor()
  })

  it("if a person presses Enter in a field that only searches for rows or workspaces, the console does not create the key", async () => {
    const page = await open("/keys/new?recipe=memory&name=Too+early")
    await page.getByLabel("Only these workspaces").check()
    await page.getByLabel("Find workspaces").press("Enter")
    await page.getByLabel("All that I can see").check()
    await page.waitForFunction(
      () => document.querySelector<HTMLButtonElement>("form [type=submit]")?.disabled === false
    )
    await page.getByLabel("Find a row of the table").press("Enter")
    await page.getByLabel("Find a row of the table").fill("document")
    await page.getByRole("rowheader", { name: "document", exact: true }).waitFor()
    assert.strictEqual(await page.getByRole("heading", { level: 1 }).innerText(), "New key")
  })

  it("a person creates a key with the keyboard alone", async () => {
    const page = await open("/keys/new")
    await page.getByRole("button", { name: /^Read everything/ }).focus()
    await page.keyboard.press("Enter")
    await preview(page)
      .getByText(/^Reads everything that you can see\. Cannot write\. Expires \d+ \w+ \d{4}\.$/)
      .waitFor()
    await page.getByLabel("I have checked").focus()
    await page.keyboard.press("Space")
    await page.getByLabel("Name of the key").focus()
    await page.keyboard.type("By keyboard")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Your new key" }).waitFor()
    await page.getByRole("button", { name: "I stored it" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("tab", { name: "Claude Code" }).focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "Add to Cursor" }).waitFor()
  })

  it("a person makes an agent in the key wizard together with its first key, and the writes of this agent need approval", async () => {
    const page = await open("/keys/new?recipe=agent")
    await page.getByLabel("Name of the agent").fill("Researcher")
    assert.isTrue(await page.getByLabel("The agent may propose changes").isChecked())
    await page.getByRole("button", { name: "Create the agent" }).click()
    await page.getByRole("combobox", { name: "Agent" }).and(page.locator("select")).waitFor()
    await nameIt(page, "Researcher on the server")
    await preview(page).getByLabel("Operation").fill("entities.create")
    await preview(page).getByRole("button", { name: "Ask" }).click()
    await preview(page)
      .getByText(/the rule \w+/)
      .waitFor()
    await confirm(page)
    await create(page).click()
    await page.getByRole("heading", { name: "Your new key" }).waitFor()
    const { body } = await pod().owner.query("apiKeys.list", {})
    const [made] = body.result.data as ReadonlyArray<{ readonly keyName: string; readonly heldByAgent: boolean }>
    assert.deepStrictEqual([made?.keyName, made?.heldByAgent], ["Researcher on the server", true])
    const [agent] = (await pod().owner.query("agents.list", {})).body.result.data
    assert.deepInclude(agent, { capabilities: ["*"], writesRequireProposal: true })
  })

  it("a key that a person makes in the console for everything in one workspace is limited to this workspace and can read its knowledge", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Acme")
    const page = await open("/keys/new?recipe=workspace")
    await preview(page).getByText("Choose at least one workspace").waitFor()
    await page.getByLabel("Find workspaces").fill("acm")
    await page.getByRole("checkbox", { name: "Acme" }).check()
    await preview(page)
      .getByText(/^Reads everything that you can see in Acme\. Cannot write\./)
      .waitFor()
    await nameIt(page, "Acme only")
    await confirm(page)
    await create(page).click()
    await page.getByRole("heading", { name: "Your new key" }).waitFor()
    const { body } = await pod().owner.query("apiKeys.list", {})
    const [{ grant, workspaceId: boundTo }] = body.result.data
    assert.deepStrictEqual([grant.permissions, grant.workspaceIds ?? null, boundTo], [["*"], null, workspaceId])
    await pod().owner.send("POST", "/api/hub/knowledge", { key: "acme.rule", value: "No.", workspaceId })
    const knowledge = await fetch(`${pod().baseUrl}/api/hub/knowledge?workspaceId=${workspaceId}`, {
      headers: { authorization: `Bearer ${await secretOn(page)}` }
    })
    assert.strictEqual(knowledge.status, 200)
    assert.include(await knowledge.text(), "acme.rule")
  })

  it("the form for a new key shows whether the key could call an operation, and how its access would differ from the access of an existing key", async () => {
    await pod().aKey(pod().owner, { keyName: "The other one" })
    const page = await open("/keys/new?permissions=entity.note.read&name=Compared")
    const side = preview(page)
    await side.getByLabel("Operation").fill("documents.list")
    await side.getByRole("button", { name: "Ask" }).click()
    await side.getByText("No", { exact: true }).waitFor()
    await side.getByLabel("With another key or role").selectOption({ label: await labelOf(page, "The other one") })
    await side.getByText(/The other grant: Reads everything that you can see\./).waitFor()
    await side.getByText(/Operations that only the other grant allows: \d+/).waitFor()
    await page.setViewportSize({ width: narrow, height: 900 })
    await assertNoSidewaysScroll(page)
    await assertAccessible(page)
  })

  it("the preview of a key says which kinds and workspaces the key can read, and says for some records why the key can or cannot read them", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Ops")
    const note = await pod().owner.send("POST", "/api/hub/entities", {
      profileSlug: "note",
      title: "Seen",
      workspaceId
    })
    await pod().owner.send("POST", "/api/hub/entities", { profileSlug: "task", title: "Hidden", workspaceId })
    await pod().owner.send("POST", "/api/hub/knowledge", { key: "ops.rule", value: "No.", workspaceId })
    const page = await open(`/keys/new?permissions=entity.note.read,document.read&workspaces=${workspaceId}`)
    const side = preview(page)
    await side.getByText(/^Reads notes and documents in Ops\. Cannot write\. Expires /).waitFor()
    await side.getByText(/1 of \d+ notes?$/).click()
    await side.getByRole("listitem").filter({ hasText: "Seen" }).getByText("by entity.note.read").waitFor()
    await side.getByText(/0 of \d+ tasks?$/).click()
    await side.getByText("The grant has no permission that covers entity.task.read.").first().waitFor()
    await side.getByText(/0 of \d+ knowledge (?:entry|entries)$/).waitFor()
    await side.getByLabel("Operation").fill(`GET /api/hub/entities/${note.body.id}`)
    await side.getByRole("button", { name: "Ask" }).click()
    await side.getByText("Yes", { exact: true }).waitFor()
    await side.getByLabel("Operation").fill("svc_create_document")
    await side.getByRole("button", { name: "Ask" }).click()
    await side.getByText("No", { exact: true }).waitFor()
    const answer = side.locator("dl").last()
    await answer.getByText("document.read").waitFor()
    await side.getByLabel("Operation").fill("GET /api/hub/nothing")
    await side.getByRole("button", { name: "Ask" }).click()
    await side.getByText("The pod has no GET /api/hub/nothing.").waitFor()
    await assertScreenFits(page, "key-preview-rules")
  })

  it("if the pod refuses to create a key, the console shows the reasons, and a person can ask whether a key could make this call", async () => {
    const member = await pod().aPerson()
    await pod().aKey(member, { keyName: "Mine" })
    const page = await open("/keys/new?recipe=read", { session: member.headers["x-session-token"] ?? "" })
    await page.getByLabel(/^An app or service/).check()
    await page.getByLabel("Name of the app or service").fill("sync")
    await nameIt(page, "Not mine to make")
    await confirm(page)
    await create(page).click()
    await page.getByRole("button", { name: "Why?" }).click()
    const reasons = page.getByRole("dialog", { name: "Why? apiKeys.create" })
    await reasons.getByText("Only the owner of the pod can create keys for services.").waitFor()
    await reasons.getByLabel("Can this key do it?").selectOption({ index: 1 })
    await reasons.getByText("No", { exact: true }).waitFor()
    await reasons.getByText("SESSION_ONLY").waitFor()
    await assertScreenFits(page, "why-refused")
  })

  it("in the drawer of a key, a person can ask for each refused call whether the key can make this call now", async () => {
    const narrow = await pod().aKey(pod().owner, { keyName: "Tasks", grant: { permissions: ["entity.task.create"] } })
    await narrow.send("POST", "/api/hub/documents", { title: "No" })
    await pod().run(Effect.flatMap(KeyUsage, ({ flush }) => flush))
    const page = await open(`/connections?key=${narrow.id}`)
    const drawer = page.getByRole("dialog", { name: "Tasks" })
    await drawer.getByRole("tab", { name: "Last calls" }).click()
    await drawer.getByRole("button", { name: "Can this key do it?" }).click()
    const reasons = page.getByRole("dialog", { name: "Can this key do it? POST /api/hub/documents" })
    await reasons.getByText("No", { exact: true }).waitFor()
    await reasons.getByText("document.create").waitFor()
  })

  it("the last calls of a key say which call became a proposal, and link to the proposal", async () => {
    const agent = await pod().owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
    const key = await pod().aKey(pod().owner, { keyName: "Scribe key", agentId: agent.body.result.data.id })
    await key.send("POST", "/api/hub/entities", { profileSlug: "note", title: "Proposed by the scribe" })
    await pod().run(Effect.flatMap(KeyUsage, ({ flush }) => flush))
    const page = await open(`/connections?key=${key.id}`)
    const drawer = page.getByRole("dialog", { name: "Scribe key" })
    await drawer.getByRole("tab", { name: "Last calls" }).click()
    await drawer.getByText("became a proposal").waitFor()
    await drawer.getByRole("link", { name: "Open the proposal" }).click()
    await page.getByRole("heading", { name: /Proposed by the scribe/ }).waitFor()
  })

  it("if the pod refuses to create a key, the form keeps the values that the person typed", async () => {
    const member = await pod().aPerson()
    const page = await open("/keys/new?recipe=read", { session: member.headers["x-session-token"] ?? "" })
    await page.getByLabel(/^An app or service/).check()
    await page.getByLabel("Name of the app or service").fill("sync")
    await nameIt(page, "Not mine to make")
    await confirm(page)
    await create(page).click()
    await page.getByText("Only the owner of the pod can create keys for services.").waitFor()
    assert.strictEqual(await page.getByLabel("Name of the key").inputValue(), "Not mine to make")
  })

  it("the page Connect shows the connection light of the key in its address, keeps the chosen client there, and says which chat clients cannot connect", async () => {
    const key = await pod().aKey(pod().owner, { keyName: "Existing" })
    const page = await open(`/connect?client=codex&key=${key.id}`)
    await page.getByRole("region", { name: /the lines/ }).waitFor()
    await page.getByText("Waiting for the first call with this key").waitFor()
    await assertScreenFits(page, "connect")
    await key.send("GET", "/api/hub/entities?limit=1", undefined, { "user-agent": "curl/8.5.0" })
    await page.getByText("Connected: curl 8.5.0 via REST.").waitFor()
    await pod().owner.mutate("apiKeys.revoke", { keyId: key.id })
    await key.send("GET", "/api/hub/entities?limit=1")
    await page.getByText(/Connected, but the last call was refused/).waitFor()
    await page.getByText("a key that was revoked or replaced").waitFor()
    await page.getByText("such as claude.ai and ChatGPT, cannot connect").waitFor()
    await page.getByRole("tab", { name: "n8n" }).click()
    await page.waitForURL(/client=n8n/)
  })
})

const labelOf = async (page: Page, name: string): Promise<string> => {
  const option = page.locator("option", { hasText: name }).first()
  await option.waitFor({ state: "attached" })
  return (await option.innerText()).trim()
}
