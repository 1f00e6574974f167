/**
 * A released migration never changes. One migration was released with two different texts, and a pod must start on a
 * database that has either text.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { migrate, migrations, migrationStates } from "../../src/platform/Migrations.ts"
import { aDatabaseOn, describePostgres } from "../support/postgres.ts"
import { projectRoot } from "../support/migrations.ts"
import { withPostgres } from "../transfer/transferScene.ts"

const list = join(projectRoot, "test/platform/releasedMigrations.txt")
const lineOf = ({ digest, name }: { readonly digest: string; readonly name: string }) => `${digest}  ${name}`
const listed = () => readFileSync(list, "utf8").trim().split("\n")

describe("the list of migrations", () => {
  it("the text of a released migration is the same as on the day of its release", () => {
    // If this test fails, restore the migration file and add a new migration. Delete a line of the list only if its
    // migration is not on main yet.
    const lines = new Set(migrations.map(lineOf))
    for (const line of listed()) assert.isTrue(lines.has(line), `${line} was changed or is missing`)
  })

  it("every migration is in the list of released migrations, and a test run with `UPDATE=1` adds the new migrations to the list", () => {
    const known = new Set(listed())
    const fresh = migrations.map(lineOf).filter((line) => !known.has(line))
    if (process.env["UPDATE"] === "1") appendFileSync(list, fresh.map((line) => `${line}\n`).join(""))
    else assert.deepStrictEqual(fresh, [])
  })
})

describePostgres(
  "a database that was migrated with the earlier of the two released texts of migration 0101",
  (server) => {
    const name = "0101_cursors_pass_events.sql"
    const renaming = "0102_pass_events.sql"
    const otherDigest = "ba9f1966aa942c606173885de2bfe0b163a8b7e32223c81d504896b7263e0f22"

    it("if a database was migrated with the first released text of migration 0101, migration 0102 gives this database the same functions as a new database", async () => {
      const database = await aDatabaseOn(server)
      await withPostgres(database, async (owner) => {
        const functions = () =>
          owner.query(
            "SELECT proname FROM pg_proc WHERE proname IN ('pass_events', 'spaces_behind') ORDER BY 1, pronargs"
          )
        const asNew = await functions()
        await owner.exec(
          `DELETE FROM schema_migrations WHERE name = '${renaming}';
         UPDATE schema_migrations SET digest = '${otherDigest}' WHERE name = '${name}'`
        )
        assert.deepStrictEqual(await Effect.runPromise(migrate(owner)), [renaming])
        assert.deepStrictEqual(await functions(), asNew)
        const states = await Effect.runPromise(migrationStates(owner))
        assert.deepInclude(states, { name, state: "applied" })
      })
      await database.drop()
    })
  }
)
