/** Runs the demo with another collection of documents, as `npm run demo -- --collection=…` does. */
import { assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { aFolder } from "../support/builtPod.ts"
import { runDemo } from "../support/runDemo.ts"

describe("the demo", () => {
  it("the demo asks the questions of a given collection of documents, and fails if the pod does not find the expected documents", async () => {
    const folder = aFolder()
    const put = (name: string, text: string) => writeFileSync(join(folder.path, name), text)
    put("cran.all.1400", ".I 1\n.T\ntides\n.W\nwhen the harbour falls dry\n.I 2\n.T\nropes\n.W\nhow to splice a rope\n")
    put("cran.qry", ".I 001\n.W\nhow is a rope spliced\n.I 002\n.W\nwhen does the harbour fall dry\n")
    put("cranqrel", "1 1 1\n2 2 1\n") // For each question, this file expects a wrong document.
    const { code, output } = await runDemo(`--collection=${folder.path}`)
    folder.remove()
    assert.include(output, "0 of 2 questions of the collection")
    assert.match(output, /≠ at least half of them do: expected true, observed false/)
    assert.strictEqual(code, 1)
  })
})
