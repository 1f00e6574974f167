/**
 * Event metadata over HTTP: which fields each kind must have, who may use which metadata, and how events are filtered
 * by metadata.
 */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { MetadataKind, metadataKindOf } from "../../../src/features/events/EventMetadata.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aReader } from "../../support/eventReader.ts"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { aSubscriber, aSubscribingClient } from "../../support/subscriber.ts"
import { metadataOfEachKind } from "./metadataOfEachKind.ts"

let pod: TestPod
beforeAll(async () => {
  pod = await aPod({ kind: "memory" })
})
afterAll(() => pod.stop())

const log = (caller: Caller, metadata: unknown, more: Readonly<Record<string, unknown>> = {}) =>
  caller.mutate("events.log", { type: "note.read", metadata, ...more })

describe("the metadata of an event", () => {
  it("event metadata of every kind is stored as it was sent, including fields that the pod does not know", async () => {
    for (const metadata of metadataOfEachKind) {
      const { body, status } = await log(pod.owner, metadata)
      assert.strictEqual(status, 200, JSON.stringify(body))
      const read = await pod.owner.query("events.get", { eventId: body.result.data.id })
      assert.deepStrictEqual(read.body.result.data.metadata, metadata)
    }
  })

  it("attack: event metadata of a known kind with missing or invalid fields is refused, and the answer reports the path of each fault", async () => {
    const long = "x".repeat(501)
    for (const [metadata, ...paths] of [
      [{ kind: "ai" }, "agent"],
      [{ kind: "ai", agent: "" }, "agent"],
      [{ kind: "ai", agent: long }, "agent"],
      [{ kind: "ai", agent: "a", confidence: 0.5 }, "confidence"],
      [{ kind: "ai", agent: "a", confidence: {} }, "confidence.score"],
      [{ kind: "ai", agent: "a", confidence: { score: 1.1 } }, "confidence.score"],
      [{ kind: "ai", agent: "a", confidence: { score: "1" } }, "confidence.score"],
      [{ kind: "ai", agent: "a", extraction: { extractedFrom: "m" } }, "extraction.extractedFrom"],
      [
        { kind: "ai", agent: "a", extraction: { extractedFrom: { messageId: 1 } } },
        "extraction.extractedFrom.messageId"
      ],
      [{ kind: "ai", agent: 3, extraction: { method: [] } }, "agent", "extraction.method"],
      [{ kind: "import", externalId: "1" }, "sourceSystem"],
      [{ kind: "import", sourceSystem: "a", externalId: 1 }, "externalId"],
      [{ kind: "sync", offline: "yes", platform: null }, "deviceId", "platform", "offline"],
      [{ kind: "automation", executionContext: "x" }, "ruleId", "executionContext"],
      [{ kind: "AI", agent: "a" }, "kind"],
      [{ kind: " automation" }, "kind"],
      [{ kind: "ａｉ" }, "kind"]
    ] as const) {
      const { body, status } = await log(pod.owner, metadata)
      assert.strictEqual(status, 400, JSON.stringify(metadata).slice(0, 200))
      assert.sameMembers(
        body.error.data.details.map(({ path }: { readonly path: string }) => path),
        paths.map((path) => `metadata.${path}`),
        JSON.stringify(metadata).slice(0, 200)
      )
      assert.notInclude(JSON.stringify(body), long)
    }
    for (const metadata of [null, "ai", [], 5]) assert.strictEqual((await log(pod.owner, metadata)).status, 400)
  })

  it("attack: in a space, only a caller who manages the space may log an event whose metadata contains the id of an automation rule or of another agent", async () => {
    const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
    const agentId = made.body.result.data.id as string
    await pod.owner.mutate("agents.update", { agentId, writesRequireProposal: false })
    const workspaceId = await pod.aWorkspace(pod.owner)
    const editor = await aColleague(pod, { kind: "memory" }, workspaceId, "editor", "editor")
    const agent = await pod.aKey(pod.owner, { agentId })
    const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["event.create"] } })
    const full = await pod.aKey(pod.owner)
    const byRule = { kind: "automation", ruleId: uuidv7() }
    const byAnother = { kind: "ai", agent: uuidv7() }
    const byTheAgent = { kind: "ai", agent: agentId.toUpperCase() }
    for (const [caller, claim, status] of [
      [agent, byRule, 403],
      [agent, byAnother, 403],
      [agent, { ...byAnother, agent: ` ${uuidv7().toUpperCase()} ` }, 403],
      [agent, byTheAgent, 200],
      [narrow, byRule, 403],
      [narrow, byTheAgent, 403],
      [editor, byRule, 403],
      [editor, byAnother, 403],
      [full, byRule, 200],
      [pod.owner, byRule, 200],
      [pod.owner, byAnother, 200]
    ] as const) {
      const { body, status: answered } = await log(caller, claim, { workspaceId })
      assert.strictEqual(answered, status, JSON.stringify(body))
      if (status === 403) assert.strictEqual(body.error.data.reason, "SOURCE_FORBIDDEN")
    }
    for (const free of metadataOfEachKind.filter((metadata) => metadataKindOf(metadata) !== "automation")) {
      for (const caller of [agent, narrow, editor]) {
        assert.strictEqual((await log(caller, free, { workspaceId })).status, 200, JSON.stringify(free))
      }
    }
  })

  it("the event listings and event streams of REST and tRPC find the same events for each kind of metadata", async () => {
    const person = await pod.aPerson()
    for (const metadataKind of MetadataKind.literals) {
      const client = aSubscribingClient(`${pod.baseUrl}/trpc`, person.headers)
      const subscriber = aSubscriber(client, { metadataKind, type: "note.read" })
      const query = `metadataKind=${metadataKind}&type=note.read`
      const reader = await aReader(`${pod.baseUrl}/api/hub/events/stream?${query}`, person.headers)
      await Promise.all([subscriber.opened, reader.heartbeats(1)])
      await log(person, undefined)
      for (const metadata of metadataOfEachKind) await log(person, metadata)
      const expected = metadataOfEachKind.filter((metadata) => metadataKindOf(metadata) === metadataKind)
      const kept = ({ metadata }: { readonly metadata?: unknown }) => metadata
      const listed = await person.query("events.list", { metadataKind, limit: expected.length })
      const page = await person.send("GET", `/api/hub/events?${query}&limit=${expected.length}`)
      assert.deepStrictEqual(listed.body.result.data.map(kept), expected.toReversed())
      assert.deepStrictEqual(page.body, listed.body.result.data)
      const streamed = (await reader.events(expected.length)).map(({ data }) => data)
      const tracked = (await subscriber.next(expected.length)).map(({ data }) => data as unknown)
      assert.deepStrictEqual(streamed.toReversed(), page.body)
      assert.deepStrictEqual(tracked, streamed)
      reader.close()
      subscriber.leave()
    }
    for (const path of ["/api/hub/events?metadataKind=other", "/api/hub/events/stream?metadataKind=other"]) {
      assert.strictEqual((await person.send("GET", path)).status, 400)
    }
  })
})
