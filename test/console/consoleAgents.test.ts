/**
 * Tests the agents screens in a browser: what an agent may write, who approves the writes, which keys and rules the
 * agent has, and what the agent did.
 */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { assertAccessible, assertScreenFits, describeConsole, it } from "./consoleScene.ts"

/** Finds a row by its HTML element, because a row behind an open drawer has no role. */
const rowOf = (page: Page, name: string) => page.locator("tr").filter({ hasText: name })
const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name })

describeConsole("agents in the console", ({ open, pod }) => {
  interface ListedAgent {
    readonly id: string
    readonly name: string
    readonly capabilities: ReadonlyArray<string>
    readonly writesRequireProposal: boolean
    readonly isSuspended: boolean
  }
  const anAgent = async (name: string, capabilities: ReadonlyArray<string> = []): Promise<ListedAgent> =>
    (await pod().owner.mutate("agents.create", { name, capabilities })).body.result.data
  const agents = async (): Promise<ReadonlyArray<ListedAgent>> =>
    (await pod().owner.query("agents.list", {})).body.result.data

  it("if a person has no agent, the page of agents explains what an agent is, and the person can create an agent that only reads", async () => {
    const page = await open("/agents")
    await page.getByText("You have no agent yet.").waitFor()
    await assertScreenFits(page, "agents-empty")
    await page.getByRole("button", { name: "Create the first agent" }).click()
    const dialog = dialogOf(page, "New agent")
    await dialog.getByText("No box is ticked, so the agent can only read.").waitFor()
    await dialog.getByLabel("Name").fill("Librarian")
    await dialog.getByRole("button", { name: "Create the agent" }).click()
    await dialogOf(page, "Librarian").waitFor()
    await page.keyboard.press("Escape")
    await rowOf(page, "Librarian").getByText("reads only").waitFor()
    await assertScreenFits(page, "agents")
  })

  it("a person ticks the capabilities of an agent and chooses whether its writes need approval, and the pod stores both choices", async () => {
    const { id } = await anAgent("Writer")
    const page = await open(`/agents?agent=${id}`)
    const drawer = dialogOf(page, "Writer")
    await drawer.getByRole("checkbox", { name: "entity.note.create", exact: true }).check()
    await drawer.getByText("The agent may make the ticked changes, and you approve each change first.").waitFor()
    await assertScreenFits(page, "agent-drawer")
    await drawer.getByLabel("I approve its writes first").uncheck()
    await drawer.getByRole("button", { name: "Save the agent" }).click()
    await rowOf(page, "Writer").getByText("writes without approval").waitFor()
    const found = (await agents()).find((agent) => agent.id === id)
    assert.deepStrictEqual([found?.capabilities, found?.writesRequireProposal], [["entity.note.create"], false])
  })

  it("a person suspends an agent after one confirmation that shows the name of the agent, and can end the suspension later", async () => {
    const { id } = await anAgent("Runaway")
    const key = await pod().aKey(pod().owner, { agentId: id, keyName: "Key of Runaway" })
    const page = await open(`/agents?agent=${id}`)
    await dialogOf(page, "Runaway").getByRole("button", { name: "Suspend" }).click()
    const question = dialogOf(page, "Suspend Runaway?")
    await assertAccessible(page)
    await question.getByRole("button", { name: "Suspend Runaway" }).click()
    await rowOf(page, "Runaway").getByText("suspended").waitFor()
    assert.strictEqual((await key.send("GET", "/api/hub/entities")).status, 401)
    await dialogOf(page, "Runaway").getByRole("button", { name: "End the suspension" }).click()
    await rowOf(page, "Runaway").getByText("active").waitFor()
    assert.strictEqual((await key.send("GET", "/api/hub/entities")).status, 200)
  })

  it("the page of an agent lists its keys, and the form for a new key has this agent as the holder of the key", async () => {
    const { id } = await anAgent("Holder")
    await pod().aKey(pod().owner, { agentId: id, keyName: "Key of Holder" })
    const page = await open(`/agents?agent=${id}`)
    const drawer = dialogOf(page, "Holder")
    await drawer.getByRole("tab", { name: "Keys" }).click()
    await drawer.getByText(/Key of Holder …/).waitFor()
    await assertAccessible(page)
    await drawer.getByRole("link", { name: "New key for this agent" }).click()
    await page.getByRole("heading", { name: "New key", level: 1 }).waitFor()
    await page.locator(`select option[value="${id}"]:checked`).waitFor({ state: "attached" })
  })

  it("a person adds a governance rule for an agent and revokes the rule", async () => {
    const { id } = await anAgent("Ruled", ["entity"])
    const page = await open(`/agents?agent=${id}`)
    const drawer = dialogOf(page, "Ruled")
    await drawer.getByRole("tab", { name: "Rules" }).click()
    await drawer.getByText("No rule names this agent.").waitFor()
    // With an empty form, the button is not disabled without a reason: the browser says which field is missing.
    const action = drawer.getByLabel("Action")
    await drawer.getByRole("button", { name: "Add the rule" }).click()
    assert.isTrue(await action.evaluate((field: HTMLInputElement) => field.validity.valueMissing))
    await action.fill("entity.create")
    await drawer.getByRole("button", { name: "Add the rule" }).click()
    await drawer.getByText("without asking", { exact: true }).waitFor()
    await assertScreenFits(page, "agent-rules")
    await drawer.getByRole("button", { name: "Revoke the rule about entity.create" }).click()
    await drawer.getByText("No rule names this agent.").waitFor()
  })

  it("in the list of an agent's activity, a proposal has a link to the inbox", async () => {
    const { id } = await anAgent("Proposer", ["entity"])
    const key = await pod().aKey(pod().owner, { agentId: id, keyName: "Key of Proposer" })
    const filed = await key.send("POST", "/api/hub/entities", { profileSlug: "note", title: "Proposed note" })
    assert.strictEqual(filed.body.status, "proposed")
    const page = await open(`/agents?agent=${id}`)
    const drawer = dialogOf(page, "Proposer")
    await drawer.getByRole("tab", { name: "What it did" }).click()
    await drawer.getByText("waiting", { exact: true }).waitFor()
    await assertScreenFits(page, "agent-activity")
    await drawer.getByRole("link").first().click()
    await page.waitForURL(new RegExp(`/inbox/${filed.body.proposalId}`))
  })

  it("the list of an agent's activity says if the agent has done nothing, and otherwise shows each event with the decision of the governance gate", async () => {
    const idle = await anAgent("Idle")
    const busy = await anAgent("Busy", ["entity"])
    await pod().owner.mutate("agents.update", { agentId: busy.id, writesRequireProposal: false })
    const key = await pod().aKey(pod().owner, { agentId: busy.id, keyName: "Key of Busy" })
    const written = await key.send("POST", "/api/hub/entities", { profileSlug: "note", title: "Written alone" })
    assert.strictEqual(written.status, 200, JSON.stringify(written.body))
    const asked = await key.send("DELETE", `/api/hub/entities/${written.body.id}`)
    assert.strictEqual(asked.body.status, "proposed", JSON.stringify(asked.body))
    const page = await open(`/agents?agent=${idle.id}`)
    await dialogOf(page, "Idle").getByRole("tab", { name: "What it did" }).click()
    await dialogOf(page, "Idle").getByText("None yet.").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Busy", exact: true }).click()
    const drawer = dialogOf(page, "Busy")
    await drawer.getByRole("tab", { name: "What it did" }).click()
    const lines = drawer.getByRole("listitem")
    await lines.filter({ hasText: "proposal.create" }).getByText("propose, by the rule destructive").waitFor()
    const event = lines.filter({ hasText: "entity.note.create" })
    await event.getByText("allow, by the rule").waitFor()
    await event.getByRole("link", { name: "entity.note.create" }).click()
    await page.waitForURL(/\/events\?event=/)
    await dialogOf(page, "Event").getByRole("heading", { name: "entity.note.create" }).waitFor()
  })

  it("on the page of agents a person finds agents by name, capability or workspace, and the address of the page keeps the search text", async () => {
    const names = ["Found by name", "Collector", "Member"] as const
    await anAgent(names[0])
    await anAgent(names[1], ["document.update"])
    const member = await anAgent(names[2])
    const workspaceId = await pod().aWorkspace(pod().owner, "Quayside")
    const joined = await pod().owner.send("POST", "/api/hub/workspaces/enroll-agent", {
      agentUserId: member.id,
      workspaceId
    })
    assert.strictEqual(joined.status, 200, JSON.stringify(joined.body))
    const page = await open("/agents")
    const find = page.getByLabel("Find")
    for (const [text, shown] of [
      ["found BY name", names[0]],
      ["document.up", names[1]],
      ["quayside", names[2]]
    ] as const) {
      await find.fill(text)
      for (const name of names) {
        await rowOf(page, name).waitFor({ state: name === shown ? "visible" : "detached" })
      }
    }
    await page.waitForURL(/q=quayside/)
    await page.reload()
    await rowOf(page, names[2]).waitFor()
    assert.strictEqual(await find.inputValue(), "quayside")
  })

  it("a person can create an agent with the keyboard alone", async () => {
    const page = await open("/agents")
    await page.getByRole("button", { name: "New agent" }).focus()
    await page.keyboard.press("Enter")
    await dialogOf(page, "New agent").getByLabel("Name").focus()
    await page.keyboard.type("By keyboard")
    await page.keyboard.press("Enter")
    await dialogOf(page, "By keyboard").waitFor()
    assert.isTrue((await agents()).some(({ name }) => name === "By keyboard"))
  })
})
