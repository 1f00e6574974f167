/** A person's own settings in the console: sessions, notifications, preferences, the vault and the audit screen. */
import { readFileSync } from "node:fs"
import { assert } from "vitest"
import { ownerPassword } from "../support/pod.ts"
import { aColleague } from "../support/membership.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"

describeConsole("settings in the console", ({ open, pod }) => {
  const signedIn = async (email: string) => {
    const { body } = await pod().stranger.send(
      "POST",
      "/auth/sign-in",
      { email, password: ownerPassword },
      { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0" }
    )
    return body.token as string
  }
  const isAlive = async (token: string) =>
    (await pod().as({ "x-session-token": token }).send("GET", "/api/hub/users/me")).status === 200

  it("a person sees the list of their sessions, ends one session, and then all other sessions", async () => {
    const email = "sessions@example.com"
    await pod().aPerson(email)
    const [mine, one, other] = [await signedIn(email), await signedIn(email), await signedIn(email)]
    const page = await open("/settings", { session: mine })
    const rows = page.getByRole("table").getByRole("row")
    await page.getByText("this one").waitFor()
    assert.strictEqual(await rows.count(), 5)
    await assertScreenFits(page, "settings-account")
    await page.getByRole("button", { name: "End the session of Firefox on Linux" }).first().click()
    await page.getByRole("button", { name: "End the session", exact: true }).click()
    await page.getByText("The session has ended.").waitFor()
    assert.deepStrictEqual(await Promise.all([mine, one, other].map(isAlive)), [true, true, false])
    await page.getByRole("button", { name: "Sign out everywhere else" }).click()
    await page.getByRole("button", { name: "End the other sessions" }).click()
    await page.getByText("2 other sessions have ended.").waitFor()
    assert.deepStrictEqual(await Promise.all([mine, one].map(isAlive)), [true, false])
    await page.getByRole("button", { name: "Sign out everywhere else" }).waitFor({ state: "detached" })
  })

  it("a person changes their own name, the console shows the new name at once, and after the next sign-in too", async () => {
    const email = "renaming@example.com"
    const person = await pod().aPerson(email)
    const page = await open("/settings", { session: person.headers["x-session-token"] ?? "" })
    const form = page.getByRole("form", { name: "Your name" })
    await form.getByLabel("Your name").fill("\u202eAna")
    await form.getByRole("button", { name: "Save your name" }).click()
    await form.getByText("without invisible characters").first().waitFor()
    await form.getByLabel("Your name").fill("  Ana Lind ")
    await form.getByRole("button", { name: "Save your name" }).click()
    await page.getByText("Your name is Ana Lind now.").waitFor()
    await page.getByRole("banner").getByText("Ana Lind").waitFor()
    const { body } = await pod().stranger.send("POST", "/auth/sign-in", { email, password: ownerPassword })
    assert.strictEqual(body.user.name, "Ana Lind")
    const key = await pod().aKey(person)
    assert.strictEqual((await key.send("PATCH", "/api/hub/users/me", { name: "Taken over" })).status, 403)
  })

  it("the owner sets the name of the pod, the console shows the name, and a member of the pod has no form for the name", async () => {
    const page = await open("/settings")
    await page.getByLabel("Name of the pod").fill("Ørsted & sons")
    await page.getByRole("button", { name: "Save the name" }).click()
    await page.getByText("The pod is called Ørsted & sons.").waitFor()
    await page.getByRole("banner").getByRole("link", { name: "Ørsted & sons" }).waitFor()
    await page.waitForFunction(() => document.title === "Settings · Ørsted & sons")
    await assertScreenFits(page, "settings-pod-name")
    const member = await open("/settings", { session: (await pod().aPerson()).headers["x-session-token"] ?? "" })
    await member.getByRole("heading", { name: "Where you are signed in" }).waitFor()
    assert.strictEqual(await member.getByLabel("Name of the pod").count(), 0)
    await page.getByLabel("Name of the pod").fill("")
    await page.getByRole("button", { name: "Save the name" }).click()
    await page.getByRole("banner").getByRole("link", { name: "Pod", exact: true }).waitFor()
  })

  it("a person chooses which notifications to get and at which times the pod holds notifications back, and the pod saves the settings", async () => {
    await pod().aWorkspace(pod().owner, "Harbour")
    const page = await open("/settings?show=Notifications")
    await page.getByLabel("A webhook fails").uncheck()
    await page.getByLabel("Hold notifications").check()
    await page.getByLabel("From").fill("21:30")
    await page.getByLabel("Time zone").fill("Europe/Berlin")
    await page.getByLabel("Harbour").check()
    await assertScreenFits(page, "settings-notifications")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Your notification settings are saved.").waitFor()
    const { body } = await pod().owner.send("GET", "/api/hub/notifications/preferences")
    assert.deepInclude(body, { quietHours: { from: "21:30", to: "07:00", timezone: "Europe/Berlin" } })
    assert.isFalse(body.kinds.webhook_failing)
    await page.reload()
    await page.getByLabel("A webhook fails").waitFor()
    assert.isFalse(await page.getByLabel("A webhook fails").isChecked())
    assert.strictEqual(await page.getByLabel("From").inputValue(), "21:30")
    await page.getByLabel("Harbour").waitFor()
    assert.isTrue(await page.getByLabel("Harbour").isChecked())
  })

  it("the settings show the pod's message about a wrong time zone and keep the typed value", async () => {
    const page = await open("/settings?show=Notifications")
    await page.getByLabel("Time zone").fill("Nowhere/Land")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await page.getByLabel("Time zone").inputValue(), "Nowhere/Land")
  })

  it("a person's preferences are saved for all clients of this person, and the console uses the chosen colours", async () => {
    const page = await open("/settings?show=Preferences")
    await page.getByLabel("Colours").selectOption("dark")
    await page.getByLabel("Lists of documents").selectOption("table")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Your preferences are saved.").waitFor()
    assert.strictEqual(await page.evaluate("document.documentElement.dataset.theme"), "dark")
    const { body } = await pod().owner.query("preferences.get", {})
    assert.deepInclude(body.result.data, { theme: "dark" })
    assert.strictEqual(body.result.data.viewModes.documents, "table")
    await page.getByLabel("Colours").selectOption("system")
    await page.getByRole("button", { name: "Save" }).click()
    await assertScreenFits(page, "settings-preferences")
  })

  it("a person stores a secret in the vault, sees its value only on request, and deletes the secret after one confirmation", async () => {
    const page = await open("/settings?show=Vault")
    await page.getByText("Your vault is empty.").waitFor()
    await assertScreenFits(page, "settings-vault-empty")
    await page.getByLabel("Name").fill("Printer")
    await page.getByLabel("Value").fill("a secret of the printer")
    await page.getByRole("button", { name: "Create the secret" }).click()
    await page.getByRole("button", { name: "Show Printer" }).waitFor()
    assert.notInclude(await page.innerText("body"), "a secret of the printer")
    await page.getByRole("button", { name: "Show Printer" }).click()
    await page.getByRole("region", { name: "the value" }).getByText("a secret of the printer").waitFor()
    await page.getByRole("button", { name: "Close" }).first().click()
    await page.getByRole("button", { name: "Edit Printer" }).click()
    const form = page.getByRole("dialog", { name: "Edit Printer" })
    await form.getByLabel("Name").fill("Old printer")
    await form.getByLabel("New value").fill("another secret of the printer")
    await form.getByLabel("Notes").fill("In the cellar")
    await assertScreenFits(page, "settings-vault-edit")
    await form.getByRole("button", { name: "Save the changes" }).click()
    await page.getByRole("button", { name: "Show Old printer" }).click()
    await page.getByRole("region", { name: "the value" }).getByText("another secret of the printer").waitFor()
    await page.getByText("In the cellar").waitFor()
    await page.getByRole("button", { name: "Close" }).first().click()
    await page.getByRole("button", { name: "Create a recovery key" }).click()
    await page.getByRole("region", { name: "the recovery key" }).waitFor()
    await assertScreenFits(page, "settings-vault")
    await page.getByRole("button", { name: "Delete Old printer" }).click()
    await page.getByRole("dialog", { name: "Delete Old printer for good?" }).waitFor()
    await page.getByRole("button", { name: "Delete it" }).click()
    await page.getByText("Your vault is empty.").waitFor()
  })

  it("a person shares a vault entry with a member of a workspace, and the member can read the entry until the sharing ends", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Harbour office")
    const colleague = await aColleague(pod(), { kind: "pglite", open: anEmbedded }, workspaceId, "editor", "grace")
    await pod().owner.mutate("secretsVault.create", { name: "Gate code", value: "4711 and a bit" })
    const page = await open("/settings?show=Vault")
    await page.getByRole("button", { name: "Share Gate code" }).click()
    const dialog = page.getByRole("dialog", { name: "Who reads Gate code" })
    await dialog.getByText("Shared with nobody.").waitFor()
    await assertScreenFits(page, "settings-vault-share")
    await dialog.getByRole("button", { name: "Share" }).click()
    await dialog.getByRole("button", { name: "Stop sharing with grace" }).waitFor()
    const theirs = await open("/settings?show=Vault", { session: colleague.headers["x-session-token"] ?? "" })
    const shared = theirs.getByRole("region", { name: "Entries that are shared with you" })
    await shared.getByRole("button", { name: "Show Gate code" }).click()
    await theirs.getByRole("region", { name: "the value" }).getByText("4711 and a bit").waitFor()
    await dialog.getByRole("button", { name: "Stop sharing with grace" }).click()
    await dialog.getByText("Shared with nobody.").waitFor()
    await theirs.reload()
    await theirs.getByText("Your vault is empty.").waitFor()
    assert.strictEqual(await theirs.getByRole("button", { name: "Show Gate code" }).count(), 0)
  })

  it("the audit screen lists what was done, keeps the filter by subject in the address of the page, and saves a file with the rows of all pages", async () => {
    for (let at = 0; at < 60; at++) await pod().aKey(pod().owner, { keyName: `Audited ${at}` })
    await pod().aKey(pod().owner, { keyName: "Audited" })
    const page = await open("/settings?show=Audit")
    await page.getByText("apiKey.create").first().waitFor()
    await assertScreenFits(page, "settings-audit")
    await page.getByLabel("About").selectOption("apiKey")
    await page.waitForURL(/about=apiKey/)
    await page.getByText("apiKey.create").first().waitFor()
    await page.getByText("preference.update").waitFor({ state: "detached" })
    await page.getByText("Show", { exact: true }).first().click()
    await page.getByText('"data"').first().waitFor()
    await page.getByLabel("Time").selectOption("Chosen days …")
    await page.getByLabel("Until").fill("2020-01-31")
    await page.getByText("Nothing of this sort was done yet.").waitFor()
    await page.getByLabel("Time").selectOption("Last hour")
    await page.waitForURL(/last=1h/)
    assert.match(page.url(), /about=apiKey/)
    await page.getByText("apiKey.create").first().waitFor()
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save all rows" }).click()
    ])
    assert.strictEqual(file.suggestedFilename(), "pod-audit.json")
    const rows: ReadonlyArray<{ readonly id: string; readonly type: string }> = JSON.parse(
      readFileSync(await file.path(), "utf8")
    )
    assert.isAbove(rows.filter(({ type }) => type === "apiKey.create").length, 60)
    assert.strictEqual(new Set(rows.map(({ id }) => id)).size, rows.length)
  })

  it("the audit screen shows the former and the new role of a member whose role was changed", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Audited workspace")
    const made = await pod().owner.mutate("agents.create", { name: "Audited agent", capabilities: [] })
    const agentUserId = made.body.result.data.id as string
    await pod().owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId, workspaceId, role: "editor" })
    const path = `/api/hub/workspaces/${workspaceId}/members/${agentUserId}`
    const changed = await pod().owner.send("PATCH", path, { role: "viewer" })
    assert.strictEqual(changed.status, 200, JSON.stringify(changed.body))
    const page = await open("/settings?show=Audit&about=member")
    const row = page.getByRole("row").filter({ hasText: "member.update" })
    await row.getByText("role: editor → viewer").waitFor()
    await assertScreenFits(page, "settings-audit-change")
  })

  it("the audit screen shows a person's name only to people who know this person, such as members of the same workspace, and shows others the id", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Audited together")
    const storage = { kind: "pglite", open: anEmbedded } as const
    const ada = await aColleague(pod(), storage, workspaceId, "admin", "ada-of-the-audit")
    const bob = await aColleague(pod(), storage, workspaceId, "editor", "bob-of-the-audit")
    const path = `/api/hub/workspaces/${workspaceId}/members/${bob.id}`
    assert.strictEqual((await ada.send("PATCH", path, { role: "viewer" })).status, 200)
    const page = await open("/settings?show=Audit&about=member", { session: ada.headers["x-session-token"] ?? "" })
    const row = page.getByRole("row").filter({ hasText: "member.update" })
    await row.getByText("bob-of-the-audit", { exact: true }).waitFor()
    assert.strictEqual((await ada.send("DELETE", path)).status, 200)
    await page.reload()
    await row.getByText(bob.id, { exact: true }).waitFor()
    assert.strictEqual(await page.getByText("bob-of-the-audit").count(), 0)
  })

  it("the audit screen shows the name of the record that an event is about", async () => {
    await pod().aKey(pod().owner, { keyName: "Named in the audit" })
    const page = await open("/settings?show=Audit&about=apiKey")
    const row = page.getByRole("row").filter({ hasText: "apiKey.create" })
    await row.getByText("Named in the audit", { exact: true }).first().waitFor()
  })

  it("if the audit screen has no row about the chosen subject, it shows a link that removes the filter", async () => {
    const page = await open("/settings?show=Audit&about=nothing")
    await page.getByText("Nothing of this sort was done yet.").waitFor()
    await page.getByRole("link", { name: "Show everything" }).click()
    await page.getByRole("row").nth(1).waitFor()
    assert.notInclude(page.url(), "about")
  })

  it("the arrow keys move between the tabs of the settings screen, and the address says which tab is open", async () => {
    const page = await open("/settings")
    await page.getByRole("tab", { name: "Account" }).focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    await page.waitForURL(/show=People/)
    await page.goBack()
    await page.getByRole("heading", { name: "Password" }).waitFor()
  })
})
