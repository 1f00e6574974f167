/**
 * What the store of data keys guarantees on each engine. After a change of the pod's encryption key, only the new key
 * opens each vault.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { sealDataKey, openDataKey } from "../../../src/features/vault/VaultCipher.ts"
import { VaultKeys } from "../../../src/features/vault/VaultKeys.ts"
import { VaultKeyStore } from "../../../src/features/vault/VaultKeyStore.ts"
import { VaultStore } from "../../../src/features/vault/VaultStore.ts"
import { EncryptionKeys, type PodKeys, randomKey } from "../../../src/platform/Encryption.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, upTo } from "../../support/people.ts"
import { type Stores, withReach } from "../../support/stores.ts"

const withKeys = (podKeys: PodKeys) => VaultKeys.layer.pipe(Layer.provide(Layer.succeed(EncryptionKeys, podKeys)))

/** Makes a vault whose data key is encrypted with this key of the pod. */
const aVault = (podKeys: PodKeys) =>
  Effect.gen(function* () {
    const { reach } = yield* aMember()
    const dataKey = randomKey()
    const sealed = sealDataKey(podKeys, reach.principal.personId, dataKey)
    yield* withReach(reach)(Effect.flatMap(VaultStore, ({ begin }) => begin(sealed, aPassed)))
    return { reach, dataKey, sealed }
  })

const sealedNow = (reach: ReachShape) =>
  Effect.map(withReach(reach)(Effect.flatMap(VaultStore, ({ vault }) => vault)), (found) => found!.sealedKey)

export const vaultKeyStoreContract = (stores: Layer.Layer<Stores>): void => {
  it.effect(
    "the store of data keys replaces the data key of a vault only if the stored data key is the one that the caller expects, and otherwise changes nothing",
    () =>
      Effect.gen(function* () {
        const keys: PodKeys = [randomKey()]
        const { reach, sealed } = yield* aVault(keys)
        const other = yield* aVault(keys)
        const { replace } = yield* VaultKeyStore
        const { personId } = reach.principal
        assert.isFalse(yield* replace({ personId, sealedKey: Buffer.from("another") }, Buffer.from("new")))
        assert.isFalse(yield* replace({ personId, sealedKey: other.sealed }, Buffer.from("new")))
        assert.deepStrictEqual(yield* sealedNow(reach), sealed)
        assert.isTrue(yield* replace({ personId, sealedKey: sealed }, Buffer.from("new")))
        assert.deepStrictEqual(yield* sealedNow(reach), Buffer.from("new"))
        assert.deepStrictEqual(yield* sealedNow(other.reach), other.sealed)
      }).pipe(Effect.provide(stores))
  )

  it.effect("the paged listing of the data keys of all vaults contains each vault once", () =>
    Effect.gen(function* () {
      const keys: PodKeys = [randomKey()]
      const made = yield* Effect.forEach(upTo(3), () => aVault(keys))
      const { list } = yield* VaultKeyStore
      const seen: Array<string> = []
      let after: string | null = null
      for (;;) {
        const page: ReadonlyArray<{ readonly personId: string }> = yield* list(after, 2)
        seen.push(...page.map(({ personId }) => personId))
        if (page.length < 2) break
        after = page.at(-1)!.personId
      }
      assert.includeMembers(
        seen,
        made.map(({ reach }) => reach.principal.personId)
      )
      assert.strictEqual(new Set(seen).size, seen.length)
    }).pipe(Effect.provide(stores))
  )

  it.effect(
    "after a change of the pod's encryption key, only the new key opens the vaults that the old key opened, and a vault that neither key opens stays unchanged",
    () =>
      Effect.gen(function* () {
        const [present, former, lost] = [randomKey(), randomKey(), randomKey()]
        const vaults = [yield* aVault([former]), yield* aVault([present]), yield* aVault([former])]
        const locked = yield* aVault([lost])
        yield* Effect.gen(function* () {
          const { countOther, reseal } = yield* VaultKeys
          const before = yield* countOther
          // Two pods can encrypt the data keys again at the same time.
          const [one, other] = yield* Effect.all([reseal, reseal], { concurrency: 2 })
          assert.strictEqual(one + other, 2)
          assert.strictEqual(yield* countOther, before - 2)
          assert.strictEqual(yield* reseal, 0)
        }).pipe(Effect.provide(withKeys([present, former])))
        for (const { dataKey, reach } of vaults) {
          const opened = openDataKey([present], reach.principal.personId, yield* sealedNow(reach))
          assert.deepStrictEqual(Option.map(opened, Redacted.value), Option.some(Redacted.value(dataKey)))
        }
        assert.deepStrictEqual(yield* sealedNow(locked.reach), locked.sealed)
      }).pipe(Effect.provide(stores))
  )
}
