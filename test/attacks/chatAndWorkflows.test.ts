/**
 * Attacks over HTTP on the routes of chat and of n8n: by strangers, by keys with narrow grants and by broken clients.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { aModelStub, type ModelStub, replies } from "../support/modelStub.ts"
import { aPod, type Answer, type Caller, type TestPod } from "../support/pod.ts"
import { storages } from "../support/storages.ts"
import { assertOk, proposalCount } from "./attackScene.ts"

const completions = "/v1/chat/completions"
const turns = "/api/external/chat/stream"
const n8n = (route: string) => `/api/n8n/${route}`
const scopes = ["chat.stream", "write:entities", "read:entities", "ai:analyze"]

/** For each route, a function that makes a valid body with the given text in it. */
const bodies: Readonly<Record<string, (text: string) => Readonly<Record<string, unknown>>>> = {
  [completions]: (content) => ({ messages: [{ role: "user", content }] }),
  [turns]: (query) => ({ query }),
  [n8n("entities")]: (content) => ({ type: "note", content }),
  [n8n("search")]: (query) => ({ query }),
  [n8n("analyze")]: (content) => ({ content, analysisTypes: ["tags"] })
}
const paths = Object.keys(bodies)

/** Returns the message of a refusal. Each API dialect has the message in a different field of the body. */
const sentenceOf = ({ body }: Answer): unknown => (typeof body.error === "string" ? body.error : body.error?.message)

const withoutIds = ({ body, status }: Answer) => [
  status,
  JSON.stringify(body).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id")
]

for (const [where, storage] of storages) {
  describe(`attack: a stranger tries the routes of chat and of n8n, ${where}`, () => {
    let stub: ModelStub
    let pod: TestPod
    let key: Caller
    beforeAll(async () => {
      stub = await aModelStub()
      pod = await aPod(storage, {
        languageModelUrl: Option.some(stub.url),
        languageModelName: Option.some("small"),
        scopedRetrieval: "on"
      })
      key = await pod.aKey(pod.owner, { scope: scopes })
    })
    afterAll(async () => {
      await pod?.stop()
      await stub?.stop()
    })

    const entities = async (caller: Caller) => assertOk(await caller.send("GET", "/api/hub/entities?limit=500"))

    it("the routes of chat and n8n refuse a malformed body with a readable message and do not call the model", async () => {
      stub.reply(replies.saying("{}"))
      const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
      for (const path of paths) {
        for (const body of ["{", "", "null", "[]", '"x"', "7", "{}", deep, '{"__proto__":{"query":"x"}}']) {
          const answer = await key.send("POST", path, body)
          assert.include([400, 413, 415], answer.status, `${path} ${body.slice(0, 40)}`)
          assert.match(String(sentenceOf(answer)), / /, `${path} ${body.slice(0, 40)}`)
        }
      }
      assert.strictEqual(stub.asked().length, 0)
    })

    it("the routes of chat and n8n answer 200 or 400 to a text with control characters or invalid characters, and never an internal error", async () => {
      for (const path of paths) {
        for (const text of [
          "\u0000",
          "crane\u0000",
          "\ud800 crane",
          " \n\t ",
          "\u202e\ufeff",
          '"',
          "-",
          "type:",
          "*"
        ]) {
          stub.reply(replies.saying('{"tags":[]}'))
          const { body, status } = await key.send("POST", path, bodies[path](text))
          assert.include([200, 400], status, `${path} ${JSON.stringify(text)} ${JSON.stringify(body)}`)
        }
      }
    })

    it("the routes of chat and n8n refuse a body with over a million characters or 300000 values before they call the model or store a record", async () => {
      stub.reply(replies.saying("{}"))
      const before = (await entities(pod.owner)).length
      for (const path of paths) {
        for (const body of [
          JSON.stringify(bodies[path]("x".repeat(1_200_000))),
          JSON.stringify({ ...bodies[path]("x"), more: Array(300_000).fill(0) })
        ]) {
          const answer = await key.send("POST", path, body)
          assert.include([400, 413], answer.status, path)
          assert.match(String(sentenceOf(answer)), / /, path)
        }
      }
      assert.strictEqual(stub.asked().length, 0)
      assert.strictEqual((await entities(pod.owner)).length, before)
    })

    it("the routes of chat and n8n refuse a misspelt field, and the answer contains the right field name", async () => {
      for (const [path, body, meant] of [
        [turns, { query: "x", workspaceid: "x" }, "workspaceId"],
        [n8n("entities"), { type: "note", content: "x", workspaceID: null }, "workspaceId"],
        [n8n("entities"), { type: "note", content: "x", tag: ["x"] }, "tags"],
        [n8n("search"), { query: "x", limt: 1 }, "limit"],
        [n8n("analyze"), { content: "x", analysisTypes: ["tags"], analysisType: ["tags"] }, "analysisTypes"]
      ] as const) {
        const answer = await key.send("POST", path, body)
        assert.strictEqual(answer.status, 400, path)
        assert.include(JSON.stringify(answer.body), meant, path)
      }
    })

    it("if the pod refuses a record from n8n, the error uses the field names of n8n, and an error about a project contains the endpoint that creates projects", async () => {
      const path = n8n("entities")
      const pathsOf = (answer: Answer) => {
        assert.strictEqual(answer.status, 400, JSON.stringify(answer.body))
        return answer.body.details.map((fault: { readonly path: string }) => fault.path)
      }
      const long = { type: "project", title: "Dock", content: "x".repeat(20_000) }
      assert.deepStrictEqual(pathsOf(await key.send("POST", path, long)), ["content"])
      assert.deepStrictEqual(pathsOf(await key.send("POST", path, { ...long, title: " ", content: "x" })), ["title"])
      const made = await pod.owner.mutate("agents.create", { name: "builder", capabilities: ["*"] })
      const agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id, scope: ["write:entities"] })
      const refused = await agent.send("POST", path, { type: "project", content: "Dock" })
      assert.deepStrictEqual(pathsOf(refused), ["type"])
      assert.include(refused.body.error, "POST /api/hub/projects")
    })

    it("the chat completions endpoint ignores an unknown field and lists it in a header of the answer, but refuses a misspelt `workspaceId`", async () => {
      stub.reply(replies.saying("Hello."))
      const body = bodies[completions]("Where is the crane?")
      const { headers, status } = await key.send("POST", completions, { ...body, logit_bias: {} })
      assert.deepStrictEqual([status, headers.get("x-svc-ignored-fields")], [200, "logit_bias"])
      for (const name of ["workspace_id", "workspaceID", "WorkspaceId", "workspace-id"]) {
        const misspelt = await key.send("POST", completions, { ...body, [name]: "x" })
        assert.strictEqual(misspelt.status, 400, name)
        assert.include(misspelt.body.error.message, "workspaceId")
      }
    })

    it("chat and n8n give the same answer for a workspace of other people as for a workspace that does not exist, and do not call the model", async () => {
      stub.reply(replies.saying("Hello."))
      const foreign = await pod.aWorkspace(await pod.aPerson(), "Foreign")
      const absent = "00000000-0000-7000-8000-00000000dead"
      for (const path of [completions, turns, n8n("entities")]) {
        const [one, other] = [
          await key.send("POST", path, { ...bodies[path]("x"), workspaceId: foreign }),
          await key.send("POST", path, { ...bodies[path]("x"), workspaceId: absent })
        ]
        assert.include([403, 404], one.status, path)
        assert.deepStrictEqual(withoutIds(one), withoutIds(other), path)
      }
      const header = await key.send("POST", completions, bodies[completions]("x"), { "x-svc-workspace-id": foreign })
      assert.strictEqual(header.status, 404)
      assert.strictEqual(stub.asked().length, 0)
    })

    it("chat and n8n search only the records that the grant of the key covers, and the model gets no other records", async () => {
      const secret = `harbourmaster${where.length}`
      for (const profileSlug of ["note", "task"]) {
        const body = { profileSlug, title: `${secret} ${profileSlug}`, description: `The ${secret} ${profileSlug}.` }
        assertOk(await pod.owner.send("POST", "/api/hub/entities", body))
      }
      const narrow = await pod.aKey(pod.owner, { scope: scopes, grant: { permissions: ["entity.task.read"] } })
      stub.reply(replies.saying("I do not know."))
      const { sources } = assertOk(await narrow.send("POST", completions, bodies[completions](`Who is ${secret}?`)))
      assert.deepStrictEqual(
        sources.map(({ title }: { readonly title: string }) => title),
        [`${secret} task`]
      )
      assert.notInclude(JSON.stringify(stub.asked()), `${secret} note`)
      for (const query of [secret, `${secret} type:note`, `"${secret}" -type:task`]) {
        const { results } = assertOk(await narrow.send("POST", n8n("search"), { query }))
        assert.notInclude(JSON.stringify(results), `${secret} note`, query)
      }
      const { results } = assertOk(
        await key.send("POST", n8n("search"), { query: `${secret} type:note`, type: "task" })
      )
      assert.notInclude(JSON.stringify(results), `${secret} note`)
    })

    it("n8n cannot add a record outside the grant of its key or in the name of another person, and a record that an agent adds through n8n becomes a proposal", async () => {
      const path = n8n("entities")
      const workspaceId = await pod.aWorkspace(pod.owner, "Grant")
      const narrow = await pod.aKey(pod.owner, {
        scope: ["write:entities"],
        grant: { permissions: ["entity.note.create"], workspaceIds: [workspaceId] }
      })
      const before = (await entities(pod.owner)).length
      for (const body of [
        { type: "note", content: "in my own space" },
        { type: "task", content: "another kind", workspaceId },
        { type: "project", content: "another subject", workspaceId }
      ]) {
        assert.strictEqual((await narrow.send("POST", path, body)).status, 403, body.content)
      }
      const victim = await pod.aPerson()
      const actor = { type: "note", content: "x", userId: victim.id }
      assert.include([400, 403], (await key.send("POST", path, actor)).status)
      assert.strictEqual((await entities(pod.owner)).length, before)
      const made = await pod.owner.mutate("agents.create", { name: "flow", capabilities: ["*"] })
      const agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id, scope: ["write:entities"] })
      const waiting = await proposalCount(pod.owner)
      const proposed = assertOk(await agent.send("POST", path, { type: "task", content: "Dock" }))
      assert.strictEqual(proposed.status, "proposed")
      // An agent that proposes a project must name entities as evidence. This route has no field for evidence, so the
      // pod refuses the request.
      assert.strictEqual((await agent.send("POST", path, { type: "project", content: "Dock" })).status, 400)
      assert.strictEqual(await proposalCount(pod.owner), waiting + 1)
      assert.deepStrictEqual(assertOk(await pod.owner.send("GET", "/api/hub/projects")), [])
      assert.strictEqual((await entities(pod.owner)).length, before)
    })

    it("if a client of chat or n8n disconnects or loses its key before the model has answered, the pod ends the call to the model", async () => {
      for (const path of [completions, turns, n8n("analyze")]) {
        for (const end of ["left", "revoked"] as const) {
          const caller = await pod.aKey(pod.owner, { scope: scopes })
          stub.reply(replies.stalling)
          const leaving = new AbortController()
          const answer = fetch(pod.baseUrl + path, {
            method: "POST",
            headers: { ...caller.headers, "content-type": "application/json" },
            body: JSON.stringify(bodies[path]("Where is the crane?")),
            signal: leaving.signal
          }).then(
            async (response) => `${response.status} ${await response.text()}`,
            () => "left"
          )
          await stub.askedTimes(1)
          if (end === "left") leaving.abort()
          else await pod.owner.mutate("apiKeys.revoke", { keyId: caller.id })
          await stub.released()
          const answerText = await answer
          if (end === "revoked") assert.match(answerText, /revoked|invalid_api_key/, `${path} ${answerText}`)
          assert.strictEqual(stub.asked().length, 1, path)
        }
      }
    })

    it("the pod refuses an unknown model name, whatever characters the name has, and never answers with an internal error", async () => {
      for (const name of ["%00", "%ZZ", "..%2F..%2Fetc", "svc%2Fauto%00", "x".repeat(3_000), "__proto__"]) {
        const { status } = await key.send("GET", `/v1/models/${name}`)
        assert.include([400, 404, 414], status, name)
      }
    })
  })
}
