/** Workspaces in the console: a person makes and changes them, lets agents in, sets their rules, and publishes data. */
import { assert } from "vitest"
import { aColleague } from "../support/membership.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"

describeConsole("workspaces in the console", ({ open, pod }) => {
  const heading = (page: Awaited<ReturnType<typeof open>>, name: string) =>
    page.getByRole("heading", { name, exact: true }).waitFor()
  const anAgent = async (name: string) =>
    (await pod().owner.mutate("agents.create", { name, capabilities: ["entity.note"] })).body.result.data.id as string
  const detail = async (id: string) => (await pod().owner.send("GET", `/api/hub/workspaces/${id}`)).body

  it("a person without a workspace sees a message, and creates the first workspace with the keyboard alone", async () => {
    const page = await open("/workspaces")
    await page.getByText("You belong to no workspace yet.").waitFor()
    await assertScreenFits(page, "workspaces-empty")
    await page.getByRole("button", { name: "New workspace" }).focus()
    await page.keyboard.press("Enter")
    await page.getByLabel("Name", { exact: true }).focus()
    await page.keyboard.type("Harbour")
    await page.keyboard.press("Enter")
    await heading(page, "Harbour")
    await page.getByText("done").first().waitFor()
    assert.match(page.url(), /\/admin\/workspaces\/[0-9a-f-]{36}$/)
    await assertScreenFits(page, "workspace-overview")
  })

  it("a person can make a workspace from a template of the pod", async () => {
    const page = await open("/workspaces")
    await page.getByRole("button", { name: "New workspace" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Templated")
    await page.getByRole("option", { name: /:/ }).nth(1).waitFor({ state: "attached" })
    await page.getByLabel("Begin with").selectOption({ index: 1 })
    await assertScreenFits(page, "workspace-new")
    await page.getByRole("button", { name: "Create the workspace" }).click()
    await heading(page, "Templated")
  })

  it("a person finds a workspace in the list by its name, and the address of the page keeps the search words", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Lighthouse")
    const entity = await pod().owner.send("POST", "/api/hub/entities", { title: "Lamp", workspaceId })
    assert.strictEqual(entity.status, 200, JSON.stringify(entity.body))
    const page = await open("/workspaces")
    await page.getByLabel("Find").fill("light")
    await page.waitForURL(/q=light/)
    await page.getByRole("link", { name: "Lighthouse" }).waitFor()
    await page.getByText("1 entity · you are owner").waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "Harbour" }).count(), 0)
    await assertScreenFits(page, "workspaces")
    await page.getByRole("link", { name: "Lighthouse" }).click()
    await heading(page, "Lighthouse")
  })

  it("the owner of a workspace changes its name, its description and the language of its texts", async () => {
    const id = await pod().aWorkspace(pod().owner, "Old name")
    const page = await open(`/workspaces/${id}`)
    await page.getByLabel("Name").fill("New name")
    await page.getByLabel("Description").fill("What we know of the harbour.")
    await page.getByLabel("Language of its texts").selectOption("german")
    await page.getByRole("button", { name: "Save" }).click()
    await heading(page, "New name")
    assert.deepInclude(await detail(id), {
      name: "New name",
      description: "What we know of the harbour.",
      searchLanguage: "german"
    })
  })

  it("a person adds an agent to a workspace as a viewer, and the list of members shows the agent", async () => {
    const id = await pod().aWorkspace(pod().owner, "With agents")
    await anAgent("Scribe")
    const page = await open(`/workspaces/${id}?show=Members`)
    await page.getByLabel("Agent").selectOption({ label: "Scribe" })
    await page.getByLabel("Role", { exact: true }).selectOption("viewer")
    await assertScreenFits(page, "workspace-members")
    await page.getByRole("button", { name: "Let it in" }).click()
    await page.getByRole("cell", { name: "Scribe", exact: true }).waitFor()
    assert.deepInclude(
      (await detail(id)).members.find(({ name }: { name: string }) => name === "Scribe"),
      { kind: "agent", role: "viewer" }
    )
  })

  it("with the keyboard alone a person changes the role of a member of a workspace and removes the member, but cannot leave as the last owner", async () => {
    const id = await pod().aWorkspace(pod().owner, "With members")
    const agent = await anAgent("Clerk")
    await pod().owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agent, workspaceId: id })
    const page = await open(`/workspaces/${id}?show=Members`)
    const pressed = async (name: string | RegExp, within: Pick<typeof page, "getByRole"> = page) => {
      await within.getByRole("button", { name }).focus()
      await page.keyboard.press("Enter")
    }
    await pressed("Leave the workspace")
    const leaving = page.getByRole("dialog", { name: "Leave With members?" })
    await pressed("Leave", leaving)
    await leaving.getByText("This is the last owner of the workspace.").waitFor()
    await page.keyboard.press("Escape")
    await leaving.waitFor({ state: "detached" })
    await pressed("Change the role of Clerk")
    const form = page.getByRole("dialog", { name: "Role of Clerk" })
    assert.strictEqual(await form.getByRole("radio", { name: /^owner/ }).count(), 0)
    await form.getByRole("radio", { name: /^editor/ }).focus()
    await page.keyboard.press("ArrowDown")
    await assertScreenFits(page, "workspace-member-role")
    await pressed("Change the role", form)
    await page.getByText("Clerk is viewer now.").waitFor()
    const roleOf = async () =>
      (await detail(id)).members.find(({ userId }: { userId: string }) => userId === agent)?.role
    assert.strictEqual(await roleOf(), "viewer")
    await pressed("Remove Clerk")
    await pressed("Remove", page.getByRole("dialog", { name: "Remove Clerk from With members?" }))
    await page.getByRole("cell", { name: "Clerk", exact: true }).waitFor({ state: "detached" })
    assert.isUndefined(await roleOf())
  })

  it("a viewer of a workspace sees its members, cannot change them, and leaves the workspace with the keyboard alone", async () => {
    const id = await pod().aWorkspace(pod().owner, "To be left")
    const viewer = await aColleague(pod(), { kind: "pglite", open: anEmbedded }, id, "viewer", "vera")
    const page = await open(`/workspaces/${id}?show=Members`, { session: viewer.headers["x-session-token"] ?? "" })
    await page.getByRole("cell", { name: "vera", exact: true }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: /Change the role|Remove/ }).count(), 0)
    await assertScreenFits(page, "workspace-members-viewer")
    await page.getByRole("button", { name: "Leave the workspace" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("dialog", { name: "Leave To be left?" }).getByRole("button", { name: "Leave" }).focus()
    await page.keyboard.press("Enter")
    await page.getByText("You left To be left.").waitFor()
    const { members } = await detail(id)
    assert.notInclude(
      members.map(({ userId }: { userId: string }) => userId),
      viewer.id
    )
  })

  it("the page of a workspace shows a dry run of the governance gate, and asks before it saves a policy that lets agents write without approval", async () => {
    const id = await pod().aWorkspace(pod().owner, "Governed")
    const agent = await anAgent("Planner")
    await pod().owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agent, workspaceId: id })
    const page = await open(`/workspaces/${id}?show=Policy`)
    const ask = async () => {
      await page.getByLabel("Who writes").selectOption({ label: "Planner" })
      await page.getByLabel("Of the kind").fill("note")
      await page.getByRole("button", { name: "Ask the gate" }).click()
    }
    await ask()
    await page.getByText("waits for a person").first().waitFor()
    await assertScreenFits(page, "workspace-policy")
    await page.getByLabel("Actions that need no approval").fill("entity.create")
    await page.getByRole("button", { name: "Save the policy" }).click()
    await page.getByText("can do more without approval").waitFor()
    const policy = async () =>
      (await pod().owner.send("GET", `/api/hub/workspaces/${id}/governance`)).body.autoApproveFor
    assert.isNull(await policy())
    await page.getByRole("button", { name: "Save it anyway" }).click()
    await page.getByText("The policy is saved.").waitFor()
    assert.deepStrictEqual(await policy(), ["entity.create"])
    await page.getByText("is carried out").waitFor()
  })

  it("a person adds a governance rule to a workspace, and revokes the rule after one confirmation", async () => {
    const id = await pod().aWorkspace(pod().owner, "Ruled")
    const page = await open(`/workspaces/${id}?show=Policy`)
    await page.getByText("This workspace has no rules.").waitFor()
    await page.getByLabel("Action", { exact: true }).fill("event.*")
    await page.getByRole("button", { name: "Add the rule" }).click()
    await page.getByRole("button", { name: "Revoke the rule for event.*" }).click()
    await page.getByRole("button", { name: "Revoke the rule", exact: true }).click()
    await page.getByText("This workspace has no rules.").waitFor()
  })

  it("the page of a workspace shows the pod's message about a refused governance rule and keeps the typed values", async () => {
    const id = await pod().aWorkspace(pod().owner, "Ruled wrongly")
    const page = await open(`/workspaces/${id}?show=Policy`)
    await page.getByLabel("Action", { exact: true }).fill("nothing.like.this")
    await page.getByRole("button", { name: "Add the rule" }).click()
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await page.getByLabel("Action", { exact: true }).inputValue(), "nothing.like.this")
  })

  it("the console stores the model routing of a workspace and shows the stored routing after a reload", async () => {
    const id = await pod().aWorkspace(pod().owner, "Routed")
    const page = await open(`/workspaces/${id}?show=Routing`)
    await page.getByLabel("Models run").selectOption("hybrid")
    await page.getByLabel("Default provider").selectOption("openai")
    await page.getByLabel("openai", { exact: true }).check()
    await page.getByLabel("Model of openai").fill("small")
    await assertScreenFits(page, "workspace-routing")
    await page.getByRole("button", { name: "Save the routing" }).click()
    await page.getByText("The routing is saved.").waitFor()
    await page.reload()
    await page.getByLabel("Model of openai").waitFor()
    assert.strictEqual(await page.getByLabel("Model of openai").inputValue(), "small")
  })

  it("a person assigns roles such as `inbox` to a data source of a workspace, and makes this data source the default for one role", async () => {
    const id = await pod().aWorkspace(pod().owner, "Sourced")
    const page = await open(`/workspaces/${id}?show=Sources`)
    await page.getByText("No source has a role yet.").waitFor()
    await page.getByLabel("Source", { exact: true }).fill("gmail")
    await page.getByLabel("Roles of the source").fill("inbox, archive")
    await page.getByLabel("Default for these roles").fill("inbox")
    await page.getByRole("button", { name: "Save the source" }).click()
    await page.getByText("inbox, archive").waitFor()
    const heads = await page.getByRole("columnheader").allInnerTexts()
    assert.deepStrictEqual(heads, ["Source", "Roles", "Role", "Source"])
    await assertScreenFits(page, "workspace-sources")
    assert.deepStrictEqual((await detail(id)).defaultSources, { inbox: "gmail" })
  })

  it("the page of a workspace shows what a stranger sees of the workspace, and the owner makes the public data private again", async () => {
    const id = await pod().aWorkspace(pod().owner, "Published")
    await pod().owner.send("POST", "/api/hub/entities", {
      workspaceId: id,
      profileSlug: "knowledge",
      title: "Opening hours"
    })
    const page = await open(`/workspaces/${id}?show=Public`)
    await page.getByText("Nothing of this workspace is public.").waitFor()
    await page.getByLabel("Some of this workspace is public").check()
    await page.getByLabel("Public kinds and roles").fill("knowledge")
    await page.getByRole("button", { name: "Preview without saving" }).click()
    await page.getByRole("heading", { name: "Would be seen by everybody" }).waitFor()
    await page.getByText("Opening hours").waitFor()
    const hidden = await pod().stranger.send("GET", `/api/hub/public/projection?workspace=${id}`)
    assert.strictEqual(hidden.status, 404, "a preview makes nothing public")
    await page.getByRole("button", { name: "Make it public" }).click()
    await page.getByRole("heading", { name: "Seen by everybody" }).waitFor()
    await page.getByText("Opening hours").waitFor()
    await assertScreenFits(page, "workspace-public")
    await page.getByLabel("Some of this workspace is public").uncheck()
    await page.getByRole("button", { name: "Save the public part" }).click()
    await page.getByText("Nothing of this workspace is public.").first().waitFor()
    const feed = await pod().stranger.send("GET", `/api/hub/public/projection?workspace=${id}`)
    assert.strictEqual(feed.status, 404)
  })

  it("the page of a workspace lists the keys that are limited to this workspace, and also the keys that are not limited to any workspace", async () => {
    const id = await pod().aWorkspace(pod().owner, "Keyed")
    await pod().aKey(pod().owner, {
      keyName: "Confined",
      grant: { permissions: ["entity.note.read"], workspaceIds: [id] }
    })
    await pod().aKey(pod().owner, { keyName: "Everywhere" })
    const page = await open(`/workspaces/${id}?show=Keys`)
    await page.getByRole("table").getByText("Confined").waitFor()
    await page.getByText(/no limit to a workspace: .*Everywhere/).waitFor()
    await assertScreenFits(page, "workspace-keys")
  })

  it("the page of a workspace of another person shows the same as the page of a workspace that does not exist: a message and a button to try again", async () => {
    const foreign = await pod().aWorkspace(await pod().aPerson("stranger@example.com"), "Kept from others")
    const texts: Array<string> = []
    for (const id of [foreign, "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f"]) {
      const page = await open(`/workspaces/${id}`)
      await page.getByRole("button", { name: "Retry" }).waitFor()
      texts.push((await page.getByRole("alert").innerText()).replace(/Request \S+/, ""))
      assert.notInclude(await page.locator("body").innerText(), "Kept from others")
    }
    assert.strictEqual(texts[0], texts[1])
  })
})
