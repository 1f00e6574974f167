/**
 * Finds the PostgreSQL server for a benchmark: the server in POD_TEST_DATABASE_URL or, without this variable, a new
 * cluster.
 */
import pg from "pg"
import { cpuOfFamily, nameOf, parentOf } from "./cpu.ts"
import { serverBinaries, startCluster } from "../test/support/postgresCluster.ts"

export interface BenchServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Turns autovacuum off. Otherwise a vacuum would run in some rounds and not in others. */
const withoutAutovacuum = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("ALTER SYSTEM SET autovacuum = off")
  await client.query("SELECT pg_reload_conf()")
  await client.end()
}

/**
 * Returns the PostgreSQL server for a benchmark. With `isVacuumed`, autovacuum stays on, as on a usual server. Use
 * `isVacuumed` if tables grow during the measurement.
 */
export const benchServer = async ({ isVacuumed = false } = {}): Promise<BenchServer> => {
  const givenUrl = process.env["POD_TEST_DATABASE_URL"]
  if (givenUrl !== undefined && givenUrl !== "") return { url: givenUrl, stop: async () => undefined }
  const binaries = await serverBinaries()
  if (binaries === undefined) throw new Error("No PostgreSQL: set POD_TEST_DATABASE_URL or install the server package.")
  const cluster = await startCluster(binaries)
  if (!isVacuumed) await withoutAutovacuum(cluster.url)
  return cluster
}

/**
 * Returns the process id of the PostgreSQL server's main process. Returns undefined if the server does not run on this
 * machine.
 */
export const postmasterOf = async (client: pg.Client): Promise<number | undefined> => {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")
  const parent = parentOf(rows[0].pid)
  return parent !== undefined && nameOf(parent).startsWith("postgres") ? parent : undefined
}

/**
 * Returns a function that reads the processor time of the PostgreSQL server so far, in microseconds. That function
 * returns 0 if the server does not run on this machine.
 */
export const cpuOfServer = async (url: string): Promise<() => number> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const postmaster = await postmasterOf(client)
  await client.end()
  return () => (postmaster === undefined ? 0 : cpuOfFamily(postmaster))
}
