/** Crashes a PostgreSQL server that a suite started for itself. */
import pg from "pg"

/** Kills a PostgreSQL process that serves a pod. The whole server then recovers, as after a crash of the machine. */
export const crashServer = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => undefined) // The connection ends together with the server, so this error is expected.
  await client.connect()
  const { rows } = await client.query<{ readonly pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'pod' AND backend_type = 'client backend' LIMIT 1"
  )
  process.kill(rows[0].pid, "SIGKILL")
  await new Promise<void>((resolve) => client.once("end", () => resolve()))
}
