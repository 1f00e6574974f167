/**
 * The store of vaults. A person finds the person's own vault and entries, and entries that another member shares with
 * this person.
 */
import { Array, Context, DateTime, Effect, Layer } from "effect"
import type { Page } from "../../doors/Page.ts"
import { byId, pageOfAll, type PageOrder, type PagePlace } from "../../doors/PageOrder.ts"
import type { Reach } from "../../doors/Reach.ts"
import { newestFirst } from "../../doors/RowOrder.ts"
import type { Rows } from "../../platform/MemoryDatabase.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements, type ReadContext } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { personTable, roleOf } from "../people/UserTables.ts"
import type { SealedRecovery } from "./VaultCipher.ts"
import type { SealedEntry, StoredEntry, VaultShare } from "./VaultEntry.ts"
import { shareKey, shareTable, type StoredVault, vaultEntryTable, vaultTable } from "./VaultTable.ts"

/** The changes that a write makes in a vault. */
export type VaultChange =
  | { readonly kind: "unlock" }
  | { readonly kind: "recovery"; readonly recovery: SealedRecovery }
  | { readonly kind: "recover"; readonly sealedKey: Buffer; readonly former: Buffer }

export interface EntryFilter {
  readonly category?: string | undefined
  readonly tag?: string | undefined
  readonly limit: number
  /** The number of entries to skip. Undefined means that no entry is skipped. */
  readonly offset?: number | undefined
  /** The id of the last entry on the previous page. Undefined for the first page. */
  readonly after?: string | undefined
}

export interface ReceivedEntry {
  readonly entry: StoredEntry
  readonly ownerName: string
  readonly workspaceId: string
  readonly sharedAt: DateTime.Utc
}

/** The entry that was made last is first. */
export const receivedOrder: PageOrder<Pick<ReceivedEntry, "entry">> = { placeOf: ({ entry }) => byId.placeOf(entry) }

/**
 * Makes the event of a write to a vault, for the log of the owner. The event has ids and names of fields, and no
 * content.
 */
export const vaultEvent = (action: string, subjectId: string, data: EventDraft["data"] = {}): EventDraft => ({
  type: `vault.${action}`,
  subjectId,
  data
})

export class VaultStore extends Context.Tag("pod/VaultStore")<
  VaultStore,
  {
    /** Reads the vault of the caller's person. Returns null if the person has no vault. */
    readonly vault: Effect.Effect<StoredVault | null, never, Reach>
    /** Creates a vault with this data key. Does nothing if the person already has a vault. */
    readonly begin: (sealedKey: Buffer, passed: Passed) => Effect.Effect<void, never, Reach>
    /**
     * Changes the vault of the caller's person. Returns false if the person has no vault. Also returns false if the
     * change is a recovery and the vault does not have the data key that the recovery names.
     */
    readonly changeVault: (change: VaultChange, passed: Passed) => Effect.Effect<boolean, never, Reach>
    /** Lists the entries of the caller's person, newest first. */
    readonly list: (filter: EntryFilter) => Effect.Effect<ReadonlyArray<StoredEntry>, never, Reach>
    /**
     * Finds an entry that the caller owns or that is shared with the caller. Also returns the encrypted data key of the
     * owner's vault. Returns null if there is no such entry.
     */
    readonly find: (
      id: string
    ) => Effect.Effect<{ readonly entry: SealedEntry; readonly sealedKey: Buffer } | null, never, Reach>
    readonly add: (entry: SealedEntry, passed: Passed) => Effect.Effect<void, never, Reach>
    /**
     * Replaces an entry of the caller's person. Returns false if the stored version is not one less than the version of
     * `entry`.
     */
    readonly change: (
      entry: SealedEntry,
      fields: ReadonlyArray<string>,
      passed: Passed
    ) => Effect.Effect<boolean, never, Reach>
    readonly remove: (id: string, passed: Passed) => Effect.Effect<boolean, never, Reach>
    /**
     * Shares an entry with another person. The entry must belong to the caller's person. Returns false if the entry
     * does not belong to the caller, or if one of the two people is not a member of the workspace.
     */
    readonly share: (
      id: string,
      personId: string,
      workspaceId: string,
      passed: Passed
    ) => Effect.Effect<boolean, never, Reach>
    readonly unshare: (id: string, personId: string, passed: Passed) => Effect.Effect<boolean, never, Reach>
    /** Lists the people that the caller shares this entry with. The entry must belong to the caller. */
    readonly sharesOf: (id: string) => Effect.Effect<ReadonlyArray<VaultShare>, never, Reach>
    /** Lists the entries that others share with the caller, latest first. */
    readonly received: (place: PagePlace) => Effect.Effect<Page<ReceivedEntry>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => {
      const isOwnSpace = ({ reach }: ReadContext) =>
        reach.bounds("vault", "read").spaces.includes(reach.principal.personId)
      const ownEntry = (at: ReadContext, id: string) => {
        const entry = at.rows.find(vaultEntryTable, id)
        return entry?.personId === at.reach.principal.personId && isOwnSpace(at) ? entry : undefined
      }
      const ownVault = (at: ReadContext) =>
        isOwnSpace(at) ? at.rows.find(vaultTable, at.reach.principal.personId) : undefined
      const receivedBy = ({ reach, rows }: ReadContext) =>
        rows
          .all(shareTable)
          .filter(
            ({ ownerId, personId, workspaceId }) =>
              personId === reach.principal.personId &&
              reach.bounds("vault", "read").spaces.includes(workspaceId) &&
              roleOf(rows, ownerId, workspaceId) !== null
          )

      return {
        vault: read((at) => Effect.succeed(ownVault(at) ?? null)),
        begin: (sealedKey, passed) =>
          write((at) => {
            const { personId } = at.reach.principal
            if (isOwnSpace(at) && ownVault(at) === undefined) {
              at.rows.put(vaultTable, {
                personId,
                sealedKey,
                recovery: null,
                unlockedAt: null,
                unlocks: 0,
                createdAt: at.now
              })
              at.append(personId, vaultEvent("begin", personId), passed)
            }
            return Effect.void
          }),
        changeVault: (change, passed) =>
          write((at) => {
            const vault = ownVault(at)
            if (vault === undefined) return Effect.succeed(false)
            if (change.kind === "recover" && !vault.sealedKey.equals(change.former)) return Effect.succeed(false)
            at.rows.put(vaultTable, {
              ...vault,
              ...(change.kind === "unlock"
                ? { unlockedAt: at.now, unlocks: vault.unlocks + 1 }
                : change.kind === "recovery"
                  ? { recovery: { ...change.recovery, madeAt: at.now } }
                  : { sealedKey: change.sealedKey })
            })
            at.append(vault.personId, vaultEvent(change.kind, vault.personId), passed)
            return Effect.succeed(true)
          }),
        list: ({ after, category, limit, offset = 0, tag }) =>
          read((at) =>
            Effect.succeed(
              isOwnSpace(at)
                ? at.rows
                    .all(vaultEntryTable)
                    .filter(
                      (entry) =>
                        entry.personId === at.reach.principal.personId &&
                        (category === undefined || entry.category === category) &&
                        (tag === undefined || entry.tags.includes(tag)) &&
                        (after === undefined || entry.id < after)
                    )
                    .toSorted(newestFirst)
                    .slice(offset, offset + limit)
                : []
            )
          ),
        find: (id) =>
          read((at) => {
            const isReceived = receivedBy(at).some(({ entryId }) => entryId === id)
            const entry = ownEntry(at, id) ?? (isReceived ? at.rows.find(vaultEntryTable, id) : undefined)
            const vault = entry === undefined ? undefined : at.rows.find(vaultTable, entry.personId)
            return Effect.succeed(
              entry === undefined || vault === undefined ? null : { entry, sealedKey: vault.sealedKey }
            )
          }),
        add: (entry, passed) =>
          write((at) => {
            if (ownVault(at) !== undefined && entry.personId === at.reach.principal.personId) {
              at.rows.put(vaultEntryTable, entry)
              at.append(entry.personId, vaultEvent("create", entry.id), passed)
            }
            return Effect.void
          }),
        change: (entry, fields, passed) =>
          write((at) => {
            if (ownEntry(at, entry.id)?.version !== entry.version - 1) return Effect.succeed(false)
            at.rows.put(vaultEntryTable, entry)
            at.append(entry.personId, vaultEvent("update", entry.id, { fields }), passed)
            return Effect.succeed(true)
          }),
        remove: (id, passed) =>
          write((at) => {
            const entry = ownEntry(at, id)
            if (entry === undefined) return Effect.succeed(false)
            at.rows.remove(vaultEntryTable, id)
            for (const share of sharesOf(at.rows, id)) at.rows.remove(shareTable, shareKey(share))
            at.append(entry.personId, vaultEvent("delete", id), passed)
            return Effect.succeed(true)
          }),
        share: (id, personId, workspaceId, passed) =>
          write((at) => {
            const ownerId = at.reach.principal.personId
            const isMember = (userId: string) => roleOf(at.rows, userId, workspaceId) !== null
            const isPossible =
              ownEntry(at, id) !== undefined &&
              at.reach.bounds("vault", "read").spaces.includes(workspaceId) &&
              personId !== ownerId &&
              isMember(ownerId) &&
              isMember(personId) &&
              at.rows.find(personTable, personId) !== undefined
            if (isPossible) {
              at.rows.put(shareTable, { entryId: id, ownerId, personId, workspaceId, sharedAt: at.now })
              at.append(ownerId, vaultEvent("share", id, { userId: personId, workspaceId }), passed)
            }
            return Effect.succeed(isPossible)
          }),
        unshare: (id, personId, passed) =>
          write((at) => {
            const entry = ownEntry(at, id)
            const shares = sharesFrom(at, id).filter((share) => share.personId === personId)
            if (entry === undefined || shares.length === 0) return Effect.succeed(false)
            for (const share of shares) at.rows.remove(shareTable, shareKey(share))
            at.append(entry.personId, vaultEvent("unshare", id, { userId: personId }), passed)
            return Effect.succeed(true)
          }),
        sharesOf: (id) =>
          read((at) =>
            Effect.succeed(
              ownEntry(at, id) === undefined
                ? []
                : sharesFrom(at, id)
                    .toSorted((one, other) => (shareKey(one) < shareKey(other) ? -1 : 1))
                    .map(({ personId, sharedAt, workspaceId }) => ({ userId: personId, workspaceId, sharedAt }))
            )
          ),
        received: (place) =>
          read((at) =>
            Effect.succeed(
              pageOfAll(
                receivedOrder,
                Array.dedupeWith(
                  receivedBy(at).toSorted((one, other) => (shareKey(one) < shareKey(other) ? -1 : 1)),
                  (one, other) => one.entryId === other.entryId
                ).flatMap(({ entryId, ownerId, sharedAt, workspaceId }): ReadonlyArray<ReceivedEntry> => {
                  const entry = at.rows.find(vaultEntryTable, entryId)
                  const ownerName = at.rows.find(personTable, ownerId)?.name ?? ""
                  return entry === undefined ? [] : [{ entry, ownerName, workspaceId, sharedAt }]
                }),
                place
              )
            )
          )
      }
    })
  )
}

const sharesOf = (rows: Rows, id: string) => rows.all(shareTable).filter(({ entryId }) => entryId === id)
/**
 * Returns the shares of an entry. Leaves out a share if the caller cannot access the workspace through which the entry
 * is shared.
 */
const sharesFrom = ({ reach, rows }: ReadContext, id: string) =>
  sharesOf(rows, id).filter(({ workspaceId }) => reach.bounds("vault", "read").spaces.includes(workspaceId))
