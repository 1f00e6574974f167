/** A damaged database: the pod finds the damage before it opens or migrates the database. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startFailureOf } from "../../src/StartFailure.ts"
import { damageIn } from "../../src/platform/DatabaseFiles.ts"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { migrate, migrations } from "../../src/platform/Migrations.ts"
import { aFolder } from "../support/builtPod.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aSettings } from "../support/settings.ts"

describe("a database that is damaged", () => {
  it("before it opens a PGlite database, the pod finds damage in the control file, the write-ahead log or the version file of the database", async () => {
    const folder = aFolder()
    const path = join(folder.path, "pg")
    await (await anEmbedded({ dataDir: path })).close()
    assert.isUndefined(damageIn(path))
    const control = join(path, "global/pg_control")
    const segment = join(
      path,
      "pg_wal",
      readdirSync(join(path, "pg_wal")).find((name) => /^[0-9A-F]{24}$/.test(name))!
    )
    const flip = (bytes: Buffer, at: number) => {
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at)
      return bytes
    }
    const checkpointAt = Number(readFileSync(control).readBigUInt64LE(32) % BigInt(16 * 1024 * 1024))
    for (const [file, message, spoil] of [
      [control, "global/pg_control is damaged", (bytes) => flip(bytes, 40)],
      [control, "global/pg_control is damaged", (bytes) => bytes.subarray(0, 100)],
      [segment, "of its log is damaged", (bytes) => flip(bytes, checkpointAt + 30)],
      [segment, "of its log is damaged", (bytes) => Buffer.alloc(bytes.length)],
      [segment, "of its log is damaged", () => Buffer.alloc(0)],
      [segment, "of its log is missing", () => undefined],
      [join(path, "PG_VERSION"), "PostgreSQL 17 made it", () => Buffer.from("17\n")]
    ] as ReadonlyArray<readonly [string, string, (bytes: Buffer) => Buffer | undefined]>) {
      const whole = readFileSync(file)
      const spoilt = spoil(Buffer.from(whole))
      if (spoilt === undefined) rmSync(file)
      else writeFileSync(file, spoilt)
      assert.include(damageIn(path) ?? "nothing", message)
      writeFileSync(file, whole)
    }
    assert.isUndefined(damageIn(path))
    folder.remove()
  })

  it("if an applied migration file was edited, the pod refuses to migrate the database and changes no data", async () => {
    const statements: Array<string> = []
    const owner = {
      exec: (text: string) => Promise.resolve(void statements.push(text)),
      query: (text: string) =>
        Promise.resolve(/FROM schema_migrations/.test(text) ? [{ name: migrations[0]?.name, digest: "edited" }] : [{}])
    }
    const failure = await Effect.runPromise(Effect.flip(migrate(owner)))
    assert.strictEqual(failure._tag, "SchemaUnknown")
    assert.include(failure.message, "Restore the old file")
    assert.lengthOf(statements, 1) // This statement only creates the table of migrations, if the table is missing.
    assert.strictEqual(startFailureOf(Cause.fail(failure), aSettings()).code, exitCodes.schemaUnknown)
  })
})
