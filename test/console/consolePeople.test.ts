/** The owner invites a person, the person joins and changes the password, and the owner suspends the person. */
import { assert } from "vitest"
import type { Page } from "playwright-core"
import { ownerEmail, ownerPassword } from "../support/pod.ts"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"

const guestEmail = "guest@example.com"
const nextPassword = "another correct horse battery"

describeConsole("the people of the pod in the console", ({ open, pod }) => {
  const heading = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor()
  const fill = async (page: Page, email: string, password: string) => {
    await page.getByLabel("E-mail address").fill(email)
    await page.getByLabel("Password", { exact: true }).fill(password)
    await page.getByLabel("Password", { exact: true }).press("Enter")
  }
  const signIn = (password: string) => pod().stranger.send("POST", "/auth/sign-in", { email: guestEmail, password })

  let link = ""

  it("the old addresses of the pages for sign-in, setup and joining redirect to the console and keep the part after `#`", async () => {
    const page = await open("/sign-in", { session: null })
    for (const [from, to] of [
      ["/", "/admin/sign-in"],
      ["/setup", "/admin/setup"],
      ["/join", "/admin/join"],
      ["/account", "/admin/sign-in"]
    ] as const) {
      await page.goto(pod().baseUrl + from)
      await page.waitForURL((url) => url.pathname === to)
    }
    await page.goto(`${pod().baseUrl}/join#${"A".repeat(43)}`)
    await heading(page, "This invitation does not work")
  })

  it("the owner makes an invitation link with the keyboard alone, sees the link once, and sees the invitation in the list", async () => {
    await pod().aWorkspace(pod().owner, "Harbour")
    const page = await open("/settings?show=People")
    await page.getByText("You have invited nobody yet.").waitFor()
    await assertScreenFits(page, "people-empty")
    await page.getByLabel("Who is it for?").focus()
    await page.keyboard.type("Ada")
    await page.keyboard.press("Enter")
    link = await page.getByRole("region", { name: "the link" }).innerText()
    assert.match(link, new RegExp(`^${pod().baseUrl}/admin/join#[\\w-]{43}$`))
    await page.getByRole("table").getByText("Ada").waitFor()
    await assertScreenFits(page, "people-invited")
    await page.reload()
    await page.getByRole("table").getByText("Ada").waitFor()
    assert.notInclude(await page.innerText("body"), link.split("#")[1] ?? "")
  })

  it("the owner withdraws an invitation, and its link stops working", async () => {
    const page = await open("/settings?show=People")
    await page.getByLabel("Who is it for?").fill("Somebody else")
    await page.getByLabel("Also joins the workspace").selectOption({ label: "Harbour" })
    await page.getByLabel("Role there").selectOption("viewer")
    await page.getByRole("button", { name: "Create the link" }).click()
    const other = await page.getByRole("region", { name: "the link" }).innerText()
    await page.getByText("Harbour as viewer").waitFor()
    await page.getByRole("button", { name: "Withdraw Somebody else" }).click()
    await page.getByRole("button", { name: "Withdraw the invitation" }).click()
    await page.getByText("withdrawn").waitFor()
    const theirs = await open(`/join#${other.split("#")[1]}`, { session: null })
    await heading(theirs, "This invitation does not work")
    await theirs.getByText("This invitation was withdrawn. Ask the person who invited you for a new link.").waitFor()
    assert.strictEqual(await theirs.getByRole("button", { name: "Join" }).count(), 0)
  })

  it("if an invitation is withdrawn while the join form is open, the join screen says this after the person sends the form", async () => {
    const { invitation, token } = (await pod().owner.send("POST", "/api/hub/invitations", {})).body
    const page = await open(`/join#${token}`, { session: null })
    await page.getByRole("button", { name: "Join" }).waitFor()
    await pod().owner.send("DELETE", `/api/hub/invitations/${invitation.id}`)
    await fill(page, "late@example.com", ownerPassword)
    await page.getByText("This invitation was withdrawn.").waitFor()
  })

  it("the join screen without a link says that a link is missing, and refuses an invented link", async () => {
    const bare = await open("/join", { session: null })
    await heading(bare, "This page needs the link of an invitation")
    await assertScreenFits(bare, "join-bare")
    const page = await open(`/join#${"A".repeat(43)}`, { session: null })
    await heading(page, "This invitation does not work")
    await page.getByText("This invitation link is not valid. Copy the whole link.").waitFor()
    assert.strictEqual(await page.getByText("invites you").count(), 0)
    await assertScreenFits(page, "join-used")
  })

  it("a person who opens an invitation link can join and is then signed in, and the join screen removes the token from the address bar at once", async () => {
    const page = await open("/join", { session: null })
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(request.url()))
    await page.goto(link)
    await page.getByRole("button", { name: "Join" }).waitFor()
    await page.getByText("Owner invites you to join").waitFor()
    assert.strictEqual(page.url(), `${pod().baseUrl}/admin/join`)
    await fill(page, guestEmail, "short")
    await page.getByText("Use a password of 12 to 128 characters.").waitFor()
    await fill(page, ownerEmail, ownerPassword)
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await page.getByLabel("E-mail address").inputValue(), ownerEmail)
    await assertScreenFits(page, "join-faults")
    await page.getByLabel("Your name").fill("Guest")
    await fill(page, guestEmail, ownerPassword)
    await heading(page, "You joined this pod")
    await assertScreenFits(page, "join-done")
    await page.getByRole("link", { name: "Open the console" }).click()
    await heading(page, "Home")
    const token = link.split("#")[1] ?? ""
    assert.deepStrictEqual(
      asked.filter((url) => new URL(url).pathname.includes(token) || new URL(url).search.includes(token)),
      []
    )
  })

  it("a person changes the password with the current password, and the old password no longer works", async () => {
    const { token } = (await signIn(ownerPassword)).body
    const page = await open("/settings", { session: token })
    await page.getByText("Guest", { exact: true }).first().waitFor()
    await page.getByLabel("Current password").fill("not the password")
    await page.getByLabel("New password").fill(nextPassword)
    await page.getByRole("button", { name: "Change the password" }).click()
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await page.getByLabel("New password").inputValue(), nextPassword)
    await page.getByLabel("Current password").fill(ownerPassword)
    await page.getByRole("button", { name: "Change the password" }).click()
    await page.getByText("Your password is changed.").waitFor()
    assert.strictEqual(await page.getByLabel("New password").inputValue(), "")
    assert.deepStrictEqual([(await signIn(ownerPassword)).status, (await signIn(nextPassword)).status], [401, 200])
  })

  it("a member of the pod does not see the people of the pod, and a message says that only the owner and the administrators see them", async () => {
    const { token } = (await signIn(nextPassword)).body
    const page = await open("/settings?show=People", { session: token })
    await page.getByText("Only the owner and the administrators of the pod see its people.").waitFor()
    await assertScreenFits(page, "people-not-owner")
  })

  it("the owner suspends a person after one confirmation that shows the name of the person, and can end the suspension again", async () => {
    const page = await open("/settings?show=People")
    const table = page.getByRole("table").first()
    await table.getByRole("button", { name: "Suspend Guest" }).click()
    const question = page.getByRole("dialog", { name: "Suspend Guest?" })
    await question.waitFor()
    await assertScreenFits(page, "people-suspend")
    await question.getByRole("button", { name: "Suspend Guest" }).click()
    await page.getByRole("button", { name: "End the suspension of Guest" }).waitFor()
    assert.strictEqual((await signIn(nextPassword)).status, 401)
    await page.getByRole("button", { name: "End the suspension of Guest" }).click()
    await table.getByRole("button", { name: "Suspend Guest" }).waitFor()
    assert.strictEqual((await signIn(nextPassword)).status, 200)
  })

  it("the owner appoints an administrator after one confirmation, and the administrator sees the people but cannot change the owner", async () => {
    const page = await open("/settings?show=People")
    const table = page.getByRole("table").first()
    const question = page.getByRole("dialog")
    await table.getByRole("button", { name: "Appoint Guest" }).click()
    await page.getByRole("dialog", { name: "Make Guest an administrator?" }).waitFor()
    await assertScreenFits(page, "people-appoint")
    await question.getByRole("button", { name: "Appoint Guest" }).click()
    await table.getByRole("button", { name: "Dismiss Guest" }).waitFor()
    await page.getByText("administrator", { exact: true }).waitFor()

    await pod().aPerson("member@example.com")
    const { token } = (await signIn(nextPassword)).body
    const theirs = await open("/settings?show=People", { session: token })
    await theirs.getByRole("button", { name: "Suspend member" }).waitFor()
    await theirs.getByText("You have invited nobody yet.").waitFor()
    assert.strictEqual(await theirs.getByRole("button", { name: /^(?:Suspend|Appoint|Dismiss) / }).count(), 1)

    await table.getByRole("button", { name: "Dismiss Guest" }).click()
    await question.getByRole("button", { name: "Dismiss Guest" }).click()
    await table.getByRole("button", { name: "Appoint Guest" }).waitFor()
    await theirs.reload()
    await theirs.getByText("Only the owner and the administrators of the pod see its people.").waitFor()
  })
})
