/** Tests which commit messages the check of commit messages accepts. */
import { assert, describe, it } from "@effect/vitest"
import { faultsOf } from "../../scripts/commitMessages.mjs"

const body = "\n\nA caller could store a key that no list showed."

describe("the check of commit messages", () => {
  it("the check of commit messages refuses a message that has only a subject, because a body must give the reason for the change", () => {
    assert.deepStrictEqual(faultsOf("keys: refuse an empty name\n"), ["no body says why"])
    assert.deepStrictEqual(faultsOf("keys: refuse an empty name\n\n  \n"), ["no body says why"])
  })

  it("the check of commit messages refuses a subject of 73 characters and accepts one of 72 characters", () => {
    const subject = (length: number) => "keys: ".padEnd(length, "x")
    assert.deepStrictEqual(faultsOf(subject(72) + body), [])
    assert.match(faultsOf(subject(73) + body).join(), /73 characters/)
  })

  it("the check of commit messages refuses a subject without the changed area, and a subject that has nothing after the area", () => {
    assert.match(faultsOf(`Refuse an empty name${body}`).join(), /what and where/)
    assert.match(faultsOf(`keys:${body}`).join(), /what and where/)
  })

  it("the check of commit messages refuses a message whose second line is not empty", () => {
    assert.match(faultsOf("keys: refuse an empty name\nA caller could.").join(), /empty line/)
  })

  it("the check of commit messages accepts a subject that states several areas", () => {
    assert.deepStrictEqual(faultsOf(`keys, docs, test/doors: refuse an empty name${body}`), [])
  })
})
