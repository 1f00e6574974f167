/** Tests the texts that the console shows in its list of connections. */
import { assert, describe, it } from "vitest"
import { lastCallText } from "../../src/console/screens/connections/connectionRows.ts"

type Call = Parameters<typeof lastCallText>[0]

describe("the last use of a key in the list of connections", () => {
  const call = (fields: Partial<Call>): Call =>
    // `lastCallText` reads only these fields of a call.
    ({ surface: "rest", clientName: null, userAgent: null, address: null, ...fields }) as Call

  it("the text about the last call of a key contains the surface, the client and the address of the call, and leaves out an unknown address", () => {
    assert.strictEqual(
      lastCallText(call({ userAgent: "curl/8.5.0", address: "10.0.0.7" })),
      "REST, curl 8.5.0, 10.0.0.7"
    )
    for (const address of [null, ""]) {
      assert.strictEqual(lastCallText(call({ address })), "REST, unnamed client")
    }
  })
})
