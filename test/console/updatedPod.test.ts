/** A tab of the console that was opened before the pod was updated. The files of its further screens no longer exist. */
import { assert } from "vitest"
import { assertAccessible, describeConsole, it } from "./consoleScene.ts"

describeConsole("a tab that is older than the pod", ({ open }) => {
  it("if the code of a screen cannot be loaded, the console says that the pod was probably updated, and loads again on request", async () => {
    // The browser reports the missing file as an error of the page. `open` would make the test fail for this error, so the
    // test opens another tab.
    const first = await open("/")
    const tab = await first.context().newPage()
    await tab.goto(first.url())
    await tab.getByRole("heading", { level: 1, name: "Home" }).waitFor()
    await tab.route(/\/assets\/MemoryPage/, (route) => route.abort())
    await tab.getByRole("link", { name: "Memory", exact: true }).click()
    await tab.getByText("Probably the pod was updated").waitFor()
    assert.strictEqual(await tab.getByText("dynamically imported").count(), 0)
    await assertAccessible(tab)
    await tab.unroute(/\/assets\/MemoryPage/)
    await tab.getByRole("button", { name: "Load the console again" }).click()
    await tab.getByRole("heading", { level: 1, name: "Memory" }).waitFor()
  })
})
