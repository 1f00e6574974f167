/**
 * Compares the generated pages of docs/reference/ with the code, and the page of events with the events that a pod
 * writes.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll } from "vitest"
import { mintableScopes, opensScope } from "../../src/doors/Scope.ts"
import { projectRoot } from "../support/migrations.ts"
import { aPod, type TestPod } from "../support/pod.ts"

const page = readFileSync(`${projectRoot}docs/reference/events.md`, "utf8")

/** The cells of each table row on the page, without backticks. */
const rows = [...page.matchAll(/^\| `(.*) \|$/gm)].map(([, row = ""]) =>
  row.split(" | ").map((cell) => cell.replaceAll("`", ""))
)
const [recordRows, eventRows] = [
  rows.filter(([type = ""]) => !type.includes(".")),
  rows.filter(([type = ""]) => type.includes("."))
]

const fieldsOfRecords = ["type", "fields", "title"]

/** Returns the documented fields of an event type. Returns undefined if the page does not have the type. */
const documented = (type: string): ReadonlyArray<string> | undefined => {
  const kindless = /^entity\.(?!knowledge\.)[^.]+\.(\w+)$/.exec(type)
  const found = eventRows.filter(([name]) => name === (kindless === null ? type : `entity.<kind>.${kindless[1]}`))
  const isOfRecord =
    /^\w+\.(?:create|update|delete|restore)$/.test(type) && recordRows.some(([name]) => name === type.split(".")[0])
  return found.length === 0 && !isOfRecord
    ? undefined
    : [
        ...found.flatMap(([, , fields = ""]) => fields.replaceAll("?", "").split(" ")),
        ...(isOfRecord ? fieldsOfRecords : [])
      ]
}

describe("the generated references", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
  })
  afterAll(() => pod.stop())

  it("the committed reference pages are up to date (to update them: `npm run build && node scripts/references.mjs`)", () => {
    const { status, stderr } = spawnSync(process.execPath, [`${projectRoot}scripts/references.mjs`, "--check"])
    assert.strictEqual(status, 0, String(stderr))
  })

  it("on the reference page of doors, a scope that includes another scope lists all operations of the other scope, or says that it opens the same ones", () => {
    const doors = readFileSync(`${projectRoot}docs/reference/doors.md`, "utf8")
    const sections = new Map(
      doors.split("\n## Scope ").flatMap((section, at) => (at === 0 ? [] : [[section.split("\n", 1)[0], section]]))
    )
    const callsIn = (section: string) =>
      [...section.matchAll(/(?:REST|tRPC|MCP): ([^;|]+)/g)].flatMap(([, calls = ""]) => calls.trim().split(", "))
    let pairs = 0
    for (const scope of mintableScopes) {
      for (const other of mintableScopes.filter((one) => one !== scope && opensScope([scope], one))) {
        pairs += 1
        const section = sections.get(scope) ?? ""
        if (section.includes(`Opens the same as the scope \`${other}\`.`)) continue
        assert.includeMembers(callsIn(section), callsIn(sections.get(other) ?? ""), `${scope} opens ${other}`)
      }
    }
    assert.isAtLeast(pairs, 4)
    assert.include(callsIn(sections.get("hub-protocol.read") ?? ""), "`GET /api/hub/events/stream`")
  })

  it("the events of common writes and of a refusal are on the reference page of events, with every field of their data", async () => {
    const post = async (path: string, body: unknown) => {
      const answer = await pod.owner.send("POST", `/api/hub/${path}`, body)
      assert.strictEqual(answer.status, 200, `${path} ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const workspaceId = await pod.aWorkspace(pod.owner)
    const note = await post("entities", { title: "Order slates", content: "Forty of them.", workspaceId })
    const other = await post("entities", { title: "Order nails", workspaceId })
    await pod.owner.send("PATCH", `/api/hub/entities/${note.id}`, { title: "Order new slates" })
    await post("relations", { type: "related_to", sourceEntityId: note.id, targetEntityId: other.id })
    await pod.owner.send("PUT", "/api/hub/knowledge/roof", { content: "It leaks.", title: "Roof" })
    await post("projects", { name: "Roof", workspaceId })
    await post("memory", { fact: "The roofer comes on Tuesday." })
    await post("invitations", { workspaceId, role: "viewer" })
    await pod.owner.send("DELETE", `/api/hub/entities/${other.id}`)
    const { body } = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["entity.note"] })
    const agent = await pod.aKey(pod.owner, {
      agentId: body.result.data.id,
      scope: ["hub-protocol.write"],
      grant: { permissions: ["entity.note"] }
    })
    await agent.send("POST", "/api/hub/entities", { title: "Call the roofer", reasoning: "The roof leaks." })
    await agent.send("POST", "/api/hub/documents", { title: "Not allowed", content: "No." })
    await pod.owner.mutate("apiKeys.revoke", { keyId: agent.id })

    const events = (await pod.owner.send("GET", "/api/hub/events?limit=200")).body as ReadonlyArray<{
      readonly type: string
      readonly data: object
    }>
    const types = new Set(events.map(({ type }) => type))
    for (const type of ["entity.note.create", "proposal.create", "apiKey.revoke", "memory.create", "access.refused"]) {
      assert.include([...types], type)
    }
    for (const { data, type } of events) {
      const fields = documented(type)
      assert.isDefined(fields, `docs/reference/events.md does not have ${type}`)
      assert.includeMembers([...fields], Object.keys(data), type)
    }
  })

  it("the reference page of limits contains the setting of the rate limit and the largest page size of the entity listing", () => {
    const limits = readFileSync(`${projectRoot}docs/reference/limits.md`, "utf8")
    for (const text of ["`POD_RATE_LIMIT` | `600`", "| 1,000 | 20 | `GET /entities`"]) assert.include(limits, text)
  })
})
