/**
 * A person manages access keys, roles and agents with the keyboard alone: Tab reaches every control, and the focus is
 * always visible.
 */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { ownerEmail, ownerPassword } from "../support/pod.ts"
import { describeConsole, it } from "./consoleScene.ts"
import { keyboardOf } from "./keyboardScene.ts"

const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name })
const titleOf = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 })
const buttonIn = (place: Pick<Page, "getByRole">, name: string | RegExp) =>
  place.getByRole("button", { name, exact: typeof name === "string" })

describeConsole("keys, roles and agents by keyboard alone", ({ open, pod }) => {
  const keys = async (): Promise<ReadonlyArray<any>> => (await pod().owner.query("apiKeys.list", {})).body.result.data

  it("with the keyboard alone a person signs in, opens a screen from the navigation, and signs out", async () => {
    const page = await open("/connections", { session: null })
    const keyboard = keyboardOf(page)
    await keyboard.write(page.getByLabel("E-mail address"), ownerEmail)
    await keyboard.write(page.getByLabel("Password"), ownerPassword)
    await keyboard.keys(["Enter"], titleOf(page, "Connections"))
    await keyboard.press(page.getByRole("link", { name: "Health" }), titleOf(page, "Health"))
    await keyboard.press(buttonIn(page, "Sign out"), titleOf(page, "Sign in"))
  })

  it("with the keyboard alone a person makes a key in the wizard, stores it, and chooses a client on the page Connect", async () => {
    const page = await open("/keys/new")
    const keyboard = keyboardOf(page)
    await keyboard.skipToContent()
    await keyboard.press(buttonIn(page, /^Read everything/), page.getByText("Reads everything that you can see."))
    await keyboard.write(page.getByLabel("Name of the key"), "Laptop by keyboard")
    await keyboard.to(page.getByLabel("I have checked"))
    await keyboard.keys(["Space"], page.getByLabel("I have checked").and(page.locator(":checked")))
    await keyboard.press(
      page.getByRole("button", { name: "Create the key", disabled: false }),
      page.getByRole("heading", { name: "Your new key" })
    )
    await keyboard.press(buttonIn(page, "I stored it"), page.getByText("Waiting for the first call with this key"))
    await keyboard.to(page.getByRole("tab", { name: "Claude Code" }))
    await keyboard.keys(["ArrowRight", "Enter"], page.getByRole("link", { name: "Add to Cursor" }))
    assert.strictEqual((await keys())[0].keyName, "Laptop by keyboard")
  })

  it("with the keyboard alone a person opens, clones, rotates and revokes a key", async () => {
    await pod().aKey(pod().owner, { keyName: "Turned", expiresInDays: 30 })
    const page = await open("/connections?q=turned")
    const keyboard = keyboardOf(page)
    await keyboard.skipToContent()
    await keyboard.press(buttonIn(page, "Turned"), dialogOf(page, "Turned"))
    await keyboard.keys(["Escape"], page.locator("button:focus", { hasText: "Turned" }))
    await keyboard.press(page.getByLabel("More for Turned"), buttonIn(page, "Clone Turned"))
    await keyboard.press(buttonIn(page, "Clone Turned"), titleOf(page, "New key"))
    assert.strictEqual(await page.getByLabel("Name of the key").inputValue(), "Turned (copy)")
    await page.goBack()
    await keyboard.skipToContent()
    await keyboard.press(page.getByLabel("More for Turned"), buttonIn(page, "Rotate Turned"))
    await keyboard.press(buttonIn(page, "Rotate Turned"), dialogOf(page, "Rotate this key"))
    await keyboard.press(buttonIn(dialogOf(page, "Rotate this key"), "Rotate Turned"), buttonIn(page, "I stored it"))
    await keyboard.press(buttonIn(page, "I stored it"), page.getByText("2 of "))
    await keyboard.press(buttonIn(page, "Revoke Turned").first(), dialogOf(page, "Revoke this key?"))
    await keyboard.press(
      buttonIn(dialogOf(page, "Revoke this key?"), "Revoke Turned"),
      page.getByRole("row").filter({ hasText: "Turned" }).getByText("revoked")
    )
  })

  it("with the keyboard alone a person makes, changes and deletes an access role", async () => {
    const page = await open("/roles")
    const keyboard = keyboardOf(page)
    await keyboard.skipToContent()
    const fresh = dialogOf(page, "New access role")
    await keyboard.press(buttonIn(page, "New role"), fresh)
    await keyboard.write(fresh.getByLabel("Name", { exact: true }), "Reader")
    await keyboard.toggle(fresh.getByRole("checkbox", { name: "entity.note.read", exact: true }))
    const role = dialogOf(page, "Reader")
    await keyboard.press(fresh.getByRole("button", { name: "Create the role", disabled: false }), role)
    await keyboard.to(role.getByRole("tab", { selected: true }))
    await keyboard.keys(["ArrowRight", "Enter"], role.getByRole("tab", { name: "Grant", selected: true }))
    await keyboard.toggle(role.getByRole("checkbox", { name: "document.read", exact: true }))
    await keyboard.press(buttonIn(role, "Save the role"), page.getByText("The role Reader is saved."))
    await keyboard.press(buttonIn(role, "Delete"), dialogOf(page, "Delete the role Reader?"))
    await keyboard.press(
      buttonIn(dialogOf(page, "Delete the role Reader?"), "Delete Reader"),
      page.getByText("The role Reader is deleted.")
    )
    await keyboard.to(buttonIn(page, "New role"), "Shift+Tab")
  })

  it("with the keyboard alone a person makes an agent, lets it write, adds a governance rule for it, and suspends it", async () => {
    const page = await open("/agents")
    const keyboard = keyboardOf(page)
    await keyboard.skipToContent()
    await keyboard.press(buttonIn(page, "New agent"), dialogOf(page, "New agent"))
    await keyboard.write(dialogOf(page, "New agent").getByLabel("Name"), "Scribe")
    const agent = dialogOf(page, "Scribe")
    await keyboard.keys(["Enter"], agent)
    await keyboard.toggle(agent.getByRole("checkbox", { name: "entity.note.create", exact: true }))
    await keyboard.press(
      buttonIn(agent, "Save the agent"),
      page.locator("tr").filter({ hasText: "with approval" }).or(page.getByText("is saved."))
    )
    await keyboard.to(agent.getByRole("tab", { selected: true }), "Shift+Tab")
    const rules = agent.getByRole("tab", { name: "Rules" })
    for (let step = 0; step < 4 && (await rules.getAttribute("aria-selected")) !== "true"; step++) {
      await keyboard.keys(["ArrowRight", "Enter"], agent.getByRole("tab", { selected: true }))
    }
    await keyboard.write(agent.getByLabel("Action"), "entity.create")
    await keyboard.press(buttonIn(agent, "Add the rule"), buttonIn(agent, "Revoke the rule about entity.create"))
    await keyboard.press(buttonIn(agent, "Suspend"), dialogOf(page, "Suspend Scribe?"))
    await keyboard.press(
      buttonIn(dialogOf(page, "Suspend Scribe?"), "Suspend Scribe"),
      buttonIn(agent, "End the suspension")
    )
    await keyboard.press(buttonIn(agent, "End the suspension"), buttonIn(agent, "Suspend"))
  })
})
