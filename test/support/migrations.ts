/** The preparation of a fresh test database, the same for PGlite and PostgreSQL, and the fingerprint of it. */
import { Effect, Either } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { migrate, schemaHash } from "../../src/platform/Migrations.ts"
import type { Owner } from "../../src/platform/Migrations.ts"

export const projectRoot = fileURLToPath(new URL("../../", import.meta.url))

/** Kept between runs, ignored by git. */
export const stateFolder = `${projectRoot}.test-state/`

/**
 * Prepares a fresh database for a suite: the pod's own migrations, with their ledger, so that a layer that migrates
 * when it opens has nothing left to do.
 */
export const prepare = async (owner: Owner): Promise<void> => {
  const result = await Effect.runPromise(Effect.either(migrate(owner)))
  if (Either.isRight(result)) return
  // The SQL error only says that a statement failed; its cause is PostgreSQL's own message.
  const cause = result.left._tag === "SqlError" ? result.left.cause : undefined
  throw new Error(cause instanceof Error ? `${result.left.message}: ${cause.message}` : result.left.message)
}

/** Changes with the migrations, the code that applies them, the form of the image, and the embedded engine: an old image is then not used. */
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
