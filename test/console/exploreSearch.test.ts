/** Tests the search on the explore page in a browser. */
import { assert } from "vitest"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"
import { made } from "./exploreScene.ts"

describeConsole("searching on the explore page", ({ open, pod }) => {
  it("the explore page shows how a question was answered, and marks the words of the question in the results", async () => {
    await made(pod(), "entities", {
      profileSlug: "note",
      title: "Ballast",
      description: "Ballast water is <b>pumped</b> out before the lock."
    })
    const page = await open("/explore?tab=search")
    await page.getByText("Ask the pod a question.").waitFor()
    await assertScreenFits(page, "search-empty")
    await page.getByRole("searchbox", { name: "Question" }).fill("ballast water")
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "Ballast" }).waitFor()
    await page.getByRole("heading", { name: "How the question was answered" }).waitFor()
    assert.match(page.url(), /question=ballast/)
    const marked = await page.locator("mark").allInnerTexts()
    assert.include(
      marked.map((text) => text.toLowerCase()),
      "water"
    )
    await assertScreenFits(page, "search-answer")
  })

  it("the search results on the explore page show the title and the text of a record as text and not as HTML", async () => {
    await made(pod(), "entities", {
      profileSlug: "note",
      title: "Winch <img src=x onerror=alert(1)>",
      description: "The winch <script>alert(1)</script> is <i>stuck</i>."
    })
    const page = await open("/explore?tab=search&question=winch")
    await page.getByRole("link", { name: /Winch/ }).waitFor()
    const main = page.getByRole("main")
    assert.include(await main.innerText(), "<script>alert(1)</script>")
    assert.strictEqual(await main.locator("script, img, i").count(), 0)
  })

  it("on the explore page a person compares the ranking of a question with a second ranking by words alone", async () => {
    for (const title of ["Rope locker", "Rope and chain", "Chain locker"]) {
      await made(pod(), "entities", { profileSlug: "note", title, description: `${title} on deck` })
    }
    const page = await open("/explore?tab=search&question=rope+locker")
    await page.getByRole("link", { name: "Rope locker" }).waitFor()
    await page.getByLabel("Compare with the ranking by words alone").check()
    await page.getByRole("region", { name: "By words alone" }).getByText("Rope locker").waitFor()
    await page.getByRole("region", { name: "Full ranking" }).getByText("Rope locker").waitFor()
    assert.match(page.url(), /compare=true/)
    await assertScreenFits(page, "search-compare")
  })

  it("on the explore page, a knowledge entry in the search results links to its page, and the page says which groups of records were searched", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Dry dock")
    await made(pod(), "knowledge", { key: "mooring-own", value: "How to moor at home: two lines." })
    await made(pod(), "knowledge", { key: "mooring-dock", value: "How to moor in the dock: four lines.", workspaceId })
    const page = await open("/explore?tab=search&question=how+to+moor")
    await page.getByText("Looked in Entities and documents, Knowledge entries of your personal space").waitFor()
    await page.getByRole("link", { name: "mooring-own" }).click()
    await page.getByRole("heading", { name: "mooring-own", level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole("link", { name: "mooring-own" }).waitFor()
    assert.strictEqual(await page.getByText("mooring-dock").count(), 0)
    await page.getByLabel("Workspace").selectOption("Dry dock")
    await page.getByText("Looked in Entities and documents, Knowledge entries (best answer)").waitFor()
    await page.getByRole("link", { name: "mooring-dock" }).click()
    await page.getByRole("heading", { name: "mooring-dock", level: 1 }).waitFor()
    assert.include(page.url(), workspaceId)
  })

  it("if a search finds only weak matches, the explore page shows these matches, and does not show the message for an empty result", async () => {
    await made(pod(), "entities", { profileSlug: "note", title: "Photograph the trailer in snow" })
    const page = await open(`/explore?tab=search&question=${encodeURIComponent("how heavy is the trailer?")}`)
    await page.getByText("Only weak matches, below.").waitFor()
    await page.getByRole("link", { name: "Photograph the trailer in snow" }).waitFor()
    assert.strictEqual(await page.getByText("No record matches.").count(), 0)
  })

  it("the explore page shows a message if a question has no result", async () => {
    const page = await open("/explore?tab=search&question=zzqx")
    await page.getByText("No record matches.").waitFor()
    await assertScreenFits(page, "search-nothing")
    await page.getByRole("button", { name: "Change the question" }).click()
    await page.keyboard.type("zzqy")
    assert.strictEqual(await page.getByRole("searchbox", { name: "Question" }).inputValue(), "zzqy")
    await page.getByRole("link", { name: "Browse the records" }).click()
    await page.getByRole("tab", { name: "Browse", selected: true }).waitFor()
  })

  it("if a question has no result in a workspace, the explore page offers to search everywhere, and finds the record of another space", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Empty quay")
    await made(pod(), "entities", { profileSlug: "note", title: "Capstan", description: "The capstan is oiled." })
    const page = await open(`/explore?tab=search&question=capstan&workspaceId=${workspaceId}`)
    await page.getByText("No record matches.").waitFor()
    await page.getByRole("button", { name: "Search everywhere" }).click()
    await page.getByRole("link", { name: "Capstan" }).waitFor()
    assert.notInclude(page.url(), "workspaceId")
  })
})
