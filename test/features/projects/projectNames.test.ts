/** Which project names the pod treats as similar. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { isNearName } from "../../../src/features/projects/ProjectNames.ts"

describe("names of projects", () => {
  for (const [one, other] of [
    ["New harbour", "The New Harbour!"],
    ["Harbour, new", "New harbour"],
    ["Café Zürich", "cafe zurich"],
    ["Harbour extension", "Harbour extenson"],
    ["Website relaunch", "web site relaunch"],
    ["Project Apollo", "Apollo"],
    ["???", " ??? "]
  ]) {
    it(`the project names “${one}” and “${other}” are similar`, () => assert.isTrue(isNearName(one, other)))
  }

  for (const [one, other] of [
    ["Phase 1", "Phase 2"],
    ["Budget 2025", "Budget 2026"],
    ["Harbour", "Labour"],
    ["Red", "Bed"],
    ["Harbour extension", "Airport extension"],
    ["!!!", "???"],
    ["New harbour", "New harbour and its railway station"]
  ]) {
    it(`the project names “${one}” and “${other}” are not similar`, () => assert.isFalse(isNearName(one, other)))
  }

  const name = fc.oneof(
    fc.fullUnicodeString({ maxLength: 40 }),
    fc
      .array(fc.constantFrom("harbour", "habour", "new", "the", "7", "8", "phase"), { maxLength: 5 })
      .map((all) => all.join(" "))
  )

  it("a project name is similar to itself, and two similar project names are similar in either order", () => {
    fc.assert(fc.property(name, (one) => isNearName(one, one)))
    fc.assert(fc.property(name, name, (one, other) => isNearName(one, other) === isNearName(other, one)))
  })

  it("the longest allowed project names are compared within the time limit", () => {
    assert.isTrue(isNearName("a".repeat(255), "a".repeat(255)))
    assert.isFalse(isNearName("a".repeat(255), `${"a".repeat(254)}b`))
  })
})
