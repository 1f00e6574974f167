/** Tests the English plurals of the names of kinds. */
import { assert, describe, it } from "@effect/vitest"
import { pluralOf } from "../../src/shared/pluralOf.ts"

describe("the plural of a kind", () => {
  it("names of kinds get their English plural, and a name that already ends with s stays as it is", () => {
    assert.deepStrictEqual(["task", "company", "survey", "person", "box", "branch", "news"].map(pluralOf), [
      "tasks",
      "companies",
      "surveys",
      "people",
      "boxes",
      "branches",
      "news"
    ])
  })
})
