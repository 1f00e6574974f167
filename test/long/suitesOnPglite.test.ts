/**
 * Runs suites on the storages that `npm test` leaves out if it has a PostgreSQL server. The suites that use HTTP run in
 * memory and on PGlite, with all pairs of operations and callers. The suites that call every store run on PGlite.
 */
import { describe } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { projectRoot } from "../support/migrations.ts"

const folders = ["attacks", "browser", "doors", "features", "wire"].map((name) => `${projectRoot}test/${name}/`)
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => folder + name)
)

/** Matches the source of a suite that imports its storages from one of these support files, or runs on one engine. */
const runsOnOne = /from "[./]*(?:support\/(?:storages|everyNth)|entityScene)\.ts"|\bonOneEngine\(/

for (const file of files.filter((name) => name.endsWith(".test.ts")).toSorted()) {
  if (!runsOnOne.test(readFileSync(file, "utf8"))) continue
  // Because of this block, the hooks of the file run only for the tests of the file.
  describe(file.slice(projectRoot.length), async () => {
    await import(file)
  })
}
