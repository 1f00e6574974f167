/** Every store is held to its promises: by a suite, or by a test that is there. */
import { assert, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { coveredElsewhere } from "./contracts.ts"
import { projectRoot } from "./migrations.ts"

it("a store without a contract suite names the test that holds its rules", () => {
  assert.deepStrictEqual(
    coveredElsewhere.filter((file) => !existsSync(projectRoot + file)),
    []
  )
})
