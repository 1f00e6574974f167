/** Knowledge entries as the Hub opens them: door, decoding, rules and answer, over the store in memory. */
import { HttpApi, OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Either, Layer } from "effect"
import { Invalid, wireOf } from "../../../src/doors/Failure.ts"
import { Implementations } from "../../../src/doors/Implement.ts"
import { compileRest, type RestOperation } from "../../../src/doors/Operation.ts"
import { Reach, type ReachShape } from "../../../src/doors/Reach.ts"
import { refusalAt } from "../../../src/features/access/Admission.ts"
import { EventLog, MemoryEvents } from "../../../src/features/events/EventLog.ts"
import { Knowledge } from "../../../src/features/knowledge/Knowledge.ts"
import { KnowledgeApi } from "../../../src/features/knowledge/KnowledgeApi.ts"
import { layer as handlers } from "../../../src/features/knowledge/KnowledgeHandlers.ts"
import { KnowledgeStore } from "../../../src/features/knowledge/KnowledgeStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { gateAlone } from "../../support/gate.ts"
import { aReach } from "../../support/reach.ts"

class Operations extends Context.Tag("test/Operations")<Operations, ReadonlyArray<RestOperation>>() {}

const api = HttpApi.make("hub").add(KnowledgeApi)

const pod = Layer.effect(
  Operations,
  Effect.map(Implementations, (implementations) => compileRest(api, implementations))
).pipe(
  Layer.provide(handlers),
  Layer.provide(Knowledge.layer),
  Layer.provide([KnowledgeStore.layerMemory, gateAlone()]),
  Layer.provideMerge(EventLog.layerMemory),
  Layer.provide(MemoryEvents.layer),
  Layer.provide(Implementations.layer)
)

interface Asked {
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Asks as a surface does; answers the status with the body. */
const ask = (reach: ReachShape, name: string, { key, query = {}, body }: Asked = {}) =>
  Effect.gen(function* () {
    const operation = (yield* Operations).find((one) => one.name === `knowledge.${name}`)
    if (operation === undefined) return yield* Effect.dieMessage(`there is no knowledge.${name}`)
    const answered = Effect.gen(function* () {
      const refusal = refusalAt(reach.principal, operation.door)
      if (refusal !== undefined) return yield* refusal
      const path = key === undefined ? {} : { key }
      const input = yield* Either.mapLeft(operation.decode({ path, query, body }), (faults) => new Invalid({ faults }))
      const run = Effect.catchTag(operation.run(input), "Proposed", () => Effect.dieMessage("an entry was proposed"))
      return operation.encode(yield* Effect.provideService(run, Reach, reach))
    })
    return yield* Effect.match(answered, {
      onFailure: (failure) => ({ status: wireOf(failure).status, body: wireOf(failure).body }),
      onSuccess: (answer) => ({ status: 200, body: answer as Body })
    })
  })

/** Whatever JSON came back; a test reads the fields it is about. */
type Body = Readonly<Record<string, unknown>>

const keysOf = (body: unknown) => (body as ReadonlyArray<{ readonly key: string }>).map(({ key }) => key)

const typesOf = (reach: ReachShape) =>
  Effect.flatMap(EventLog, (log) => Effect.provideService(log.list({ limit: 50, offset: 0 }), Reach, reach)).pipe(
    Effect.map((events) => events.map(({ type }) => type).toReversed())
  )

const rule = <E>(name: string, work: Effect.Effect<void, E, Operations | EventLog>) =>
  it.effect(name, () => Effect.provide(work, pod))

describe("refusals", () => {
  rule(
    "a key whose grant narrows anything reads no entry through these doors",
    Effect.gen(function* () {
      const spaceId = uuidv7()
      for (const options of [
        { kinds: ["knowledge"] },
        { grant: { workspaceIds: [spaceId] } },
        { workspaceId: spaceId },
        { grant: { permissions: [] } }
      ]) {
        const narrow = aReach({ ...options, spaces: [spaceId] })
        for (const [name, asked] of [["list", {}] as const, ["get", { key: "deploy" }] as const]) {
          const { status, body } = yield* ask(narrow, name, { ...asked, query: { workspaceId: spaceId } })
          assert.deepInclude({ status, code: body["code"] }, { status: 403, code: "GRANT_DOOR_UNSUPPORTED" })
        }
      }
    })
  )

  rule(
    "a workspace that the caller does not reach is refused on every door, whether it exists or not",
    Effect.gen(function* () {
      const workspaceId = uuidv7()
      const person = aReach()
      const query = { workspaceId }
      for (const [name, asked] of [
        ["list", { query }],
        ["get", { key: "deploy", query }],
        ["create", { body: { key: "deploy", workspaceId } }],
        ["put", { key: "deploy", query, body: { value: 1 } }],
        ["put", { key: "deploy", body: { value: 1, workspaceId } }],
        ["delete", { key: "deploy", query }]
      ] as const) {
        const { status, body } = yield* ask(person, name, asked)
        assert.deepInclude({ status, code: body["code"] }, { status: 403, code: "WORKSPACE_FORBIDDEN" }, name)
      }
    })
  )

  rule(
    "a key confined to a workspace does not write in its person's own space",
    Effect.gen(function* () {
      const workspaceId = uuidv7()
      const confined = aReach({ spaces: [workspaceId], workspaceId })
      assert.strictEqual((yield* ask(confined, "create", { body: { key: "deploy" } })).status, 403)
      assert.strictEqual((yield* ask(confined, "create", { body: { key: "deploy", workspaceId } })).status, 200)
    })
  )

  rule(
    "a write that the grant does not cover is refused and leaves nothing",
    Effect.gen(function* () {
      const owner = aReach()
      const { personId } = owner.principal
      yield* ask(owner, "create", { body: { key: "deploy", value: 1 } })
      for (const [options, name, asked] of [
        [{ kinds: ["task"] }, "create", { body: { key: "more" } }],
        [{ grant: { permissions: ["entity.knowledge.update"] } }, "put", { key: "deploy", body: { value: 2 } }],
        [{ grant: { permissions: ["entity.knowledge.update"] } }, "delete", { key: "deploy" }],
        [{ grant: { projectIds: [uuidv7()] } }, "put", { key: "deploy", body: { value: 2 } }],
        [{ grant: { entityIds: [uuidv7()] } }, "delete", { key: "deploy" }],
        [{ capabilities: [] }, "put", { key: "deploy", body: { value: 2 } }],
        [{ capabilities: ["entity.knowledge.update"] }, "put", { key: "more", body: {} }]
      ] as const) {
        const { status } = yield* ask(aReach({ ...options, personId }), name, asked)
        assert.strictEqual(status, 403, JSON.stringify([options, name]))
      }
      assert.strictEqual((yield* ask(owner, "get", { key: "deploy" })).body["value"], 1)
      assert.deepStrictEqual(yield* typesOf(owner), ["entity.knowledge.create"])
    })
  )

  rule(
    "a viewer writes nothing and an editor archives nothing, not by PUT either",
    Effect.gen(function* () {
      const workspaceId = uuidv7()
      const query = { workspaceId }
      const viewer = aReach({ spaces: [workspaceId], role: "viewer" })
      assert.strictEqual((yield* ask(viewer, "create", { body: { key: "deploy", workspaceId } })).status, 403)
      const editor = aReach({ spaces: [workspaceId], role: "editor" })
      assert.strictEqual((yield* ask(editor, "create", { body: { key: "deploy", workspaceId } })).status, 200)
      assert.strictEqual((yield* ask(viewer, "put", { key: "deploy", query, body: {} })).status, 403)
      assert.strictEqual((yield* ask(editor, "delete", { key: "deploy", query })).status, 403)
      const archiving = { key: "deploy", query, body: { status: "archived" } }
      assert.strictEqual((yield* ask(editor, "put", archiving)).status, 403)
      assert.strictEqual((yield* ask(viewer, "get", { key: "deploy", query })).body["status"], "active")
    })
  )

  rule(
    "what the database cannot keep, and what is too long, is refused with its place",
    Effect.gen(function* () {
      const person = aReach()
      const deep = JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`) as unknown
      for (const [name, asked, path] of [
        ["create", { body: {} }, "key"],
        ["create", { body: { key: "" } }, "key"],
        ["create", { body: { key: "k".repeat(513) } }, "key"],
        ["create", { body: { key: "a\u0000b" } }, "key"],
        ["create", { body: { key: "a", workspaceId: "here" } }, "workspaceId"],
        ["create", { body: { key: "a", value: { inner: ["\u0000"] } } }, "value"],
        ["create", { body: { key: "a", value: { "\ud800": 1 } } }, "value"],
        ["create", { body: { key: "a", value: deep } }, "value"],
        ["put", { key: "a", body: { status: "" } }, "status"],
        ["get", { key: "a\u0000b" }, "key"],
        ["list", { query: { limit: "201" } }, "limit"],
        ["list", { query: { offset: "-1" } }, "offset"]
      ] as const) {
        const { status, body } = yield* ask(person, name, asked)
        assert.strictEqual(status, 400, JSON.stringify([name, asked]).slice(0, 80))
        assert.isTrue(String(body["error"]).startsWith(`${path}: `), String(body["error"]))
      }
    })
  )

  rule(
    "a missing entry is a 404, and archiving it is no success",
    Effect.gen(function* () {
      const person = aReach()
      const missing = yield* ask(person, "get", { key: "deploy" })
      assert.deepStrictEqual(missing, { status: 404, body: { error: "There is no such knowledge entry." } })
      assert.deepStrictEqual(yield* ask(person, "delete", { key: "deploy" }), { status: 200, body: { success: false } })
    })
  )

  rule(
    "a key that is in use is a conflict and its entry stays",
    Effect.gen(function* () {
      const person = aReach()
      yield* ask(person, "create", { body: { key: "deploy", value: 1 } })
      const { status, body } = yield* ask(person, "create", { body: { key: "deploy", value: 2 } })
      assert.deepInclude({ status, code: body["code"] }, { status: 409, code: "KEY_EXISTS" })
      assert.strictEqual((yield* ask(person, "get", { key: "deploy" })).body["value"], 1)
    })
  )

  rule(
    "two different workspaces in one PUT are refused",
    Effect.gen(function* () {
      const spaces = [uuidv7(), uuidv7()]
      const [workspaceId, other] = spaces
      const person = aReach({ spaces })
      const asked = { key: "deploy", query: { workspaceId: workspaceId ?? "" }, body: { workspaceId: other } }
      assert.strictEqual((yield* ask(person, "put", asked)).status, 400)
    })
  )
})

describe("keeping knowledge", () => {
  rule(
    "a new entry gets the defaults that clients know",
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
    "an archived entry says so, is listed by its status only, and is revived as the same entry",
    Effect.gen(function* () {
      const person = aReach()
      const made = yield* ask(person, "create", { body: { key: "deploy", value: 1, namespace: "ops" } })
      const { id } = made.body
      assert.deepStrictEqual((yield* ask(person, "delete", { key: "deploy" })).body, { success: true })
      assert.deepStrictEqual((yield* ask(person, "delete", { key: "deploy" })).body, { success: false })
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
        "entity.knowledge.create"
      ])
    })
  )

  rule(
    "PUT keeps a new entry, then replaces it, and a value left out stays",
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
    "writers of one new key, one after the other, leave one entry and an event each",
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
    "an agent's key writes with its capability alone, unasked, and a narrow grant suffices for what it names",
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

describe("the reference", () => {
  it("describes every path with its methods", () => {
    const { paths } = OpenApi.fromApi(api)
    assert.deepStrictEqual(Object.keys(paths), ["/knowledge", "/knowledge/{key}"])
    assert.deepStrictEqual(Object.keys(paths["/knowledge/{key}"] ?? {}).toSorted(), ["delete", "get", "put"])
  })
})
