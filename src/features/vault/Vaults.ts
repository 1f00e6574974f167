/**
 * The service of vaults. It decides who can read a value and what the pod stores of an entry. It also opens a vault
 * with a recovery key if the pod has lost its own key.
 */
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { Conflict, type Forbidden, type Invalid, invalid, NotFound } from "../../doors/Failure.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { cutPage, mapPage, type Page, type PagedAnswer, pagedAnswer } from "../../doors/Page.ts"
import type { PagePlace } from "../../doors/PageOrder.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { EncryptionKeys, randomKey } from "../../platform/Encryption.ts"
import { parsedUrl } from "../../platform/ParsedUrl.ts"
import { ownSpacePass } from "../gate/OwnSpacePass.ts"
import { quotas } from "../gate/Quota.ts"
import { quotaKeeper } from "../gate/Quotas.ts"
import { changedEntry, sealEntry } from "./SealEntry.ts"
import { figuresOf, type SecurityFigures } from "./SecretStrength.ts"
import { makeRecoveryKey, openDataKey, openField, recoverDataKey, sealDataKey, sealForRecovery } from "./VaultCipher.ts"
import {
  type OpenedEntry,
  type SealedEntry,
  type SharedEntry,
  toWire,
  type VaultEntry,
  type VaultEntryChange,
  type VaultEntryDraft
} from "./VaultEntry.ts"
import { countsOf, type EntryInput, type NamedCount, type VaultMetadata, type VaultState } from "./VaultMetadata.ts"
import { VaultStore } from "./VaultStore.ts"
import type { StoredVault } from "./VaultTable.ts"

type Key = Redacted.Redacted<Buffer>
type VaultChange<A> = Effect.Effect<A, Conflict | Forbidden | Invalid | NotFound | Proposed, Reach>

const entryMissing = missingRecord("vault entry")
const noVault = missingRecord("vault")
const cannotShare = new NotFound({
  why: "You have no vault entry with this id, or you and this person are not both members of this workspace."
})

const vaultLocked = new Conflict({
  code: "VAULT_LOCKED",
  why: "The encryption key of the pod was replaced after this vault was stored. Open the vault with its recovery key (`secretsVault.recover`), or ask the operator to set the old `POD_ENCRYPTION_KEY` again."
})

const otherVersion = new Conflict({
  code: "VERSION_CONFLICT",
  why: "Another write has changed the vault entry. Read the entry again before you change it."
})

export class Vaults extends Context.Tag("pod/Vaults")<
  Vaults,
  {
    readonly state: Effect.Effect<VaultState, never, Reach>
    readonly metadata: (page: EntryInput) => Effect.Effect<PagedAnswer<VaultMetadata>, never, Reach>
    readonly list: (page: EntryInput) => Effect.Effect<Page<VaultEntry>, never, Reach>
    readonly categories: Effect.Effect<ReadonlyArray<NamedCount>, never, Reach>
    readonly tags: Effect.Effect<ReadonlyArray<NamedCount>, never, Reach>
    readonly figures: Effect.Effect<SecurityFigures, never, Reach>
    readonly received: (place: PagePlace) => Effect.Effect<Page<SharedEntry>, never, Reach>
    /**
     * Decrypts an entry and returns it with its value. The caller must be the owner of the entry, or a person that
     * the owner shares the entry with. The call must come from a sign-in session.
     */
    readonly reveal: (id: string) => Effect.Effect<OpenedEntry, Conflict | NotFound, Reach>
    readonly create: (draft: VaultEntryDraft) => VaultChange<VaultEntry>
    readonly update: (change: VaultEntryChange) => VaultChange<VaultEntry>
    readonly remove: (id: string) => VaultChange<{ readonly id: string }>
    readonly share: (id: string, personId: string, workspaceId: string) => VaultChange<void>
    readonly unshare: (id: string, personId: string) => VaultChange<void>
    readonly recordUnlock: VaultChange<StoredVault>
    /** Makes a new recovery key, which replaces the former recovery key. Only this answer contains the new key. */
    readonly generateRecoveryKey: VaultChange<Redacted.Redacted>
    /**
     * Decrypts the data key of the vault with the recovery key `written`, encrypts the data key with the present key of
     * the pod, and stores it. Fails with Invalid if the recovery key is wrong.
     */
    readonly recover: (written: Redacted.Redacted) => VaultChange<VaultState>
    /**
     * Returns the value of an entry of the caller's person, for a call to this address. Returns None if there is no
     * such entry, or if the entry is for another scheme, host or port. The pod is allowed to send the value only in
     * that call, and never in an answer.
     */
    readonly credentialFor: (
      id: string,
      address: string
    ) => Effect.Effect<Option.Option<Redacted.Redacted>, Conflict, Reach>
    /**
     * Returns true if the entry belongs to the caller's person, and the entry is for the scheme, host and port of this
     * address.
     */
    readonly isForAddress: (id: string, address: string) => Effect.Effect<boolean, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* VaultStore
      const podKeys = yield* EncryptionKeys
      const { within } = yield* quotaKeeper
      const passFor = yield* ownSpacePass("vault", { subject: "vault" })

      const openVaultKey = (personId: string, sealedKey: Buffer): Effect.Effect<Key, Conflict> =>
        Option.match(openDataKey(podKeys, personId, sealedKey), {
          onNone: () => Effect.fail(vaultLocked),
          onSome: Effect.succeed
        })

      /** Decrypts the data key of the caller's vault. Creates the vault if the caller has none yet. */
      const ownKey = Effect.gen(function* () {
        const { personId } = (yield* Reach).principal
        const known = yield* store.vault
        if (known !== null) return yield* openVaultKey(personId, known.sealedKey)
        const passed = yield* passFor("create")
        yield* store.begin(sealDataKey(podKeys, personId, randomKey()), passed)
        const newVault = yield* store.vault
        return newVault === null ? yield* noVault : yield* openVaultKey(personId, newVault.sealedKey)
      })

      const all = store.list({ limit: quotas.vault_entry.max })

      const stateOf = (personId: string, vault: StoredVault | null): VaultState => ({
        hasVault: vault !== null,
        isLocked: vault !== null && Option.isNone(openDataKey(podKeys, personId, vault.sealedKey)),
        hasRecoveryKey: vault !== null && vault.recovery !== null
      })

      const state = Effect.gen(function* () {
        const { personId } = (yield* Reach).principal
        return stateOf(personId, yield* store.vault)
      })

      const list = ({ category, cursor, limit, offset, tag }: EntryInput) =>
        Effect.map(store.list({ category, tag, after: cursor?.id, offset, limit: limit + 1 }), (entries) =>
          cutPage(entries.map(toWire), limit, ({ id }) => ({ at: null, id }))
        )

      const openText = (key: Key, entry: SealedEntry, field: "value" | "notes", sealed: Buffer) =>
        Option.match(openField(key, entry, field, sealed), {
          // The pod could decrypt the data key of the vault, but not the entry. So somebody changed the row of the
          // entry in the database, or copied the row from another entry.
          onNone: () => Effect.dieMessage("a vault entry does not open with the key of its vault"),
          onSome: Effect.succeed
        })

      const originOf = (address: string | null) => (address === null ? undefined : parsedUrl(address)?.origin)

      const ownEntryFor = Effect.fnUntraced(function* (id: string, address: string) {
        const { personId } = (yield* Reach).principal
        const found = yield* store.find(id)
        const origin = originOf(address)
        return found?.entry.personId === personId && origin !== undefined && originOf(found.entry.url) === origin
          ? found
          : undefined
      })

      return {
        state,
        metadata: Effect.fnUntraced(function* (page) {
          const { personId } = (yield* Reach).principal
          const vault = yield* store.vault
          const entries = yield* list(page)
          return pagedAnswer(entries, (items) => ({
            ...stateOf(personId, vault),
            createdAt: vault?.createdAt ?? null,
            recoveryKeyCreatedAt: vault?.recovery?.madeAt ?? null,
            lastUnlockedAt: vault?.unlockedAt ?? null,
            unlockCount: vault?.unlocks ?? 0,
            entries: items
          }))
        }),
        list,
        categories: Effect.map(all, (entries) => countsOf(entries.flatMap(({ category }) => category ?? []))),
        tags: Effect.map(all, (entries) => countsOf(entries.flatMap(({ tags }) => [...new Set(tags)]))),
        figures: Effect.zipWith(all, DateTime.now, figuresOf),
        received: (place) =>
          Effect.map(store.received(place), (page) =>
            mapPage(page, ({ entry, ...share }) => ({ ...toWire(entry), ...share }))
          ),

        reveal: Effect.fnUntraced(function* (id) {
          const found = yield* store.find(id)
          if (found === null) return yield* entryMissing
          const { entry, sealedKey } = found
          const key = yield* openVaultKey(entry.personId, sealedKey)
          return {
            ...toWire(entry),
            value: yield* openText(key, entry, "value", entry.sealedValue),
            notes: entry.sealedNotes === null ? null : yield* openText(key, entry, "notes", entry.sealedNotes),
            sharedWith: yield* store.sharesOf(id)
          }
        }),

        create: Effect.fnUntraced(function* (draft) {
          const { personId } = (yield* Reach).principal
          const passed = yield* passFor("create")
          const added = Effect.gen(function* () {
            const entry = sealEntry(yield* ownKey, personId, draft, yield* DateTime.now)
            yield* store.add(entry, passed)
            return toWire(entry)
          })
          return yield* within("vault_entry", added)
        }),

        update: Effect.fnUntraced(function* (change) {
          const { expectedVersion, id } = change
          const passed = yield* passFor("update", id)
          const { personId } = (yield* Reach).principal
          const found = yield* store.find(id)
          if (found?.entry.personId !== personId) return yield* entryMissing
          const { entry, sealedKey } = found
          if (expectedVersion !== undefined && expectedVersion !== entry.version) return yield* otherVersion
          const key = yield* openVaultKey(personId, sealedKey)
          const { entry: written, fields } = changedEntry(key, entry, change, yield* DateTime.now)
          if (!(yield* store.change(written, fields, passed))) return yield* otherVersion
          return toWire(written)
        }),

        remove: Effect.fnUntraced(function* (id) {
          const passed = yield* passFor("delete", id)
          return (yield* store.remove(id, passed)) ? { id } : yield* entryMissing
        }),

        share: Effect.fnUntraced(function* (id, personId, workspaceId) {
          const passed = yield* passFor("update", id)
          // The error is the same for all causes, so that nobody learns who is a member of other people's workspaces.
          if (!(yield* store.share(id, personId, workspaceId, passed))) {
            return yield* cannotShare
          }
        }),

        unshare: Effect.fnUntraced(function* (id, personId) {
          const passed = yield* passFor("update", id)
          if (!(yield* store.unshare(id, personId, passed))) return yield* missingRecord("shared entry")
        }),

        recordUnlock: Effect.gen(function* () {
          const passed = yield* passFor("update")
          if (!(yield* store.changeVault({ kind: "unlock" }, passed))) return yield* noVault
          return (yield* store.vault) ?? (yield* noVault)
        }),

        generateRecoveryKey: Effect.gen(function* () {
          const { personId } = (yield* Reach).principal
          const passed = yield* passFor("update")
          const key = yield* ownKey
          const written = makeRecoveryKey()
          const recovery = sealForRecovery(written, personId, key)
          if (recovery === undefined) return yield* Effect.dieMessage("a new recovery key has the form of one")
          yield* store.changeVault({ kind: "recovery", recovery }, passed)
          return written
        }),

        recover: Effect.fnUntraced(function* (written) {
          const { personId } = (yield* Reach).principal
          const passed = yield* passFor("update")
          const vault = yield* store.vault
          if (vault === null) return yield* noVault
          const key = vault.recovery === null ? Option.none() : recoverDataKey(written, personId, vault.recovery)
          if (Option.isNone(key))
            return yield* invalid(
              "recoveryKey",
              "This is not the recovery key of your vault. Copy the whole key again."
            )
          const sealedKey = sealDataKey(podKeys, personId, key.value)
          yield* store.changeVault({ kind: "recover", sealedKey, former: vault.sealedKey }, passed)
          return yield* state
        }),

        credentialFor: Effect.fnUntraced(function* (id, address) {
          const found = yield* ownEntryFor(id, address)
          if (found === undefined) return Option.none()
          const { entry, sealedKey } = found
          const key = yield* openVaultKey(entry.personId, sealedKey)
          return Option.some(Redacted.make(yield* openText(key, entry, "value", entry.sealedValue)))
        }),

        isForAddress: (id, address) => Effect.map(ownEntryFor(id, address), (found) => found !== undefined)
      }
    })
  )
}
