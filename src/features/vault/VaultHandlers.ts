/** The handlers of vaults. They translate between the procedures and the service. */
import { Effect, Redacted } from "effect"
import { deleteResponse } from "../../doors/Fields.ts"
import { implementProcedures } from "../../doors/Implement.ts"
import { VaultProcedures } from "./VaultRpc.ts"
import { Vaults } from "./Vaults.ts"

const done = { success: true as const }

export const layer = implementProcedures(
  VaultProcedures,
  Effect.map(Vaults, (vaults) => ({
    "secretsVault.hasVault": () => vaults.state,
    "secretsVault.getVaultMetadata": vaults.metadata,
    "secretsVault.getCategories": () => vaults.categories,
    "secretsVault.getTags": () => vaults.tags,
    "secretsVault.sharedWithMe": vaults.received,
    "secretsVault.getSecurityStats": () => vaults.figures,
    "secretsVault.list": vaults.list,
    "secretsVault.get": ({ id }) => vaults.reveal(id),
    "secretsVault.create": vaults.create,
    "secretsVault.update": vaults.update,
    "secretsVault.share": ({ id, personId, workspaceId }) => Effect.as(vaults.share(id, personId, workspaceId), done),
    "secretsVault.unshare": ({ id, personId }) => Effect.as(vaults.unshare(id, personId), done),
    "secretsVault.delete": ({ id }) => Effect.map(vaults.remove(id), deleteResponse),
    "secretsVault.recordUnlock": () =>
      Effect.map(vaults.recordUnlock, ({ unlockedAt, unlocks }) => ({
        ...done,
        lastUnlockedAt: unlockedAt,
        unlockCount: unlocks
      })),
    "secretsVault.generateRecoveryKey": () =>
      Effect.map(vaults.generateRecoveryKey, (recoveryKey) => ({ recoveryKey: Redacted.value(recoveryKey) })),
    "secretsVault.recover": ({ recoveryKey }) => vaults.recover(recoveryKey)
  }))
)
