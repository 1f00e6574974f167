/** The PostgreSQL server of a benchmark: the server that POD_TEST_DATABASE_URL names, or else a new cluster. */
import pg from "pg"
import { serverBinaries, startCluster } from "../test/support/postgresCluster.ts"

export interface BenchServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Turns autovacuum off, because otherwise a vacuum would run during some rounds and not during others. */
const withoutAutovacuum = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("ALTER SYSTEM SET autovacuum = off")
  await client.query("SELECT pg_reload_conf()")
  await client.end()
}

export const benchServer = async (): Promise<BenchServer> => {
  const told = process.env["POD_TEST_DATABASE_URL"]
  if (told !== undefined && told !== "") return { url: told, stop: async () => undefined }
  const binaries = await serverBinaries()
  if (binaries === undefined) throw new Error("No PostgreSQL: set POD_TEST_DATABASE_URL or install the server package.")
  const cluster = await startCluster(binaries)
  await withoutAutovacuum(cluster.url)
  return cluster
}
