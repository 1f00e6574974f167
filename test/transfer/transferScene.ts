/**
 * Makes a data directory of a pod with a record of every type. Some of its values could change by mistake when they are
 * written as text and read again.
 */
import { PGlite } from "@electric-sql/pglite"
import { Effect, Either, Redacted } from "effect"
import pg from "pg"
import { ownerOf } from "../../src/platform/Embedded.ts"
import type { Owner } from "../../src/platform/Migrations.ts"
import type { DataPlace } from "../../src/transfer/Databases.ts"
import { exportPlace } from "../../src/transfer/ExportTo.ts"
import { type ImportOptions, importFile } from "../../src/transfer/ImportInto.ts"
import { type DatabaseState, stateOf } from "../../src/transfer/StateHash.ts"
import { TransferRefused } from "../../src/transfer/TransferRefused.ts"
import { aFilledTwin } from "../attacks/twinPods.ts"
import { aFolder, type Folder } from "../support/builtPod.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aPod, type Storage } from "../support/pod.ts"
import type { TestDatabase } from "../support/postgres.ts"

/** Values at the limits of their types, in rows of a separate space. */
const oddRows = `
  INSERT INTO knowledge_entries (space_id, key, id, value, user_id, actor_id, author, created_at) VALUES
    (gen_random_uuid(), 'null value', gen_random_uuid(), 'null', gen_random_uuid(), gen_random_uuid(), NULL, 'infinity'),
    (gen_random_uuid(), 'no value', gen_random_uuid(), NULL, gen_random_uuid(), gen_random_uuid(), '', '-infinity'),
    (gen_random_uuid(), 'numbers', gen_random_uuid(), '[1.10, 1e400, -0, 9007199254740993, 0.1, "\\u2028", {"b": null, "aa": 1}]',
      gen_random_uuid(), gen_random_uuid(), E'quote " back \\\\ line \\n tab \\t', '0044-03-15 12:00:00.123456 BC'),
    (gen_random_uuid(), E'é\\u00A0\\U0001F600 Ä z', gen_random_uuid(), '"\\ud83d\\ude00"', gen_random_uuid(), gen_random_uuid(), 'NULL', now());
  INSERT INTO users (id, kind, person_id, name, capabilities)
    SELECT id, 'agent', id, 'Odd', ARRAY['a,b', '{}', 'NULL', '"', '\\', ' ', ''] FROM (SELECT gen_random_uuid() AS id) AS made;
  INSERT INTO search_vectors (space_id, model, object_id, start, fingerprint, revision, packed)
    VALUES (gen_random_uuid(), 'm', gen_random_uuid(), 1, -9223372036854775807, 9007199254740993, '\\x00ff0a22');
  INSERT INTO model_tokens (service, day, spent) VALUES ('odd', '2026-02-28', 9223372036854775807);
  INSERT INTO auth_accounts (id, account_id, provider_id, user_id, password, created_at, updated_at)
    SELECT 'odd', 'odd', 'odd', id, 'x', now(), now() FROM auth_users LIMIT 1;`

export const withLite = async <A>(dataDir: string, work: (owner: Owner) => Promise<A>): Promise<A> => {
  const lite = await PGlite.create({ dataDir: `${dataDir}/pg` })
  return work(ownerOf(lite)).finally(() => lite.close())
}

/** Fills the data directory with records. Calls the same operations as people, agents and programs. */
export const aFilledFolder = async (): Promise<Folder> => {
  const folder = aFolder()
  const storage: Storage = { kind: "pglite", open: () => anEmbedded({ dataDir: `${folder.path}/pg` }) }
  const pod = await aPod(storage)
  await aFilledTwin(pod, storage)
  await pod.stop()
  await withLite(folder.path, (owner) => owner.exec(oddRows))
  return folder
}

export const embeddedAt = ({ path }: Pick<Folder, "path">): DataPlace => ({ kind: "embedded", dataDir: path })
export const postgresAt = ({ url }: Pick<TestDatabase, "url">): DataPlace => ({
  kind: "postgres",
  url: Redacted.make(url)
})

export const withPostgres = async <A>(
  { url }: Pick<TestDatabase, "url">,
  work: (owner: Owner) => Promise<A>
): Promise<A> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work({
    exec: (text) => client.query(text),
    query: (text, values) => client.query<Record<string, unknown>>(text, [...(values ?? [])]).then(({ rows }) => rows)
  }).finally(() => client.end())
}

export const stateAt = (place: DataPlace): Promise<DatabaseState> =>
  place.kind === "embedded"
    ? withLite(place.dataDir, stateOf)
    : withPostgres({ url: Redacted.value(place.url) }, stateOf)

export const exportAll = (place: DataPlace, path: string) =>
  Effect.runPromise(exportPlace(place, { path }, { podVersion: "0.0.0", scope: { kind: "pod" } }))

export const importAll = (place: DataPlace, path: string, options: Partial<ImportOptions> = {}) =>
  Effect.runPromise(importFile(place, { path, ...options }))

/** Returns the error of work that must be refused. Throws if the work succeeds. */
export const refusalOf = async <A>(work: Effect.Effect<A, unknown>): Promise<TransferRefused> => {
  const result = await Effect.runPromise(Effect.either(work))
  if (Either.isRight(result)) throw new Error("it was not refused")
  if (result.left instanceof TransferRefused) return result.left
  throw result.left
}
