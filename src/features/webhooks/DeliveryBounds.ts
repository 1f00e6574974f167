/** The limits of the SQL stores of deliveries: the rows of the person for whom the caller acts, in the spaces in reach. */
import type { SqlClient, Statement } from "@effect/sql"
import { Effect } from "effect"
import { Reach } from "../../doors/Reach.ts"

export const boundedByWebhooks = Effect.map(Reach, (reach) => ({ reach, bounds: reach.bounds("webhook", "read") }))

/** Makes the condition for the rows of a table that the call may touch. `row` is the alias of the table. */
export const deliveryWithin = (sql: SqlClient.SqlClient, row: "delivery" | "state"): Statement.Fragment =>
  sql.literal(`${row}.space_id = ANY (authority.spaces) AND ${row}.person_id = authority.person::uuid`)
