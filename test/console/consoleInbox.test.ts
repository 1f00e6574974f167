/** The inbox in a browser: a person reads proposals, decides on them, and takes a decision back. */
import type { Page } from "playwright-core"
import { assert, beforeAll, beforeEach } from "vitest"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"
import { aNote, anAgent, emptyInbox, ok, proposalOf, type ProposingAgent, recordOf } from "./proposalScene.ts"

/**
 * Moves the clock of the page forward until a decision can no longer be undone. The page must be open with `hasClock`.
 */
const undoTimePasses = (page: Page) => page.clock.fastForward(6_000)

/** Waits until the condition is true, and checks it again after each frame of the page. */
const until = async (page: Page, is: () => Promise<boolean>) => {
  while (!(await is())) await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
}

describeConsole("the inbox", ({ open, pod }) => {
  let scribe: ProposingAgent
  let clerk: ProposingAgent
  beforeAll(async () => {
    if (pod === undefined) return
    scribe = await anAgent(pod(), "Scribe")
    clerk = await anAgent(pod(), "Clerk")
  })
  beforeEach(() => emptyInbox(pod()))

  const statusOf = async (id: string) => (await proposalOf(pod(), id)).status as string
  const row = (page: Page, name: string) => page.getByRole("link", { name })

  it("the inbox without proposals says what arrives in the inbox, and how to connect an agent", async () => {
    const page = await open("/inbox")
    await page.getByText("Nothing waits for you.").waitFor()
    await assertScreenFits(page, "inbox-empty")
    await page.getByRole("link", { name: "Connect an agent" }).click()
    await page.getByRole("heading", { name: "Connect" }).waitFor()
  })

  it("if no decided proposal has the chosen outcome, the inbox shows a link to the waiting proposals", async () => {
    const page = await open("/inbox?tab=decided&status=reverted")
    await page.getByText("No proposal has this outcome.").waitFor()
    await page.getByRole("link", { name: "Show what waits" }).click()
    await page.getByText("Nothing waits for you.").waitFor()
  })

  it("the inbox shows who made a proposal and why, its changes in three forms, whether the changes are still possible, and the rung that decided", async () => {
    const note = await aNote(pod())
    await scribe.change(note, { description: "Meet on Friday.\nBring the map.\nLeave at one." })
    const page = await open("/inbox")
    await row(page, "Plan").click()
    const proposal = page.getByRole("region", { name: "Open proposal" })
    await proposal.getByText("It is clearer.").waitFor()
    await proposal.getByText("Agent Scribe").waitFor()
    await proposal.getByText("with the key").getByRole("link").waitFor()
    await proposal.getByText("Nobody else changed these fields since it was proposed.").waitFor()
    await proposal.getByText("The person or agent that asked may still make this change.").waitFor()
    await proposal.getByText("Rule of the gate:").waitFor()
    const lines = proposal.getByRole("region", { name: "Lines of description" })
    assert.include(await lines.innerText(), "Meet on Monday.")
    await assertScreenFits(page, "inbox-open")
    await page.keyboard.press("d")
    await proposal.getByRole("button", { name: "Split", pressed: true }).waitFor()
    assert.include(page.url(), "look=split")
    await assertScreenFits(page, "inbox-split")
    await proposal.getByRole("button", { name: "Words" }).click()
    await proposal.locator("del", { hasText: "Monday" }).waitFor()
    await proposal.locator("ins", { hasText: "Friday" }).waitFor()
  })

  it("a person ticks a viewed field of a proposal, and the inbox hides the change of this field until the tick is removed", async () => {
    const note = await aNote(pod())
    await scribe.change(note, { title: "Ticked plan", description: "Meet on Sunday." })
    const page = await open("/inbox")
    await row(page, "Plan").click()
    const proposal = page.getByRole("region", { name: "Open proposal" })
    const lines = proposal.getByRole("region", { name: "Lines of description" })
    await lines.waitFor()
    await proposal.getByRole("checkbox", { name: "Viewed description" }).check()
    await lines.waitFor({ state: "detached" })
    await proposal.getByRole("region", { name: "Lines of title" }).waitFor()
    await assertScreenFits(page, "inbox-viewed")
    await proposal.getByRole("checkbox", { name: "Viewed description" }).uncheck()
    await lines.waitFor()
  })

  it("the inbox shows a proposed Markdown text as source or rendered, and shows above the text how sure the agent is", async () => {
    await scribe.create({
      title: "Rendered",
      description: "# Opening hours\n\n- **Monday** to Friday\n- not on [holidays](https://example.com/days)",
      properties: { confidence: 0.4 }
    })
    const page = await open("/inbox")
    await row(page, "Rendered").click()
    const proposal = page.getByRole("region", { name: "Open proposal" })
    await proposal.getByText("40 % sure, the agent says").waitFor()
    await proposal.getByText("# Opening hours").first().waitFor()
    await proposal.getByRole("button", { name: "Rendered description" }).click()
    const after = proposal.getByRole("region", { name: "After" })
    await after.locator("strong", { hasText: "Monday" }).waitFor()
    assert.strictEqual(
      await after.getByRole("link", { name: "holidays" }).getAttribute("href"),
      "https://example.com/days"
    )
    await assertScreenFits(page, "inbox-rendered")
  })

  it("the rows of the inbox say how sure the agent is about its proposal, and nothing if the agent does not say it", async () => {
    await scribe.create({ title: "A guess", properties: { confidence: 0.35 } })
    await scribe.create({ title: "No number" })
    const page = await open("/inbox")
    await row(page, "A guess").getByText("35 % sure", { exact: true }).waitFor()
    assert.notInclude(await row(page, "No number").innerText(), "sure")
  })

  it("with the keyboard alone a person opens and approves the next proposal, and the record changes when the time to undo is over", async () => {
    const note = await aNote(pod(), { title: "Key plan" })
    const id = await scribe.change(note, { title: "Better key plan" })
    const page = await open("/", { hasClock: true })
    // The page handles shortcut keys only when this heading is visible.
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor()
    await page.keyboard.press("g")
    await page.keyboard.press("i")
    // The home screen shows the proposal too, so the test first waits for the inbox.
    await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor()
    await row(page, "Key plan").waitFor()
    await page.keyboard.press("j")
    await page.getByRole("region", { name: "Open proposal" }).getByRole("button", { name: "Approve" }).waitFor()
    await page.keyboard.press("a")
    await page.getByText("Nothing waits for you.").waitFor()
    assert.strictEqual(await statusOf(id), "pending")
    await undoTimePasses(page)
    await until(page, async () => (await statusOf(id)) === "approved")
    assert.strictEqual((await recordOf(pod(), note)).title, "Better key plan")
  })

  it("in the inbox, the key `z` undoes an approval before the approval is sent to the pod", async () => {
    const id = await scribe.create({ title: "Undo me" })
    const page = await open("/inbox")
    await row(page, "Undo me").click()
    await page.getByRole("button", { name: "Approve" }).waitFor()
    await page.keyboard.press("a")
    await page.getByText("Nothing waits for you.").waitFor()
    await page.keyboard.press("z")
    await row(page, "Undo me").waitFor()
    assert.strictEqual(await statusOf(id), "pending")
  })

  it("if a person leaves the inbox, the console sends the decisions whose 5 seconds for undo have not ended yet", async () => {
    const id = await scribe.create({ title: "Leave with me" })
    const page = await open("/inbox")
    await row(page, "Leave with me").click()
    await page.getByRole("button", { name: "Approve" }).click()
    await page.getByText("Nothing waits for you.").waitFor()
    await page.goto(`${pod().baseUrl}/livez`)
    await until(page, async () => (await statusOf(id)) === "approved")
  })

  it("if a person signs out, the inbox sends the waiting decisions before the session ends", async () => {
    const id = await scribe.create({ title: "Sign out with me" })
    const page = await open("/inbox")
    await row(page, "Sign out with me").click()
    await page.getByRole("button", { name: "Approve" }).click()
    await page.getByText("Nothing waits for you.").waitFor()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    assert.strictEqual(await statusOf(id), "approved")
  })

  it("the inbox asks for the reason of a rejection, and the agent can read the reason", async () => {
    const id = await scribe.create({ title: "Reject me" })
    const page = await open("/inbox", { hasClock: true })
    await row(page, "Reject me").click()
    await page.getByRole("button", { name: "Reject" }).waitFor()
    await page.keyboard.press("r")
    await page.getByLabel("Reason", { exact: true }).fill("We have this already.")
    await page.getByLabel("Kind of reason").selectOption("duplicate")
    await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click()
    await undoTimePasses(page)
    await until(page, async () => (await statusOf(id)) === "rejected")
    const seen = ok(await scribe.caller.send("GET", `/api/hub/proposals/${id}`))
    assert.deepInclude(seen, { statusReason: "We have this already.", reasonCode: "duplicate" })
  })

  it("a person edits and approves a proposal, and the form shows a message and stays open if a typed value is not JSON", async () => {
    const note = await aNote(pod(), { title: "Edit plan", properties: { place: "Here" } })
    const id = await scribe.change(note, { title: "Edited by Scribe", properties: { place: "There" } })
    const page = await open("/inbox", { hasClock: true })
    await row(page, "Edit plan").click()
    await page.getByRole("button", { name: "Approve" }).waitFor()
    await page.keyboard.press("e")
    const form = page.getByRole("dialog")
    await form.getByLabel("title").fill("Edited by the owner")
    await form.getByLabel("properties").fill("{ no JSON")
    await form.getByRole("button", { name: "Save and approve" }).click()
    await form.getByText("This is not JSON").waitFor()
    await form.getByLabel("properties").fill(`{ "place": "Everywhere" }`)
    await form.getByRole("button", { name: "Save and approve" }).click()
    await undoTimePasses(page)
    await until(page, async () => (await statusOf(id)) === "approved")
    const record = await recordOf(pod(), note)
    assert.strictEqual(record.title, "Edited by the owner")
    assert.strictEqual(record.properties.place, "Everywhere")
  })

  it("for each field that changed after the proposal, the inbox lets a person choose the current value or type another one, and the person approves the result", async () => {
    const note = await aNote(pod(), { title: "Stale plan", description: "Old" })
    const id = await scribe.change(note, { title: "Scribe's title", description: "Scribe's text" })
    ok(
      await pod().owner.send("PATCH", `/api/hub/entities/${note}`, {
        title: "Owner's title",
        description: "Owner's text"
      })
    )
    const page = await open("/inbox", { hasClock: true })
    await page.getByRole("navigation", { name: "Lists of the inbox" }).waitFor()
    await page.getByRole("listitem").filter({ hasText: "Scribe" }).getByRole("link").first().click()
    const conflicts = page.getByRole("region", { name: "Conflicts" })
    await conflicts.getByText("2 fields were changed since this was proposed").waitFor()
    const approve = page.getByRole("button", { name: "Approve" })
    assert.isTrue(await approve.isDisabled())
    const reasonId = await approve.getAttribute("aria-describedby")
    assert.include(await page.locator(`#${reasonId}`).innerText(), "Resolve the conflicts below")
    await assertScreenFits(page, "inbox-conflict")
    await conflicts.getByRole("group", { name: "title" }).getByLabel("Keep what is there now").check()
    await conflicts.getByRole("group", { name: "description" }).getByLabel("Write my own").check()
    await conflicts.getByLabel("Own value for description").fill("Both texts")
    await conflicts.getByRole("button", { name: "Save the resolution" }).click()
    await conflicts.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Approve" }).click()
    await undoTimePasses(page)
    await until(page, async () => (await statusOf(id)) === "approved")
    const record = await recordOf(pod(), note)
    assert.deepInclude(record, { title: "Owner's title", description: "Both texts" })
  })

  it("a new proposal appears in the inbox without a reload", async () => {
    const page = await open("/inbox")
    await page.getByText("live", { exact: true }).waitFor()
    await page.getByText("Nothing waits for you.").waitFor()
    await scribe.create({ title: "Just arrived" })
    await row(page, "Just arrived").waitFor()
  })

  it("if two people decide on the same proposal, the second person sees who decided first, and when", async () => {
    const id = await scribe.create({ title: "Two at once" })
    const page = await open("/inbox", { hasClock: true })
    await row(page, "Two at once").click()
    await page.getByRole("button", { name: "Approve" }).click()
    ok(await pod().owner.send("POST", `/api/hub/proposals/${id}/reject`, { reason: "First." }))
    await undoTimePasses(page)
    await page.getByText(/Already rejected by .+ \d+ s ago/).waitFor()
  })

  it("in the inbox a person decides on all proposals of one agent together, and then sees one list of outcomes", async () => {
    const first = await scribe.create({ title: "Batch one" })
    const second = await scribe.create({ title: "Batch two" })
    const other = await clerk.create({ title: "Not of the batch" })
    const page = await open("/inbox?group=agent", { hasClock: true })
    await page.getByLabel("Select all of Scribe").check()
    await assertScreenFits(page, "inbox-batch")
    await page.getByRole("region", { name: "Selected proposals" }).getByRole("button", { name: "Approve 2" }).click()
    await row(page, "Batch one").waitFor({ state: "detached" })
    ok(await pod().owner.send("POST", `/api/hub/proposals/${second}/reject`, {}))
    await undoTimePasses(page)
    await page.getByRole("dialog", { name: "1 of 2 took effect" }).waitFor()
    await assertScreenFits(page, "inbox-outcomes")
    assert.strictEqual(await statusOf(first), "approved")
    assert.strictEqual(await statusOf(other), "pending")
  })

  it("with the keyboard alone, the keys `x` and `Shift-J` select proposals in the inbox, and the key `a` approves all of them", async () => {
    const ids = [await scribe.create({ title: "Row one" }), await scribe.create({ title: "Row two" })]
    const page = await open("/inbox", { hasClock: true })
    await row(page, "Row one").waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    await page.getByText("1 selected").waitFor()
    await page.keyboard.press("Shift+J")
    await page.getByText("2 selected").waitFor()
    await page.keyboard.press("a")
    await undoTimePasses(page)
    await page.getByRole("dialog", { name: "2 of 2 took effect" }).waitFor()
    for (const id of ids) assert.strictEqual(await statusOf(id), "approved")
  })

  it("a click with Shift in the inbox selects the clicked proposal, the proposal of the previous click, and all proposals between the two", async () => {
    for (const title of ["Range one", "Range two", "Range three"]) await scribe.create({ title })
    const page = await open("/inbox")
    await page.getByLabel(/Select .*Range three/).click()
    await page.getByLabel(/Select .*Range one/).click({ modifiers: ["Shift"] })
    await page.getByText("3 selected").waitFor()
    assert.isTrue(await page.getByLabel(/Select .*Range two/).isChecked())
  })

  it("if a person snoozes a proposal, the inbox hides it on every device of this person, and the person can show it again", async () => {
    const id = await scribe.create({ title: "Snooze me" })
    const page = await open("/inbox")
    await row(page, "Snooze me").click()
    await page.getByRole("button", { name: "Approve" }).waitFor()
    await page.keyboard.press("s")
    await page.getByRole("button", { name: "Until tomorrow morning" }).click()
    await page.getByText("Nothing waits for you.").waitFor()
    const elsewhere = await open("/inbox?tab=snoozed")
    await row(elsewhere, "Snooze me").waitFor()
    assert.strictEqual(await statusOf(id), "pending")
    await page.getByRole("button", { name: "Undo" }).click()
    await row(page, "Snooze me").waitFor()
  })

  it("a person can revert an approved change on the page of its proposal", async () => {
    const note = await aNote(pod(), { title: "Revert plan" })
    const id = await scribe.change(note, { title: "Changed by Scribe" })
    ok(await pod().owner.send("POST", `/api/hub/proposals/${id}/approve`, {}))
    const page = await open("/inbox?tab=decided")
    await page.getByRole("link", { name: "Revert plan" }).first().click()
    await page.getByRole("button", { name: "Revert", exact: true }).click()
    await page.getByRole("button", { name: "Revert it" }).click()
    await page.getByText(/Already reverted by you/).waitFor()
    assert.strictEqual((await recordOf(pod(), note)).title, "Revert plan")
  })

  it("the button 'always allow this?' opens the draft of a governance rule, and allows nothing before a person creates the rule", async () => {
    const id = await clerk.create({ title: "Allow me" })
    const page = await open(`/inbox/${id}`)
    await page.getByRole("button", { name: "Always allow this?" }).click()
    await page.getByRole("dialog", { name: "Always allow this?" }).waitFor()
    await assertScreenFits(page, "inbox-rule")
    const rules = async () =>
      ok(await pod().owner.query("governanceRules.listAll")).result.data as ReadonlyArray<object>
    assert.deepStrictEqual(await rules(), [])
    await page.getByRole("button", { name: "Create the rule" }).click()
    await page.getByText("The rule is created.").waitFor()
    const [rule] = await rules()
    assert.deepInclude(rule, {
      agentUserId: clerk.id,
      targetPattern: "entity.create",
      verdict: "auto",
      sourceProposalId: id
    })
    assert.strictEqual(await statusOf(id), "pending")
  })

  it("the help of the inbox lists every keyboard shortcut", async () => {
    await scribe.create({ title: "Help" })
    const page = await open("/inbox")
    await row(page, "Help").waitFor()
    await page.keyboard.press("?")
    const help = page.getByRole("dialog", { name: "Shortcuts" })
    await help.waitFor()
    const keys = await help.locator("kbd").allInnerTexts()
    for (const key of [
      "j",
      "k",
      "x",
      "J",
      "K",
      "a",
      "r",
      "e",
      "z",
      "o",
      "Enter",
      "s",
      "d",
      "g i",
      "g e",
      "g k",
      "?",
      "/"
    ]) {
      assert.include(keys, key)
    }
  })
})
