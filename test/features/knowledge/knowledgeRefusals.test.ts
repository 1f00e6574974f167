/** Tests which requests for knowledge entries the Hub refuses. */
import { HttpApi } from "@effect/platform"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aReach } from "../../support/reach.ts"
import { reservedKeys } from "../../../src/features/knowledge/KnowledgeEntry.ts"
import { HubApi } from "../../../src/HubApi.ts"
import { ask, keysOf, rule, typesOf } from "./knowledgeDoors.ts"

describe("refused requests for knowledge", () => {
  rule(
    "a key with a narrow grant cannot read knowledge entries through REST",
    Effect.gen(function* () {
      const spaceId = uuidv7()
      for (const options of [
        { kinds: ["knowledge"] },
        { grant: { workspaceIds: [spaceId] } },
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
    "a knowledge request for a workspace that the caller cannot access is refused on every path",
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
    "a key for one workspace cannot write knowledge entries in the personal space of the person who owns the key",
    Effect.gen(function* () {
      const workspaceId = uuidv7()
      const confined = aReach({ spaces: [workspaceId], workspaceId })
      assert.strictEqual((yield* ask(confined, "create", { body: { key: "deploy" } })).status, 403)
      assert.strictEqual((yield* ask(confined, "create", { body: { key: "deploy", workspaceId } })).status, 200)
    })
  )

  rule(
    "a new knowledge entry with the reserved entry key `search` is refused on every path and is not stored, because no request could read the entry",
    Effect.gen(function* () {
      const person = aReach()
      for (const key of ["search"]) {
        for (const [name, asked] of [
          ["create", { body: { key, value: 1 } }],
          ["put", { key, body: { value: 1 } }]
        ] as const) {
          const { body, status } = yield* ask(person, name, asked)
          assert.strictEqual(status, 400, `${name} ${key}`)
          assert.include(
            JSON.stringify(body),
            `is a reserved name, so no request could read an entry with the key ${key}. Use another key.`
          )
        }
      }
      for (const key of ["Search", "search/", "ask", "..."]) {
        assert.strictEqual((yield* ask(person, "put", { key, body: { value: 1 } })).status, 200, key)
      }
      assert.deepStrictEqual([...keysOf((yield* ask(person, "list")).body)].toSorted(), [
        "...",
        "Search",
        "ask",
        "search/"
      ])
    })
  )

  rule(
    "if a REST path has a fixed word in place of the entry key, such as `search`, no knowledge entry can have this word as its key",
    Effect.sync(() => {
      const placed: Array<string> = []
      HttpApi.reflect(HubApi, {
        onGroup: () => undefined,
        onEndpoint: ({ endpoint: { method, path } }) => {
          const [, key] = /\/knowledge\/([^/:]+)$/.exec(path) ?? []
          if (key !== undefined && ["GET", "PUT", "DELETE"].includes(method)) placed.push(key)
        }
      })
      assert.deepStrictEqual(placed, ["search"])
      for (const key of placed) assert.isTrue(reservedKeys.has(key), key)
    })
  )

  rule(
    "the pod refuses a write of a knowledge entry outside the grant of the key, and stores nothing",
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
    "a viewer of a workspace cannot write its knowledge entries, and an editor cannot archive them, even with PUT",
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
    "the pod refuses a knowledge request with a missing or invalid field, such as a text that the database cannot store, and the answer says which field is wrong",
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
        ["list", { query: { limit: "0" } }, "limit"],
        ["list", { query: { offset: "-1" } }, "offset"]
      ] as const) {
        const { status, body } = yield* ask(person, name, asked)
        assert.strictEqual(status, 400, JSON.stringify([name, asked]).slice(0, 80))
        assert.isTrue(String(body["error"]).startsWith(`${path}: `), String(body["error"]))
      }
    })
  )

  rule(
    "a request to read a missing knowledge entry gets 404, and a request to archive a missing entry gets 200 with `success` set to false",
    Effect.gen(function* () {
      const person = aReach()
      const missing = yield* ask(person, "get", { key: "deploy" })
      assert.deepStrictEqual(missing, {
        status: 404,
        body: {
          error: "There is no such knowledge entry, or this credential has no access to it.",
          docs: "/docs/errors#NotFound"
        }
      })
      assert.deepStrictEqual(yield* ask(person, "delete", { key: "deploy" }), { status: 200, body: { success: false } })
    })
  )

  rule(
    "if a caller creates a knowledge entry with the entry key of an existing entry, the pod answers with a conflict and does not change the existing entry",
    Effect.gen(function* () {
      const person = aReach()
      yield* ask(person, "create", { body: { key: "deploy", value: 1 } })
      const { status, body } = yield* ask(person, "create", { body: { key: "deploy", value: 2 } })
      assert.deepInclude({ status, code: body["code"] }, { status: 409, code: "KEY_EXISTS" })
      assert.strictEqual((yield* ask(person, "get", { key: "deploy" })).body["value"], 1)
    })
  )

  rule(
    "the pod refuses a PUT of a knowledge entry if the request contains two different workspaces",
    Effect.gen(function* () {
      const spaces = [uuidv7(), uuidv7()]
      const [workspaceId, other] = spaces
      const person = aReach({ spaces })
      const asked = { key: "deploy", query: { workspaceId: workspaceId ?? "" }, body: { workspaceId: other } }
      assert.strictEqual((yield* ask(person, "put", asked)).status, 400)
    })
  )
})
