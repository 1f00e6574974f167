/**
 * Tests when the console treats a failed call as a refusal and when as an abort, and how it finds the record that the
 * call was about.
 */
import { TRPCClientError } from "@trpc/client"
import { assert, describe, it } from "vitest"
import { objectIdIn } from "../../src/console/api/objectId.ts"
import { Refusal, refusalOf } from "../../src/console/api/refusal.ts"

const [id, agentId, entityId, workspaceId] = ["1", "2", "3", "4"].map(
  (digit) => `01890a5d-ac96-774b-bcce-b302099a805${digit}`
)

describe("a failed call of the console", () => {
  it("if the pod did not answer a call, the console treats the call as a refusal with the status 0", () => {
    const failure = refusalOf(TRPCClientError.from(new TypeError("Failed to fetch")))
    assert.instanceOf(failure, Refusal)
    assert.strictEqual(failure.status, 0)
  })

  it("if a request ran out of time, the console treats the request as a refusal with the status 0", () => {
    const failure = refusalOf(new DOMException("The request took too long.", "TimeoutError"))
    assert.strictEqual(failure.status, 0)
  })

  for (const [name, wrapped] of Object.entries({
    "a tRPC call": (abort: DOMException): unknown => TRPCClientError.from(abort),
    "a REST call": (abort: DOMException): unknown => abort
  })) {
    it(`if the console aborts ${name}, the console reports an abort and not a refusal`, () => {
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

  it("if the error of a failed call is already a refusal, the console leaves the refusal unchanged", () => {
    const refusal = new Refusal(403, { error: "no", code: "FORBIDDEN" })
    assert.strictEqual(refusalOf(refusal), refusal)
  })
})

describe("the object that a call is about", () => {
  it("if the input of a failed call contains no id of an object, the console names no object for the call", () => {
    for (const input of [undefined, null, "text", {}, { id: "not an id" }, { workspaceId }, { grid: id }])
      assert.isUndefined(objectIdIn(input), JSON.stringify(input))
  })

  it("if the input of a failed call has a field `id`, this field names the object of the call, even if other ids come earlier", () => {
    assert.strictEqual(objectIdIn({ agentId, id }), id)
    assert.strictEqual(objectIdIn({ id, agentId }), id)
    assert.strictEqual(objectIdIn({ workspaceId, agentId, id }), id)
  })

  it("without a valid field `id`, the first other id in the input of a failed call names its object, but never the id of the workspace", () => {
    assert.strictEqual(objectIdIn({ workspaceId, entityId, agentId }), entityId)
    assert.strictEqual(objectIdIn({ id: "not an id", agentId }), agentId)
  })
})
