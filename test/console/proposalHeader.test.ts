/** The header of a proposal: who proposes the change, with which key, in which workspace, and why. */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import type { Caller } from "../support/pod.ts"
import { describeConsole, it } from "./consoleScene.ts"
import { aNote, ok } from "./proposalScene.ts"

/** The first panel of the open proposal. */
const headerOf = (page: Page) => page.getByRole("region", { name: "Open proposal" }).locator("section").first()

describeConsole("the header of a proposal", ({ open, pod }) => {
  const anAgent = async (name: string): Promise<string> =>
    ok(await pod().owner.mutate("agents.create", { name, capabilities: ["*"] })).result.data.id
  const aKeyOf = (agentId: string, keyName: string) => pod().aKey(pod().owner, { agentId, keyName })
  const proposed = async (method: string, path: string, key: Caller, body: object): Promise<string> =>
    ok(await key.send(method, `/api/hub/${path}`, body)).proposalId

  it("the header of a proposal names the agent, the key and the workspace of the change, gives the agent's reason, and links to the key", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Harbour")
    const note = await aNote(pod(), { title: "Timetable", workspaceId })
    const agent = await anAgent("Timekeeper")
    ok(await pod().owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agent, workspaceId }))
    await aKeyOf(agent, "Daily run")
    const nightly = await aKeyOf(agent, "Nightly run")
    const id = await proposed("PATCH", `entities/${note}`, nightly, {
      title: "New timetable",
      reasoning: "The ferry leaves earlier in winter."
    })
    const page = await open(`/inbox?id=${id}`)
    const header = headerOf(page)
    await header.getByText("Agent Timekeeper").waitFor()
    await header.getByText("in Harbour").waitFor()
    await header.getByText("The ferry leaves earlier in winter.", { exact: true }).waitFor()
    await header.getByText("with the key Nightly run").waitFor()
    await header.getByRole("link", { name: "Nightly run", exact: true }).click()
    await page.waitForURL(new RegExp(`/connections\\?key=${nightly.id}`))
    await page.getByRole("dialog", { name: "Nightly run" }).waitFor()
  })

  it("the header of a proposal to delete a record warns that the approval deletes the record, and says if the agent gave no reason", async () => {
    const note = await aNote(pod(), { title: "Old timetable" })
    const key = await aKeyOf(await anAgent("Cleaner"), "Cleaning")
    const page = await open(`/inbox?id=${await proposed("DELETE", `entities/${note}`, key, {})}`)
    const header = headerOf(page)
    await header.getByText("Deletes", { exact: true }).waitFor()
    await header.getByText("No reason was given.").waitFor()
  })

  it("the header of a proposal has a link to the event of the request that made the proposal, and the event names the agent", async () => {
    const key = await aKeyOf(await anAgent("Writer"), "Writing")
    const id = await proposed("POST", "entities", key, { profileSlug: "note", title: "Linked" })
    const page = await open(`/inbox?id=${id}`)
    await headerOf(page).getByRole("link", { name: "Events of its request" }).click()
    await page.waitForURL(/\/events\?event=/)
    await page.getByText("proposal.create").first().waitFor()
    await page.getByText(id).first().waitFor()
    await page.getByRole("dialog", { name: "Event" }).getByText("Writer", { exact: true }).waitFor()
  })

  it("the page of a proposal to delete a knowledge entry names the entry, opens it with the key `o`, and lists the fields without a value", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Shop")
    const entry = { key: "sales.best-month", value: "May is the best month.", workspaceId }
    ok(await pod().owner.send("POST", "/api/hub/knowledge", entry))
    const agent = await anAgent("Archivist")
    ok(await pod().owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agent, workspaceId }))
    const key = await aKeyOf(agent, "Archiving")
    const id = await proposed("DELETE", `knowledge/sales.best-month?workspaceId=${workspaceId}`, key, {})
    const page = await open(`/inbox?id=${id}`)
    const proposal = page.getByRole("region", { name: "Open proposal" })
    await proposal.getByText("Deletes sales.best-month knowledge entry").waitFor()
    await proposal.getByRole("heading", { name: "value removed" }).waitFor()
    assert.strictEqual(await proposal.getByRole("heading", { name: "slug removed" }).count(), 0)
    await proposal.getByText(/^Without a value: .*slug: null/).waitFor()
    await page.keyboard.press("o")
    await page.getByRole("heading", { level: 1, name: "sales.best-month" }).waitFor()
  })
})
