/**
 * Tests two numbers that the console shows: how many proposals wait, and how many settled proposals are similar to the
 * open proposal.
 */
import { assert, beforeAll, beforeEach } from "vitest"
import { describeConsole, it, panelNamed } from "./consoleScene.ts"
import { aNote, anAgent, emptyInbox, ok, type ProposingAgent } from "./proposalScene.ts"

describeConsole("the counts of proposals in the console", ({ open, pod }) => {
  let scribe: ProposingAgent
  let clerk: ProposingAgent
  beforeAll(async () => {
    if (pod === undefined) return
    scribe = await anAgent(pod(), "Scribe")
    clerk = await anAgent(pod(), "Clerk")
  })
  beforeEach(() => emptyInbox(pod()))

  it("a snoozed proposal is counted neither in the navigation nor on the home screen until the person ends the snooze", async () => {
    const id = await scribe.create({ title: "Count me later" })
    await scribe.create({ title: "Count me now" })
    const page = await open("/inbox")
    await page.getByLabel("2 waiting").waitFor()
    await page.getByRole("link", { name: "Count me later" }).click()
    await page.getByRole("button", { name: "Approve" }).waitFor()
    await page.keyboard.press("s")
    await page.getByRole("button", { name: "For an hour" }).click()
    await page.getByLabel("1 waiting").waitFor()
    const home = await open("/")
    const waiting = panelNamed(home, "Waiting for your decision")
    await waiting.getByRole("link", { name: "Count me now" }).waitFor()
    await home.getByLabel("1 waiting").waitFor()
    assert.strictEqual(await waiting.getByRole("link", { name: "Count me later" }).count(), 0)
    await home.getByRole("button", { name: "API", exact: true }).click()
    await home.getByText(`exceptIds=${id}`).first().waitFor()
    await page.getByRole("link", { name: "Snoozed", exact: true }).click()
    await page.getByRole("link", { name: "Count me later" }).click()
    await page.getByText("Hidden from your inbox until").waitFor()
    await page.getByRole("button", { name: "End the snooze" }).click()
    await page.getByLabel("2 waiting").waitFor()
    await page.getByText("No proposal is snoozed.").waitFor()
  })

  it("the page of a proposal lists the latest five decided proposals of the same kind and agent, and says how many more of them exist", async () => {
    const alike: Array<string> = []
    for (let at = 0; at < 7; at++) alike.push(await scribe.create({ title: `Settled ${at}` }))
    for (const id of alike) ok(await pod().owner.send("POST", `/api/hub/proposals/${id}/reject`, {}))
    const id = await scribe.create({ title: "Open" })
    const other = await aNote(pod())
    await scribe.change(other, { title: "Of another kind" })
    for (let at = 0; at < 101; at++) await clerk.create({ title: `Of another agent ${at}` })
    const { total } = ok(
      await pod().owner.send("GET", `/api/hub/proposals?status=settled&proposalType=entity.create&actorId=${scribe.id}`)
    )
    const page = await open(`/inbox/${id}`)
    await page.getByText(`and ${total - 5} more`).waitFor()
    for (const at of [2, 3, 4, 5, 6]) await page.getByRole("link", { name: `Settled ${at}` }).waitFor()
    assert.strictEqual(await page.getByRole("link", { name: /Of another/ }).count(), 0)
  })
})
