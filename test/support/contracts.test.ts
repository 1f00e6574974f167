/** Checks that every store has a contract suite, or refers to an existing test file that checks the store. */
import { assert, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { coveredElsewhere } from "./contracts.ts"
import { projectRoot } from "./migrations.ts"

it("if the table of contract suites names another test file for a store instead of a suite, this test file exists", () => {
  assert.deepStrictEqual(
    coveredElsewhere.filter((file) => !existsSync(projectRoot + file)),
    []
  )
})
