/** Commands end to end, on each storage: who can read them, and which commands only their creator can see. */
import { SqlClient } from "@effect/sql"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { asOwner } from "../../support/stores.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/commands"
const secretName = "Write the resignation letter"

for (const [where, storage] of storages) {
  describe(`commands ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let elsewhere: string
    let admin: Caller & { readonly id: string }
    let agentId: string
    let agent: Caller
    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      elsewhere = await pod.aWorkspace(pod.owner, "Elsewhere")
      admin = await aColleague(pod, storage, workspaceId, "admin", "admin")
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agentId = made.body.result.data.id
      agent = await pod.aKey(pod.owner, { agentId })
    })
    afterAll(() => pod?.stop())

    const make = async (fields: Readonly<Record<string, unknown>>, caller: Caller = pod.owner) => {
      const { status, body } = await caller.send("POST", path, { workspaceId, ...fields })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    const idsOf = (listed: ReadonlyArray<{ readonly id: string }>) => listed.map(({ id }) => id)

    it("attack: only the creator of a private command can see it, through REST, tRPC and the event log", async () => {
      const mine = await make({ name: secretName, sharing: "user", triggerSlug: "resign" })
      const shared = await make({ name: "Weekly report", triggerSlug: "report" })
      const missing = await admin.send("GET", `${path}/${pod.ownerId}`)
      for (const [method, body] of [["GET"], ["PATCH", { name: "Seen" }], ["DELETE"]] as const) {
        const answer = await admin.send(method, `${path}/${mine.id}`, body)
        assert.deepStrictEqual([answer.status, answer.body], [404, missing.body], method)
      }
      const listed = await admin.send("GET", `${path}?workspaceId=${workspaceId}`)
      assert.include(idsOf(listed.body), shared.id)
      assert.notInclude(idsOf(listed.body), mine.id)
      assert.deepStrictEqual((await admin.send("GET", `${path}?triggerSlug=resign`)).body, [])
      const key = await pod.aKey(admin)
      const bridged = await key.query("commands.listCommands", { workspaceId })
      assert.include(idsOf(bridged.body.result.data), shared.id)
      assert.notInclude(idsOf(bridged.body.result.data), mine.id)
      assert.strictEqual((await key.query("commands.getCommand", { commandId: mine.id })).status, 404)
      for (const caller of [admin, pod.owner]) {
        assert.notInclude(JSON.stringify((await caller.query("events.list", { limit: 100 })).body), secretName)
      }

      const own = await pod.owner.send("GET", `${path}/${mine.id}`)
      assert.deepStrictEqual([own.status, own.body.name, own.body.workspaceId], [200, secretName, workspaceId])
      const byKey = await pod.aKey(pod.owner)
      assert.strictEqual((await byKey.query("commands.getCommand", { commandId: mine.id })).status, 200)
      assert.include(idsOf((await pod.owner.send("GET", `${path}?workspaceId=${workspaceId}`)).body), mine.id)
    })

    it("a command disappears for other people when its creator makes it private, and appears again when the creator shares it", async () => {
      const { id } = await make({ name: "Standup" })
      const seen = async () => (await admin.send("GET", `${path}/${id}`)).status
      assert.strictEqual(await seen(), 200)
      assert.strictEqual((await pod.owner.send("PATCH", `${path}/${id}`, { sharing: "user" })).status, 200)
      assert.strictEqual(await seen(), 404)
      assert.strictEqual((await pod.owner.send("PATCH", `${path}/${id}`, { sharing: "space" })).status, 200)
      assert.strictEqual(await seen(), 200)
    })

    it("a person can change another person's shared command but cannot make it private", async () => {
      const { id } = await make({ name: "Retro" })
      const hidden = await admin.send("PATCH", `${path}/${id}`, { sharing: "user" })
      assert.deepStrictEqual([hidden.status, hidden.body.code], [403, "SHARING_FORBIDDEN"])
      const changed = await admin.send("PATCH", `${path}/${id}`, { name: "Retrospective", sharing: "space" })
      assert.deepStrictEqual([changed.status, changed.body.name], [200, "Retrospective"])
    })

    it("an agent cannot propose a private command in a workspace, because the members of the workspace would see the proposal", async () => {
      const { id } = await make({ name: "Private", sharing: "user" })
      const pending = async () => (await pod.owner.send("GET", "/api/hub/proposals")).body.total
      const before = await pending()
      for (const [method, at, body] of [
        ["POST", path, { workspaceId, name: secretName, sharing: "user" }],
        ["PATCH", `${path}/${id}`, { name: "Less private" }],
        ["DELETE", `${path}/${id}`, undefined]
      ] as const) {
        const answer = await agent.send(method, at, body)
        assert.deepStrictEqual([answer.status, answer.body.code], [403, "PEOPLE_ONLY"], method)
      }
      assert.strictEqual(await pending(), before)
      const atHome = await agent.send("POST", path, { name: secretName, sharing: "user" })
      assert.deepStrictEqual([atHome.status, atHome.body.status], [200, "proposed"])
    })

    it("a person outside the workspace and a key whose grant excludes commands have no access to commands, and an agent without the capability for commands cannot write them", async () => {
      const { id } = await make({ name: "Guarded" })
      const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["track.read"] } })
      assert.deepStrictEqual((await narrow.send("GET", path)).body, [])
      assert.strictEqual((await narrow.send("GET", `${path}/${id}`)).status, 404)
      const bound = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [elsewhere] } })
      assert.strictEqual((await bound.send("GET", `${path}?workspaceId=${workspaceId}`)).status, 403)
      const stranger = await pod.aPerson()
      assert.strictEqual((await stranger.send("GET", `${path}?workspaceId=${workspaceId}`)).status, 403)
      assert.strictEqual((await stranger.send("GET", `${path}/${id}`)).status, 404)
      assert.strictEqual((await stranger.send("POST", path, { workspaceId, name: "x" })).status, 403)
      const { body } = await pod.owner.mutate("agents.create", { name: "Reader" })
      const reader = await pod.aKey(pod.owner, { agentId: body.result.data.id })
      assert.strictEqual((await reader.send("POST", path, { name: "x" })).status, 403)
      const viewer = await aColleague(pod, storage, workspaceId, "viewer", "viewer")
      assert.strictEqual((await viewer.send("GET", `${path}/${id}`)).status, 200)
      assert.strictEqual((await viewer.send("PATCH", `${path}/${id}`, { name: "x" })).status, 403)
    })

    it("a request to execute a command gets 404 or 405, because the pod has no such operation", async () => {
      const run = await pod.owner.send("POST", `${path}/execute`, { command: "ls" })
      assert.include([404, 405], run.status)
    })

    it("an agent's command waits for approval, and then has the agent as its actor", async () => {
      const asked = await agent.send("POST", path, { name: "Summarise", config: { length: "short" } })
      assert.deepStrictEqual([asked.status, asked.body.status], [200, "proposed"], JSON.stringify(asked.body))
      const { proposalId, proposedId } = asked.body
      assert.strictEqual((await pod.owner.send("GET", `${path}/${proposedId}`)).status, 404)
      assert.strictEqual((await pod.owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {})).status, 200)
      const made = await pod.owner.send("GET", `${path}/${proposedId}`)
      assert.deepStrictEqual([made.body.name, made.body.config], ["Summarise", { length: "short" }])
      const { body } = await pod.owner.query("events.list", { type: "command.create", limit: 100 })
      const event = body.result.data.find(({ subjectId }: { readonly subjectId: string }) => subjectId === proposedId)
      assert.deepStrictEqual([event.actorId, event.userId], [agentId, pod.ownerId])
    })

    it("the pages of a command listing show each visible command once, and the private commands of other people do not make a page shorter", async () => {
      const other = await aColleague(pod, storage, elsewhere, "editor", "pager")
      const made: Array<string> = []
      for (let at = 0; at < 7; at++) {
        const { id } = await make({ workspaceId: elsewhere, name: `c${at}`, sharing: at % 3 === 1 ? "user" : "space" })
        if (at % 3 !== 1) made.push(id)
      }
      const found: Array<string> = []
      let cursor: string | null = null
      do {
        const more: string = cursor === null ? "" : `&cursor=${cursor}`
        const { body, headers } = await other.send("GET", `${path}?workspaceId=${elsewhere}&limit=2${more}`)
        found.push(...idsOf(body))
        cursor = headers.get("x-svc-next-cursor")
      } while (cursor !== null)
      assert.deepStrictEqual(found, made.toReversed())
    })

    if (storage.kind !== "memory") {
      it("row-level security hides a private command even from a statement that has no condition on the creator of the command", async () => {
        const { id } = await make({ name: "Beneath", sharing: "user" })
        const seenBy = (person: string) =>
          pod.run(
            Effect.gen(function* () {
              const sql = yield* SqlClient.SqlClient
              yield* sql`SELECT set_config('app.spaces', ${`{${workspaceId}}`}, true),
                set_config('app.person', ${person}, true), set_config('app.kinds', '*', true),
                set_config('app.objects', '*', true), set_config('app.projects', '*', true)`
              return yield* sql<{ readonly id: string }>`SELECT id FROM commands WHERE id = ${id}`
            }).pipe((work) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(work)))
          )
        assert.lengthOf(await seenBy(pod.ownerId), 1)
        assert.lengthOf(await seenBy(admin.id), 0)
      })

      it("the SQL statements hide a private command by their own conditions, even without row-level security", async () => {
        const { id } = await make({ name: "Above", sharing: "user" })
        const secure = (verb: "DISABLE" | "ENABLE") =>
          pod.run(
            Effect.flatMap(SqlClient.SqlClient, (sql) =>
              asOwner(sql`ALTER TABLE commands ${sql.literal(verb)} ROW LEVEL SECURITY`)
            )
          )
        await secure("DISABLE")
        try {
          assert.strictEqual((await pod.owner.send("GET", `${path}/${id}`)).status, 200)
          assert.strictEqual((await admin.send("GET", `${path}/${id}`)).status, 404)
          assert.strictEqual((await admin.send("PATCH", `${path}/${id}`, { name: "Seen" })).status, 404)
          assert.notInclude(idsOf((await admin.send("GET", `${path}?workspaceId=${workspaceId}`)).body), id)
        } finally {
          await secure("ENABLE")
        }
      })
    }
  })
}
