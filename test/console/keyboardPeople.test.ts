/**
 * A person uses the home screen, the inbox, workspaces, health, the API page and the settings with the keyboard alone.
 * The focus is always visible.
 */
import type { Page } from "playwright-core"
import { beforeEach } from "vitest"
import { ownerPassword } from "../support/pod.ts"
import { describeConsole, it } from "./consoleScene.ts"
import { keyboardOf } from "./keyboardScene.ts"
import { aNote, anAgent, emptyInbox, ok, proposalOf, type ProposingAgent, post } from "./proposalScene.ts"

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name })
const titleOf = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 })
const buttonIn = (place: Pick<Page, "getByRole">, name: string | RegExp) =>
  place.getByRole("button", { name, exact: typeof name === "string" })

describeConsole("home, inbox, workspaces, health, API and settings by keyboard alone", ({ open, pod }) => {
  let scribe: ProposingAgent
  beforeEach(async () => {
    scribe ??= await anAgent(pod(), "Scribe")
    await emptyInbox(pod())
  })

  it("with the keyboard alone a person reads the home screen, marks the notifications as read, and opens a proposal", async () => {
    await scribe.create({ title: "For Home" })
    await post(pod(), "Two contracts end.")
    const page = await open("/")
    const keyboard = keyboardOf(page)
    await keyboard.skipToContent()
    const waiting = page.locator("section").filter({ hasText: "Waiting for your decision" })
    await waiting.getByRole("link", { name: "For Home" }).waitFor()
    await buttonIn(page, /^Mark as read/)
      .first()
      .waitFor()
    await keyboard.to(buttonIn(page, /^Mark as read/).first())
    for (let left = await buttonIn(page, /^Mark as read/).count(); left > 0; left--) {
      await keyboard.press(buttonIn(page, /^Mark as read/).first(), page.locator(":focus"))
      await page.waitForFunction(
        (count) => document.querySelectorAll('[aria-label^="Mark as read"]').length < count,
        left
      )
    }
    await keyboard.press(waiting.getByRole("link", { name: "For Home" }), buttonIn(page, "Approve"))
  })

  it("with the keyboard alone a person approves, undoes, edits, rejects and snoozes proposals, and reverts an approval", async () => {
    const note = await aNote(pod(), { title: "Berth plan" })
    const changed = await scribe.change(note, { title: "Better berth plan" })
    const page = await open("/inbox", { hasClock: true })
    const keyboard = keyboardOf(page)
    const proposal = page.getByRole("region", { name: "Open proposal" })
    const sent = async (id: string, status: string) => {
      await page.clock.fastForward(6_000)
      while ((await proposalOf(pod(), id)).status !== status) {
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
      }
    }
    await keyboard.skipToContent()
    await keyboard.press(page.getByRole("link", { name: "Berth plan" }), buttonIn(proposal, "Approve"))
    await keyboard.press(buttonIn(proposal, "Approve"), page.getByText("Nothing waits for you."))
    await keyboard.keys(["z"], page.getByRole("link", { name: "Berth plan" }))
    await keyboard.keys(["j"], buttonIn(proposal, "Edit"))
    await keyboard.press(buttonIn(proposal, "Edit"), dialogOf(page, "Edit the proposal"))
    const form = dialogOf(page, "Edit the proposal")
    await keyboard.write(form.getByLabel("title"), "Best berth plan")
    await keyboard.press(buttonIn(form, "Save and approve"), page.getByText("Nothing waits for you."))
    await sent(changed, "approved")
    const refused = await scribe.create({ title: "Refuse me" })
    await page.getByRole("link", { name: "Refuse me" }).waitFor()
    await keyboard.keys(["j"], buttonIn(proposal, "Reject"))
    await keyboard.keys(["r"], dialogOf(page, /^Reject/))
    await keyboard.write(dialogOf(page, /^Reject/).getByLabel("Reason", { exact: true }), "Known already.")
    await keyboard.choose(dialogOf(page, /^Reject/).getByLabel("Kind of reason"), "A duplicate")
    await keyboard.press(buttonIn(dialogOf(page, /^Reject/), "Reject"), page.getByText("Nothing waits for you."))
    await sent(refused, "rejected")
    await scribe.create({ title: "Later" })
    await page.getByRole("link", { name: "Later" }).waitFor()
    await keyboard.keys(["j"], buttonIn(proposal, "Snooze"))
    await keyboard.keys(["s"], dialogOf(page, "Snooze"))
    await keyboard.press(buttonIn(page, /^Until tomorrow morning/), page.getByText("Nothing waits for you."))
    await keyboard.press(page.getByRole("link", { name: "Decided" }), page.getByRole("link", { name: "Berth plan" }))
    await keyboard.press(page.getByRole("link", { name: "Berth plan" }).first(), buttonIn(page, "Revert"))
    await keyboard.press(buttonIn(page, "Revert"), dialogOf(page, "Revert the approval"))
    await keyboard.press(buttonIn(page, "Revert it"), page.getByText(/Already reverted by you/))
  })

  it("with the keyboard alone a person makes a workspace, adds an agent, sets the policy, and publishes a part of the workspace", async () => {
    const page = await open("/workspaces")
    const keyboard = keyboardOf(page)
    const part = async (name: string, shown: ReturnType<Page["getByRole"]>) => {
      await keyboard.to(page.getByRole("tab", { selected: true }), "Shift+Tab")
      const tab = page.getByRole("tab", { name, selected: true })
      for (let step = 0; step < 7 && (await tab.count()) === 0; step++) {
        await keyboard.keys(["ArrowRight", "Enter"], page.locator("[role=tab]:focus"))
      }
      await shown.waitFor()
    }
    await keyboard.skipToContent()
    await keyboard.press(buttonIn(page, "New workspace"), dialogOf(page, "New workspace"))
    await keyboard.write(dialogOf(page, "New workspace").getByLabel("Name", { exact: true }), "Harbour")
    await keyboard.keys(["Enter"], titleOf(page, "Harbour"))
    await page.getByText("done").first().waitFor()
    await keyboard.to(buttonIn(page, "Save"))
    await part("Members", buttonIn(page, "Let it in"))
    await keyboard.choose(page.getByLabel("Role", { exact: true }), "viewer")
    await keyboard.press(buttonIn(page, "Let it in"), page.getByRole("cell", { name: "Scribe", exact: true }))
    await keyboard.press(buttonIn(page, "Change the role of Scribe"), dialogOf(page, "Role of Scribe"))
    await keyboard.keys(["Escape"], page.locator("button:focus"))
    await part("Policy", buttonIn(page, "Save the policy"))
    await keyboard.write(page.getByLabel("Actions that need no approval"), "entity.create")
    await keyboard.press(buttonIn(page, "Save the policy"), buttonIn(page, "Save it anyway"))
    await keyboard.press(buttonIn(page, "Save it anyway"), page.getByText("The policy is saved."))
    await part("Public", page.getByLabel("Some of this workspace is public"))
    await keyboard.toggle(page.getByLabel("Some of this workspace is public"))
    await keyboard.write(page.getByLabel("Public kinds and roles"), "knowledge")
    await keyboard.press(buttonIn(page, "Make it public"), page.locator(":focus"))
    await page.getByText("Nothing of this workspace is public.").waitFor({ state: "detached" })
  })

  it("with the keyboard alone a person checks the health of the pod, copies the diagnostics, and tries an operation of the API", async () => {
    const page = await open("/health")
    const keyboard = keyboardOf(page)
    await page.getByRole("heading", { name: "Limits" }).waitFor()
    await keyboard.skipToContent()
    await keyboard.press(buttonIn(page, "Copy diagnostics"), page.getByRole("region", { name: "the diagnostics" }))
    await keyboard.keys(["Escape"], page.locator("button:focus"))
    await keyboard.press(buttonIn(page, "Check again"), page.getByText("Checked just now."))
    await keyboard.press(page.getByText("Show them, the latest first"), page.locator("details[open]"))
    await keyboard.press(page.getByRole("link", { name: "API", exact: true }), titleOf(page, "API"))
    await keyboard.write(page.getByLabel("Search", { exact: true }), "users.me")
    const operation = page.getByRole("navigation", { name: "Operations" }).getByRole("link").first()
    await keyboard.press(operation, buttonIn(page, "Send"))
    await keyboard.press(buttonIn(page, "Send"), page.getByText(/^done 200 in \d+ ms/))
  })

  it("with the keyboard alone a person invites and suspends another person, ends a session, stores a secret, and sets preferences", async () => {
    await pod().aPerson("guest@example.com")
    const page = await open("/settings?show=People")
    const keyboard = keyboardOf(page)
    await keyboard.skipToContent()
    await keyboard.write(page.getByLabel("Who is it for?"), "Ada")
    await keyboard.keys(["Enter"], page.getByRole("region", { name: "the link" }))
    await page.getByRole("table").getByText("Ada").waitFor()
    await keyboard.press(buttonIn(page, "Withdraw Ada"), buttonIn(page, "Withdraw the invitation"))
    await keyboard.press(buttonIn(page, "Withdraw the invitation"), page.getByText("withdrawn"))
    await keyboard.press(buttonIn(page, /^Suspend /).first(), dialogOf(page, /^Suspend /))
    await keyboard.press(buttonIn(dialogOf(page, /^Suspend /), /^Suspend /), buttonIn(page, /^End the suspension/))
    await keyboard.press(buttonIn(page, /^End the suspension/), buttonIn(page, /^Suspend /))

    const tab = (name: string) => page.getByRole("tab", { name })
    await keyboard.to(tab("People"), "Shift+Tab")
    await keyboard.keys(["ArrowRight", "ArrowRight", "Enter"], page.getByLabel("Colours"))
    await keyboard.choose(page.getByLabel("Lists of documents"), "table")
    await keyboard.press(buttonIn(page, "Save"), page.getByText("Your preferences are saved."))
    await keyboard.to(tab("Preferences"), "Shift+Tab")
    await keyboard.keys(["ArrowRight", "Enter"], page.getByText("Your vault is empty."))
    await keyboard.write(page.getByLabel("Name"), "Printer")
    await keyboard.write(page.getByLabel("Value"), "a secret of the printer")
    await keyboard.press(buttonIn(page, "Create the secret"), buttonIn(page, "Show Printer"))
    await keyboard.press(buttonIn(page, "Show Printer"), page.getByText("a secret of the printer"))
    await keyboard.keys(["Escape"], page.locator(":focus"))
    await keyboard.press(buttonIn(page, "Delete Printer"), dialogOf(page, "Delete Printer for good?"))
    await keyboard.press(buttonIn(page, "Delete it"), page.getByText("Your vault is empty."))

    const signIn = async (): Promise<string> =>
      ok(await pod().stranger.send("POST", "/auth/sign-in", { email: "guest@example.com", password: ownerPassword }))
        .token
    await signIn()
    const theirs = await open("/settings", { session: await signIn() })
    const guests = keyboardOf(theirs)
    await guests.skipToContent()
    await guests.press(buttonIn(theirs, "Sign out everywhere else"), buttonIn(theirs, "End the other sessions"))
    await guests.press(buttonIn(theirs, "End the other sessions"), theirs.getByText(/ended\.$/))
  })
})
