/** Work on the whole database over a connection with the rights of its owner. */
import { SqlError } from "@effect/sql"
import type pg from "pg"
import type { Owner } from "./Migrations.ts"

export const ownerOfClient = (client: pg.ClientBase): Owner => ({
  exec: (text) => client.query(text),
  query: (text, values) => client.query<Record<string, unknown>>(text, [...(values ?? [])]).then(({ rows }) => rows)
})

export const workFailed = (cause: unknown): SqlError.SqlError =>
  new SqlError.SqlError({ cause, message: cause instanceof Error ? cause.message : "The work on the database failed" })
