/**
 * The tables of the console in a browser: people sort all rows of a list, choose the columns, and select several rows.
 */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { assertAccessible, assertNoSidewaysScroll, describeConsole, it, narrow } from "./consoleScene.ts"

const namesIn = async (page: Page): Promise<ReadonlyArray<string>> =>
  (await page.getByRole("table").locator("tbody tr td:nth-child(2) button").allInnerTexts()).map((text) => text.trim())

const headerOf = (page: Page, name: string) => page.getByRole("columnheader", { name })
const sorterOf = (page: Page, name: string) => headerOf(page, name).getByRole("button")

describeConsole("tables in the console", ({ open, pod, signInAgain }) => {
  /** Makes a person with keys of these names. Returns the page with the list of connections. */
  const withKeys = async (names: ReadonlyArray<string>) => {
    const person = await pod().aPerson()
    for (const keyName of names) await pod().aKey(person, { keyName })
    return (path: string, width?: number) =>
      open(path, {
        session: person.headers["x-session-token"] ?? "",
        ...(width === undefined ? {} : { width })
      })
  }

  it("a click on a column header of the console sorts all rows, tells screen readers the order, and writes the order into the address", async () => {
    const visit = await withKeys(["note 10", "Émile", "note 9", "Zoe"])
    const page = await visit("/connections")
    await page.getByText("4 of 4 keys").waitFor()
    assert.strictEqual(await headerOf(page, "Name").getAttribute("aria-sort"), "none")
    await sorterOf(page, "Name").click()
    await page.waitForURL(/sort=name/)
    assert.deepStrictEqual(await namesIn(page), ["Émile", "note 9", "note 10", "Zoe"])
    assert.strictEqual(await headerOf(page, "Name").getAttribute("aria-sort"), "ascending")
    await assertAccessible(page)
    await sorterOf(page, "Name").click()
    await page.waitForURL(/sort=-name/)
    assert.deepStrictEqual(await namesIn(page), ["Zoe", "note 10", "note 9", "Émile"])
    assert.strictEqual(await headerOf(page, "Name").getAttribute("aria-sort"), "descending")
    await sorterOf(page, "Name").click()
    await page.waitForURL((url) => !url.search.includes("sort"))
    assert.deepStrictEqual(await namesIn(page), ["Zoe", "note 9", "Émile", "note 10"])
    const again = await visit("/connections?sort=name")
    await again.getByText("4 of 4 keys").waitFor()
    assert.deepStrictEqual(await namesIn(again), ["Émile", "note 9", "note 10", "Zoe"])
  })

  it("a person sorts a table of the console with the keyboard alone, and the focus stays on the column header", async () => {
    const page = await (await withKeys(["b", "a"]))("/connections")
    await sorterOf(page, "Name").focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(/sort=name/)
    assert.deepStrictEqual(await namesIn(page), ["a", "b"])
    await page.keyboard.press("Space")
    await page.waitForURL(/sort=-name/)
    assert.deepStrictEqual(await namesIn(page), ["b", "a"])
  })

  it("the console sorts a list of several pages as a whole and not page by page", async () => {
    const names = Array.from({ length: 52 }, (_, at) => `key ${at + 1}`)
    const page = await (await withKeys(names))("/connections?sort=name&page=2")
    await page.getByText("51–52 of 52").waitFor()
    assert.deepStrictEqual(await namesIn(page), ["key 51", "key 52"])
    await sorterOf(page, "Name").click()
    await page.getByText("1–50 of 52").waitFor()
    assert.deepStrictEqual((await namesIn(page)).slice(0, 2), ["key 52", "key 51"])
  })

  it("the console sorts the records of a kind by title or by time of change if all these records are on one page, and offers no sorting of longer lists", async () => {
    const person = await pod().aPerson()
    const session = person.headers["x-session-token"] ?? ""
    const write = (at: number) => person.send("POST", "/api/hub/entities", { profileSlug: "note", title: `Note ${at}` })
    for (const at of [9, 10, 8]) await write(at)
    const path = "/explore?kind=note&sort=title"
    const page = await open(path, { session })
    const titles = page.getByRole("table").locator("tbody a")
    await titles.first().waitFor()
    assert.deepStrictEqual(await titles.allInnerTexts(), ["Note 8", "Note 9", "Note 10"])
    await sorterOf(page, "Changed").click()
    await page.waitForURL(/sort=changed/)
    assert.deepStrictEqual(await titles.allInnerTexts(), ["Note 9", "Note 10", "Note 8"])
    await assertAccessible(page)
    for (let at = 100; at < 148; at++) await write(at)
    const longer = await open(path, { session })
    const listed = longer.getByRole("table").locator("tbody a")
    await listed.first().waitFor()
    assert.strictEqual((await listed.allInnerTexts())[0], "Note 147")
    assert.strictEqual(await longer.getByRole("columnheader").getByRole("button").count(), 0)
  })

  it("if the address of a console page has an unknown column as the order, the order of the rows does not change", async () => {
    const page = await (await withKeys(["b", "a"]))("/connections?sort=nothing")
    await page.getByText("2 of 2 keys").waitFor()
    assert.deepStrictEqual(await namesIn(page), ["a", "b"])
  })

  it("a person chooses the columns of a console table, and the browser keeps the choice after a reload", async () => {
    const visit = await withKeys(["Laptop"])
    const page = await visit("/connections")
    await page.getByRole("button", { name: "Columns of Connections" }).click()
    const dialog = page.getByRole("dialog", { name: "Columns of Connections" })
    assert.isTrue(await dialog.getByLabel("Name").isDisabled())
    await dialog.getByLabel("Held by").uncheck()
    await assertAccessible(page)
    await dialog.getByRole("button", { name: "Done" }).click()
    await headerOf(page, "Held by").waitFor({ state: "detached" })
    await page.reload()
    await headerOf(page, "Last use").waitFor()
    assert.strictEqual(await headerOf(page, "Held by").count(), 0)
    await page.getByRole("button", { name: "Columns of Connections" }).click()
    await dialog.getByRole("button", { name: "Default columns" }).click()
    await page.keyboard.press("Escape")
    await headerOf(page, "Held by").waitFor()
  })

  it("two people who use one browser each have their own choice of the columns of a console table", async () => {
    const [one, other] = [await pod().aPerson(), await pod().aPerson()]
    for (const person of [one, other]) await pod().aKey(person, { keyName: "Laptop" })
    const page = await open("/connections", { session: one.headers["x-session-token"] ?? "" })
    const columns = page.getByRole("button", { name: "Columns of Connections" })
    const dialog = page.getByRole("dialog", { name: "Columns of Connections" })
    await columns.click()
    await dialog.getByLabel("Held by").uncheck()
    await dialog.getByRole("button", { name: "Done" }).click()
    await headerOf(page, "Held by").waitFor({ state: "detached" })
    await signInAgain(page, other.headers["x-session-token"] ?? "")
    await headerOf(page, "Held by").waitFor()
    await columns.click()
    await dialog.getByLabel("Last use").uncheck()
    await dialog.getByRole("button", { name: "Done" }).click()
    await headerOf(page, "Last use").waitFor({ state: "detached" })
    await signInAgain(page, one.headers["x-session-token"] ?? "")
    await headerOf(page, "Last use").waitFor()
    assert.strictEqual(await headerOf(page, "Held by").count(), 0)
  })

  it("the header checkbox of the table of keys selects the keys on the page that are not revoked, and a click with Shift selects a range", async () => {
    const page = await (await withKeys(["one", "two", "three", "four"]))("/connections?sort=name")
    await page.getByRole("button", { name: "Revoke four" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Revoke four" }).click()
    await page.getByRole("row").filter({ hasText: "revoked" }).waitFor()
    await page.getByLabel("Select all on this page").check()
    await page.getByRole("button", { name: "Revoke 3 selected" }).waitFor()
    await page.getByRole("button", { name: "Clear the selection" }).click()
    await page.getByRole("checkbox", { name: /Select one/ }).click()
    await page.getByRole("checkbox", { name: /Select two/ }).click({ modifiers: ["Shift"] })
    await page.getByRole("button", { name: "Revoke 3 selected" }).waitFor()
  })

  it("on a phone a person sorts the cards of a console table with the field “Sort by”, and selects all of them", async () => {
    const page = await (await withKeys(["b", "a"]))("/connections", narrow)
    await page.getByLabel("Sort by").selectOption({ label: "Name, ascending" })
    await page.waitForURL(/sort=name/)
    assert.deepStrictEqual(await namesIn(page), ["a", "b"])
    await page.getByLabel("Select all on this page").check()
    await page.getByRole("button", { name: "Revoke 2 selected" }).waitFor()
    await assertAccessible(page)
    await assertNoSidewaysScroll(page)
  })
})
