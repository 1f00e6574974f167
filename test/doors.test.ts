/** Calls every operation on every surface with every credential, and compares the answers with an independent model. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { aScene, type Scene, validCallers, invalidCallers } from "./doors/callers.ts"
import { type Ledger, ledgerOf } from "./doors/ledger.ts"
import { type Approach, ask, mcp, nameOf } from "./doors/surfaces.ts"
import { allApproaches, walk } from "./doors/walk.ts"
import { anEmbedded } from "./support/pgliteImage.ts"
import { aPod, type Storage, type TestPod } from "./support/pod.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "./support/postgres.ts"

/**
 * The callers whose answers differ most: for the other storages and the second mount, where not every caller is tried.
 */
const aFew = new Set([
  "nobody",
  "a key that was never stored",
  "an expired key",
  "a revoked key beside a living session",
  "a key for everything",
  "a key from before grants",
  "a key that may only read the Hub",
  "a key that reads knowledge",
  "a key that only creates notes",
  "a key whose grant lists nothing",
  "a key for everything in one workspace",
  "a key made for one workspace",
  "an agent's key for everything"
])

const patient = { timeout: 240_000 } // calls every operation of the pod with thirty callers

const suite = (storage: () => Storage, options: { readonly only?: ReadonlySet<string> }) => {
  let pod: TestPod
  let scene: Scene
  let ledger: Ledger
  let ways: ReadonlyArray<Approach>
  let waysTwice: ReadonlyArray<Approach>
  beforeAll(async () => {
    const kept = storage()
    pod = await aPod(kept)
    scene = await aScene(pod)
    ledger = ledgerOf(pod, kept)
    ways = await allApproaches(pod, false)
    waysTwice = options.only === undefined ? await allApproaches(pod, true) : ways
  })
  afterAll(() => pod.stop())

  const isAsked = (name: string) => options.only?.has(name) ?? true

  const walked = async (visitors: Awaited<ReturnType<typeof validCallers>>) => {
    const faults: Array<string> = []
    for (const visitor of visitors) {
      const walked = aFew.has(visitor.name) ? waysTwice : ways
      for (const fault of await walk(visitor, walked, ledger)) faults.push(`${visitor.name}: ${fault}`)
    }
    return faults
  }

  it("the digest of the stored data changes with every write, and stays the same when the pod refuses a request", async () => {
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.create"] } })
    const before = await ledger.digest()
    assert.strictEqual((await key.send("DELETE", "/api/hub/knowledge/some")).status, 403)
    assert.strictEqual(await ledger.digest(), before)
    assert.strictEqual((await key.send("POST", "/api/hub/entities", { title: "x" })).status, 200)
    assert.notStrictEqual(await ledger.digest(), before)
  })

  it(
    "every operation that needs a credential refuses a caller without a valid credential, and the pod writes no event for this",
    patient,
    async () => {
      assert.deepStrictEqual(await walked((await invalidCallers(scene)).filter(({ name }) => isAsked(name))), [])
    }
  )

  it(
    "every operation accepts and refuses exactly the callers that the model expects, and each refusal has the id of its event",
    patient,
    async () => {
      assert.deepStrictEqual(await walked(await validCallers(scene, options.only)), [])
    }
  )
}

describe("on memory", () => {
  suite(() => ({ kind: "memory" }), {})

  describe("answers are the same for every caller", () => {
    let pod: TestPod
    let ways: ReadonlyArray<Approach>
    beforeAll(async () => {
      pod = await aPod({ kind: "memory" })
      ways = await allApproaches(pod, true)
    })
    afterAll(() => pod.stop())

    it("a caller without a credential gets the same 401 whatever body it sends", patient, async () => {
      const bodies: ReadonlyArray<readonly [string, Record<string, string>]> = [
        ["{}", {}],
        ["null", {}],
        ["{", {}],
        ["[".repeat(10_000), {}],
        ['{"userId":"0190a0a0-0000-7000-8000-000000000001"}', {}],
        ["\u0000\ufffd", {}],
        ["a=b", { "content-type": "application/x-www-form-urlencoded" }],
        ["{}", { "content-encoding": "gzip" }],
        ["{}", { "idempotency-key": "x" }],
        ["{}", { "x-http-method-override": "GET" }]
      ]
      const faults: Array<string> = []
      for (const way of ways) {
        const { door, kind } = way.operation
        const method = way.rest?.method ?? (way.place === "mcp" || kind === "mutation" ? "POST" : "GET")
        if (door._tag === "Public" || method === "GET") continue
        const path = way.rest?.path.replaceAll(/:[A-Za-z]+/g, "0190a0a0-0000-7000-8000-000000000001")
        const target = path ?? (way.place === "mcp" ? "/mcp" : `${way.mount}/${way.operation.name}`)
        const said = new Set<string>()
        for (const [body, headers] of bodies) {
          const { status, body: answer } = await pod.stranger.send(method, target, body, headers)
          said.add(`${status} ${JSON.stringify(answer)}`)
        }
        if (said.size !== 1 || ![...said][0].startsWith("401 ")) faults.push(`${nameOf(way)}: ${[...said].join(" | ")}`)
      }
      assert.deepStrictEqual(faults, [])
    })

    it("the tools that are listed for a key are exactly those it may call", async () => {
      const tools = ways.filter(({ place }) => place === "mcp")
      for (const order of [{}, { scope: ["mcp.write"] }, { grant: { permissions: ["entity.knowledge.read"] } }]) {
        const key = await pod.aKey(pod.owner, order)
        const { message } = await mcp(key, "tools/list", {})
        const listed = (message.result?.tools ?? []).map(({ name }) => name).toSorted()
        const callable: Array<string> = []
        for (const tool of tools) {
          const { verdict } = await ask(key, tool, { limit: "x" })
          if (verdict !== "refused") callable.push(tool.operation.name)
        }
        assert.deepStrictEqual(listed, callable.toSorted())
      }
    })
  })
})

describe("on PGlite", () => suite(() => ({ kind: "pglite", open: anEmbedded }), { only: aFew }))

describePostgres("on PostgreSQL", (url) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(url)
  })
  afterAll(() => database.drop())
  suite(() => ({ kind: "postgres", url: database.url }), { only: aFew })
})
