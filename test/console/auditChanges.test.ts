/** Tests which changes of a record the audit screen shows for an event. */
import { assert, describe, it } from "vitest"
import { changesIn } from "../../src/console/screens/settings/auditChanges.ts"

describe("the changes of an event in the audit", () => {
  it("the audit screen shows no changes for an event without former and new values", () => {
    assert.deepStrictEqual(changesIn({ keyName: "Reader" }), [])
    assert.deepStrictEqual(changesIn({ before: "text", after: { role: "viewer" } }), [])
    assert.deepStrictEqual(changesIn({ before: { role: "viewer" }, after: { role: "viewer" } }), [])
  })

  it("the audit screen shows each changed field with its former and its new value", () => {
    assert.deepStrictEqual(changesIn({ before: { role: "viewer" }, after: { role: "editor" } }), [
      { field: "role", before: "viewer", after: "editor" }
    ])
    assert.deepStrictEqual(changesIn({ before: { role: "viewer", same: 1 }, after: { role: null, same: 1 } }), [
      { field: "role", before: "viewer", after: "none" }
    ])
    assert.deepStrictEqual(changesIn({ before: { requires: ["a"] }, governance: { requires: ["a", "b"] } }), [
      { field: "requires", before: '["a"]', after: '["a","b"]' }
    ])
  })
})
