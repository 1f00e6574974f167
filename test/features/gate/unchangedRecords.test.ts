/**
 * A change that changes nothing writes nothing: the record keeps its version, and the log gets no event and no proposal.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { ledgerOf, type Ledger } from "../../doors/ledger.ts"
import { type Approach, ask, mcp } from "../../doors/surfaces.ts"
import { makeThings, type Things } from "../../doors/things.ts"
import { allApproaches } from "../../doors/walk.ts"
import { sampleFor } from "../../doors/samples.ts"
import type { RestInput } from "../../../src/doors/InputReader.ts"
import { aPod, type TestPod } from "../../support/pod.ts"
import { onOneStorage } from "../../support/storages.ts"

type Fields = Readonly<Record<string, unknown>>

/** These operations write on every call. They change settings and proposals, which have no version for clients. */
const alwaysWriting = new Set([
  "notifications.setPreferences",
  "setup.namePod",
  "proposals.edit",
  // This operation replaces the whole policy, so an empty body is a change.
  "workspaces.setProviderRouting"
])

onOneStorage("changes that change nothing", (storage) => {
  let pod: TestPod
  let ledger: Ledger
  let ways: ReadonlyArray<Approach>
  let things: Things
  beforeAll(async () => {
    pod = await aPod(storage, {}, { hasSocket: true })
    ledger = ledgerOf(pod, storage)
    ways = await allApproaches(pod, false)
    things = await makeThings(pod, { ...pod.owner, id: pod.ownerId }, ways)
  }, 60_000)
  afterAll(() => pod?.stop())

  const anArtifact = async () => {
    const workspaceId = await pod.aWorkspace(pod.owner)
    const draft = { workspaceId, userId: pod.ownerId, kind: "document", title: "Plan" }
    const { body } = await pod.owner.send("POST", "/api/hub/artifacts", draft)
    return { workspaceId, path: `/api/hub/artifacts/${body.id}`, record: body as Fields }
  }

  it("an empty change is refused if the caller may not change the record, or if the change expects another version of the record", async () => {
    const { path, workspaceId } = await anArtifact()
    const reader = await pod.aKey(pod.owner, { grant: { permissions: ["artifact.read"], workspaceIds: [workspaceId] } })
    assert.strictEqual((await reader.send("PATCH", path, {})).body.code, "GRANT_DENIED")
    const stranger = await pod.aPerson()
    assert.strictEqual((await stranger.send("PATCH", path, {})).status, 404)
    const { body: entity } = await pod.owner.send("POST", "/api/hub/entities", { title: "Plan" })
    const stale = await pod.owner.send("PATCH", `/api/hub/entities/${entity.id}`, { version: 7 })
    assert.deepStrictEqual([stale.status, stale.body.code], [409, "VERSION_CONFLICT"])
  })

  it("if an agent whose writes need approval sends an empty change, the answer is the record, and the pod creates no proposal", async () => {
    const { path, record, workspaceId } = await anArtifact()
    const { body: made } = await pod.owner.mutate("agents.create", { name: "Helper", capabilities: ["*"] })
    const agentUserId = made.result.data.id
    await pod.owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId, workspaceId, role: "editor" })
    const agent = await pod.aKey(pod.owner, { agentId: agentUserId })
    const before = await ledger.digest()
    for (const body of [{}, { state: record["state"] }, { placement: record["placement"], reasoning: "No reason." }]) {
      const { body: answer, status } = await agent.send("PATCH", path, body)
      assert.deepStrictEqual([status, answer], [200, record])
    }
    assert.strictEqual(await ledger.digest(), before)
    assert.strictEqual((await agent.send("PATCH", path, { placement: "sidebar" })).body.status, "proposed")
  })

  it("attack: a key that may write but not read cannot read a record by an empty change without leaving an event or a proposal", async () => {
    const { body: entity } = await pod.owner.send("POST", "/api/hub/entities", {
      title: "Sealed",
      description: "Secret"
    })
    const { body: made } = await pod.owner.mutate("agents.create", { name: "Writer", capabilities: ["*"] })
    const path = `/api/hub/entities/${entity.id}`
    const updates = async () =>
      (await pod.owner.query("events.list", { type: "entity.note.update", limit: 100 })).body.result.data.filter(
        ({ subjectId }: { readonly subjectId: string }) => subjectId === entity.id
      ).length
    for (const scope of [["hub-protocol.write"], ["hub-protocol.admin", "mcp.read"], ["mcp.write"], ["data.write"]]) {
      const changeNothing = async (order: object) => {
        const key = await pod.aKey(pod.owner, { scope, ...order })
        if (scope[0]?.startsWith("hub-protocol")) return (await key.send("PATCH", path, {})).body
        const { message } = await mcp(key, "tools/call", {
          name: "svc_update_entity",
          arguments: { entityId: entity.id }
        })
        return message.result?.structuredContent
      }
      const before = await updates()
      await changeNothing({})
      assert.strictEqual(await updates(), before + 1, scope.join())
      const answer = JSON.stringify(await changeNothing({ agentId: made.result.data.id }))
      assert.include(answer, "proposed")
      assert.notInclude(answer, "Secret")
    }
  })

  it("no operation that changes a record writes anything if the body is empty or has the stored values", async () => {
    const written: Array<string> = []
    const unwritten = new Set<string>()
    for (const way of ways) {
      const { name } = way.operation
      if (way.rest === undefined || !["PATCH", "PUT"].includes(way.rest.method) || alwaysWriting.has(name)) continue
      const input = (await things.inputFor(way)) as RestInput
      const fields = Object.keys((sampleFor(way, things.known()) as { readonly body: Fields }).body)
      const sent = async (body: Fields) => {
        const before = await ledger.digest()
        const { body: answer, verdict } = await ask(pod.owner, way, { ...input, body })
        if (verdict !== "answered") return undefined
        if ((await ledger.digest()) === before) unwritten.add(name)
        else written.push(`${name} ${JSON.stringify(body)}`)
        return answer as Fields
      }
      const record = await sent({})
      const stored = fields.filter((field) => record !== undefined && Object.hasOwn(record, field))
      await sent(Object.fromEntries(stored.map((field) => [field, record?.[field]])))
    }
    assert.deepStrictEqual(written, [])
    for (const name of ["entities", "tracks", "views", "commands", "threads", "projects", "skills", "profiles"]) {
      assert.include([...unwritten], `${name}.update`)
    }
    assert.include([...unwritten], "knowledge.put")
  })
})
