/** Runs `npm run demo` as a stranger would: what the demo expects must be what it gets, and it must fail when it is not. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { aFolder } from "../support/builtPod.ts"

const demo = fileURLToPath(new URL("../../scripts/demo.mjs", import.meta.url))

const ran = async (...args: ReadonlyArray<string>) => {
  const { POD_BENCH_COLLECTION: _collection, ...env } = process.env
  const child = spawn(process.execPath, [demo, ...args], { env, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  child.stdout.on("data", (part) => (output += part))
  child.stderr.on("data", (part) => (output += part))
  const code = await new Promise((resolve) => child.once("close", resolve))
  return { code, output }
}

describe("the demo", () => {
  it("the demo finds that access, proposals, search, memory, agents, chat and workflows of the pod work as it expects", async () => {
    const { code, output } = await ran()
    assert.strictEqual(code, 0, output)
    assert.match(output, /(\d+) of \1 as expected/)
    for (const told of [
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
      assert.include(output, told)
    }
  })

  it("the demo asks the questions of the collection that its argument names, and fails if the pod does not find the answers", async () => {
    const folder = aFolder()
    const put = (name: string, text: string) => writeFileSync(join(folder.path, name), text)
    put("cran.all.1400", ".I 1\n.T\ntides\n.W\nwhen the harbour falls dry\n.I 2\n.T\nropes\n.W\nhow to splice a rope\n")
    put("cran.qry", ".I 001\n.W\nhow is a rope spliced\n.I 002\n.W\nwhen does the harbour fall dry\n")
    put("cranqrel", "1 1 1\n2 2 1\n") // people judged them the wrong way round
    const { code, output } = await ran(`--collection=${folder.path}`)
    folder.remove()
    assert.include(output, "0 of 2 questions of the collection")
    assert.match(output, /≠ at least half of them do: expected true, observed false/)
    assert.strictEqual(code, 1)
  })

  it("the demo refuses a folder without a collection, and its message says what a collection contains", async () => {
    const folder = aFolder()
    const { code, output } = await ran(`--collection=${folder.path}`)
    folder.remove()
    assert.strictEqual(code, 1)
    assert.include(output, "cran.all.1400, cran.qry and cranqrel")
  })
})
