/** The header If-Match: the pod writes a change only if the record still has the version that the header names. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type TestPod } from "../support/pod.ts"
import { storages } from "../support/storages.ts"
import { operations } from "../surfaces/promises.ts"

/** The POST and PUT operations that compare a version. They change a record, and some of them can create a record. */
const comparing = operations
  .filter(
    ({ method, operation: { parameters } }) => method !== "PATCH" && JSON.stringify(parameters).includes("If-Match")
  )
  .map(({ operation }) => operation.operationId)

for (const [where, storage] of storages) {
  describe(`the header If-Match ${where}`, () => {
    let pod: TestPod
    beforeAll(async () => {
      pod = await aPod(storage)
    })
    afterAll(() => pod?.stop())

    const make = async (path: string, body: object) => {
      const made = await pod.owner.send("POST", `/api/hub/${path}`, body)
      assert.strictEqual(made.status, 200, JSON.stringify(made.body))
      return made.body
    }
    const change = (path: string, body: object | undefined, tag: string, method = "PATCH") =>
      pod.owner.send(method, `/api/hub/${path}`, body, { "if-match": tag })
    const versionOf = async (path: string) => (await pod.owner.send("GET", `/api/hub/${path}`)).body.version

    it("a change is refused with a conflict and changes nothing if its If-Match header has another version than the record", async () => {
      const entity = await make("entities", { title: "One" })
      const track = await make("tracks", { name: "One" })
      for (const [path, body] of [
        [`entities/${entity.id}`, { title: "Two" }],
        [`tracks/${track.id}`, { name: "Two" }]
      ] as const) {
        for (const tag of ['"2"', "2", 'W/"2"', '"999999"']) {
          const refused = await change(path, body, tag)
          assert.deepStrictEqual([refused.status, refused.body.code], [409, "VERSION_CONFLICT"], `${path} ${tag}`)
        }
        const { body: after } = await pod.owner.send("GET", `/api/hub/${path}`)
        assert.strictEqual(after.title ?? after.name, "One")
      }
    })

    it("an If-Match header that is not a version, has several versions or contradicts the body is refused and changes nothing", async () => {
      const { id } = await make("entities", { title: "One" })
      for (const tag of ['"abc"', '"1", "2"', '"1"x', '""', '"-1"', '"1.0"', "w/1", '"0"', '"99999999999"', '*, "1"']) {
        const refused = await change(`entities/${id}`, { title: "Two" }, tag)
        assert.strictEqual(refused.status, 400, tag)
      }
      const refused = await change(`entities/${id}`, { title: "Two", version: 1 }, '"2"')
      assert.deepStrictEqual(
        [refused.status, refused.body.details.map(({ path }: { path: string }) => path)],
        [400, ["If-Match"]]
      )
      assert.strictEqual(await versionOf(`entities/${id}`), 1)
    })

    it("an operation that cannot compare versions refuses the header If-Match instead of ignoring it", async () => {
      const { id } = await make("entities", { title: "Kept" })
      assert.strictEqual((await change(`entities/${id}`, undefined, '"7"', "DELETE")).status, 400)
      assert.strictEqual(await versionOf(`entities/${id}`), 1)
      const artifact = { userId: pod.ownerId, kind: "url", title: "Link", workspaceId: await pod.aWorkspace(pod.owner) }
      const { id: artifactId } = await make("artifacts", artifact)
      assert.strictEqual((await change(`artifacts/${artifactId}`, { state: "kept" }, '"7"')).status, 400)
      assert.strictEqual((await change("knowledge/new-key", { value: 1 }, "*", "PUT")).status, 400)
      assert.strictEqual((await pod.owner.send("GET", "/api/hub/knowledge/new-key")).status, 404)
      assert.strictEqual((await change(`entities/${id}`, undefined, "*", "DELETE")).status, 200)
    })

    it("a procedure obeys the header If-Match if it compares versions, and refuses the header if it does not", async () => {
      const { body } = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["entity"] })
      const agent = await pod.aKey(pod.owner, { agentId: body.result.data.id })
      const { proposalId } = (await agent.send("POST", "/api/hub/entities", { title: "Proposed" })).body
      const call = (name: string, input: object, tag: string) =>
        pod.owner.send("POST", `/trpc/${name}`, input, { "if-match": tag })
      const codeOf = async (answer: ReturnType<typeof call>) => (await answer).body.error.data.code
      for (const [tag, code] of [
        ['"2"', "CONFLICT"],
        ["*", "BAD_REQUEST"],
        ['"one"', "BAD_REQUEST"]
      ] as const) {
        assert.strictEqual(await codeOf(call("proposals.approve", { proposalId }, tag)), code, tag)
      }
      assert.strictEqual(await codeOf(call("agents.create", { name: "Other", capabilities: [] }, '"1"')), "BAD_REQUEST")
      assert.strictEqual((await call("proposals.approve", { proposalId }, '"1"')).status, 200)
    })

    it("the header If-Match tells a caller without access nothing about a record, because a hidden and a missing record get the same answer", async () => {
      const { id } = await make("entities", { title: "Mine" })
      const other = await pod.aPerson()
      for (const tag of ['"1"', '"2"', "*"]) {
        const send = (to: string) =>
          other.send("PATCH", `/api/hub/entities/${to}`, { title: "x" }, { "if-match": tag, "x-request-id": "same" })
        const [hidden, missing] = [await send(id), await send("0190a0a0-0000-7000-8000-00000000dead")]
        assert.deepStrictEqual([hidden.status, hidden.body], [404, missing.body])
      }
      assert.strictEqual(
        (await pod.stranger.send("PATCH", `/api/hub/entities/${id}`, {}, { "if-match": "x" })).status,
        401
      )
    })

    it("a change is written if its If-Match header is `*` or has the current version, as a strong or weak tag and with or without quotes", async () => {
      const { id } = await make("entities", { title: "One" })
      const written = []
      for (const tag of ['"1"', 'W/"2"', "3", "*"]) {
        const { body, status } = await change(`entities/${id}`, { title: `After ${tag}` }, tag)
        written.push([status, body.version])
      }
      assert.deepStrictEqual(written, [
        [200, 2],
        [200, 3],
        [200, 4],
        [200, 5]
      ])
      assert.strictEqual((await change(`entities/${id}`, { title: "Same", version: 5 }, '"5"')).status, 200)
    })

    it("a request to change a document is refused if it has the header If-Match, because the pod merges edits of different fields of a document", async () => {
      const document = await make("documents", { title: "Page", content: "text" })
      const { body, status } = await change(`documents/${document.id}`, { content: "other" }, `"${document.revision}"`)
      assert.strictEqual(status, 400)
      assert.include(body.error, "cannot compare versions")
    })

    it("a request that creates a record is refused if it has the header If-Match", async () => {
      for (const sent of ['"1"', "*"]) {
        assert.strictEqual((await change("entities", { title: "New" }, sent, "POST")).status, 400, sent)
      }
    })

    it("no operation that only creates records has the header If-Match or the field `expectedVersion`, because it would ignore the version", async () => {
      assert.sameMembers(comparing, ["facets.put", "knowledge.put", "proposals.approve", "views.arrange"])
      for (const path of ["profiles", "property-defs", "projects", "entities"]) {
        const field = await pod.owner.send("POST", `/api/hub/${path}`, { name: "New", expectedVersion: 7 })
        assert.strictEqual(field.status, 400, path)
        assert.include(JSON.stringify(field.body.details), "expectedVersion", path)
        assert.strictEqual((await change(path, { name: "New" }, '"7"', "POST")).status, 400, path)
      }
    })

    it("an operation that changes or creates a record refuses a request with a version if the record does not exist, and creates nothing", async () => {
      const role = { slug: "berth", displayName: "Berth", profileKind: "role", applicableKinds: ["note"] }
      await make("profiles", role)
      const { id } = await make("entities", { title: "Quay" })
      const path = `entities/${id}/facets`
      const byField = await pod.owner.send("POST", `/api/hub/${path}`, { slug: "berth", expectedVersion: 1 })
      const byHeader = await change(path, { slug: "berth" }, '"1"', "POST")
      for (const { body, status } of [byField, byHeader]) {
        assert.deepStrictEqual([status, body.code], [409, "VERSION_CONFLICT"], JSON.stringify(body))
      }
      assert.deepStrictEqual((await pod.owner.send("GET", `/api/hub/${path}`)).body, [])
      assert.strictEqual((await change("knowledge/absent", { value: 1 }, '"1"', "PUT")).status, 409)
      assert.strictEqual((await pod.owner.send("GET", "/api/hub/knowledge/absent")).status, 404)
      await make(path, { slug: "berth" })
      assert.strictEqual((await change(path, { slug: "berth", properties: {} }, '"1"', "POST")).status, 200)
    })

    it("a request to approve a proposal is refused if its If-Match header has another revision than the proposal", async () => {
      const made = await pod.owner.mutate("agents.create", { name: "Drafter", capabilities: ["*"] })
      const agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
      const { body: proposed } = await agent.send("POST", "/api/hub/entities", { title: "Before" })
      const path = `proposals/${proposed.proposalId}`
      const data = { profileSlug: "note", title: "After" }
      assert.strictEqual((await pod.owner.send("PATCH", `/api/hub/${path}`, { data })).status, 200)
      assert.strictEqual((await change(`${path}/approve`, {}, '"1"', "POST")).status, 409)
      assert.strictEqual((await change(`${path}/approve`, {}, '"2"', "POST")).status, 200)
    })

    it("the header If-Match is compared with the revision of a proposal, and with the version of a knowledge entry", async () => {
      await pod.owner.send("PUT", "/api/hub/knowledge/compared", { value: 1 })
      assert.strictEqual((await change("knowledge/compared", { value: 2 }, '"2"', "PUT")).status, 409)
      assert.strictEqual((await change("knowledge/compared", { value: 2 }, '"1"', "PUT")).status, 200)
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      const agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
      const { body: proposed } = await agent.send("POST", "/api/hub/entities", { title: "By an agent" })
      const data = { profileSlug: "note", title: "Edited" }
      assert.strictEqual((await change(`proposals/${proposed.proposalId}`, { data }, '"2"')).status, 409)
      assert.strictEqual((await change(`proposals/${proposed.proposalId}`, { data }, '"1"')).status, 200)
    })

    it("if many changes with the same version in If-Match come at the same moment, exactly one of them is written", async () => {
      const { id } = await make("entities", { title: "One" })
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, at) => change(`entities/${id}`, { title: `Change ${at}` }, '"1"'))
      )
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
      assert.isTrue(answers.every(({ status }) => status === 200 || status === 409))
      assert.strictEqual(await versionOf(`entities/${id}`), 2)
    })
  })
}
