/** The box with the further actions of a row of a list. */
import { assert } from "vitest"
import { assertAccessible, describeConsole, it } from "./consoleScene.ts"

describeConsole("the further actions of a row", ({ open, pod }) => {
  it("the box with the further actions of a key closes after an action, after a click elsewhere, and with Escape, and then the button that opened the box has the focus", async () => {
    await pod().aKey(pod().owner, { keyName: "Boxed" })
    const page = await open("/connections?q=Boxed")
    const [more, rename] = [page.getByLabel("More for Boxed"), page.getByRole("button", { name: "Rename Boxed" })]
    await more.click()
    await rename.waitFor()
    await assertAccessible(page)
    await page.getByRole("heading", { name: "Connections" }).click()
    await rename.waitFor({ state: "hidden" })
    await more.press("Enter")
    await page.keyboard.press("Tab")
    await page.locator("button:focus", { hasText: "Rotate" }).waitFor()
    await page.keyboard.press("Escape")
    await page.locator("button[aria-label='More for Boxed']:focus").waitFor()
    await rename.waitFor({ state: "hidden" })
    await more.click()
    await rename.click()
    await page.getByRole("dialog", { name: "Rename this key" }).waitFor()
    await page.keyboard.press("Escape")
    await page.locator("button[aria-label='More for Boxed']:focus").waitFor()
    assert.isFalse(await rename.isVisible())
  })
})
