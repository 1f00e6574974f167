/**
 * The owner of a workspace makes an invitation link for another person of the pod, who joins the workspace with an
 * existing account.
 */
import { assert } from "vitest"
import { type Caller, ownerPassword } from "../support/pod.ts"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"

describeConsole("invitations to a workspace in the console", ({ open, pod }) => {
  const at = "/api/hub/invitations"
  const aMember = async (name: string): Promise<{ readonly email: string; readonly caller: Caller }> => {
    const email = `${name.toLowerCase()}@example.com`
    const { token } = (await pod().owner.send("POST", at, {})).body
    const person = { token, email, password: ownerPassword, name }
    assert.strictEqual((await pod().stranger.send("POST", "/setup/accept-invite", person)).status, 200)
    const session = await pod().stranger.send("POST", "/auth/sign-in", { email, password: ownerPassword })
    return { email, caller: pod().as({ "x-session-token": session.body.token }) }
  }
  const sessionOf = ({ headers }: Caller) => headers["x-session-token"] ?? ""

  let link = ""
  let workspaceId = ""

  it("a workspace owner who is only a member of the pod makes an invitation link on the Members tab", async () => {
    const { caller } = await aMember("Mara")
    workspaceId = await pod().aWorkspace(caller, "Quay")
    const page = await open(`/workspaces/${workspaceId}?show=Members`, { session: sessionOf(caller) })
    await page.getByText("You have invited nobody yet.").waitFor()
    await page.getByLabel("Who is it for?").fill("Nils")
    await page.getByLabel("Role there").selectOption("editor")
    await page.getByRole("button", { name: "Create the link" }).click()
    link = await page.getByRole("region", { name: "the link" }).innerText()
    await page.getByText("Quay as editor").waitFor()
    await assertScreenFits(page, "workspace-invited")
  })

  it("a person of the pod opens an invitation link to a workspace, signs in, comes back to the link and joins the workspace", async () => {
    const { email } = await aMember("Nils")
    const page = await open(`/join#${link.split("#")[1]}`, { session: null })
    await page.getByText("Mara invites you to join the workspace Quay as editor.").waitFor()
    await page.getByText("This link is for people who already have an account on this pod.").waitFor()
    await assertScreenFits(page, "join-account-needed")
    await page.getByRole("link", { name: "Sign in" }).click()
    await page.getByLabel("E-mail address").fill(email)
    await page.getByLabel("Password", { exact: true }).fill(ownerPassword)
    await page.getByLabel("Password", { exact: true }).press("Enter")
    await page.getByText(`You are signed in as Nils (${email}).`).waitFor()
    await page.getByText("Mara invites you to join the workspace Quay as editor.").waitFor()
    assert.strictEqual(page.url(), `${pod().baseUrl}/admin/join`)
    await assertScreenFits(page, "join-workspace")
    await page.getByRole("button", { name: "Join the workspace" }).click()
    await page.getByRole("link", { name: "Open the workspace" }).click()
    await page.getByRole("heading", { name: "Quay" }).waitFor()
    assert.include(page.url(), workspaceId)
  })

  it("if a person opens an invitation link and then signs in for another page, the tab no longer keeps the token of the link", async () => {
    const { email } = await aMember("Pia")
    const { token } = (await pod().owner.send("POST", at, {})).body
    const page = await open(`/join#${token}`, { session: null })
    await page.getByRole("button", { name: "Join" }).waitFor()
    const goTo = (path: string) => page.evaluate((place) => history.pushState({}, "", place), `/admin${path}`)
    const workspace = await pod().aWorkspace(pod().owner, "Berth")
    const second = (await pod().owner.send("POST", at, { workspaceId: workspace })).body
    await goTo(`/join#${second.token}`)
    await page.getByRole("link", { name: "Sign in" }).click()
    await page.getByLabel("E-mail address").waitFor()
    await goTo("/sign-in?next=/memory")
    await page.getByLabel("E-mail address").fill(email)
    await page.getByLabel("Password", { exact: true }).fill(ownerPassword)
    await page.getByLabel("Password", { exact: true }).press("Enter")
    await page.getByRole("heading", { name: "Memory", level: 1 }).waitFor()
    await goTo("/join")
    await page.getByRole("heading", { name: "This page needs the link of an invitation" }).waitFor()
  })

  it("if a member of a workspace opens another invitation link to this workspace, the console says that the person is a member already", async () => {
    const { caller } = await aMember("Olga")
    const workspace = await pod().aWorkspace(pod().owner, "Pier")
    const { token } = (await pod().owner.send("POST", at, { workspaceId: workspace })).body
    assert.strictEqual((await caller.send("POST", `${at}/accept`, { token })).status, 200)
    const second = (await pod().owner.send("POST", at, { workspaceId: workspace })).body
    const page = await open(`/join#${second.token}`, { session: sessionOf(caller) })
    await page.getByRole("button", { name: "Join the workspace" }).click()
    await page.getByText("You are a member of this workspace already.").waitFor()
  })

  it("if the owner of the pod makes an invitation link to a workspace, the page of the link offers a stranger to join with a new account or to sign in", async () => {
    const workspace = await pod().aWorkspace(pod().owner, "Dock")
    const { token } = (await pod().owner.send("POST", at, { workspaceId: workspace })).body
    const page = await open(`/join#${token}`, { session: null })
    await page.getByText("Owner invites you to join the workspace Dock as editor.").waitFor()
    await page.getByText("Do you have an account on this pod?").waitFor()
    await assertScreenFits(page, "join-both")
    await page.getByRole("button", { name: "Join" }).waitFor()
  })
})
