/**
 * Runs the suites of the console with every screen in both themes at both widths. `npm test` runs them in two of these
 * four combinations.
 */
import { describe } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { projectRoot } from "../support/migrations.ts"

// This line must run before the imports below, because the suites read this variable when the first suite is imported.
process.env["POD_EVERY_LOOK"] = "1"

for (const name of readdirSync(`${projectRoot}test/console`)
  .filter((each) => each.endsWith(".test.ts"))
  .toSorted()) {
  describe(name, async () => {
    await import(`${projectRoot}test/console/${name}`)
  })
}
