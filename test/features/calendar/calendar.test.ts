/** Calendar feeds over HTTP: who may make a feed URL, what the feed shows, and that a replaced URL no longer works. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import ICAL from "ical.js"
import { anAttackScene, assertOk, assertRefused } from "../../attacks/attackScene.ts"
import { aColleague, takeRole } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { onOneStorage } from "../../support/storages.ts"

const at = "/api/hub/calendar/feed"

onOneStorage("calendar feeds", (storage) => {
  let pod: TestPod
  beforeAll(async () => void (pod = await aPod(storage)), 60_000)
  afterAll(() => pod.stop())

  const urlOf = async (person: Caller): Promise<string> => assertOk(await person.send("POST", at)).url
  const aNote = async (person: Caller, title: string, properties: object, more: object = {}) =>
    assertOk(await person.send("POST", "/api/hub/entities", { title, profileSlug: "note", properties, ...more }))
  const eventsAt = async (url: string) => {
    const answer = await pod.stranger.send("GET", url)
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    const text: string = answer.body
    assert.isTrue(text.split("\r\n").every((line) => Buffer.byteLength(line) <= 75 && !line.includes("\n")))
    const calendar = new ICAL.Component(ICAL.parse(text) as never)
    return calendar.getAllSubcomponents("vevent").map((each) => new ICAL.Event(each))
  }

  it("an independent calendar parser finds in a calendar feed the text and time of every record with a date, and finds no other record", async () => {
    const person = await pod.aPerson()
    const title = `Ünïted, one; two\\three 🎉 ${"long ".repeat(30)}`.trim()
    await aNote(person, title, { due: "2026-03-31" }, { description: "first line\nsecond; line" })
    await aNote(person, "Call", { start: "2026-03-31T09:30:00Z", end: "2026-03-31T10:00:00Z" })
    await aNote(person, "Trip", { startDate: "2026-04-01", endDate: "2026-04-03" })
    await aNote(person, "No date", { due: "soon" })
    const url = await urlOf(person)
    const answer = await pod.stranger.send("GET", url)
    assert.match(answer.headers.get("content-type") ?? "", /^text\/calendar/)
    const found = new Map((await eventsAt(url)).map((event) => [event.summary, event]))
    assert.sameMembers([...found.keys()], [title, "Call", "Trip"])
    assert.strictEqual(found.get(title)?.description, "first line\nsecond; line")
    assert.strictEqual(found.get(title)?.startDate.toString(), "2026-03-31")
    assert.strictEqual(found.get("Call")?.startDate.toJSDate().toISOString(), "2026-03-31T09:30:00.000Z")
    assert.strictEqual(found.get("Call")?.endDate.toJSDate().toISOString(), "2026-03-31T10:00:00.000Z")
    assert.strictEqual(found.get("Trip")?.endDate.toString(), "2026-04-04")
  })

  it("a calendar feed shows what its owner may read at the time of the request, and a request to a replaced or revoked URL gets 404 at once", async () => {
    const person = await pod.aPerson()
    const workspaceId = await pod.aWorkspace(person)
    const reader = await aColleague(pod, storage, workspaceId, "viewer", "calendar")
    await aNote(person, "Shared", { due: "2026-03-31" }, { workspaceId })
    await aNote(person, "Own", { due: "2026-03-31" })
    const url = await urlOf(reader)
    assert.deepStrictEqual(
      (await eventsAt(url)).map(({ summary }) => summary),
      ["Shared"]
    )
    await takeRole(pod, storage, reader.id, workspaceId)
    assert.deepStrictEqual(await eventsAt(url), [])
    const next = await urlOf(reader)
    assert.strictEqual((await pod.stranger.send("GET", url)).status, 404)
    assert.isTrue(assertOk(await reader.send("GET", at)).isActive)
    assert.notInclude(JSON.stringify(assertOk(await reader.send("GET", at))), next)
    assertOk(await reader.send("DELETE", at))
    assert.strictEqual((await pod.stranger.send("GET", next)).status, 404)
    for (const unknown of ["x.ics", `${"A".repeat(43)}.ics`, next.split("/").at(-1)!.replace(".ics", "")]) {
      assert.strictEqual((await pod.stranger.send("GET", `${at}/${unknown}`)).status, 404)
    }
  })

  it("attack: an agent and keys with limits can neither make nor end a calendar feed", async () => {
    const { agent, owner, pod: own, workspaceId } = await anAttackScene({ kind: "memory" })
    const narrow = [
      agent,
      await own.aKey(owner, { grant: { permissions: ["calendar"] } }),
      await own.aKey(owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
    ]
    const url = await urlOf(owner)
    for (const by of narrow) {
      assertRefused(await by.send("POST", at), 403)
      assertRefused(await by.send("DELETE", at), 403)
    }
    assert.strictEqual((await own.stranger.send("GET", url)).status, 200)
    await own.stop()
  })
})
