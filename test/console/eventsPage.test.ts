/**
 * The events screen in a browser: the live tail (the list of the newest events), its filters, and the details of an
 * event.
 */
import { assert } from "vitest"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"
import { aNote, anAgent } from "./proposalScene.ts"

describeConsole("the events page", ({ open, pod }) => {
  const log = async (type: string, more: object = {}) => {
    const { body, status } = await pod().owner.mutate("events.log", { type, data: { about: type }, ...more })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.result.data as { readonly id: string; readonly correlationId: string }
  }

  it("on the events page a new event appears above the earlier events without a reload", async () => {
    await log("tail.before")
    const page = await open("/events")
    const list = page.getByRole("region", { name: "Events" })
    await list.getByRole("link", { name: /tail\.before/ }).waitFor()
    await page.getByText("live", { exact: true }).waitFor()
    await log("tail.after")
    await list.getByRole("link", { name: /tail\.after/ }).waitFor()
    const first = await list.getByRole("listitem").first().innerText()
    assert.include(first, "tail.after")
    await assertScreenFits(page, "events-tail")
  })

  it("the rows of the events page and the details of an event show the title of the record that the event is about", async () => {
    const note = await aNote(pod(), { title: "Harbour plan" })
    const page = await open("/events")
    const list = page.getByRole("region", { name: "Events" })
    const created = list.getByRole("link", { name: /entity\.note\.create/ }).filter({ hasText: "Harbour plan" })
    await created.click()
    const drawer = page.getByRole("dialog", { name: "Event" })
    await drawer.getByRole("link", { name: "entity Harbour plan" }).waitFor()
    await drawer.getByText(note, { exact: true }).waitFor()
  })

  it("on the events page, the event of a notification has the name of the record that the notification is about", async () => {
    const scribe = await anAgent(pod(), "Scribe")
    await scribe.create({ title: "Buoy list" })
    const page = await open("/events")
    const rows = page.getByRole("region", { name: "Events" }).getByRole("link", { name: /notification\.create/ })
    await rows.filter({ hasText: "Create note “Buoy list”" }).waitFor()
  })

  it("the row of an event without the title of its record shows the title that the pod knows, and one request gets all titles", async () => {
    const ids = [await aNote(pod(), { title: "Tide table" }), await aNote(pod(), { title: "Crew list" })]
    for (const id of ids) await pod().owner.send("PATCH", `/api/hub/entities/${id}`, { description: "Changed." })
    const page = await open("/health")
    const requests: Array<ReadonlyArray<string>> = []
    page.on("request", (request) => {
      if (request.url().endsWith("/resolve/titles")) requests.push(request.postDataJSON().ids)
    })
    await page.goto(`${pod().baseUrl}/admin/events?type=entity.note.update`)
    const list = page.getByRole("region", { name: "Events" })
    await list.getByRole("link", { name: /Tide table/ }).waitFor()
    const row = list.getByRole("link", { name: /Crew list/ })
    await row.waitFor()
    assert.strictEqual(await row.getByText("Crew list").getAttribute("title"), ids[1])
    assert.deepStrictEqual(
      requests.map((asked) => asked.toSorted()),
      [ids.toSorted()]
    )
    await row.click()
    const drawer = page.getByRole("dialog", { name: "Event" })
    await drawer.getByRole("link", { name: "entity Crew list" }).waitFor()
    await drawer.getByText(ids[1] ?? "", { exact: true }).waitFor()
    await drawer.getByRole("tab", { name: "Tree" }).click()
    await drawer.getByRole("list", { name: "Tree of causes" }).getByText("Crew list", { exact: true }).waitFor()
    assert.lengthOf(requests, 1)
  })

  it("on the events page the earlier events of a renamed record show the new title too", async () => {
    const id = await aNote(pod(), { title: "Old harbour" })
    await pod().owner.send("PATCH", `/api/hub/entities/${id}`, { title: "New harbour" })
    const page = await open(`/events?subjectId=${id}`)
    const list = page.getByRole("region", { name: "Events" })
    await list.getByRole("link", { name: /entity\.note\.create.*New harbour/ }).waitFor()
    await list.getByRole("link", { name: /entity\.note\.update.*New harbour/ }).waitFor()
    await page.getByText("live", { exact: true }).waitFor()
    await pod().owner.send("PATCH", `/api/hub/entities/${id}`, { title: "Newest harbour" })
    await list.getByRole("link", { name: /entity\.note\.create.*Newest harbour/ }).waitFor()
  })

  it("the events page shows a message if no event matches its filters, and the address of the page keeps the filters", async () => {
    const page = await open("/events?type=nothing.like.this&source=sync")
    await page.getByText("No event matches these filters.").waitFor()
    assert.strictEqual(await page.getByLabel("Source").inputValue(), "sync")
    assert.strictEqual(await page.getByLabel("Type").inputValue(), "nothing.like.this")
    await assertScreenFits(page, "events-empty")
    await page.getByRole("button", { name: "Clear all" }).click()
    await page.waitForURL((url) => !url.search.includes("type"))
    await page.getByRole("region", { name: "Events" }).getByRole("listitem").first().waitFor()
  })

  it("on the events page the filters by type, by source and by metadata apply to earlier and to new events", async () => {
    await log("filtered.sync", { source: "sync", metadata: { kind: "sync", deviceId: "d", platform: "ios" } })
    await log("filtered.api")
    const page = await open("/events")
    const list = page.getByRole("region", { name: "Events" })
    await list.getByRole("link", { name: /filtered\.api/ }).waitFor()
    await page.getByLabel("Source").selectOption("sync")
    await list.getByRole("link", { name: /filtered\.api/ }).waitFor({ state: "detached" })
    await list.getByRole("link", { name: /filtered\.sync/ }).waitFor()
    await page.getByText("live", { exact: true }).waitFor()
    await log("filtered.other")
    await log("filtered.late", { source: "sync" })
    await list.getByRole("link", { name: /filtered\.late/ }).waitFor()
    assert.notInclude(await list.innerText(), "filtered.other")
    await page.getByLabel("Metadata").selectOption("sync")
    await list.getByRole("link", { name: /filtered\.late/ }).waitFor({ state: "detached" })
    await list.getByRole("link", { name: /filtered\.sync/ }).waitFor()
  })

  it("on the events page a person filters events by actor, by last day and for having metadata, and the address of the page keeps these filters", async () => {
    await log("chosen.plain")
    await log("chosen.marked", { metadata: { kind: "sync", deviceId: "d", platform: "ios" } })
    const agent = await pod().owner.mutate("agents.create", { name: "Filtered agent" })
    const page = await open("/events")
    const list = page.getByRole("region", { name: "Events" })
    await list.getByRole("link", { name: /chosen\.plain/ }).waitFor()
    await page.getByLabel("Metadata").selectOption("With any metadata")
    await list.getByRole("link", { name: /chosen\.plain/ }).waitFor({ state: "detached" })
    await list.getByRole("link", { name: /chosen\.marked/ }).waitFor()
    await page.waitForURL(/metadataKind=any/)
    await page.getByLabel("Time", { exact: true }).selectOption("Chosen days …")
    await page.getByLabel("Until").fill("2020-01-31")
    await list.getByRole("link", { name: /chosen\.marked/ }).waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Clear all" }).click()
    await list.getByRole("link", { name: /chosen\.plain/ }).waitFor()
    await page.getByLabel("Actor").selectOption("Filtered agent")
    await page.getByText("No event matches these filters.").waitFor()
    await page.waitForURL(new RegExp(`actorId=${agent.body.result.data.id}`))
    await page.getByLabel("Actor").selectOption("You")
    await list.getByRole("link", { name: /chosen\.plain/ }).waitFor()
  })

  it("the list on the events page does not move while the pointer is over it, and a button counts the new events and shows them", async () => {
    await log("hover.first")
    const page = await open("/events")
    const list = page.getByRole("region", { name: "Events" })
    await list.getByRole("link", { name: /hover\.first/ }).waitFor()
    await page.getByText("live", { exact: true }).waitFor()
    await list.hover()
    await log("hover.second")
    await log("hover.third")
    await page.getByRole("button", { name: "2 new" }).waitFor()
    assert.notInclude(await list.innerText(), "hover.third")
    await page.getByRole("button", { name: "2 new" }).click()
    await list.getByRole("link", { name: /hover\.third/ }).waitFor()
  })

  it("if a person has scrolled down in the list of the events page, a new event does not move the list", async () => {
    await Promise.all(Array.from({ length: 20 }, () => log("scroll.below")))
    await log("scroll.top")
    const page = await open("/events")
    const list = page.getByRole("region", { name: "Events" })
    await list.getByRole("link", { name: /scroll\.top/ }).waitFor()
    await page.getByText("live", { exact: true }).waitFor()
    await list.focus()
    await page.keyboard.press("PageDown")
    await list.getByRole("link", { name: /scroll\.top/ }).waitFor({ state: "detached" })
    await log("scroll.late")
    await page.getByRole("button", { name: "1 new" }).waitFor()
    await list.focus()
    await page.keyboard.press("Home")
    await list.getByRole("link", { name: /scroll\.late/ }).waitFor()
  })

  it("the events page contains only a few rows of a long list of events at a time", async () => {
    const page = await open("/events?type=many.rows")
    await page.getByText("live", { exact: true }).waitFor()
    await Promise.all(Array.from({ length: 80 }, () => log("many.rows")))
    await page.getByText("80 events shown").waitFor()
    assert.isBelow(await page.getByRole("region", { name: "Events" }).getByRole("listitem").count(), 40)
  })

  it("on the events page an interrupted stream continues after its last event, and a mark shows the interruption", async () => {
    await log("gap.before")
    const page = await open("/events")
    const list = page.getByRole("region", { name: "Events" })
    await list.getByRole("link", { name: /gap\.before/ }).waitFor()
    await page.getByText("live", { exact: true }).waitFor()
    const show = (state: string) =>
      page.evaluate(`
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "${state}" })
        document.dispatchEvent(new Event("visibilitychange"))`)
    await show("hidden")
    await log("gap.meanwhile")
    await show("visible")
    await list.getByText("The stream broke, and was opened again").waitFor()
    await list.getByRole("link", { name: /gap\.meanwhile/ }).waitFor()
    await assertScreenFits(page, "events-gap")
  })

  it("the details of an event show its payload, its metadata, the decision about it, and a curl command that reads the event", async () => {
    const { id } = await log("detail.seen", { metadata: { kind: "custom", note: "kept" } })
    const page = await open(`/events?event=${id}`)
    const drawer = page.getByRole("dialog", { name: "Event" })
    await drawer.getByRole("heading", { name: "detail.seen" }).waitFor()
    assert.include(await drawer.getByRole("region", { name: "the payload" }).innerText(), `"about": "detail.seen"`)
    await drawer.getByRole("tab", { name: "Metadata" }).click()
    assert.include(await drawer.getByRole("region", { name: "the metadata" }).innerText(), "kept")
    await drawer.getByRole("tab", { name: "Decision" }).click()
    await drawer.getByText("The pod carried out the request.").waitFor()
    await drawer.getByText("allow", { exact: true }).waitFor()
    await assertScreenFits(page, "event-decision")
    await drawer.getByRole("tab", { name: "Raw" }).click()
    const curl = await drawer.getByRole("region", { name: "as curl" }).innerText()
    assert.include(curl, "events.get")
    assert.include(curl, id)
    await page.keyboard.press("Escape")
    await page.waitForURL((url) => !url.search.includes("event="))
  })

  it("the tab “Request” of an event on the events page lists every event of the same request", async () => {
    const one = await pod().owner.send("POST", "/api/hub/entities", {
      profileSlug: "note",
      title: "Inge",
      content: "A long text."
    })
    assert.strictEqual(one.status, 200, JSON.stringify(one.body))
    const events = (await pod().owner.send("GET", `/api/hub/events?subjectId=${one.body.id}`)).body
    const whole = (await pod().owner.send("GET", `/api/hub/events?correlationId=${events[0].correlationId}`)).body
    const page = await open(`/events?event=${events[0].id}`)
    await page.getByRole("tab", { name: "Request" }).click()
    const thread = page.getByRole("list", { name: "Events of the request" })
    await thread.getByText("this event").waitFor()
    assert.strictEqual(await thread.getByRole("listitem").count(), whole.length)
    await assertScreenFits(page, "event-thread")
  })

  it("the tree of an event on the events page begins with the first cause of the event and shows its effects", async () => {
    const root = await log("tree.root")
    const child = await log("tree.child", { causationId: root.id })
    const leaf = await log("tree.leaf", { causationId: child.id })
    await log("tree.sibling", { causationId: root.id })
    const page = await open(`/events?event=${leaf.id}`)
    await page.getByRole("tab", { name: "Tree" }).click()
    const tree = page.getByRole("list", { name: "Tree of causes" })
    await tree.getByText("tree.leaf").waitFor()
    await tree.getByText("tree.sibling").waitFor()
    const text = await tree.innerText()
    assert.isBelow(text.indexOf("tree.root"), text.indexOf("tree.child"))
    assert.isBelow(text.indexOf("tree.child"), text.indexOf("tree.leaf"))
    await assertScreenFits(page, "event-tree")
    await tree.getByRole("link", { name: "tree.root" }).click()
    await page.getByRole("dialog", { name: "Event" }).getByRole("heading", { name: "tree.root" }).waitFor()
  })

  it("if the cause of an event is not in the event log, the tree on the events page begins with the event itself and shows a message", async () => {
    const { id } = await log("tree.orphan", { causationId: "00000000-0000-7000-8000-00000000cafe" })
    const page = await open(`/events?event=${id}`)
    await page.getByRole("tab", { name: "Tree" }).click()
    await page.getByText("Its cause is not in your log").waitFor()
  })

  it("with the keyboard alone a person opens the newest event on the events page, closes it, and pauses the live tail", async () => {
    await log("keys.older")
    await log("keys.newer")
    const page = await open("/events")
    await page.getByRole("link", { name: /keys\.newer/ }).waitFor()
    await page.keyboard.press("j")
    await page.getByRole("dialog", { name: "Event" }).getByRole("heading", { name: "keys.newer" }).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("dialog", { name: "Event" }).waitFor({ state: "detached" })
    await page.getByText("live", { exact: true }).waitFor()
    await page.keyboard.press("p")
    await page.getByRole("button", { name: "Resume" }).waitFor()
    await log("keys.held")
    await page.getByRole("button", { name: "1 new" }).press("Enter")
    await page.getByRole("link", { name: /keys\.held/ }).waitFor()
    await page.getByRole("button", { name: "Pause" }).waitFor()
  })
})
