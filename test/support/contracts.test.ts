/** Checks that every store has a contract suite, or refers to an existing test file that checks the store. */
import { assert, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { coveredElsewhere } from "./contracts.ts"
import { projectRoot } from "./migrations.ts"

it("every store has a suite of contract tests, or refers to another test that checks its behaviour", () => {
  assert.deepStrictEqual(
    coveredElsewhere.filter((file) => !existsSync(projectRoot + file)),
    []
  )
})
