/**
 * The store in which the pod finds the active provider. The pod reads the provider in its own name, and not for a
 * person, because every model call needs the provider.
 */
import { Context, Effect, Layer } from "effect"
import { MemoryDatabase } from "../../platform/MemoryDatabase.ts"
import { podOwnerOf } from "../people/UserTables.ts"
import { recordTable } from "../records/RecordTable.ts"
import { vaultEntryTable, vaultTable } from "../vault/VaultTable.ts"
import { Provider, type ProviderKind } from "./Provider.ts"

export interface ActiveProvider {
  readonly id: string
  readonly ownerId: string
  /**
   * A text that changes with every write of the provider, of the provider's secret key, or of the data key of the
   * vault. So if the text is the same, nothing has changed.
   */
  readonly stamp: string
  readonly url: string
  readonly model: string
  /**
   * The secret key of the provider. Null if the provider needs no key. `sealed` is null if the entry of the vault no
   * longer exists.
   */
  readonly credential: {
    readonly id: string
    readonly sealed: { readonly url: string | null; readonly value: Buffer; readonly dataKey: Buffer } | null
  } | null
}

export class ProviderStore extends Context.Tag("pod/ProviderStore")<
  ProviderStore,
  {
    /**
     * Finds the active provider of the pod's owner. Returns null if no provider is active. The pod then uses the model
     * from the settings.
     */
    readonly active: (kind: ProviderKind) => Effect.Effect<ActiveProvider | null>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ rows: current }) => ({
      active: (kind) =>
        Effect.map(current, (rows) => {
          const owner = podOwnerOf(rows)
          const found = rows
            .all(recordTable(Provider))
            .find(
              ({ isArchived, record, spaceId }) =>
                !isArchived &&
                record.isActive &&
                record.kind === kind &&
                record.userId === owner &&
                spaceId === record.userId
            )
          if (found === undefined) return null
          const { credentialId, id, model, url, userId, version } = found.record
          const vaultEntry = credentialId === null ? undefined : rows.find(vaultEntryTable, credentialId)
          const entry = vaultEntry?.personId === userId ? vaultEntry : undefined
          const vault = entry === undefined ? undefined : rows.find(vaultTable, userId)
          return {
            id,
            ownerId: userId,
            stamp: [version, entry?.id, entry?.version, vault?.sealedKey.toString("hex")].join(" "),
            url,
            model,
            credential:
              credentialId === null
                ? null
                : {
                    id: credentialId,
                    sealed:
                      entry === undefined || vault === undefined
                        ? null
                        : { url: entry.url, value: entry.sealedValue, dataKey: vault.sealedKey }
                  }
          }
        })
    }))
  )
}
