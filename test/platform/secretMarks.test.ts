/**
 * Tests how the pod marks rows while the operator changes a secret. The mark of a row tells with which value of the
 * secret the row was made.
 */
import { NodeContext } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { KeyStore } from "../../src/features/keys/KeyStore.ts"
import { establishSecrets } from "../../src/platform/SecretChecks.ts"
import { secretMark } from "../../src/platform/Secrets.ts"
import { secretValuesIn } from "../../src/platform/SecretValues.ts"
import { aFolder } from "../support/builtPod.ts"
import { aPassed } from "../support/passed.ts"
import { aNewKey, aPerson } from "../support/people.ts"
import { aReach } from "../support/reach.ts"
import { asOwner, onEachDatabase, withReach } from "../support/stores.ts"

onEachDatabase("the marks that say with which secret a row was made", (stores) => {
  it.effect(
    "if only one pepper can have made the hash of a key, the pod marks the key with this pepper when the pod starts",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const folder = yield* Effect.acquireRelease(Effect.sync(aFolder), (made) => Effect.sync(made.remove))
        const [former, present] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")]
        const start = (values: string) =>
          establishSecrets({
            dataDir: folder.path,
            keyPepper: Option.some(secretValuesIn(values)),
            sessionSecret: Option.none(),
            encryptionKey: Option.none(),
            takesNew: false
          })
        const personId = yield* aPerson
        const made = aNewKey({ personId })
        yield* Effect.flatMap(KeyStore, ({ add }) => withReach(aReach({ personId }))(add(made, aPassed)))
        const unmark = asOwner(sql`UPDATE api_keys SET secret_mark = NULL WHERE id = ${made.key.id}::uuid`)
        const mark = asOwner(
          Effect.map(
            sql<{
              readonly mark: string | null
            }>`SELECT secret_mark AS mark FROM api_keys WHERE id = ${made.key.id}::uuid`,
            ([row]) => row.mark
          )
        )
        const markOf = (secret: string) => secretMark("key-pepper", Redacted.make(secret))

        yield* unmark
        yield* start(former)
        assert.strictEqual(yield* mark, markOf(former))
        yield* unmark
        yield* start(`${present},${former}`)
        assert.strictEqual(yield* mark, markOf(former)) // Before this start, the database was used with the former value.
        yield* unmark
        yield* start(`${present},${former}`)
        assert.isNull(yield* mark) // Another pod that has only the former value might have made the key.
        yield* start(present)
        assert.strictEqual(yield* mark, markOf(present))
      }).pipe(Effect.scoped, Effect.provide([stores, NodeContext.layer]))
  )
})
