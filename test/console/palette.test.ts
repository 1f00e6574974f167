/** The command palette finds pages of the console, and finds records by the beginning of any word in their names. */
import { assert } from "vitest"
import { assertAccessible, describeConsole, it } from "./consoleScene.ts"
import { made } from "./exploreScene.ts"

describeConsole("the command palette", ({ open, pod }) => {
  it("the command palette finds entities, documents and knowledge entries by the beginning of a word, and opens each of them by keyboard", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Harbour")
    await made(pod(), "entities", { profileSlug: "note", title: "Crane inspection", workspaceId })
    await made(pod(), "documents", { title: "The Crankshaft manual", workspaceId })
    await made(pod(), "knowledge", { key: "crates.colour", value: "blue", workspaceId })
    const page = await open("/")
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
    for (const [typed, name] of [
      ["cran", "Crane inspection"],
      ["crank", "The Crankshaft manual"],
      ["crat", "crates.colour"]
    ] as const) {
      await page.keyboard.press("Control+k")
      await page.getByRole("combobox", { name: "Where to go" }).fill(typed)
      const option = page.getByRole("option", { name })
      await option.waitFor()
      if (typed === "cran") await assertAccessible(page)
      for (let step = 0; (await option.getAttribute("aria-selected")) !== "true" && step < 10; step++) {
        await page.keyboard.press("ArrowDown")
      }
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name }).waitFor()
    }
    assert.include(page.url(), `/explore/knowledge/crates.colour?workspaceId=${workspaceId}`)
  })

  it("while the pod searches, the command palette says this, and not that nothing was found", async () => {
    await made(pod(), "entities", { profileSlug: "note", title: "Windlass repair" })
    const page = await open("/")
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
    let answer = () => {}
    const isAsked = new Promise<void>((asked) => {
      void page.route(/\/api\/hub\/entities\?/, async (route) => {
        asked()
        await new Promise<void>((release) => (answer = release))
        await route.continue()
      })
    })
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Where to go" }).fill("windl")
    await isAsked
    await page.getByRole("dialog").getByText("Searching …").waitFor()
    answer()
    await page.getByRole("option", { name: "Windlass repair" }).waitFor()
    assert.strictEqual(await page.getByText("No place or record has this name.").count(), 0)
  })

  it("if no record and no page has a name with the typed words, the command palette says that nothing was found", async () => {
    const page = await open("/")
    await page.getByRole("button", { name: /^Search/ }).click()
    await page.getByRole("combobox", { name: "Where to go" }).fill("zzzz")
    await page.getByText("No place or record has this name.").waitFor()
  })
})
