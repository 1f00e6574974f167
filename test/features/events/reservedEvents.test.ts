/**
 * Which events only the pod itself may log. The tests compare the reserved event types with every event type in the
 * source code, and send events over HTTP.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { afterAll, beforeAll } from "vitest"
import { isReservedType } from "../../../src/features/events/ReservedEvents.ts"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"

const features = new URL("../../../src/features/", import.meta.url)
const sources = readdirSync(features, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(new URL(name, features), "utf8"))

const found = (pattern: RegExp) => sources.flatMap((text) => [...text.matchAll(pattern)].map(([, one]) => one))

/** The values of each placeholder in an event type. A new placeholder in the source code must be added here. */
const fillings: Readonly<Record<string, ReadonlyArray<string>>> = {
  "type.name": found(/\brecordType\("([^"]+)"/g),
  action: ["create", "update", "delete", "restore"],
  kind: ["note", "null"],
  knowledgeKind: ["knowledge"],
  deed: found(/\bvaultEvent\("([^"]+)"/g)
}

const filled = (text: string): ReadonlyArray<string> => {
  const placeholder = /\$\{([^}]*)\}/.exec(text)
  if (placeholder === null) return [text]
  const values = fillings[placeholder[1]]
  assert.isDefined(values, `${text}: the values of the placeholder ${placeholder[0]} are missing in this test`)
  return values.flatMap((value) => filled(text.replace(placeholder[0], value)))
}

/**
 * The event types in the source code: every string with a dot that follows `type:` or is passed to `noted`. If a
 * condition follows `type:`, the strings of both branches are included.
 */
const appended = [
  ...new Set(
    [
      ...found(/\btype: [^,\n}]*?["`]([A-Za-z_${}]+\.[^"`]+)["`]/g),
      ...found(/\btype: [^,\n}]*["`]([A-Za-z_${}]+\.[^"`]+)["`]/g),
      ...found(/\bnoted\("([^"]+)"/g)
    ].flatMap(filled)
  )
]

describe("event types reserved for the pod", () => {
  it("the reserved event types contain every event type that the source code of the pod appends", () => {
    assert.isAtLeast(appended.length, 80)
    for (const known of ["proposal.approve", "proposal.reject", "proposal.withdraw", "workspace.failed"]) {
      assert.include(appended, known)
    }
    assert.deepStrictEqual(
      appended.filter((type) => !isReservedType(type)),
      []
    )
  })

  it("the reserved event types include neither the documented types for clients nor the types that clients invent", () => {
    for (const type of [
      "note.creation.requested",
      "task.completed",
      "entity.created",
      "entity.create.completed",
      "artifact.changed.completed",
      "focus_session.create.completed",
      "documents.create.requested",
      "chat_threads.branch.requested",
      "webhooks.deliver.requested",
      "invoice.create",
      "document",
      "traced"
    ]) {
      assert.isFalse(isReservedType(type), type)
    }
  })
})

let pod: TestPod
let key: Caller
let workspaceId: string
beforeAll(async () => {
  pod = await aPod({ kind: "memory" })
  key = await pod.aKey(pod.owner)
  workspaceId = await pod.aWorkspace(pod.owner)
})
afterAll(() => pod.stop())

const log = (caller: Caller, event: Readonly<Record<string, unknown>>) =>
  caller.mutate("events.log", { type: "import.finished", ...event })

describe("attack: a client logs an event that only the pod or an administrator may log", () => {
  it("the pod answers 400 to every caller who logs an event with a reserved type, in every spelling of the type", async () => {
    for (const type of [...appended, "access.granted", "PROPOSAL.approve", "Member.Create", "workspace.anything"]) {
      for (const caller of [pod.owner, key]) {
        const { body, status } = await log(caller, { type })
        assert.strictEqual(status, 400, type)
        assert.include(JSON.stringify(body), "Only the pod may log events of this type", type)
      }
    }
  })

  const own = ["system", "migration", "sync"]
  const free = ["api", "automation", "intelligence"]

  it("a person who manages a space may log events in this space with any source, both through a session and through an unlimited key", async () => {
    for (const source of [...own, ...free]) {
      for (const caller of [pod.owner, key]) {
        assert.strictEqual((await log(caller, { source })).status, 200, source)
        assert.strictEqual((await log(caller, { source, workspaceId })).status, 200, source)
      }
    }
  })

  it("an agent and a key with a narrow grant can log events with any source that is not reserved for the pod", async () => {
    const agent = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
    const agentId = agent.body.result.data.id as string
    await pod.owner.mutate("agents.update", { agentId, writesRequireProposal: false })
    const callers = {
      agent: await pod.aKey(pod.owner, { agentId }),
      "narrowed key": await pod.aKey(pod.owner, { grant: { permissions: ["event.create"] } })
    }
    for (const [what, caller] of Object.entries(callers)) {
      for (const source of own) {
        const { body, status } = await log(caller, { source })
        assert.strictEqual(status, 403, `${what}: ${source}`)
        assert.include(JSON.stringify(body), "SOURCE_FORBIDDEN")
      }
      for (const source of free) assert.strictEqual((await log(caller, { source })).status, 200, `${what}: ${source}`)
    }
  })

  it("an editor of a workspace cannot log events in this workspace with a source that is reserved for the pod", async () => {
    const admin = await aColleague(pod, { kind: "memory" }, workspaceId, "admin", "admin")
    const editor = await aColleague(pod, { kind: "memory" }, workspaceId, "editor", "editor")
    for (const source of own) {
      assert.strictEqual((await log(admin, { source, workspaceId })).status, 200, source)
      assert.strictEqual((await log(editor, { source, workspaceId })).status, 403, source)
      assert.strictEqual((await log(editor, { source })).status, 200, `${source} in their own space`)
    }
    assert.strictEqual((await log(editor, { source: "automation", workspaceId })).status, 200)
  })
})
