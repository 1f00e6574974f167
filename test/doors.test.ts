/**
 * Calls every operation on every surface with every credential, and compares the answers with an independent model. The
 * long run does the same on the other database engine.
 */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { aFew, doorWalk, patient } from "./doors/doorWalk.ts"
import { type Approach, ask, mcp, nameOf } from "./doors/surfaces.ts"
import { allApproaches } from "./doors/walk.ts"
import { aPod, type TestPod } from "./support/pod.ts"
import { onOneDatabase } from "./support/storages.ts"

describe("a pod in memory", () => {
  doorWalk(() => ({ kind: "memory" }), {})

  describe("what the pod shows to a caller without rights", () => {
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
        const answers = new Set<string>()
        for (const [body, headers] of bodies) {
          const { status, body: answer } = await pod.stranger.send(method, target, body, headers)
          answers.add(`${status} ${JSON.stringify(answer)}`)
        }
        if (answers.size !== 1 || ![...answers][0].startsWith("401 "))
          faults.push(`${nameOf(way)}: ${[...answers].join(" | ")}`)
      }
      assert.deepStrictEqual(faults, [])
    })

    it("the list of tools for a key contains exactly the tools that the key may call", async () => {
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

onOneDatabase((storage) => doorWalk(storage, { only: aFew }))
