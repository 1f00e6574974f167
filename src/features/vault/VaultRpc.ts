/**
 * The procedures of vaults. Only the sign-in session of a person can send and read values. No key and no agent can read
 * a value.
 */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, NoInput, query } from "../../doors/DeclareProcedure.ts"
import { fullGrant, signedIn, unrestrictedWrites } from "../../doors/Door.ts"
import { Conflict, NotFound } from "../../doors/Failure.ts"
import { described, DeleteResponse } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { pagedStruct, pageOf } from "../../doors/Page.ts"
import { OpenedEntry, SharedEntry, ShareInput, VaultEntry, VaultEntryChange, VaultEntryDraft } from "./VaultEntry.ts"
import {
  EntryInput,
  NamedCount,
  SecurityStats,
  SharedEntryPage,
  UnlockRecord,
  VaultMetadata,
  VaultState
} from "./VaultMetadata.ts"

const readDoor = fullGrant("hub-protocol.read")
const one = Schema.Struct({ id: Id })
const Done = Schema.Struct({ success: Schema.Literal(true) })

export const VaultProcedures = RpcGroup.make(
  query("secretsVault.hasVault", {
    input: NoInput,
    success: VaultState,
    door: readDoor,
    summary: "Check whether you have a vault, and whether the pod can open it."
  }),
  query("secretsVault.getVaultMetadata", {
    input: EntryInput,
    success: pagedStruct(VaultMetadata),
    door: readDoor,
    summary: "Read the state of your vault and its entries, newest first, without values and notes."
  }),
  query("secretsVault.getCategories", {
    input: NoInput,
    success: Schema.Array(NamedCount),
    door: readDoor,
    summary: "List the categories of your vault entries."
  }),
  query("secretsVault.getTags", {
    input: NoInput,
    success: Schema.Array(NamedCount),
    door: readDoor,
    summary: "List the tags of your vault entries."
  }),
  query("secretsVault.sharedWithMe", {
    input: SharedEntryPage,
    success: pageOf(SharedEntry),
    door: readDoor,
    summary: "List the vault entries that others share with you, newest first, without their values."
  }),
  query("secretsVault.getSecurityStats", {
    input: NoInput,
    success: SecurityStats,
    door: readDoor,
    summary: "Count the weak, reused, old and expired vault entries, which you should change."
  }),
  query("secretsVault.list", {
    input: EntryInput,
    success: pageOf(VaultEntry),
    door: signedIn,
    summary: "List your vault entries, newest first, without their values."
  }),
  query("secretsVault.get", {
    input: one,
    success: OpenedEntry,
    errors: [NotFound, Conflict],
    door: signedIn,
    summary: "Read a vault entry with its value: an entry of yours, or one that somebody shares with you."
  }),
  mutation("secretsVault.create", {
    input: VaultEntryDraft,
    success: VaultEntry,
    door: signedIn,
    summary: "Store a secret. The pod encrypts it (AES-256-GCM)."
  }),
  mutation("secretsVault.update", {
    input: VaultEntryChange,
    success: VaultEntry,
    door: signedIn,
    summary: "Change a vault entry of yours, for example its value."
  }),
  mutation("secretsVault.share", {
    input: ShareInput,
    success: Done,
    door: signedIn,
    summary: "Let another member of a workspace read a vault entry of yours, as long as both of you are members."
  }),
  mutation("secretsVault.unshare", {
    input: Schema.Struct({ id: Id, personId: described("Id of the person who may no longer read the entry.", Id) }),
    success: Done,
    door: signedIn,
    summary: "Stop sharing a vault entry of yours with a person."
  }),
  mutation("secretsVault.delete", {
    input: one,
    success: DeleteResponse,
    door: unrestrictedWrites("hub-protocol.write", "vault", ["delete"]),
    summary: "Delete a vault entry of yours. Nobody can restore the entry. Only for people."
  }),
  mutation("secretsVault.recordUnlock", {
    input: NoInput,
    success: UnlockRecord,
    door: unrestrictedWrites("hub-protocol.write", "vault", ["update"]),
    summary: "Record that you have unlocked your vault in a client. Only for people."
  }),
  mutation("secretsVault.generateRecoveryKey", {
    input: NoInput,
    success: Schema.Struct({
      recoveryKey: described(
        "The recovery key. Only this answer shows it: write it down, and keep it in a place outside the pod.",
        Schema.String
      )
    }),
    door: unrestrictedWrites("hub-protocol.write", "vault", ["update"]),
    answersSecret: true,
    summary:
      "Make a new recovery key; the old recovery key stops working. If the pod loses `POD_ENCRYPTION_KEY`, you can open your vault with the recovery key (`secretsVault.recover`). Only for people."
  }),
  mutation("secretsVault.recover", {
    input: Schema.Struct({
      recoveryKey: described("The recovery key.", Schema.Redacted(Schema.String.pipe(Schema.maxLength(200))))
    }),
    success: VaultState,
    door: signedIn,
    summary:
      "Open your vault with its recovery key after the encryption key of the pod was replaced. The pod then encrypts the key of the vault with the new encryption key of the pod."
  })
)
