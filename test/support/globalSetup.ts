/**
 * Runs once for each test run. Finds a PostgreSQL server, and prepares its template database and the PGlite image. At
 * the end, drops the databases of the run, and stops the server if the run has started it.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import type { TestProject } from "vitest/node"
import { watchMemory } from "./memoryWatch.ts"
import { projectRoot } from "./migrations.ts"
import { preparedImage } from "./preparedImage.ts"
import { databasesOfRun, dropDatabasesOfRun, findServer, makeTemplate } from "./postgresServer.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The URL of a server on which the tests are allowed to create databases. Null if this run has no server. */
    postgresUrl: string | null
    /**
     * The name of the migrated database that each suite copies. Null if there is no server or the migrations failed on
     * it.
     */
    postgresTemplate: string | null
    /**
     * The beginning of the names of all databases of this test run. These databases are dropped at the end of the run.
     */
    postgresPrefix: string
    /** The reason why `postgresUrl` is null. Null if there is a URL. */
    postgresSkipped: string | null
    /** The path of the prepared PGlite data directory. Null if the migrations failed on PGlite. */
    pgliteImage: string | null
    /** True if suites that need only one database engine use PGlite. Only the long test run sets this to true. */
    suitesOnPglite?: boolean
    /**
     * The error message of failed migrations. Null if the migrations succeeded. After a failure only the suites that
     * open a database fail.
     */
    migrationFailure: string | null
  }
}

/** Returns the test files with suites that are skipped if the test run has no PostgreSQL server. */
const suitesOnPostgres = (): ReadonlyArray<string> =>
  readdirSync(`${projectRoot}test`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .filter((name) => readFileSync(`${projectRoot}test/${name}`, "utf8").includes("describePostgres("))
    .sort()

const announce = (reason: string): void => {
  const suites = suitesOnPostgres().map((name) => `  test/${name}\n`)
  const remedy = "Set POD_TEST_DATABASE_URL, or install the PostgreSQL server package, to run them."
  process.stderr.write(
    `\nSKIPPED: NO POSTGRESQL FOR THIS TEST RUN\n${reason}\nSuites with skipped parts:\n${suites.join("")}${remedy}\n\n`
  )
}

const settled = <A>(work: Promise<A>): Promise<{ value: A | null; failure: string | null }> =>
  work.then(
    (value) => ({ value, failure: null }),
    (cause: unknown) => ({ value: null, failure: cause instanceof Error ? cause.message : String(cause) })
  )

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stopWatching = watchMemory()
  // The tests of the console need a build. If these sources are built already, this takes almost no time.
  execFileSync(process.execPath, [`${projectRoot}scripts/build.mjs`], { cwd: projectRoot, stdio: "inherit" })
  const prefix = databasesOfRun()
  const [server, image] = await Promise.all([findServer(), settled(preparedImage())])
  const { url } = server
  const template = url === null ? { value: null, failure: null } : await settled(makeTemplate(url, prefix))
  const migrationFailure = image.failure ?? template.failure
  if (migrationFailure !== null) process.stderr.write(`\nTHE TEST DATABASES ARE NOT PREPARED\n${migrationFailure}\n\n`)
  const skipped = server.url === null ? server.reason : null
  if (skipped !== null) announce(skipped)
  if (skipped !== null && process.env["POD_REQUIRE_POSTGRES"] === "1") {
    throw new Error("This run requires PostgreSQL (POD_REQUIRE_POSTGRES=1), and there is none.")
  }

  project.provide("postgresUrl", url)
  project.provide("postgresTemplate", template.value)
  project.provide("postgresPrefix", prefix)
  project.provide("postgresSkipped", skipped)
  project.provide("pgliteImage", image.value)
  project.provide("migrationFailure", migrationFailure)

  return async () => {
    // The reason is printed again at the end, where a reader of the output looks.
    if (skipped !== null) announce(skipped)
    if (skipped !== null && process.env["POD_REQUIRE_POSTGRES"] === "1") {
      throw new Error("This run requires PostgreSQL (POD_REQUIRE_POSTGRES=1), and there is none.")
    }
    try {
      if (url !== null) await dropDatabasesOfRun(url, prefix)
    } finally {
      await server.stop()
      stopWatching()
    }
  }
}
