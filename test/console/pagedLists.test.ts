/** The pages of a long list in the console: the address has the place of the page, so it can be opened again and shared. */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { describeConsole, it } from "./consoleScene.ts"
import { ok } from "./proposalScene.ts"

const notes = 120 // A page of the list has 50 rows.

const titlesOn = async (page: Page): Promise<ReadonlyArray<string>> => {
  const links = page.getByRole("link", { name: /^Row \d+$/ })
  await links.first().waitFor()
  return links.allTextContents()
}

describeConsole("pages of a list", ({ open, pod }) => {
  it("the pages of a list show each row once although rows are added meanwhile, and the Back button shows the previous page again", async () => {
    const { owner } = pod()
    for (let at = 0; at < notes; at += 1) {
      ok(await owner.send("POST", "/api/hub/entities", { profileSlug: "note", title: `Row ${at}` }))
    }
    const page = await open("/explore?kind=note")
    const seen = [await titlesOn(page)]
    for (const number of [2, 3]) {
      ok(await owner.send("POST", "/api/hub/entities", { profileSlug: "note", title: `Later ${number}` }))
      await page.getByRole("button", { name: "Next page" }).click()
      await page.getByText(`Page ${number}`, { exact: true }).waitFor()
      seen.push(await titlesOn(page))
    }
    assert.deepStrictEqual(
      seen.map(({ length }) => length),
      [50, 50, 20]
    )
    assert.strictEqual(new Set(seen.flat()).size, notes)
    assert.isTrue(await page.getByRole("button", { name: "Next page" }).isDisabled())
    await page.goBack()
    await page.getByText("Page 2", { exact: true }).waitFor()
    assert.deepStrictEqual(await titlesOn(page), seen[1])
    await page.reload()
    assert.deepStrictEqual(await titlesOn(page), seen[1])
    await page.getByRole("button", { name: "First page" }).click()
    await page.getByText("Page 1", { exact: true }).waitFor()
    assert.notInclude(page.url(), "after=")
  })

  it("a person who opens another person's address of a later page gets a message and the first page with the same filter", async () => {
    const page = await open("/explore?kind=note")
    await page.getByRole("button", { name: "Next page" }).click()
    await page.waitForURL(/after=/)
    const { pathname, search } = new URL(page.url())
    const plainLength = await (await open("/explore?kind=note")).evaluate(() => history.length)
    const person = await pod().aPerson()
    ok(await person.send("POST", "/api/hub/entities", { profileSlug: "note", title: "Row 1" }))
    const other = await open(`${pathname}${search}`.replace("/admin", ""), {
      session: person.headers["x-session-token"] ?? ""
    })
    await other.getByText("The address names a page that is not yours. This is the first page.").waitFor()
    assert.deepStrictEqual(await titlesOn(other), ["Row 1"])
    assert.include(other.url(), "kind=note")
    assert.notInclude(other.url(), "after=")
    // The refused address is not in the history, so Back does not return to it.
    assert.strictEqual(await other.evaluate(() => history.length), plainLength)
  })
})
