/**
 * Access roles in a browser: a person makes, changes and deletes a role, makes keys from it, and sees which keys differ
 * from a changed role.
 */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { assertAccessible, assertScreenFits, describeConsole, it } from "./consoleScene.ts"

const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name })
const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name })

describeConsole("access roles in the console", ({ open, pod }) => {
  const aRole = async (name: string, permissions: ReadonlyArray<string>) =>
    (await pod().owner.mutate("roles.create", { name, description: `About ${name}`, grant: { permissions } })).body
      .result.data as { readonly id: string }
  const roles = async (): Promise<ReadonlyArray<{ readonly name: string; readonly grant: object }>> =>
    (await pod().owner.query("roles.list", {})).body.result.data

  it("the page of roles without any role explains what a role is for, and offers to make the first role", async () => {
    const page = await open("/roles")
    await page.getByText("You have no access role yet.").waitFor()
    await assertScreenFits(page, "roles-empty")
    await page.getByRole("button", { name: "Create the first role" }).click()
    await dialogOf(page, "New access role").waitFor()
    assert.match(page.url(), /role=new/)
  })

  it("a person makes an access role with the table of permissions, which fits a phone, and sees the preview that the pod makes", async () => {
    const page = await open("/roles?role=new")
    const dialog = dialogOf(page, "New access role")
    await dialog.getByLabel("Name", { exact: true }).fill("Reader of notes")
    await dialog.getByLabel("Description").fill("Reads notes and nothing else.")
    assert.isTrue(await dialog.getByRole("button", { name: "Create the role" }).isDisabled())
    await dialog.getByRole("checkbox", { name: "entity.note.read", exact: true }).check()
    await dialog.getByText("What a key of this role may do").click()
    await dialog.getByText(/Reads notes\./).waitFor()
    await assertScreenFits(page, "role-new")
    await page.setViewportSize({ width: 375, height: 900 })
    const table = dialog.getByRole("region", { name: "Permissions" })
    const [whole, visible] = await table.evaluate(({ clientWidth, scrollWidth }) => [scrollWidth, clientWidth])
    assert.isAtMost(whole ?? 0, visible ?? 0, "a phone shows every column of the table")
    await page.setViewportSize({ width: 1280, height: 900 })
    await dialog.getByRole("button", { name: "Create the role" }).click()
    await dialogOf(page, "Reader of notes").waitFor()
    assert.deepStrictEqual(
      (await roles()).map(({ grant, name }) => [name, grant]),
      [["Reader of notes", { permissions: ["entity.note.read"] }]]
    )
    await dialogOf(page, "Reader of notes").getByText("No key was made from this role yet.").waitFor()
  })

  it("if an access role changes, the keys made from the role keep their grants, and the roles page shows the difference and offers a new key", async () => {
    const { id } = await aRole("Team reader", ["entity.note.read"])
    await pod().aKey(pod().owner, { keyName: "From the role", grant: { roleId: id } })
    const page = await open("/roles")
    await rowOf(page, "Team reader").getByText("none").waitFor()
    await pod().owner.mutate("roles.update", { roleId: id, grant: { permissions: ["document.read"] } })
    await page.reload()
    await rowOf(page, "Team reader").getByText("1 key has an older grant").waitFor()
    await assertScreenFits(page, "roles")
    await rowOf(page, "Team reader").getByRole("button", { name: "Team reader" }).click()
    const drawer = dialogOf(page, "Team reader")
    await drawer.getByText("The role now also allows document.read.").waitFor()
    await drawer.getByText("The role no longer allows entity.note.read, but the key still does.").waitFor()
    await assertScreenFits(page, "role-drift")
    await drawer.getByRole("link", { name: "Create a new key from the role as it is now" }).click()
    await page.getByRole("heading", { name: "New key", level: 1 }).waitFor()
    await page.getByRole("button", { name: /Team reader/, pressed: true }).waitFor()
    assert.isTrue(await page.getByRole("checkbox", { name: "document.read", exact: true }).isChecked())
    await page.getByRole("button", { name: "Create the key" }).click()
    await page.getByRole("heading", { name: "Your new key" }).waitFor()
    const { body } = await pod().owner.query("apiKeys.list", {})
    assert.deepInclude(body.result.data[0].role, { id, isDrifted: false })
  })

  it("if a person makes a key from an access role but changes its permissions in the form, the key is not a key of this role", async () => {
    const { id } = await aRole("Edited away", ["entity.note.read"])
    const page = await open(`/keys/new?role=${id}&name=Edited`)
    await page.getByRole("checkbox", { name: "document.read", exact: true }).check()
    await page.getByRole("button", { name: "Create the key" }).click()
    await page.getByRole("heading", { name: "Your new key" }).waitFor()
    const { body } = await pod().owner.query("apiKeys.list", {})
    assert.isNull(body.result.data[0].role)
  })

  it("a person can change the grant of an access role in the drawer of the role", async () => {
    const { id } = await aRole("Changing", ["entity.note.read"])
    const page = await open(`/roles?role=${id}`)
    const drawer = dialogOf(page, "Changing")
    await drawer.getByRole("tab", { name: "Grant" }).click()
    await drawer.getByRole("checkbox", { name: "document.read", exact: true }).check()
    await drawer.getByRole("button", { name: "Save the role" }).click()
    await page.getByText("The role Changing is saved.").first().waitFor()
    const found = (await roles()).find(({ name }) => name === "Changing")
    assert.deepStrictEqual(found?.grant, { permissions: ["entity.note.read", "document.read"] })
  })

  it("on the roles page a person finds access roles by name, description or permission, and the address of the page keeps the search text", async () => {
    const names = ["Found by its name", "Ferries", "Harbour office"] as const
    await Promise.all([
      aRole(names[0], ["entity.note.read"]),
      pod().owner.mutate("roles.create", {
        name: names[1],
        description: "For people who sell tickets",
        grant: { permissions: ["entity.note.read"] }
      }),
      aRole(names[2], ["entity.event.read"])
    ])
    const page = await open("/roles")
    const find = page.getByLabel("Find")
    for (const [text, shown] of [
      ["by its NAME", names[0]],
      ["sell tickets", names[1]],
      ["entity.event", names[2]]
    ] as const) {
      await find.fill(text)
      for (const name of names) {
        await rowOf(page, name).waitFor({ state: name === shown ? "visible" : "detached" })
      }
    }
    await page.waitForURL(/q=entity\.event/)
    await page.reload()
    await rowOf(page, names[2]).waitFor()
    assert.strictEqual(await find.inputValue(), "entity.event")
    assert.strictEqual(await rowOf(page, names[0]).count(), 0)
  })

  it("with the keyboard alone a person deletes an access role after one confirmation that shows the name of the role", async () => {
    const { id } = await aRole("To be deleted", ["entity.note.read"])
    const page = await open(`/roles?role=${id}`)
    await dialogOf(page, "To be deleted").getByRole("button", { name: "Delete" }).focus()
    await page.keyboard.press("Enter")
    const question = dialogOf(page, "Delete the role To be deleted?")
    await question.getByText("Keys that were made from it stay valid").waitFor()
    await assertAccessible(page)
    await question.getByRole("button", { name: "Delete To be deleted" }).focus()
    await page.keyboard.press("Enter")
    await page.getByText("The role To be deleted is deleted.").first().waitFor()
    assert.isFalse((await roles()).some(({ name }) => name === "To be deleted"))
  })
})
