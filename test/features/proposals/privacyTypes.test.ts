/** The list of the record types that a person can make private, compared with the declarations of all record types. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { privacyTypes } from "../../../src/features/proposals/VisibleProposals.ts"

describe("the types of records with privacy", () => {
  it("the list of record types whose proposals can be private contains exactly the record types in which a field decides whether a record is private", () => {
    const files = execFileSync("git", ["ls-files", "src/features"], { encoding: "utf8" }).trim().split("\n")
    const declared = files.flatMap((file) => {
      const [, name] = /recordType\("(\w+)"[\s\S]*?visibility: \{/.exec(readFileSync(file, "utf8")) ?? []
      return name === undefined ? [] : [name]
    })
    assert.deepStrictEqual(privacyTypes.map(({ name }) => name).toSorted(), declared.toSorted())
  })
})
