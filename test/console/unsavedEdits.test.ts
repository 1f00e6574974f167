/** Unsaved edits of an access role, an agent and a policy: the console asks before a person loses them. */
import type { Locator, Page } from "playwright-core"
import { assert } from "vitest"
import { assertAccessible, describeConsole, it } from "./consoleScene.ts"
import { ok } from "./proposalScene.ts"

const questionOn = (page: Page): Locator => page.getByRole("dialog", { name: "Leave without saving?" })

/** Tries to leave a form with unsaved edits, and chooses to stay when the console asks. */
const tryAndStay = async (page: Page, leave: () => Promise<void>): Promise<void> => {
  await leave()
  await questionOn(page).waitFor()
  await questionOn(page).getByRole("button", { name: "Stay here" }).click()
  await questionOn(page).waitFor({ state: "detached" })
}

describeConsole("unsaved edits in the console", ({ open, pod }) => {
  it("the console asks before it closes an access role with unsaved edits, but not after they are undone or saved, and a change of the tab keeps them", async () => {
    const grant = { permissions: ["entity.note.read", "document.read"] }
    const { id } = ok(await pod().owner.mutate("roles.create", { name: "Reader", grant })).result.data
    const page = await open(`/roles?role=${id}&tab=Grant`)
    const drawer = page.getByRole("dialog", { name: "Reader", exact: true })
    const close = () => page.keyboard.press("Escape")
    const note = drawer.getByRole("checkbox", { name: "entity.note.read", exact: true })
    await note.uncheck()
    await tryAndStay(page, close)
    await drawer.getByRole("tab", { name: "Keys" }).click()
    await drawer.getByText("No key was made from this role yet.").waitFor()
    await drawer.getByRole("tab", { name: "Grant" }).click()
    assert.isFalse(await note.isChecked())
    // After this click, the grant has its former permissions again, but in another order.
    await note.check()
    await close()
    await drawer.waitFor({ state: "detached" })
    assert.strictEqual(await questionOn(page).count(), 0)

    await page.getByRole("button", { name: "Reader", exact: true }).click()
    await drawer.getByRole("tab", { name: "Grant" }).click()
    await drawer.getByLabel("Description").fill("Reads notes.")
    await drawer.getByRole("button", { name: "Save the role" }).click()
    await page.getByText("The role Reader is saved.").waitFor()
    await close()
    await drawer.waitFor({ state: "detached" })
  })

  it("the console asks before it closes a filled form for a new access role or agent, but not if the form is empty or was sent", async () => {
    for (const [path, title, submit] of [
      ["/roles?role=new", "New access role", "Create the role"],
      ["/agents?agent=new", "New agent", "Create the agent"]
    ] as const) {
      const page = await open(path)
      const form = page.getByRole("dialog", { name: title })
      const name = form.getByLabel("Name", { exact: true })
      await name.waitFor()
      await page.keyboard.press("Escape")
      await form.waitFor({ state: "detached" })
      await page.goto(page.url().replace(/\?.*/, "") + path.slice(path.indexOf("?")))
      await name.fill("Unsaved")
      await tryAndStay(page, () => page.keyboard.press("Escape"))
      assert.strictEqual(await name.inputValue(), "Unsaved")
      await form.getByRole("checkbox", { name: /^Everything/ }).check()
      await form.getByRole("button", { name: submit }).click()
      await page.getByRole("dialog", { name: "Unsaved", exact: true }).waitFor()
      assert.strictEqual(await questionOn(page).count(), 0)
    }
  })

  it("a person can close the details of an agent without saving the edits, and the console does not ask after the edits are saved", async () => {
    const { id } = ok(await pod().owner.mutate("agents.create", { name: "Scribe" })).result.data
    const page = await open(`/agents?agent=${id}`)
    const drawer = page.getByRole("dialog", { name: /^Scribe/ })
    const ask = drawer.getByLabel("I approve its writes first")
    await ask.uncheck()
    await drawer.getByRole("button", { name: "Save the agent" }).click()
    await page.getByText("The agent Scribe is saved.").waitFor()
    await drawer.getByLabel("Name").fill("Scribe the second")
    await page.keyboard.press("Escape")
    await questionOn(page).getByText("Your changes to the agent Scribe are not saved.").waitFor()
    await assertAccessible(page)
    await questionOn(page).getByRole("button", { name: "Leave without saving" }).click()
    await drawer.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Scribe", exact: true }).click()
    assert.isFalse(await ask.isChecked())
    await page.keyboard.press("Escape")
    await drawer.waitFor({ state: "detached" })
  })

  it("the console asks before it leaves the policy of a workspace with unsaved edits, and does not ask after the edits are undone or saved", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Governed")
    const page = await open(`/workspaces/${workspaceId}?show=Policy`)
    const actions = page.getByLabel("Actions that need no approval")
    const home = page.getByRole("link", { name: "Home", exact: true })
    await actions.fill("entity.create")
    await tryAndStay(page, () => page.getByRole("tab", { name: "Members" }).click())
    await tryAndStay(page, () => home.click())
    assert.strictEqual(await actions.inputValue(), "entity.create")
    await actions.fill("\n")
    await home.click()
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()

    await page.goBack()
    await actions.fill("entity.create\ndocument.create")
    await page.getByRole("button", { name: "Save the policy" }).click()
    await page.getByRole("button", { name: "Save it anyway" }).click()
    await page.getByText("The policy is saved.").waitFor()
    await actions.fill("document.create\nentity.create")
    await home.click()
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
  })
})
