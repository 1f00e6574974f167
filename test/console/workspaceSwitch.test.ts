/**
 * The workspace switch in the top bar chooses one workspace or all workspaces. The choice is the filter of the screens,
 * and the browser remembers it.
 */
import { assert } from "vitest"
import { assertNoSidewaysScroll, assertScreenFits, describeConsole, it, narrow } from "./consoleScene.ts"

describeConsole("the workspace switch of the console", ({ open, pod }) => {
  it("the pages Explore and Events have the workspace of the workspace switch as their filter, also after a reload, until the person chooses all workspaces", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Harbour")
    const page = await open("/explore")
    const choice = page.getByLabel("Working in")
    await choice.selectOption({ label: "Harbour" })
    await page.waitForURL(new RegExp(`explore\\?.*workspaceId=${workspaceId}`))
    await page.getByRole("link", { name: "Events" }).click()
    await page.waitForURL(new RegExp(`events\\?.*workspaceId=${workspaceId}`))
    await page.getByRole("link", { name: "Home" }).click()
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
    await page.reload()
    await page.waitForFunction(
      (id) => document.querySelector<HTMLSelectElement>("header select")?.value === id,
      workspaceId
    )
    await assertScreenFits(page, "workspace-switch")
    await page.goto(`${pod().baseUrl}/admin/explore`)
    await page.waitForURL(new RegExp(`workspaceId=${workspaceId}`))
    await choice.selectOption({ label: "All I can see" })
    await page.waitForURL((url) => !url.search.includes("workspaceId"))
    await page.getByRole("link", { name: "Events" }).click()
    await page.getByRole("heading", { level: 1, name: "Events" }).waitFor()
    assert.notInclude(page.url(), "workspaceId")
  })

  it("a person who chooses all workspaces in the filter of a screen also chooses all workspaces in the workspace switch", async () => {
    const page = await open("/events")
    await page.getByLabel("Workspace", { exact: true }).selectOption({ label: "Harbour" })
    await page.waitForURL(/workspaceId=/)
    await page.getByLabel("Workspace", { exact: true }).selectOption({ label: "Everywhere" })
    await page.waitForURL((url) => !url.search.includes("workspaceId"))
    assert.strictEqual(await page.getByLabel("Working in").inputValue(), "")
  })

  it("if the address of a page contains a workspace, the console shows this workspace and not the remembered workspace", async () => {
    const other = await pod().aWorkspace(pod().owner, "Depot")
    const page = await open("/explore")
    await page.getByLabel("Working in").selectOption({ label: "Harbour" })
    await page.waitForURL(/workspaceId=/)
    await page.goto(`${pod().baseUrl}/admin/explore?workspaceId=${other}`)
    await page.getByLabel("Working in").waitFor()
    assert.strictEqual(await page.getByLabel("Working in").inputValue(), other)
  })

  it("the console forgets a remembered workspace that the person can no longer see", async () => {
    const page = await open("/events")
    await page.getByRole("heading", { level: 1, name: "Events" }).waitFor()
    await page.evaluate((id) => {
      localStorage.setItem(`pod-workspace:/admin:${id}`, "01890a5d-ac96-774b-bcce-b302099a8057")
    }, pod().ownerId)
    await page.goto(`${pod().baseUrl}/admin/explore`)
    await page.getByRole("heading", { level: 1, name: "Explore" }).waitFor()
    await page.waitForURL((url) => !url.search.includes("workspaceId"))
  })

  it("on a phone the workspace switch is in the menu", async () => {
    const page = await open("/explore", { width: narrow })
    await page.getByRole("button", { name: "Menu" }).click()
    await page.getByLabel("Working in").selectOption({ label: "Harbour" })
    await page.waitForURL(/workspaceId=/)
    await assertNoSidewaysScroll(page)
  })
})
