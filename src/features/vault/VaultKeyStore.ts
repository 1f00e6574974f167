/**
 * The encrypted data keys of all vaults. After a change of the pod's key, the pod reads the data keys and encrypts them
 * again with the new key. Without the key of the pod, nobody can use these data keys to decrypt a value.
 */
import { Context, Effect, Layer } from "effect"
import { MemoryDatabase } from "../../platform/MemoryDatabase.ts"
import { type StoredVault, vaultTable } from "./VaultTable.ts"

export type SealedKey = Pick<StoredVault, "personId" | "sealedKey">

export class VaultKeyStore extends Context.Tag("pod/VaultKeyStore")<
  VaultKeyStore,
  {
    /**
     * Lists the data keys, sorted by person. The list begins after the person `after`, or at the first person if
     * `after` is null.
     */
    readonly list: (after: string | null, limit: number) => Effect.Effect<ReadonlyArray<SealedKey>>
    /**
     * Replaces the data key of a vault. If the vault has another data key than `former`, changes nothing and returns
     * false.
     */
    readonly replace: (former: SealedKey, sealedKey: Buffer) => Effect.Effect<boolean>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ atomically, rows: current }) => ({
      list: (after, limit) =>
        Effect.map(current, (rows) =>
          rows
            .all(vaultTable)
            .filter(({ personId }) => after === null || personId > after)
            .toSorted((one, other) => (one.personId < other.personId ? -1 : 1))
            .slice(0, limit)
            .map(({ personId, sealedKey }) => ({ personId, sealedKey }))
        ),
      replace: (former, sealedKey) =>
        atomically((rows) =>
          Effect.sync(() => {
            const vault = rows.find(vaultTable, former.personId)
            if (!vault?.sealedKey.equals(former.sealedKey)) return false
            rows.put(vaultTable, { ...vault, sealedKey })
            return true
          })
        )
    }))
  )
}
