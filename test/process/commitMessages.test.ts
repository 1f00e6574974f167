/** The check of commit messages. */
import { assert, describe, it } from "@effect/vitest"
import { faultsOf } from "../../scripts/commitMessages.mjs"

const body = "\n\nA caller could store a key that no list showed."

describe("the check of commit messages", () => {
  it("refuses a message with only a subject, because no body says why", () => {
    assert.deepStrictEqual(faultsOf("keys: refuse an empty name\n"), ["no body says why"])
    assert.deepStrictEqual(faultsOf("keys: refuse an empty name\n\n  \n"), ["no body says why"])
  })

  it("refuses a subject of 73 characters and accepts a subject of 72 characters", () => {
    const subject = (length: number) => "keys: ".padEnd(length, "x")
    assert.deepStrictEqual(faultsOf(subject(72) + body), [])
    assert.match(faultsOf(subject(73) + body).join(), /73 characters/)
  })

  it("refuses a subject that names no area", () => {
    assert.match(faultsOf(`Refuse an empty name${body}`).join(), /what and where/)
    assert.match(faultsOf(`keys:${body}`).join(), /what and where/)
  })

  it("refuses a message whose second line is not empty", () => {
    assert.match(faultsOf("keys: refuse an empty name\nA caller could.").join(), /empty line/)
  })

  it("accepts a subject with several areas", () => {
    assert.deepStrictEqual(faultsOf(`keys, docs, test/doors: refuse an empty name${body}`), [])
  })
})
