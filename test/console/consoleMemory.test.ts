/** Tests the memory screen in a browser: a person reads, finds, forgets and exports facts. */
import { readFile } from "node:fs/promises"
import { assert, beforeEach } from "vitest"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"
import { ok } from "./proposalScene.ts"

const long = `The release plan is long. ${"Each step is written down in full and none is left out. ".repeat(30)}The last word is marzipan.`

describeConsole("the memory screen", ({ open, pod }) => {
  const remember = async (fact: string, fields: object = {}) =>
    ok(await pod().owner.send("POST", "/api/hub/memory", { fact, ...fields })).id as string
  const facts = async (): Promise<ReadonlyArray<{ readonly id: string; readonly fact: string }>> =>
    ok(await pod().owner.send("GET", "/api/hub/memory?limit=100"))

  beforeEach(async () => {
    const ids = (await facts()).map(({ id }) => id)
    if (ids.length > 0) ok(await pod().owner.send("POST", "/api/hub/memory/forget", { ids }))
  })

  it("the memory screen without a fact says what memory is for, and how to connect a program that stores facts", async () => {
    const page = await open("/memory")
    await page.getByText("Nothing is remembered yet.").waitFor()
    await assertScreenFits(page, "memory-empty")
    await page.getByRole("link", { name: "Connect a program" }).click()
    await page.getByRole("heading", { name: "Connect" }).waitFor()
  })

  it("the memory screen shows the whole text of a fact and its certainty, and marks an imported fact", async () => {
    await remember(long, { confidence: 0.65 })
    await remember("Ana leads the migration.", { imported: true })
    const page = await open("/memory")
    await page.getByText("The last word is marzipan.").waitFor()
    await page.getByText("65 % certain").waitFor()
    await page.getByText("imported", { exact: true }).waitFor()
    await assertScreenFits(page, "memory-facts")
  })

  it("with the keyboard alone a person searches the memory for words, and the address of the page keeps the words", async () => {
    await remember("The staging database moves on Friday.")
    await remember("Coffee is in the kitchen.")
    const page = await open("/memory")
    await page.getByText("Coffee is in the kitchen.").waitFor()
    await page.getByLabel("Words").focus()
    await page.keyboard.type("staging database")
    await page.keyboard.press("Enter")
    await page.getByText("Coffee is in the kitchen.").waitFor({ state: "detached" })
    await page.getByText("The staging database moves on Friday.").waitFor()
    assert.include(page.url(), "q=staging+database")
    await page.reload()
    await page.getByText("The staging database moves on Friday.").waitFor()
  })

  it("a search in the memory shows why each fact was found, and the score of each fact", async () => {
    await remember("The staging database moves on Friday.")
    const page = await open("/memory?q=staging&why=true")
    await page.getByText(/Place 1\. Score \d+\.\d{3}\. The fact has the word “staging”\./).waitFor()
    await assertScreenFits(page, "memory-why")
  })

  it("a search for facts similar to a fact does not find the fact itself", async () => {
    await remember("The staging database moves on Friday.")
    await remember("The staging database needs a new disk.")
    await remember("Coffee is in the kitchen.")
    const page = await open("/memory")
    await page.getByRole("link", { name: "Similar to The staging database moves" }).click()
    await page.getByText("Facts that are similar to").waitFor()
    const list = page.getByRole("list", { name: "Facts" })
    await list.getByText("The staging database needs a new disk.").waitFor()
    assert.strictEqual(await list.getByText("moves on Friday").count(), 0)
  })

  it("a person makes the memory forget a fact and then restores the fact with Undo", async () => {
    await remember("Forget me once.")
    const page = await open("/memory")
    await page.getByRole("button", { name: "Forget Forget me once." }).click()
    await page.getByText("Nothing is remembered yet.").waitFor()
    assert.deepStrictEqual(await facts(), [])
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("Forget me once.").waitFor()
    assert.lengthOf(await facts(), 1)
  })

  it("a person restores a fact that was forgotten earlier in the list of forgotten facts", async () => {
    await remember("Find me again.")
    ok(await pod().owner.send("POST", "/api/hub/memory/forget", { query: "Find me again" }))
    const page = await open("/memory")
    await page.getByRole("tab", { name: "Forgotten" }).click()
    await page.getByText("Find me again.").waitFor()
    assert.include(page.url(), "tab=forgotten")
    await assertScreenFits(page, "memory-forgotten")
    await page.getByRole("button", { name: "Restore Find me again." }).click()
    await page.getByText("Find me again.").waitFor({ state: "detached" })
    await page.getByRole("tab", { name: "Facts" }).click()
    await page.getByText("Find me again.").waitFor()
  })

  it("if the pod cannot restore a forgotten fact, the message says so and offers to try again", async () => {
    await remember("Forget me twice.")
    const page = await open("/memory")
    await page.getByRole("button", { name: "Forget Forget me twice." }).click()
    await page.route("**/api/hub/memory/*/restore", (route) =>
      route.fulfill({ status: 503, json: { error: "The database is busy.", code: "UNAVAILABLE" } })
    )
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("1 of 1 could not be restored.").waitFor()
    await page.unroute("**/api/hub/memory/*/restore")
    await page.getByRole("button", { name: "Retry" }).click()
    await page.getByText("Remembered again.").waitFor()
    assert.include(JSON.stringify(await facts()), "Forget me twice.")
  })

  it("before a person forgets all facts with certain words, the memory screen counts and shows these facts", async () => {
    await remember("The old office has a piano.")
    await remember("The old office closes in May.")
    await remember("The new office opens in June.")
    const page = await open("/memory")
    await page.getByRole("button", { name: "Forget everything about …" }).click()
    const dialog = page.getByRole("dialog", { name: "Forget everything about …" })
    await dialog.getByLabel("Words").fill("old office")
    await page.keyboard.press("Enter")
    await dialog.getByText("2 facts would be forgotten:").waitFor()
    await assertScreenFits(page, "memory-forget")
    assert.lengthOf(await facts(), 3)
    await dialog.getByRole("button", { name: "Forget these 2 facts" }).click()
    await dialog.waitFor({ state: "detached" })
    assert.deepStrictEqual(
      (await facts()).map(({ fact }) => fact),
      ["The new office opens in June."]
    )
  })

  it("if a person asks to forget all facts with certain words and no fact contains these words, no fact is forgotten", async () => {
    await remember("A fact.")
    const page = await open("/memory")
    await page.getByRole("button", { name: "Forget everything about …" }).click()
    await page.getByRole("dialog").getByLabel("Words").fill("zebra")
    await page.keyboard.press("Enter")
    await page.getByText("No fact contains all of “zebra”.").waitFor()
    assert.strictEqual(await page.getByRole("button", { name: /^Forget th/ }).count(), 0)
  })

  it("the memory screen shows duplicate facts, and a person chooses which fact to keep", async () => {
    await remember("Ana and Ben walked their two small dogs through the long dark forest.")
    await remember("Ana and Ben walked their two small dogs through the long dark valley.")
    await remember("Coffee is in the kitchen.")
    const page = await open("/memory?tab=duplicates")
    await page.getByText("All 3 facts were compared").waitFor()
    await assertScreenFits(page, "memory-duplicates")
    await page
      .getByRole("button", { name: /^Keep only this: .*dogs/ })
      .first()
      .click()
    await page.getByText("No two facts say nearly the same.").waitFor()
    assert.lengthOf(await facts(), 2)
  })

  it("the file that a person exports from the memory screen contains the whole text of every fact", async () => {
    const ids = [await remember(long), await remember("Ana leads the migration.")]
    const page = await open("/memory")
    await page.getByText("Ana leads the migration.").waitFor()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click()
    ])
    const saved = JSON.parse(await readFile(await download.path(), "utf8"))
    assert.sameMembers(
      saved.map(({ id }: { readonly id: string }) => id),
      ids
    )
    assert.include(
      saved.map(({ fact }: { readonly fact: string }) => fact),
      long
    )
  })

  it("the history of a fact on the memory screen shows that the fact was added and then said again", async () => {
    await remember("Said twice.")
    await remember("Said twice.")
    const page = await open("/memory")
    await page.getByText("said 2 times").waitFor()
    await page.getByRole("button", { name: "History of Said twice." }).click()
    const dialog = page.getByRole("dialog", { name: "History of the fact" })
    await dialog.getByText("Said again").waitFor()
    await dialog.getByText("Added").waitFor()
  })

  it("a fact that a program stores appears on the memory screen at once", async () => {
    const page = await open("/memory")
    await page.getByText("Nothing is remembered yet.").waitFor()
    const key = await pod().aKey(pod().owner)
    ok(await key.send("POST", "/api/hub/memory", { fact: "Written by a program." }))
    await page.getByText("Written by a program.").waitFor()
  })
})
