/**
 * Tests that the tables of the job library fit the installed version of the library, and that the pod's database role
 * can use the tables only for jobs of the pod.
 */
import { assert, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import PgBoss from "pg-boss"
import { projectRoot } from "../../support/migrations.ts"
import { onEachDatabase } from "../../support/stores.ts"

/** Returns the statements without their layout, and without the transaction that the library puts around them. */
const statements = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/^\s*--.*$/gm, "")
    .split(";")
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim())
    .filter((statement) => !/^(?:|BEGIN|COMMIT|SET LOCAL .*|SELECT pg_advisory_xact_lock.*)$/.test(statement))

it("the migration for background jobs creates the tables that the installed job library expects", () => {
  const made = statements(readFileSync(`${projectRoot}migrations/0031_jobs.sql`, "utf8"))
  const wanted = statements(PgBoss.getConstructionPlans("pgboss"))
  assert.isAbove(wanted.length, 10)
  assert.deepStrictEqual(made.slice(0, wanted.length), wanted)
})

onEachDatabase("the database role of the pod and the job queues", (stores) => {
  for (const [what, statement] of [
    ["create a queue with a name of its own choice", `SELECT pgboss.create_queue('Any name', '{}')`],
    ["declare a queue with an invalid name", `SELECT pgboss.declare_queue('x; DROP', '{}')`],
    ["delete a queue", `SELECT pgboss.delete_queue('dead-letter')`],
    ["change the rules of a queue", `UPDATE pgboss.queue SET retry_limit = 0`],
    ["change the table of jobs", `ALTER TABLE pgboss.job ADD COLUMN more text`]
  ] as const) {
    it.effect(`the database role of the pod may not ${what}`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const failure = yield* Effect.flip(sql.unsafe(statement))
        assert.match(String(failure.cause), /permission denied|must be owner|not the name of a queue/)
      }).pipe(Effect.provide(stores))
    )
  }
})
