/** How the Hub stores and shows knowledge entries. */
import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "@effect/platform"
import { Effect } from "effect"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aReach } from "../../support/reach.ts"
import { api, ask, type Body, keysOf, rule, typesOf } from "./knowledgeDoors.ts"

describe("writing knowledge entries", () => {
  rule(
    "a new knowledge entry gets the documented default values",
    Effect.gen(function* () {
      const person = aReach()
      const { body, status } = yield* ask(person, "create", { body: { key: "deploy" } })
      assert.strictEqual(status, 200)
      assert.deepInclude(body, { key: "deploy", value: "", namespace: null, slug: null, status: "active" })
      assert.deepInclude(body, { workspaceId: null, author: person.principal.personId })
      assert.match(String(body["createdAt"]), /^\d{4}-.*Z$/)
      assert.deepStrictEqual(yield* ask(person, "get", { key: "deploy" }), { status, body })
    })
  )

  rule(
    "an archived knowledge entry shows its status, is listed only if the request asks for archived entries, and can be restored as the same entry",
    Effect.gen(function* () {
      const person = aReach()
      const made = yield* ask(person, "create", { body: { key: "deploy", value: 1, namespace: "ops" } })
      const { id } = made.body
      assert.deepStrictEqual((yield* ask(person, "delete", { key: "deploy" })).body, { success: true })
      // The second request finds the entry in the state that the caller wants, and stores nothing.
      assert.deepStrictEqual((yield* ask(person, "delete", { key: "deploy" })).body, { success: true })
      assert.deepInclude((yield* ask(person, "get", { key: "deploy" })).body, { id, status: "archived", value: 1 })
      assert.deepStrictEqual(keysOf((yield* ask(person, "list")).body), [])
      assert.deepStrictEqual(keysOf((yield* ask(person, "list", { query: { status: "archived" } })).body), ["deploy"])
      const put = yield* ask(person, "put", { key: "deploy", body: { author: "a friend" } })
      assert.deepInclude(put.body, { id, status: "active", value: 1, namespace: "ops", author: "a friend" })
      yield* ask(person, "delete", { key: "deploy" })
      const again = yield* ask(person, "create", { body: { key: "deploy", value: null } })
      assert.deepInclude(again.body, { id, status: "active", value: null, namespace: null })
      assert.deepStrictEqual(yield* typesOf(person), [
        "entity.knowledge.create",
        "entity.knowledge.delete",
        "entity.knowledge.update",
        "entity.knowledge.delete",
        "entity.knowledge.update"
      ])
    })
  )

  rule(
    "a first PUT creates a knowledge entry, a second PUT replaces its value, and a PUT without a value keeps the stored value",
    Effect.gen(function* () {
      const workspaceId = uuidv7()
      const person = aReach({ spaces: [workspaceId], role: "editor" })
      const query = { workspaceId }
      const made = yield* ask(person, "put", { key: "a/b c", query, body: {} })
      assert.deepInclude(made.body, { key: "a/b c", value: "", workspaceId, author: person.principal.personId })
      const { id } = made.body
      const replaced = yield* ask(person, "put", { key: "a/b c", body: { value: null, status: "draft", workspaceId } })
      assert.deepInclude(replaced.body, { id, value: null, status: "draft" })
      assert.deepInclude((yield* ask(person, "put", { key: "a/b c", query, body: {} })).body, { id, value: null })
      assert.strictEqual((yield* ask(person, "get", { key: "a/b c" })).status, 404)
      assert.deepStrictEqual(keysOf((yield* ask(person, "list", { query })).body), ["a/b c"])
      assert.deepStrictEqual(keysOf((yield* ask(person, "list")).body), [])
    })
  )

  rule(
    "when a caller writes a new knowledge entry several times, the pod has one entry, and one event for each write",
    Effect.gen(function* () {
      const person = aReach()
      const writers = Array.from({ length: 5 }, (_, value) => ask(person, "put", { key: "deploy", body: { value } }))
      const answers = yield* Effect.all(writers)
      assert.lengthOf(new Set(answers.map(({ body }) => body["id"])), 1)
      const types = yield* typesOf(person)
      assert.deepStrictEqual(
        types,
        types.map((_, at) => `entity.knowledge.${at === 0 ? "create" : "update"}`)
      )
      assert.lengthOf(types, 5)
    })
  )

  rule(
    "earlier versions of a knowledge entry can still be read, latest first and page by page",
    Effect.gen(function* () {
      const person = aReach()
      yield* ask(person, "create", { body: { key: "deploy", value: 1, namespace: "ops" } })
      yield* ask(person, "put", { key: "deploy", body: { value: 2, author: "a friend" } })
      yield* ask(person, "delete", { key: "deploy" })
      yield* ask(person, "create", { body: { key: "deploy", value: 3 } })
      const { body, status } = yield* ask(person, "versions", { key: "deploy" })
      assert.strictEqual(status, 200)
      const versions = body as unknown as ReadonlyArray<Body>
      assert.deepStrictEqual(
        versions.map(({ namespace, status: state, value, version }) => [version, value, state, namespace]),
        [
          [4, 3, "active", null],
          [3, 2, "archived", "ops"],
          [2, 2, "active", "ops"],
          [1, 1, "active", "ops"]
        ]
      )
      assert.deepStrictEqual(
        versions.map(({ author }) => author),
        [person.principal.personId, "a friend", "a friend", person.principal.personId]
      )
      assert.isTrue(versions.every(({ actorId }) => actorId === person.principal.personId))
      const page = yield* ask(person, "versions", { key: "deploy", query: { limit: "2", offset: "1" } })
      assert.deepStrictEqual(page.body, [versions[1], versions[2]] as unknown)
      assert.strictEqual((yield* ask(person, "get", { key: "deploy" })).body["version"], 4)
      assert.strictEqual((yield* ask(person, "versions", { key: "nothing" })).status, 404)
      assert.strictEqual((yield* ask(aReach(), "versions", { key: "deploy" })).status, 404)
      const narrow = aReach({ kinds: ["knowledge"], personId: person.principal.personId })
      assert.strictEqual((yield* ask(narrow, "versions", { key: "deploy" })).status, 403)
    })
  )

  rule(
    "a PUT with an expected version changes a knowledge entry only if the stored entry has this version, and never creates an entry",
    Effect.gen(function* () {
      const person = aReach()
      const put = (body: object, key = "deploy") => ask(person, "put", { key, body })
      const refused = yield* put({ value: 1, expectedVersion: 1 })
      assert.deepInclude(
        { status: refused.status, code: refused.body["code"] },
        { status: 409, code: "VERSION_CONFLICT" }
      )
      yield* put({ value: 1 })
      const [one, other] = yield* Effect.all(
        [put({ value: 2, expectedVersion: 1 }), put({ value: 3, expectedVersion: 1 })],
        {
          concurrency: "unbounded"
        }
      )
      assert.deepStrictEqual(new Set([one.status, other.status]), new Set([200, 409]))
      assert.strictEqual((yield* put({ value: 4, expectedVersion: 3 })).status, 409)
      assert.strictEqual((yield* put({ value: 4, expectedVersion: 2 })).status, 200)
      assert.deepInclude((yield* ask(person, "get", { key: "deploy" })).body, { value: 4, version: 3 })
      for (const expectedVersion of [0, 1.5, "1", null]) {
        assert.strictEqual((yield* put({ value: 5, expectedVersion })).status, 400, String(expectedVersion))
      }
    })
  )

  rule(
    "a key that may only create knowledge entries cannot replace an existing entry",
    Effect.gen(function* () {
      const person = aReach()
      yield* ask(person, "create", { body: { key: "deploy", value: 1 } })
      const { personId } = person.principal
      const maker = aReach({ grant: { permissions: ["entity.knowledge.create"] }, personId })
      assert.strictEqual((yield* ask(maker, "put", { key: "deploy", body: { value: 2 } })).status, 403)
      yield* ask(person, "delete", { key: "deploy" })
      assert.strictEqual((yield* ask(maker, "create", { body: { key: "deploy", value: 2 } })).status, 409)
      assert.deepInclude((yield* ask(person, "get", { key: "deploy" })).body, { value: 1, status: "archived" })
      assert.strictEqual((yield* ask(maker, "create", { body: { key: "more" } })).status, 200)
    })
  )

  rule(
    "an agent with the capability for knowledge writes knowledge entries without approval, within the grant of its key",
    Effect.gen(function* () {
      const agent = aReach({ capabilities: ["entity.knowledge"], kinds: ["knowledge"] })
      assert.strictEqual((yield* ask(agent, "put", { key: "deploy", body: { value: 1 } })).status, 200)
      const archivist = aReach({
        grant: { permissions: ["entity.knowledge.delete"] },
        personId: agent.principal.personId
      })
      assert.deepStrictEqual((yield* ask(archivist, "delete", { key: "deploy" })).body, { success: true })
    })
  )
})

describe("the API reference of knowledge", () => {
  it("the API reference describes every knowledge path with its methods", () => {
    const { paths } = OpenApi.fromApi(api)
    assert.deepStrictEqual(Object.keys(paths), ["/knowledge", "/knowledge/{key}", "/knowledge/{key}/versions"])
    assert.deepStrictEqual(Object.keys(paths["/knowledge/{key}"] ?? {}).toSorted(), ["delete", "get", "put"])
  })
})
