/**
 * Prepares a new test database in the same way on PGlite and PostgreSQL. `fingerprint` is a hash of everything that
 * this preparation depends on.
 */
import { Effect, Either } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { migrate, schemaHash } from "../../src/platform/Migrations.ts"
import type { Owner } from "../../src/platform/Migrations.ts"

export const projectRoot = fileURLToPath(new URL("../../", import.meta.url))

/** The folder for files that are kept between test runs. Git ignores it. */
export const stateFolder = `${projectRoot}.test-state/`

/**
 * Prepares a new database for a suite: runs the migrations of the pod, and records them in their table. A pod that
 * opens the database then finds no migration to run.
 */
export const prepare = async (owner: Owner): Promise<void> => {
  const result = await Effect.runPromise(Effect.either(migrate(owner)))
  if (Either.isRight(result)) return
  // The SQL error only says that a statement failed. Its cause is PostgreSQL's own message.
  const cause = result.left._tag === "SqlError" ? result.left.cause : undefined
  throw new Error(cause instanceof Error ? `${result.left.message}: ${cause.message}` : result.left.message)
}

/**
 * Returns a hash of the migrations, the code that runs them, the format of the prepared PGlite image, and the version
 * of PGlite. An image with another hash is out of date and is not used.
 */
export const fingerprint = (): string => {
  const hash = createHash("sha256").update(schemaHash)
  for (const file of [
    "src/platform/Migrations.ts",
    "test/support/preparedImage.ts",
    "node_modules/@electric-sql/pglite/package.json"
  ]) {
    hash.update(readFileSync(projectRoot + file))
  }
  return hash.digest("hex").slice(0, 16)
}
