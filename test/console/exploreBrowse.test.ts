/** A person browses records by kind, and creates, edits and archives records, in a browser. */
import { assert } from "vitest"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"
import { aKind, entityOf, made } from "./exploreScene.ts"

describeConsole("exploring records in the console", ({ open, pod }) => {
  const aHarbour = async (title: string, properties: object = {}) => {
    if ((await pod().owner.send("GET", "/api/hub/profiles")).body.every((each: any) => each.slug !== "harbour")) {
      await aKind(pod(), "harbour")
    }
    return (await made(pod(), "entities", { profileSlug: "harbour", title, properties })).id as string
  }

  it("the explore page shows a message for a kind without records, and a button that makes the first record", async () => {
    const page = await open("/explore?kind=task")
    await page.getByText("No Task yet.").waitFor()
    await assertScreenFits(page, "explore-empty")
    await page.getByText("No Task yet.").locator("..").getByRole("button", { name: "New Task" }).click()
    await page.getByRole("dialog", { name: "New Task" }).waitFor()
  })

  it("the explore page lists the kinds with their numbers of records, and shows the records of the chosen kind and their properties in a table", async () => {
    await aHarbour("Odense", { berths: 12, goods: ["grain", "ore"], open: true, state: "built" })
    await aHarbour("Aarhus", { berths: 40 })
    const page = await open("/explore?kind=harbour")
    const row = page.getByRole("row").filter({ hasText: "Odense" })
    await row.waitFor()
    assert.match(await row.innerText(), /12/)
    for (const name of ["Berths", "Open", "State"]) await page.getByRole("columnheader", { name }).waitFor()
    await page
      .getByRole("navigation", { name: "Kinds of records" })
      .getByRole("link", { name: /harbour 2/ })
      .waitFor()
    await assertScreenFits(page, "explore-table")
  })

  it("on the explore page a person filters the records of a kind by words, and the address of the page keeps the words", async () => {
    await aHarbour("Svendborg")
    const page = await open("/explore?kind=harbour")
    await page.getByRole("link", { name: "Svendborg" }).waitFor()
    await page.getByLabel("Words").fill("Svendborg")
    await page.getByRole("button", { name: "Filter" }).click()
    await page.waitForURL(/q=Svendborg/)
    await page.getByRole("link", { name: "Odense" }).waitFor({ state: "detached" })
    await page.reload()
    await page.getByRole("link", { name: "Svendborg" }).waitFor()
    assert.strictEqual(await page.getByLabel("Words").inputValue(), "Svendborg")
  })

  it("a person makes a record with the keyboard alone, and the stored values have the types that the profile (the kind of the record) defines", async () => {
    await aHarbour("Nyborg")
    const page = await open("/explore?kind=harbour")
    await page.getByRole("button", { name: "New harbour" }).first().focus()
    await page.keyboard.press("Enter")
    const form = page.getByRole("form", { name: "New harbour" })
    await form.getByLabel("Title (required)").focus()
    await page.keyboard.type("Korsør")
    await form.getByLabel("Berths").focus()
    await page.keyboard.type("7")
    await form.getByLabel("grain").focus()
    await page.keyboard.press("Space")
    await form.getByLabel("Pilots").focus()
    await page.keyboard.type("Anna")
    await page.keyboard.press("Enter")
    await page.keyboard.type("Bo")
    await form.getByRole("button", { name: "Create harbour" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Korsør", level: 1 }).waitFor()
    const { properties } = await entityOf(pod(), page.url().split("/").at(-1) ?? "")
    assert.deepStrictEqual(properties, { berths: 7, goods: ["grain"], pilots: ["Anna", "Bo"] })
  })

  it("if the pod refuses a record, the record form shows the message of the pod and keeps the typed values", async () => {
    await aHarbour("Assens")
    const page = await open("/explore?kind=harbour")
    await page.getByRole("button", { name: "New harbour" }).first().click()
    const form = page.getByRole("form", { name: "New harbour" })
    await form.getByRole("button", { name: "Create harbour" }).click()
    await form.getByText("Title must have a value.").waitFor()
    await form.getByLabel("Title (required)").fill("Too small")
    await form.getByLabel("Berths").fill("0")
    await form.getByRole("button", { name: "Create harbour" }).click()
    await form.getByRole("alert").waitFor()
    assert.include(await form.getByRole("alert").innerText(), "at least 1")
    assert.strictEqual(await form.getByLabel("Title (required)").inputValue(), "Too small")
    await assertScreenFits(page, "explore-new")
  })

  it("when a person edits a record, the form sends only the changed fields, and an emptied field is removed from the record", async () => {
    const id = await aHarbour("Kerteminde", { berths: 3, state: "planned", secretPlan: { deep: true } })
    const page = await open(`/explore/entity/${id}`)
    const form = page.getByRole("form", { name: "Edit Kerteminde" })
    await form.getByLabel("State").selectOption("built")
    await form.getByLabel("Berths").fill("")
    await form.getByRole("button", { name: "Save" }).click()
    await page.getByText("version 2").waitFor()
    const { properties } = await entityOf(pod(), id)
    assert.deepStrictEqual(properties, { state: "built", secretPlan: { deep: true } })
    await page.getByText("no place in the profile: secretPlan").waitFor()
    await assertScreenFits(page, "record-form")
  })

  it("a record form keeps the typed values while a person looks at another tab of the record", async () => {
    const id = await aHarbour("Hundested")
    const page = await open(`/explore/entity/${id}`)
    const title = page.getByRole("form", { name: "Edit Hundested" }).getByLabel("Title (required)")
    await title.fill("Hundested Harbour")
    await page.getByRole("tab", { name: "JSON" }).click()
    await page.getByRole("region", { name: "the JSON" }).waitFor()
    await title.waitFor({ state: "hidden" })
    await page.getByRole("tab", { name: "Record" }).click()
    await title.waitFor()
    assert.strictEqual(await title.inputValue(), "Hundested Harbour")
  })

  it("if a record changes while a person edits it, the form shows the changed value, and overwrites it only if the person asks for it", async () => {
    const id = await aHarbour("Middelfart", { berths: 3, state: "planned" })
    const page = await open(`/explore/entity/${id}`)
    const form = page.getByRole("form", { name: "Edit Middelfart" })
    await form.getByLabel("State").selectOption("built")
    await pod().owner.send("PATCH", `/api/hub/entities/${id}`, { properties: { berths: 9, state: "closed" } })
    await form.getByRole("button", { name: "Save" }).click()
    const conflict = form.getByRole("alert")
    await conflict.getByRole("row").filter({ hasText: "closed" }).waitFor()
    assert.include(await conflict.innerText(), "Somebody changed this record")
    await assertScreenFits(page, "record-conflict")
    assert.strictEqual((await entityOf(pod(), id)).properties.state, "closed")
    await conflict.getByRole("button", { name: "Write my values over version 2" }).click()
    await page.getByText("version 3").waitFor()
    assert.deepStrictEqual((await entityOf(pod(), id)).properties, { berths: 9, state: "built" })
  })

  it("the console asks before it archives a record, shows the title of the record in the question, and then shows the list of records of this kind", async () => {
    const id = await aHarbour("Bogense")
    const page = await open(`/explore/entity/${id}`)
    await page.getByRole("button", { name: "Archive" }).click()
    const dialog = page.getByRole("dialog", { name: "Archive Bogense?" })
    await dialog.getByRole("button", { name: "Archive" }).click()
    await page.waitForURL(/kind=harbour/)
    await page.getByRole("link", { name: "Odense" }).waitFor()
    assert.strictEqual((await pod().owner.send("GET", `/api/hub/entities/${id}`)).status, 404)
  })

  it("the history of a record shows every write of the record with the decision of the governance gate about this write", async () => {
    const id = await aHarbour("Rudkøbing")
    await pod().owner.send("PATCH", `/api/hub/entities/${id}`, { properties: { berths: 2 } })
    const page = await open(`/explore/entity/${id}?tab=History`)
    const table = page.getByRole("region", { name: "History" })
    await table.getByRole("link", { name: "entity.harbour.update" }).waitFor()
    await table.getByRole("link", { name: "entity.harbour.create" }).waitFor()
    assert.include(await table.innerText(), "allow")
    await assertScreenFits(page, "record-history")
  })

  it("the page of a record shows the connections of the record as a list and as a drawing, with links to the connected records", async () => {
    const [one, other] = [await aHarbour("Marstal"), await aHarbour("Ærøskøbing")]
    await made(pod(), "relations", { sourceEntityId: one, targetEntityId: other, type: "relates_to" })
    const page = await open(`/explore/entity/${one}?tab=Connections`)
    await page.getByRole("img", { name: /Drawing of 1 of 1/ }).waitFor()
    await assertScreenFits(page, "record-connections")
    // On a phone, the names in the drawing would be too small to read.
    await page.setViewportSize({ width: 390, height: 900 })
    await page.getByRole("img", { name: /Drawing of 1 of 1/ }).waitFor({ state: "hidden" })
    await page.getByRole("link", { name: "Ærøskøbing" }).click()
    await page.getByRole("heading", { name: "Ærøskøbing", level: 1 }).waitFor()
  })

  it("the page of a record says whether all members of the workspace can see the record, or only the person who owns the record", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Pilots")
    const shared = await made(pod(), "entities", { profileSlug: "note", title: "Shared chart", workspaceId })
    const own = await made(pod(), "entities", { profileSlug: "note", title: "Own chart" })
    const page = await open(`/explore/entity/${shared.id}?tab=Who%20can%20see%20it`)
    await page.getByText("Every member of Pilots can read it.").waitFor()
    await page.getByText("No key of yours, or of your agents, reads this record.").waitFor()
    await page.getByRole("region", { name: "Who can see it" }).getByText("owner", { exact: true }).waitFor()
    await assertScreenFits(page, "record-readers")
    await page.goto(`${pod().baseUrl}/admin/explore/entity/${own.id}?tab=Who%20can%20see%20it`)
    await page.getByText("no other person can read it").waitFor()
  })

  it("the page of a record lists the person's keys that can read the record, with a link to each key", async () => {
    const record = await made(pod(), "entities", { profileSlug: "note", title: "Watched chart" })
    const key = await pod().aKey(pod().owner, { keyName: "Reads notes", grant: { permissions: ["entity.note.read"] } })
    await pod().aKey(pod().owner, { keyName: "Reads tasks", grant: { permissions: ["entity.task.read"] } })
    const page = await open(`/explore/entity/${record.id}?tab=Who%20can%20see%20it`)
    const readers = page.getByRole("region", { name: "Keys that can read it" }).last()
    await readers.getByRole("link", { name: "Reads notes" }).waitFor()
    assert.strictEqual(await readers.getByText("Reads tasks").count(), 0)
    await assertScreenFits(page, "record-key-readers")
    await readers.getByRole("link", { name: "Reads notes" }).click()
    await page.waitForURL(new RegExp(`key=${key.id}`))
    for (const { id } of (await pod().owner.query("apiKeys.list", {})).body.result.data) {
      await pod().owner.mutate("apiKeys.revoke", { keyId: id })
    }
  })

  it("in the console a person makes and edits a document, and opens a project, a track and a view from their lists", async () => {
    const page = await open("/explore")
    await page.getByRole("link", { name: "Documents" }).click()
    await page.getByText("No document yet.").waitFor()
    await page.getByRole("button", { name: "New document" }).first().click()
    const form = page.getByRole("form", { name: "New document" })
    await form.getByLabel("Title (required)").fill("Tide table")
    await form.getByLabel("Content").fill("High at noon.")
    await form.getByRole("button", { name: "Create document" }).click()
    await page.getByRole("heading", { name: "Tide table", level: 1 }).waitFor()
    await page.getByLabel("Content").fill("High at one.")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("version 2").waitFor()
    await assertScreenFits(page, "record-document")
    await page.goto(`${pod().baseUrl}/admin/explore?kind=:document`)
    await page
      .getByRole("navigation", { name: "Kinds of records" })
      .getByRole("link", { name: "Documents 1" })
      .waitFor()
    await assertScreenFits(page, "explore-counts")
    for (const [path, body] of [
      ["projects", { name: "Dredging" }],
      ["tracks", { name: "Spring" }],
      ["views", { name: "All berths", type: "table" }]
    ] as const) {
      const { id } = await made(pod(), path, body)
      await page.goto(`${pod().baseUrl}/admin/explore?kind=:${path.slice(0, -1)}`)
      await page.getByRole("link", { name: body.name }).click()
      await page.getByRole("heading", { name: body.name, level: 1 }).waitFor()
      assert.include(page.url(), id)
    }
  })

  it("in the console a person makes, edits and archives a knowledge entry, and sees its versions and the keys that can read it", async () => {
    await pod().aKey(pod().owner, { keyName: "Reads all" })
    await pod().aKey(pod().owner, { keyName: "Reads notes", grant: { permissions: ["entity.note.read"] } })
    const page = await open("/explore")
    await page.getByRole("link", { name: "Knowledge entries" }).click()
    await page.getByText("No knowledge entry yet.").waitFor()
    await page.getByRole("button", { name: "New knowledge entry" }).first().click()
    const form = page.getByRole("form", { name: "New knowledge entry" })
    await form.getByLabel("Key (required)").fill("harbour/depth")
    await form.getByLabel("Value").fill("Nine metres.")
    await form.getByLabel("Group").fill("harbour")
    await form.getByRole("button", { name: "Create knowledge entry" }).click()
    await page.getByRole("heading", { name: "harbour/depth", level: 1 }).waitFor()
    await page.getByLabel("Value").fill("Ten metres.")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("version 2").waitFor()
    await page.getByRole("tab", { name: "History" }).click()
    await page.getByRole("cell", { name: "Nine metres." }).waitFor()
    await page.getByRole("cell", { name: "Ten metres." }).waitFor()
    await page.getByRole("tab", { name: "Who can see it" }).click()
    await page.getByText("It is in your personal space").waitFor()
    const keys = page.getByRole("region", { name: "Keys that can read it" })
    await keys.getByText("Reads all").waitFor()
    assert.strictEqual(await keys.getByText("Reads notes").count(), 0)
    assert.strictEqual(await page.getByRole("alert").count(), 0)
    await assertScreenFits(page, "record-knowledge")
    await page.goto(`${pod().baseUrl}/admin/explore?kind=:knowledge`)
    await page.getByRole("row").filter({ hasText: "harbour/depth" }).getByRole("cell", { name: "you" }).waitFor()
    await page.getByRole("link", { name: "harbour/depth" }).click()
    await page.getByRole("button", { name: "Archive" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click()
    await page.getByText("No knowledge entry yet.").waitFor()
  })

  it("a person opens and edits a knowledge entry of a workspace in the console, and a value that is JSON stays JSON", async () => {
    const workspaceId = await pod().aWorkspace(pod().owner, "Pilots")
    await made(pod(), "knowledge", { key: "limits", value: { draught: 9 }, workspaceId })
    const page = await open(`/explore?kind=:knowledge&workspaceId=${workspaceId}`)
    await page.getByRole("link", { name: "limits" }).click()
    const value = page.getByLabel("Value (JSON)")
    await value.fill('{"draught": 11}')
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("version 2").waitFor()
    const { body } = await pod().owner.send("GET", `/api/hub/knowledge/limits?workspaceId=${workspaceId}`)
    assert.deepStrictEqual(body.value, { draught: 11 })
  })

  it("if a knowledge entry changes while a person edits it, the console shows the changed value, and overwrites it only if the person asks for it", async () => {
    const { body: made } = await pod().owner.send("PUT", "/api/hub/knowledge/tides", { value: "Low at six." })
    assert.strictEqual(made.version, 1)
    const page = await open("/explore/knowledge/tides")
    await page.getByLabel("Value").fill("Low at seven.")
    await pod().owner.send("PUT", "/api/hub/knowledge/tides", { value: "Low at eight." })
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("row").filter({ hasText: "Low at eight." }).waitFor()
    const kept = async () => (await pod().owner.send("GET", "/api/hub/knowledge/tides")).body.value as unknown
    assert.strictEqual(await kept(), "Low at eight.")
    await page.getByRole("button", { name: "Write my values over version 2" }).click()
    await page.getByText("version 3").waitFor()
    assert.strictEqual(await kept(), "Low at seven.")
  })

  it("the page of a missing record shows an error with the request id, and the page of an unknown type of record shows a message", async () => {
    const page = await open("/explore/entity/00000000-0000-7000-8000-00000000abcd")
    await page.getByRole("alert").waitFor()
    assert.include(await page.getByRole("alert").innerText(), "Request")
    await page.goto(`${pod().baseUrl}/admin/explore/teapot/1`)
    await page.getByText("Explore does not open records of the type teapot.").waitFor()
  })
})
