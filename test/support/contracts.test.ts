/** Checks that every store has a contract suite, or refers to an existing test file that checks the store. */
import { assert, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { coveredElsewhere } from "./contracts.ts"
import { projectRoot } from "./migrations.ts"

it("if a store has no suite of contract tests, the test file that is named instead of this suite exists", () => {
  assert.deepStrictEqual(
    coveredElsewhere.filter((file) => !existsSync(projectRoot + file)),
    []
  )
})
