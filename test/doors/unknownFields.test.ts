/** The pod never ignores a field of an input silently: on every surface it refuses an unknown field and names it. */
import { dialectOf } from "../../src/doors/Dialect.ts"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Either } from "effect"
import type { RestInput } from "../../src/doors/InputReader.ts"
import { nearName } from "../../src/shared/nearName.ts"
import { givesAuthority } from "../../src/doors/DoorRequirements.ts"
import { aPod, openingScopes, type TestPod } from "../support/pod.ts"
import { sampleFor } from "./samples.ts"
import { type Approach, ask, nameOf } from "./surfaces.ts"
import { type Things, makeThings } from "./things.ts"
import { allApproaches } from "./walk.ts"

type Path = ReadonlyArray<string>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the paths of all objects in an input, because each object could have one more field. */
const objectsIn = (value: unknown, at: Path = []): ReadonlyArray<Path> => {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => objectsIn(item, [...at, "0"]))
  if (!isObject(value)) return []
  return [at, ...Object.entries(value).flatMap(([name, inner]) => objectsIn(inner, [...at, name]))]
}

const added = (value: unknown, at: Path, name: string, extra: unknown): unknown => {
  const [first, ...rest] = at
  if (first === undefined) return { ...(value as object), [name]: extra }
  if (Array.isArray(value)) return [added(value[0], rest, name, extra), ...value.slice(1)]
  return {
    ...(value as object),
    [first]: added((value as Readonly<Record<string, unknown>>)[first], rest, name, extra)
  }
}

/**
 * Returns the parts of an input to which a client may add fields: the whole input, or the query and the body of a REST
 * request.
 */
const partsOf = ({ rest }: Approach): ReadonlyArray<"query" | "body" | undefined> =>
  rest === undefined
    ? [undefined]
    : rest.ignoresQuery === true
      ? []
      : rest.kind === "mutation" || rest.takesBody
        ? ["query", "body"]
        : ["query"]

/**
 * True if this part is a body with free fields. The specification allows additional properties there, and the pod
 * stores them (§4.4).
 */
const isFreeForm = ({ operation: { name } }: Approach, part: string | undefined) =>
  name === "workspaces.fromDefinition" && part === "body"

const unknownName = "zzUnknown"
const unknownValue = "the value of an unknown field"

describe("unknown fields", () => {
  let pod: TestPod
  let ways: ReadonlyArray<Approach>
  let things: Things
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" }, {}, { hasSocket: true })
    ways = await allApproaches(pod, false)
    things = await makeThings(pod, { ...pod.owner, id: pod.ownerId }, ways)
  })
  afterAll(() => pod?.stop())

  it("the pod refuses an unknown field at every level of an input, except inside a free-form object", () => {
    let refused = 0
    for (const way of ways) {
      const sample = sampleFor(way, things.known())
      for (const part of partsOf(way)) {
        const whole = part === undefined ? sample : (sample as RestInput)[part]
        for (const at of objectsIn(whole)) {
          const where = part === undefined ? at : [part, ...at]
          const result = way.operation.decode(added(sample, where, unknownName, unknownValue))
          const what = `${nameOf(way)}, ${[...where, unknownName].join(".")}`
          if (Either.isRight(result)) {
            // A free-form object keeps every field.
            assert.include(JSON.stringify(result.right), unknownValue, what)
            continue
          }
          refused += 1
          const paths = result.left.map(({ path }) => path)
          assert.include(paths, [...at, unknownName].join("."), what)
        }
      }
    }
    assert.isAbove(refused, 300)
  })

  it("on every API of the pod, a request with a misspelt field gets 400, and the answer suggests the right name of the field", async () => {
    const key = await pod.aKey(pod.owner, { scope: openingScopes })
    let asked = 0
    for (const way of ways) {
      if (way.operation.door._tag === "Public" && way.operation.kind === "mutation") continue
      const isOperator = way.operation.door._tag === "Operator"
      const isSession = way.place === "session" || way.operation.door._tag === "Session"
      if (way.place === "bridge" && isSession) continue
      const caller = isOperator ? pod.operator! : isSession ? pod.owner : key
      const input = await things.inputFor(way)
      const full = sampleFor(way, things.known())
      for (const part of partsOf(way)) {
        const fields = (part === undefined ? full : (full as RestInput)[part]) as Readonly<Record<string, unknown>>
        // A write without fields has its own test below.
        if (isFreeForm(way, part) || (part === "body" && way.rest?.takesBody === false)) continue
        // Clients of OpenAI send fields that the pod does not know.
        if (part === "body" && dialectOf(way.rest?.path ?? "") === "openai") continue
        const name = Object.keys(fields ?? {}).find((each) => each.length > 5)
        const misspelt = name === undefined ? unknownName : `${name.slice(0, -2)}${name.slice(-1)}`
        const base = part === undefined ? input : (input as RestInput)[part]
        const sent = { ...(base as object), [misspelt]: name === undefined ? "x" : fields[name] }
        const heard = await ask(caller, way, part === undefined ? sent : { ...(input as RestInput), [part]: sent })
        const context = `${nameOf(way)} with ${misspelt}: ${JSON.stringify(heard.body)}`
        assert.strictEqual(heard.verdict, "invalid", context)
        assert.include(context, name === undefined ? unknownName : `Did you mean`)
        asked += 1
      }
    }
    assert.isAbove(asked, 200)
  })

  it("only the health checks and the manifest ignore a query with unknown, repeated or malformed parameters", async () => {
    const ignoring = ways.flatMap(({ rest }) => (rest?.ignoresQuery === true ? [rest.path] : []))
    assert.sameMembers(ignoring, ["/api/hub/health", "/api/hub/manifest", "/livez", "/readyz", "/startupz"])
    const queries = ["x=1", "x=1&x=2", "__proto__=1", "a=%ff", "_=1732650000000"]
    const refused = await Promise.all(
      queries.map((query) => pod.stranger.send("GET", `/api/hub/setup/status?${query}`))
    )
    for (const { status } of refused) assert.strictEqual(status, 400)
    for (const path of ignoring) {
      const without = Object.keys((await pod.stranger.send("GET", path)).body)
      for (const query of queries) {
        const { body, status } = await pod.stranger.send("GET", `${path}?${query}`)
        assert.deepStrictEqual([status, Object.keys(body)], [200, without], `${path}?${query}`)
      }
    }
  })

  it("a write without input fields refuses a body with fields, and accepts an empty body", async () => {
    const { id } = (await pod.owner.send("POST", "/api/hub/entities", { title: "kept" })).body
    const refused = await pod.owner.send("DELETE", `/api/hub/entities/${id}`, { version: 1 })
    assert.deepStrictEqual([refused.status, refused.body.details[0].path], [400, "version"])
    assert.strictEqual((await pod.owner.send("GET", `/api/hub/entities/${id}`)).status, 200)
    assert.strictEqual((await pod.owner.send("DELETE", `/api/hub/entities/${id}`, {})).status, 200)
  })

  it("if a request has unknown fields, the answer lists at most fifty of them, and says how many more there are", async () => {
    const two = await pod.owner.send("POST", "/api/hub/tracks", { nam: "a", statu: "active" })
    assert.deepStrictEqual(
      two.body.details.slice(0, 2).map(({ path }: { readonly path: string }) => path),
      ["nam", "statu"]
    )
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`field${at}`, 1]))
    const { body, status } = await pod.owner.send("POST", "/api/hub/tracks", { name: "a", ...many })
    assert.strictEqual(status, 400)
    assert.isBelow(body.details.length, 60)
    assert.include(JSON.stringify(body.details), "4950 more")
  })

  it("if an input mixes two forms, or has an unknown field, the answer names only the fields of the form that was meant", async () => {
    const grant = { permissions: ["entity.read"] }
    const messages = async (input: object) => {
      const { body, status } = await pod.owner.mutate("apiKeys.create", input)
      assert.strictEqual(status, 400)
      return new Map<string, string>(
        body.error.data.details.map(({ message, path }: { message: string; path: string }) => [path, message])
      )
    }
    const mixed = await messages({ name: "Mixed", scope: ["mcp.read"], grant })
    assert.match(
      mixed.get("name") ?? "",
      /^This field belongs to another form of this input, and two forms cannot be mixed. The form with `scope` has the fields keyName, scope, /
    )
    assert.notMatch(mixed.get("name") ?? "", /\b(?:name|scopes|expiresAt)\b/)
    const older = await messages({ name: "Mixed", scopes: ["mcp.read"], expiresInDays: 3 })
    assert.match(older.get("expiresInDays") ?? "", /The form with `name` has the fields name, scopes, expiresAt, /)
    const unknown = await messages({ name: "Unknown", scopes: ["mcp.read"], zzz: 1 })
    assert.match(unknown.get("zzz") ?? "", /Known fields: name, scopes, expiresAt, grant/)
    assert.notInclude(unknown.get("zzz") ?? "", "keyName")
  })

  it("if a field is sent inside of another field but belongs to the top level, the answer says so", async () => {
    const turns = [{ role: "user", content: "Hello", sessionId: "s" }]
    const sent = await pod.owner.send("POST", "/api/hub/memory/turns", { sessionId: "s", turns })
    assert.deepInclude(sent.body.details, {
      path: "turns.0.sessionId",
      message: "There is no such field here. The field sessionId belongs to the top level of the input."
    })
  })

  it("a request with the header `Prefer: handling=lenient` is allowed to have unknown fields, which the pod ignores and lists in its answer", async () => {
    const prefer = { prefer: "wait=5, handling=Lenient" }
    const answers = [
      await pod.owner.send("POST", "/api/hub/tracks", { name: "a", "colo,ur": "red", tone: 1 }, prefer),
      await pod.owner.send("GET", "/api/hub/tracks?colo,ur=red&tone=1", undefined, prefer)
    ]
    for (const { body, headers, status } of answers) {
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.strictEqual(headers.get("preference-applied"), "handling=lenient")
      assert.strictEqual(headers.get("x-svc-ignored-fields"), "colo%2Cur, tone")
    }
    const plain = await pod.owner.send("GET", "/api/hub/tracks", undefined, prefer)
    assert.isNull(plain.headers.get("preference-applied"))
    const strict = await pod.owner.send("GET", "/api/hub/tracks?tone=1", undefined, { prefer: "handling=strict" })
    assert.strictEqual(strict.status, 400)
  })

  it("a client can ask the pod over tRPC and MCP too to ignore unknown fields, and the answer to a batch lists the ignored fields of all calls", async () => {
    const key = await pod.aKey(pod.owner)
    const prefer = { prefer: "handling=lenient" }
    const input = encodeURIComponent(JSON.stringify({ 0: { one: 1 }, 1: { two: 2 } }))
    const path = `/api/hub/trpc/commands.listCommands,views.listViews?batch=1&input=${input}`
    const batch = await key.send("GET", path, undefined, prefer)
    assert.deepStrictEqual(
      [batch.status, batch.headers.get("x-svc-ignored-fields")?.split(", ").sort()],
      [200, ["one", "two"]]
    )
    const tool = ways.find(({ operation }) => operation.name === "svc_list_tracks")!
    assert.strictEqual((await ask(key, tool, { projekt: "x" })).verdict, "invalid")
    assert.strictEqual((await ask(key, tool, { projekt: "x" }, prefer)).verdict, "answered")
  })

  it("an operation that gives or narrows access rights refuses an unknown field, even if the client asks the pod to ignore unknown fields", async () => {
    const prefer = { prefer: "handling=lenient" }
    let asked = 0
    for (const way of ways) {
      const { door, kind } = way.operation
      if (
        !givesAuthority(door, kind) ||
        door._tag === "Public" ||
        way.place !== (door._tag === "Session" ? "session" : "rest")
      )
        continue
      const input = await things.inputFor(way)
      const part = way.rest === undefined ? undefined : way.rest.takesBody ? "body" : "query"
      if (isFreeForm(way, part)) continue
      const where = part === undefined ? [] : [part]
      const caller = door._tag === "Operator" ? pod.operator! : pod.owner
      const { body, verdict } = await ask(caller, way, added(input, where, unknownName, "x"), prefer)
      assert.strictEqual(verdict, "invalid", `${nameOf(way)}: ${JSON.stringify(body)}`)
      asked += 1
    }
    assert.isAbove(asked, 30)
  })

  it("the message about an unknown field never lists this field as a known field", async () => {
    const grant = { permissions: ["*"] }
    const { body } = await pod.owner.mutate("apiKeys.create", { name: "k", scope: ["hub-protocol.read"], grant })
    const [{ message, path }] = JSON.parse(body.error.message) as ReadonlyArray<{ message: string; path: string }>
    assert.strictEqual(path, "name")
    assert.include(message, "This field belongs to another form of this input")
    assert.notMatch(message, /[ ,]name[,.]/)
  })

  it("for an unknown field, the pod suggests a field name that differs by at most a few letters, and suggests no name if all names differ more", () => {
    const nearest = (name: string, known: ReadonlyArray<string>) => nearName(name, known, (each) => each)
    assert.strictEqual(nearest("profilSlug", ["profileSlug", "projectId"]), "profileSlug")
    assert.strictEqual(nearest("workspace_id", ["workspaceIds", "workspaceId"]), "workspaceId")
    assert.strictEqual(nearest("titel", ["title", "text"]), "title")
    assert.strictEqual(nearest("expires", ["expiresAt", "expiresInDays"]), "expiresAt")
    assert.isUndefined(nearest("q", ["id", "limit"]))
    assert.isUndefined(nearest("x".repeat(10_000), ["x"]))
  })
})
