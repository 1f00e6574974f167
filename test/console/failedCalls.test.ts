/** What the console makes of a call that failed: a refusal, an abort, and the object that the call was about. */
import { TRPCClientError } from "@trpc/client"
import { assert, describe, it } from "vitest"
import { objectIdIn } from "../../src/console/api/objectId.ts"
import { Refusal, refusalOf } from "../../src/console/api/refusal.ts"

const [id, agentId, entityId, workspaceId] = ["1", "2", "3", "4"].map(
  (digit) => `01890a5d-ac96-774b-bcce-b302099a805${digit}`
)

describe("a failed call of the console", () => {
  it("a call that fails without an answer of the pod is a refusal with the status 0", () => {
    const failure = refusalOf(TRPCClientError.from(new TypeError("Failed to fetch")))
    assert.instanceOf(failure, Refusal)
    assert.strictEqual(failure.status, 0)
  })

  it("a request that ran out of time is a refusal with the status 0", () => {
    const failure = refusalOf(new DOMException("The request took too long.", "TimeoutError"))
    assert.strictEqual(failure.status, 0)
  })

  for (const [name, wrapped] of Object.entries({
    "a tRPC call": (abort: DOMException): unknown => TRPCClientError.from(abort),
    "a REST call": (abort: DOMException): unknown => abort
  })) {
    it(`${name} that the console aborts stays an abort and does not become a refusal`, () => {
      const abort = new DOMException("The user aborted a request.", "AbortError")
      let thrown: unknown
      try {
        refusalOf(wrapped(abort))
      } catch (failure) {
        thrown = failure
      }
      assert.strictEqual(thrown, abort)
    })
  }

  it("a refusal stays the same refusal", () => {
    const refusal = new Refusal(403, { error: "no", code: "FORBIDDEN" })
    assert.strictEqual(refusalOf(refusal), refusal)
  })
})

describe("the object that a call is about", () => {
  it("an input without an id of an object is about no object", () => {
    for (const input of [undefined, null, "text", {}, { id: "not an id" }, { workspaceId }, { grid: id }])
      assert.isUndefined(objectIdIn(input), JSON.stringify(input))
  })

  it("the field id names the object, wherever it stands in the input", () => {
    assert.strictEqual(objectIdIn({ agentId, id }), id)
    assert.strictEqual(objectIdIn({ id, agentId }), id)
    assert.strictEqual(objectIdIn({ workspaceId, agentId, id }), id)
  })

  it("without a field id, the first other id names the object, except the workspace", () => {
    assert.strictEqual(objectIdIn({ workspaceId, entityId, agentId }), entityId)
    assert.strictEqual(objectIdIn({ id: "not an id", agentId }), agentId)
  })
})
