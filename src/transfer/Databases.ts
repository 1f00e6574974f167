/**
 * Opens the databases from which an export reads and into which an import writes. No pod is started, and the
 * connections have the rights of the database owner. The databases are closed when the scope closes.
 */
import { SqlError } from "@effect/sql"
import { Effect, type Redacted, type Scope } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { ensureDirectory, explainSystemErrors, refusePartial } from "../platform/DataDirectory.ts"
import type { DataDirectoryUnfit } from "../platform/DataDirectoryUnfit.ts"
import { acquire, type DirectoryLocked } from "../platform/DirectoryLock.ts"
import { openDirectory, ownerOf } from "../platform/Embedded.ts"
import type { Owner } from "../platform/Migrations.ts"
import { ownerOfClient } from "../platform/OwnerWork.ts"
import { connectOwner } from "../platform/Postgres.ts"
import { disconnect } from "../platform/PostgresPool.ts"
import { TransferRefused } from "./TransferRefused.ts"

/** The place where a pod keeps its data. */
export type DataPlace =
  | { readonly kind: "embedded"; readonly dataDir: string }
  | { readonly kind: "postgres"; readonly url: Redacted.Redacted }

export interface OpenDatabase {
  readonly engine: "embedded" | "postgres"
  readonly owner: Owner
}

export type NotOpened = TransferRefused | DataDirectoryUnfit | DirectoryLocked | SqlError.SqlError

/** Opens the embedded database in a folder. The caller must already hold the lock of the data directory. */
export const openFolder = (folder: string): Effect.Effect<Owner, DataDirectoryUnfit, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(openDirectory(folder), (lite) => Effect.promise(() => lite.close())),
    ownerOf
  )

export const openPostgres = (url: Redacted.Redacted): Effect.Effect<Owner, SqlError.SqlError, Scope.Scope> =>
  Effect.map(Effect.acquireRelease(connectOwner(url), disconnect), ownerOfClient)

/** Locks the data directory for this process. Fails while a pod uses the directory. */
export const holdDirectory = (
  dataDir: string
): Effect.Effect<void, DataDirectoryUnfit | DirectoryLocked, Scope.Scope> =>
  explainSystemErrors(dataDir)(Effect.zipRight(ensureDirectory(dataDir), acquire(dataDir)))

/** Opens the database of a pod, and does not migrate it. A pod with an embedded database must not run. */
export const openPlace = (place: DataPlace): Effect.Effect<OpenDatabase, NotOpened, Scope.Scope> =>
  Effect.gen(function* () {
    if (place.kind === "postgres") return { engine: "postgres" as const, owner: yield* openPostgres(place.url) }
    const folder = join(place.dataDir, "pg")
    if (!existsSync(folder)) {
      return yield* new TransferRefused({ reason: "target", message: `There is no pod in ${place.dataDir}.` })
    }
    yield* holdDirectory(place.dataDir)
    yield* refusePartial(place.dataDir)
    return { engine: "embedded" as const, owner: yield* openFolder(folder) }
  })
