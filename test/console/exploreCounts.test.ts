/** The counts beside the kinds of records on the explore page, and the workspaces of the listed records. */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import type { Answer, Caller } from "../support/pod.ts"
import { describeConsole, it } from "./consoleScene.ts"
import { made } from "./exploreScene.ts"
import { ok } from "./proposalScene.ts"

/** Waits until the page shows a count beside each of these kinds. Returns the texts of the kinds with their counts. */
const countsOf = async (page: Page, kinds: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const list = page.getByRole("navigation", { name: "Kinds of records" })
  const texts = kinds.map(async (kind) => {
    const line = list.getByRole("link", { name: new RegExp(`^${kind} \\d+$`) })
    await line.waitFor()
    return (await line.innerText()).replace(/\s+/g, " ")
  })
  return Promise.all(texts)
}

describeConsole("the counts of records on the explore page", ({ open, pod }) => {
  const send = async (caller: Caller, method: string, path: string, body?: object): Promise<Answer["body"]> =>
    ok(await caller.send(method, `/api/hub/${path}`, body))
  const aNoteOf = (caller: Caller, title: string, place: object = {}) =>
    send(caller, "POST", "entities", { profileSlug: "note", title, ...place })
  const anEntryOf = (caller: Caller, key: string, place: object = {}) =>
    send(caller, "PUT", `knowledge/${key}`, { value: "A value", ...place })
  const kinds = ["Note", "Documents", "Knowledge entries"]

  it("the explore page counts only records that the person may read, in the chosen workspace or in all spaces, and marks the chosen kind", async () => {
    const stranger = await pod().aPerson()
    await aNoteOf(stranger, "Their note")
    await send(stranger, "POST", "documents", { title: "Their document", content: "Text" })
    await anEntryOf(stranger, "theirs")
    const page = await open("/explore?kind=note")
    assert.deepStrictEqual(await countsOf(page, kinds), ["Note 0", "Documents 0", "Knowledge entries 0"])

    const workspaceId = await pod().aWorkspace(pod().owner, "Counted")
    const archived = await aNoteOf(pod().owner, "Archived note")
    await aNoteOf(pod().owner, "Own note")
    await aNoteOf(pod().owner, "Shared note", { workspaceId })
    await send(pod().owner, "POST", "documents", { title: "Shared document", content: "Text", workspaceId })
    await anEntryOf(pod().owner, "own")
    await anEntryOf(pod().owner, "shared", { workspaceId })
    await send(pod().owner, "DELETE", `entities/${archived.id}`)
    await page.reload()
    assert.deepStrictEqual(await countsOf(page, kinds), ["Note 2", "Documents 1", "Knowledge entries 2"])
    await page.goto(`${pod().baseUrl}/admin/explore?kind=note&workspaceId=${workspaceId}`)
    assert.deepStrictEqual(await countsOf(page, kinds), ["Note 1", "Documents 1", "Knowledge entries 1"])
    const ground = (name: string) =>
      page.getByRole("link", { name }).evaluate((line) => getComputedStyle(line).backgroundColor)
    assert.notStrictEqual(await ground("Note 1"), await ground("Documents 1"), "the chosen kind has another background")
  })

  it("when a person makes a record of a kind on the explore page, the page raises the count of this kind", async () => {
    const page = await open("/explore?kind=task")
    assert.deepStrictEqual(await countsOf(page, ["Task"]), ["Task 0"])
    await page.getByRole("button", { name: "New Task" }).first().click()
    const form = page.getByRole("form", { name: "New Task" })
    await form.getByLabel("Title (required)").fill("Counted at once")
    await form.getByRole("button", { name: "Create Task" }).click()
    await page.getByRole("heading", { name: "Counted at once", level: 1 }).waitFor()
    await page.goBack()
    assert.deepStrictEqual(await countsOf(page, ["Task"]), ["Task 1"])
  })

  it("a list of the explore page names the workspace of each record, unless the person has chosen one workspace", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Shipyard")
    await made(pod(), "entities", { profileSlug: "task", title: "Paint the hull", workspaceId })
    await made(pod(), "entities", { profileSlug: "task", title: "Buy paint" })
    await made(pod(), "projects", { name: "Hull of the ferry", workspaceId })
    const page = await open("/explore?kind=task")
    const textOf = async (title: string) => page.getByRole("row").filter({ hasText: title }).innerText()
    await page.getByRole("row").filter({ hasText: "Shipyard" }).waitFor()
    assert.include(await textOf("Paint the hull"), "Shipyard")
    assert.include(await textOf("Buy paint"), "Personal space")
    await page.goto(`${pod().baseUrl}/admin/explore?kind=:project`)
    await page.getByRole("row").filter({ hasText: "Hull of the ferry" }).filter({ hasText: "Shipyard" }).waitFor()
    await page.goto(`${pod().baseUrl}/admin/explore?kind=task&workspaceId=${workspaceId}`)
    await page.getByRole("link", { name: "Paint the hull" }).waitFor()
    assert.strictEqual(await page.getByRole("columnheader", { name: "Workspace" }).count(), 0)
  })
})
