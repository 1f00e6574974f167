/**
 * If an operation needs an unlimited grant and refuses a key with a narrow grant, the refusal names operations that
 * this key may call.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type TestPod } from "../support/pod.ts"
import { everyNth } from "../support/everyNth.ts"
import { aScene, validCallers, type TestCaller } from "./callers.ts"
import { type Approach, ask, type CallResult, mcp, nameOf } from "./surfaces.ts"
import { allApproaches } from "./walk.ts"

const unsupported = "GRANT_DOOR_UNSUPPORTED"
const doorCodes = new Set([unsupported, "SESSION_ONLY", "OPERATOR_ONLY", "SCOPE_MISSING", "GRANT_DENIED"])
const namedMax = 5

/**
 * Returns the names of the operations in a refusal. Each surface has these names at a different place in the answer.
 */
const openToIn = ({ body }: CallResult): ReadonlyArray<string> => {
  const refusal = body as {
    alternatives?: ReadonlyArray<string>
    error?: { data?: { alternatives?: ReadonlyArray<string> } }
  }
  return refusal.alternatives ?? refusal.error?.data?.alternatives ?? []
}

const messageIn = ({ body }: CallResult): string => {
  const refusal = body as { error?: string | { message: string } }
  return typeof refusal.error === "object" ? refusal.error.message : (refusal.error ?? "")
}

describe("the message to a key that an operation refuses because of its narrow grant", () => {
  let pod: TestPod
  let ways: ReadonlyArray<Approach>
  let visitors: ReadonlyArray<TestCaller>
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
    ways = await allApproaches(pod, false)
    visitors = await validCallers(await aScene(pod))
  })
  afterAll(() => pod?.stop())

  /** Finds the operation that has this name in a refusal. The operation must be on the same surface as `from`. */
  const wayNamed = (from: Approach, name: string) =>
    ways.find(
      (way) =>
        way.place === from.place &&
        (way.rest === undefined
          ? way.operation.name
          : `${way.rest.method} ${way.rest.path.replaceAll(/:(\w+)/g, "{$1}")}`) === name
    )

  it("if an operation refuses a key with a narrow grant, the message lists at most five operations that the key may call on the same API", async () => {
    const faults: Array<string> = []
    const opened = new Map<string, boolean>()
    let refusals = 0
    let named = 0
    for (const [turn, visitor] of visitors.entries()) {
      for (const way of everyNth(ways, turn, 3)) {
        if (way.operation.door._tag !== "FullGrant" && way.operation.door._tag !== "EveryKind") continue
        const heard = await ask(visitor.caller, way)
        if (heard.code !== unsupported) {
          if (openToIn(heard).length > 0) faults.push(`${nameOf(way)} names doors without ${unsupported}`)
          continue
        }
        refusals += 1
        const names = openToIn(heard)
        if (names.length > namedMax) faults.push(`${nameOf(way)} names ${names.length}`)
        for (const name of names) {
          named += 1
          if (!messageIn(heard).includes(name)) faults.push(`${nameOf(way)}: the message leaves out ${name}`)
          const other = wayNamed(way, name)
          if (other === undefined) {
            faults.push(`${nameOf(way)} names ${name}, which there is not`)
            continue
          }
          const at = `${visitor.name} at ${nameOf(other)}`
          if (!opened.has(at)) {
            const answer = await ask(visitor.caller, other)
            // The operation has admitted the key. Its handler can still refuse this simple input, for example because
            // the input names a space outside the limits of the key.
            opened.set(at, answer.verdict !== "unauthorized" && !doorCodes.has(answer.code ?? ""))
          }
          if (opened.get(at) !== true) faults.push(`${nameOf(way)} sends ${visitor.name} to ${name}, which refuses it`)
        }
      }
    }
    assert.deepStrictEqual(faults, [])
    assert.isAbove(refusals, 50)
    assert.isAbove(named, 50)
  })

  it("the refusal of a key with a narrow grant lists the operations of the same API that the key may call for the requested type of record", async () => {
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.knowledge.read", "document.read"] } })
    const openTo = async (path: string) => (await key.send("GET", `/api/hub/${path}`)).body.alternatives
    assert.deepStrictEqual(await openTo("documents"), [
      "GET /api/hub/documents/{id}",
      "GET /api/hub/documents/{id}/raw"
    ])
    assert.include(await openTo("knowledge"), "GET /api/hub/entities")
    const { error } = (await key.query("relations.listTypes")).body
    assert.deepStrictEqual([error.data.reason, error.data.alternatives], [unsupported, []])
    const { message } = await mcp(key, "tools/call", { name: "svc_get_entity", arguments: {} })
    const refusal = JSON.parse(message.result?.content[1]?.text ?? "{}")
    assert.deepStrictEqual(refusal.alternatives, ["svc_get_entities", "svc_resolve_identity"])
  })

  it("if a key with a narrow grant may call no operation for the requested type of record, the refusal suggests no other operation to the caller", async () => {
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.create"] } })
    const { body, status } = await key.send("GET", "/api/hub/workspaces")
    assert.deepStrictEqual([status, body.code, body.alternatives], [403, unsupported, []])
    assert.match(body.error, /permission `\*`/)
  })
})
