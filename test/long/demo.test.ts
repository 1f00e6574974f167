/**
 * Runs `npm run demo` as a new user would. The demo must succeed. If the pod does not behave as the demo expects, the
 * demo must fail.
 */
import { assert, describe, it } from "@effect/vitest"
import { aFolder } from "../support/builtPod.ts"
import { runDemo } from "../support/runDemo.ts"

describe("the demo", () => {
  it("the demo checks access, proposals, search, memory, agents, chat and workflows of the pod, and every check succeeds", async () => {
    const { code, output } = await runDemo()
    assert.strictEqual(code, 0, output)
    assert.match(output, /(\d+) of \1 as expected/)
    for (const line of [
      "1. Access",
      "2. Proposals",
      "3. Search, without a model",
      "verdict: confident",
      "corrected: gravle → gravel",
      "svc_find has the same first hit as REST",
      "403 GRANT_DOOR_UNSUPPORTED",
      "4. Memory",
      "yesterday the older fact held",
      "it holds again",
      "5. Listening",
      "the signature is right",
      "the person is told once",
      "503 no_provider",
      "6. The same keys, in a pod with POD_SCOPED_RETRIEVAL=on",
      "7. An agent through MCP alone",
      "the agent learns that it was approved",
      "8. A client of OpenAI",
      "the model got no word of it",
      "9. A workflow of n8n",
      "403 SCOPE_MISSING"
    ]) {
      assert.include(output, line)
    }
  })

  it("the demo refuses a folder that contains no collection of documents and questions, and its message names the files of such a collection", async () => {
    const folder = aFolder()
    const { code, output } = await runDemo(`--collection=${folder.path}`)
    folder.remove()
    assert.strictEqual(code, 1)
    assert.include(output, "cran.all.1400, cran.qry and cranqrel")
  })
})
