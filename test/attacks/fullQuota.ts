/** Fills the quota of a person or an agent in the database of a test, so that one more record has room. */
import { type QuotaName, quotas } from "../../src/features/gate/Quota.ts"
import { connected } from "../support/postgresServer.ts"

/** Adds copies of the rows of a table until the quota has room for one more. Each copy has new values as given. */
export const fillUp = (url: string, name: QuotaName, owned: string, renewed: Readonly<Record<string, string>>) =>
  connected(url, async (client) => {
    const { max, table } = quotas[name]
    const columns = await client.query<{ readonly column_name: string }>(
      "SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND table_schema = 'public' AND is_generated = 'NEVER'",
      [table]
    )
    const names = columns.rows.map(({ column_name }) => column_name)
    const values = names.map((column) => renewed[column] ?? column)
    await client.query(
      `INSERT INTO ${table} (${names.join(", ")}) SELECT ${values.join(", ")}
       FROM (SELECT * FROM ${table} WHERE ${owned} LIMIT 1) copied,
         generate_series(1, $1 - (SELECT count(*)::integer FROM ${table} WHERE ${owned}))`,
      [max - 1]
    )
  })
