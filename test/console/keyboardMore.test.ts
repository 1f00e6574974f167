/**
 * A person does these tasks with the keyboard alone: becomes the first owner, resolves conflicts, decides on batches,
 * revokes several keys, shares a vault entry, and changes the settings of a workspace.
 */
import type { Page } from "playwright-core"
import { assert, beforeEach } from "vitest"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aColleague } from "../support/membership.ts"
import { describeConsole, it } from "./consoleScene.ts"
import { keyboardOf } from "./keyboardScene.ts"
import { aNote, anAgent, emptyInbox, ok, proposalOf, type ProposingAgent, recordOf } from "./proposalScene.ts"
import { anUnclaimedPod } from "./unclaimedPod.ts"

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name })
const buttonIn = (place: Pick<Page, "getByRole">, name: string | RegExp) =>
  place.getByRole("button", { name, exact: typeof name === "string" })

describeConsole("setup, conflicts, batches, sharing and workspaces by keyboard alone", ({ open, pod }) => {
  let scribe: ProposingAgent
  beforeEach(async () => {
    scribe ??= await anAgent(pod(), "Scribe")
    await emptyInbox(pod())
  })

  const sent = async (page: Page, id: string, status: string) => {
    await page.clock.fastForward(6_000)
    while ((await proposalOf(pod(), id)).status !== status) {
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
    }
  }

  it("with the keyboard alone the first owner fills in the setup screen, shows the typed password, and opens the screen that makes the first key", async () => {
    const unclaimed = await anUnclaimedPod()
    try {
      const page = await open(`/setup#${await unclaimed.aLinkToken()}`, { at: unclaimed.baseUrl, session: null })
      const keyboard = keyboardOf(page)
      const password = page.getByLabel("Password", { exact: true })
      await keyboard.write(page.getByLabel("E-mail address"), "ada@example.com")
      await keyboard.write(password, "too short")
      await keyboard.keys(["Enter"], page.getByText("Use a password of 12 to 128 characters."))
      await keyboard.write(password, "correct horse battery staple")
      await keyboard.press(buttonIn(page, "Show"), page.locator("input[name=password][type=text]"))
      await keyboard.to(password, "Shift+Tab")
      await keyboard.keys(["Enter"], page.getByRole("heading", { name: "You own this pod" }))
      await keyboard.press(
        page.getByRole("link", { name: "Create the first key" }),
        page.getByRole("heading", { name: "New key", level: 1 })
      )
    } finally {
      await unclaimed.stop()
    }
  })

  it("with the keyboard alone a person resolves a conflict field by field, and approves the result", async () => {
    const note = await aNote(pod(), { title: "Stale plan", description: "Old" })
    const id = await scribe.change(note, { title: "Scribe's title", description: "Scribe's text" })
    ok(await pod().owner.send("PATCH", `/api/hub/entities/${note}`, { title: "Own title", description: "Own text" }))
    const page = await open("/inbox", { hasClock: true })
    const keyboard = keyboardOf(page)
    await keyboard.skipToContent()
    const conflicts = page.getByRole("region", { name: "Conflicts" })
    await keyboard.press(page.getByRole("listitem").filter({ hasText: "Scribe" }).getByRole("link").first(), conflicts)
    const title = conflicts.getByRole("group", { name: "title" })
    const description = conflicts.getByRole("group", { name: "description" })
    /** Goes to the choices of a field, and presses an arrow key until the choice with this name is selected. */
    const pick = async (group: typeof title, name: string) => {
      await keyboard.to(group.getByRole("radio"))
      await keyboard.keys(["Space"], page.locator("input:focus"))
      const wanted = group.getByLabel(name)
      for (let step = 0; step < 3 && !(await wanted.isChecked()); step++) {
        await keyboard.keys(["ArrowDown"], page.locator("input:focus"))
      }
      assert.isTrue(await wanted.isChecked())
    }
    await pick(title, "Keep what is there now")
    await pick(description, "Write my own")
    await keyboard.write(conflicts.getByLabel("Own value for description"), "Both texts")
    await keyboard.press(
      buttonIn(conflicts, "Save the resolution"),
      page.getByRole("button", { name: "Approve", disabled: false })
    )
    await keyboard.press(buttonIn(page, "Approve"), page.getByText("Nothing waits for you."))
    await sent(page, id, "approved")
    assert.deepInclude(await recordOf(pod(), note), { title: "Own title", description: "Both texts" })
  })

  it("with the keyboard alone a person cancels the rejection of all proposals of an agent, approves these proposals, and reads the outcomes", async () => {
    const first = await scribe.create({ title: "Batch one" })
    const second = await scribe.create({ title: "Batch two" })
    const page = await open("/inbox?group=agent", { hasClock: true })
    const keyboard = keyboardOf(page)
    const selected = page.getByRole("region", { name: "Selected proposals" })
    await keyboard.skipToContent()
    await keyboard.toggle(page.getByLabel("Select all of Scribe"))
    await keyboard.press(buttonIn(selected, "Reject 2"), dialogOf(page, /^Reject/))
    await keyboard.keys(["Escape"], selected)
    await keyboard.press(buttonIn(selected, "Approve 2"), page.getByText("Nothing waits for you."))
    ok(await pod().owner.send("POST", `/api/hub/proposals/${second}/reject`, {}))
    await page.clock.fastForward(6_000)
    const outcomes = dialogOf(page, "1 of 2 took effect")
    await outcomes.waitFor()
    await keyboard.press(buttonIn(outcomes, "Close the list"), page.locator(":focus"))
    assert.strictEqual((await proposalOf(pod(), first)).status, "approved")
  })

  it("with the keyboard alone a person revokes several keys at once, and the focus stays in the list of connections", async () => {
    for (const keyName of ["Many one", "Many two"]) await pod().aKey(pod().owner, { keyName })
    const page = await open("/connections?q=many")
    const keyboard = keyboardOf(page)
    const question = dialogOf(page, "Revoke these keys?")
    await keyboard.skipToContent()
    await keyboard.toggle(page.getByRole("checkbox", { name: /Select Many one/ }))
    await keyboard.toggle(page.getByRole("checkbox", { name: /Select Many two/ }))
    await keyboard.to(buttonIn(page, "Revoke 2 selected"), "Shift+Tab")
    await keyboard.keys(["Enter"], question)
    await keyboard.press(buttonIn(question, "Revoke 2 keys"), page.getByRole("row").filter({ hasText: "revoked" }))
    await question.waitFor({ state: "detached" })
    await keyboard.keys(["Tab"], page.locator("main :focus"))
  })

  it("with the keyboard alone a person shares a vault entry with another person, and ends the sharing", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Harbour office")
    await aColleague(pod(), { kind: "pglite", open: anEmbedded }, workspaceId, "editor", "grace")
    await pod().owner.mutate("secretsVault.create", { name: "Gate code", value: "4711 and a bit" })
    const page = await open("/settings?show=Vault")
    const keyboard = keyboardOf(page)
    const shares = dialogOf(page, "Who reads Gate code")
    await keyboard.skipToContent()
    await keyboard.press(buttonIn(page, "Share Gate code"), shares)
    const stop = buttonIn(shares, "Stop sharing with grace")
    await keyboard.press(buttonIn(shares, "Share"), stop)
    await keyboard.press(stop, shares.getByText("Shared with nobody."))
    await keyboard.keys(["Escape"], page.locator("button:focus", { hasText: "Share" }))
  })

  it("with the keyboard alone a person asks what the governance gate would decide, and sets the model routing and the data sources of a workspace", async () => {
    const id = await pod().aWorkspace(pod().owner, "Governed")
    await pod().owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: scribe.id, workspaceId: id })
    const page = await open(`/workspaces/${id}?show=Policy`)
    const keyboard = keyboardOf(page)
    await keyboard.skipToContent()
    await keyboard.choose(page.getByLabel("Who writes"), "Scribe")
    await keyboard.write(page.getByLabel("Of the kind"), "note")
    await keyboard.press(buttonIn(page, "Ask the gate"), page.getByText("waits for a person"))
    await page.goto(`${pod().baseUrl}/admin/workspaces/${id}?show=Routing`)
    await keyboard.skipToContent()
    await keyboard.choose(page.getByLabel("Models run"), /hybrid/i)
    await keyboard.choose(page.getByLabel("Default provider"), "openai")
    await keyboard.toggle(page.getByLabel("openai", { exact: true }))
    await keyboard.write(page.getByLabel("Model of openai"), "small")
    await keyboard.press(buttonIn(page, "Save the routing"), page.getByText("The routing is saved."))
    await page.goto(`${pod().baseUrl}/admin/workspaces/${id}?show=Sources`)
    await keyboard.skipToContent()
    await keyboard.write(page.getByLabel("Source", { exact: true }), "gmail")
    await keyboard.write(page.getByLabel("Roles of the source"), "inbox, archive")
    await keyboard.write(page.getByLabel("Default for these roles"), "inbox")
    await keyboard.press(buttonIn(page, "Save the source"), page.getByText("inbox, archive"))
  })
})
