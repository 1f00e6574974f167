/** How a fresh test database is prepared, the same for PGlite and PostgreSQL, and the fingerprint of that preparation. */
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
 * What a fresh database goes through before a suite sees it: the pod's own migrations, with their ledger, so that a
 * layer which migrates when it opens finds nothing left to do.
 */
export const prepare = async (owner: Owner): Promise<void> => {
  const result = await Effect.runPromise(Effect.either(migrate(owner)))
  if (Either.isRight(result)) return
  // The SQL error only says that a statement failed; what PostgreSQL objected to is its cause.
  const cause = result.left._tag === "SqlError" ? result.left.cause : undefined
  throw new Error(cause instanceof Error ? `${result.left.message}: ${cause.message}` : result.left.message)
}

/** Changes when the migrations, the code that applies them, or the embedded engine does: then an old image is not used. */
export const fingerprint = (): string => {
  const hash = createHash("sha256").update(schemaHash)
  for (const file of ["src/platform/Migrations.ts", "node_modules/@electric-sql/pglite/package.json"]) {
    hash.update(readFileSync(projectRoot + file))
  }
  return hash.digest("hex").slice(0, 16)
}
