/**
 * The text of an SQL statement decides the kind of the statement: read, write or session. The kind decides on which
 * connections the statement is allowed to run.
 */
import { assert, describe, it } from "@effect/vitest"
import { statementKind } from "../../src/platform/StatementKind.ts"
import { aDatabaseOn, describePostgres } from "../support/postgres.ts"
import { connected } from "../support/postgresServer.ts"

describe("the kind of an SQL statement", () => {
  it.each([
    ["SELECT 1", "read"],
    ["\n  WITH a AS (SELECT updated_at, deleted FROM t) SELECT * FROM a", "read"],
    ["WITH a AS (UPDATE t SET b = 1 RETURNING b) SELECT * FROM a", "write"],
    ["SELECT id FROM t WHERE id = $1 FOR UPDATE OF t", "write"],
    ["SELECT id FROM t FOR KEY SHARE", "write"],
    ["INSERT INTO t VALUES (1)", "write"],
    ["SELECT pg_advisory_xact_lock(1)", "write"],
    ["SELECT pg_advisory_lock(1)", "session"],
    ["SELECT set_config('app.spaces', '', false)", "session"],
    ["SELECT set_config('app.spaces', '', true)", "read"],
    ["UPDATE api_keys SET revoked_at = clock_timestamp() WHERE id = $1", "session"],
    ["WITH a AS (UPDATE people SET suspended_at = CASE WHEN $1 THEN now() END) SELECT 1", "session"],
    ["SELECT id FROM api_keys WHERE revoked_at IS NULL", "read"],
    ["BEGIN", "session"],
    ["SET ROLE none", "session"],
    ["LISTEN pod_signals", "session"],
    ["COPY t FROM STDIN", "session"],
    ["DECLARE c CURSOR FOR SELECT 1", "session"],
    ["PREPARE a AS SELECT 1", "session"]
  ] as const)("the pod classifies the SQL statement %s as %s", (text, kind) =>
    assert.strictEqual(statementKind(text), kind)
  )
})

describePostgres("the functions of the database", (server) => {
  it("the pod treats a call of any database function that changes rows as a write, so that no read waits behind this call", async () => {
    const database = await aDatabaseOn(server)
    const { rows } = await connected(database.url, (client) =>
      client.query<{ readonly call: string }>(
        `SELECT proname || '()' AS call FROM pg_proc
         WHERE pronamespace IN ('public'::regnamespace, 'pgboss'::regnamespace)
           AND prorettype <> 'trigger'::regtype AND provolatile = 'v'
           AND prosrc ~* '\\y(insert|update|delete|merge|share|execute|lock)\\y'`
      )
    )
    await database.drop()
    assert.isAbove(rows.length, 3)
    for (const { call } of rows) assert.strictEqual(statementKind(`SELECT ${call}`), "write", call)
  })
})
