/** The store of keys. It finds a key through an index of keyed hashes, and never compares secrets one by one. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Page } from "../../doors/Page.ts"
import { byCreation, pageOfAll, type PagePlace } from "../../doors/PageOrder.ts"
import type { Reach } from "../../doors/Reach.ts"
import { MemoryDatabase, memoryTable, type Rows } from "../../platform/MemoryDatabase.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements, type ReadContext, type WriteContext } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { personTable } from "../people/UserTables.ts"
import { isExpired, KeyExpired, KeyNotFound, KeyRevoked, KeyUnknown, type StoredKey } from "./Key.ts"
import { keyCreatedEvent, keyRenamedEvent, keyRevokedEvent, keyRotatedEvent } from "./KeyEvents.ts"

/** A new key: its record, and the hash by which the store finds the key. */
export interface NewKey {
  readonly key: StoredKey
  readonly hash: Buffer
  /** Identifies the pepper with which the pod made the hash. */
  readonly secretMark: string
}

export interface OwnKey {
  readonly key: StoredKey
  readonly personName: string
  readonly personEmail: string | null
}

/** How many active keys a holder (a person or an agent) has. */
export interface HolderKeys {
  readonly holderId: string
  readonly count: number
}

/** A key that expires soon. */
export interface EndingKey {
  readonly id: string
  readonly personId: string
  readonly expiresAt: DateTime.Utc
}

export class KeyStore extends Context.Tag("pod/KeyStore")<
  KeyStore,
  {
    readonly add: (newKey: NewKey, passed: Passed) => Effect.Effect<StoredKey, never, Reach>
    /**
     * Finds the active key with this hash. The pod does not know the caller yet, so this call checks no rights of a
     * caller.
     */
    readonly verify: (hash: Buffer) => Effect.Effect<StoredKey, KeyUnknown | KeyRevoked | KeyExpired>
    /**
     * Finds the active key that has one of these hashes. Returns the key and its hash. Another node can replace the
     * stored hash at the same moment. `hashes` also contains the new hash, so the store still finds the key. The pod
     * does not know the caller yet, so this call checks no rights of a caller.
     */
    readonly verifyAmong: (
      hashes: ReadonlyArray<Buffer>
    ) => Effect.Effect<{ readonly key: StoredKey; readonly hash: Buffer }, KeyUnknown | KeyRevoked | KeyExpired>
    /**
     * Replaces the stored hash of a key by a hash that was made with another pepper. Changes nothing if the stored hash
     * is not `former`. The key itself does not change, so this call checks no rights of a caller and appends no event.
     */
    readonly rehash: (keyId: string, former: Buffer, next: Pick<NewKey, "hash" | "secretMark">) => Effect.Effect<void>
    /** Counts the active keys whose hash was not made with the pepper that `secretMark` identifies. */
    readonly countOtherMark: (secretMark: string) => Effect.Effect<number>
    /** Lists the keys of the caller's person, and of that person's agents, newest first. */
    readonly list: (place: PagePlace) => Effect.Effect<Page<StoredKey>, never, Reach>
    /** How many active keys each holder has, among the keys of the caller's person, and of that person's agents. */
    readonly countActive: Effect.Effect<ReadonlyArray<HolderKeys>, never, Reach>
    /** Every service and system key of the pod, newest first. The caller must be the owner or an administrator of the pod. */
    readonly listSystem: (place: PagePlace) => Effect.Effect<Page<StoredKey>, never, Reach>
    readonly get: (keyId: string) => Effect.Effect<StoredKey, KeyNotFound, Reach>
    /** Reads the keys with these ids in one statement, in no particular order. Leaves out keys that `get` would not find. */
    readonly listByIds: (keyIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredKey>, never, Reach>
    /**
     * Lists the active keys of one holder, oldest first. The holder is the caller's person, or an agent of this person.
     */
    readonly ofHolder: (holderId: string) => Effect.Effect<ReadonlyArray<StoredKey>, never, Reach>
    /** The key that made the call, with the name and e-mail of the person who owns the key. */
    readonly ownKey: Effect.Effect<OwnKey, KeyNotFound, Reach>
    /** Renames a key of the caller's person, and appends the event. */
    readonly rename: (keyId: string, keyName: string, passed: Passed) => Effect.Effect<StoredKey, KeyNotFound, Reach>
    /**
     * Revokes a key now and appends the event. If the key is already revoked, the call changes nothing and returns the
     * key.
     */
    readonly revoke: (keyId: string, reason: string, passed: Passed) => Effect.Effect<StoredKey, KeyNotFound, Reach>
    /**
     * Adds the successor and ends the old key, in one step. The old key ends at `oldDiesAt` (null means now), or at its
     * own expiry if that is earlier. Fails with KeyNotFound if there is no such key, or if the key is revoked or
     * already has a successor.
     */
    readonly replace: (
      oldId: string,
      newKey: NewKey,
      oldDiesAt: DateTime.Utc | null,
      passed: Passed
    ) => Effect.Effect<StoredKey, KeyNotFound, Reach>
    /**
     * Finds the active key among the given key and its successors. The key can belong to any person, because an
     * approval asks about the key that sent the proposal. Until the transaction ends, nobody can revoke the active key.
     */
    readonly successorOf: (keyId: string) => Effect.Effect<StoredKey, KeyNotFound, Reach>
    /** Lists the ids of the key that made the call and of the keys that it replaced. Empty if no key made the call. */
    readonly ownLine: Effect.Effect<ReadonlyArray<string>, never, Reach>
    /**
     * Lists the active keys of the pod that have no successor and end before this time, earliest first. Sorts keys that
     * end at the same time by id. Only the pod itself makes this call, so the call checks no rights of a caller.
     */
    readonly listEndingBefore: (before: DateTime.Utc) => Effect.Effect<ReadonlyArray<EndingKey>>
    /**
     * Adds `times` to the number of uses of a key. The pod counts several uses in memory before it calls this method.
     */
    readonly touch: (keyId: string, times: number) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { atomically, rows: current } = yield* MemoryDatabase
      const { read, write } = yield* memoryStatements
      const newest = (rows: Rows) =>
        rows
          .all(keyTable)
          .map(({ key }) => key)
          .toReversed()
      const ofPerson = ({ reach, rows }: ReadContext, keyId: string) => {
        const found = rows.find(keyTable, keyId)
        return found?.key.personId === reach.principal.personId ? found : undefined
      }
      const put = ({ append, reach, rows }: WriteContext, newKey: NewKey, event: EventDraft, passed: Passed) => {
        rows.put(keyTable, newKey)
        append(reach.principal.personId, event, passed)
      }

      return {
        add: (newKey, passed) =>
          write((at) => {
            put(at, newKey, keyCreatedEvent(newKey.key), passed)
            return Effect.succeed(newKey.key)
          }),
        verify: Effect.fnUntraced(function* (hash) {
          const found = (yield* current).all(keyTable).find((each) => each.hash.equals(hash))
          if (found === undefined) return yield* new KeyUnknown()
          return yield* requireActive(found.key, yield* DateTime.now)
        }),
        verifyAmong: Effect.fnUntraced(function* (hashes) {
          const found = (yield* current).all(keyTable).find(({ hash }) => hashes.some((each) => each.equals(hash)))
          if (found === undefined) return yield* new KeyUnknown()
          return { key: yield* requireActive(found.key, yield* DateTime.now), hash: found.hash }
        }),
        rehash: (keyId, former, next) =>
          atomically((rows) =>
            Effect.sync(() => {
              const found = rows.find(keyTable, keyId)
              if (found?.hash.equals(former)) rows.put(keyTable, { ...found, ...next })
            })
          ),
        countOtherMark: Effect.fnUntraced(function* (secretMark) {
          const now = yield* DateTime.now
          return (yield* current)
            .all(keyTable)
            .filter((each) => each.secretMark !== secretMark)
            .filter(({ key }) => key.revokedAt === null && !isExpired(key, now)).length
        }),
        list: (place) =>
          read(({ reach, rows }) => {
            const own = newest(rows).filter(({ personId }) => personId === reach.principal.personId)
            return Effect.succeed(pageOfAll(byCreation, own, place))
          }),
        countActive: read(({ now, reach, rows }) => {
          const counts = new Map<string, number>()
          for (const key of newest(rows)) {
            if (key.personId !== reach.principal.personId || key.revokedAt !== null || isExpired(key, now)) continue
            counts.set(key.holderId, (counts.get(key.holderId) ?? 0) + 1)
          }
          return Effect.succeed([...counts].map(([holderId, count]) => ({ holderId, count })))
        }),
        listSystem: (place) =>
          read(({ rows }) => {
            const found = newest(rows).filter(({ keyType }) => keyType === "service" || keyType === "system")
            return Effect.succeed(pageOfAll(byCreation, found, place))
          }),
        get: (keyId) =>
          read((at) => {
            const found = ofPerson(at, keyId)
            return found === undefined ? new KeyNotFound({ keyId }) : Effect.succeed(found.key)
          }),
        listByIds: (keyIds) => read((at) => Effect.succeed(keyIds.flatMap((keyId) => ofPerson(at, keyId)?.key ?? []))),
        ofHolder: (holderId) =>
          read(({ now, reach, rows }) =>
            Effect.succeed(
              rows
                .all(keyTable)
                .map(({ key }) => key)
                .filter((key) => key.holderId === holderId && key.personId === reach.principal.personId)
                .filter((key) => key.revokedAt === null && !isExpired(key, now))
            )
          ),
        successorOf: (keyId) =>
          read(({ now, rows }) => {
            const all = rows.all(keyTable).map(({ key }) => key)
            const line = (id: string): ReadonlyArray<StoredKey> =>
              all
                .filter((key) => key.id === id || key.rotatedFromId === id)
                .flatMap((key) => (key.id === id ? [key] : line(key.id)))
            const activeKey = line(keyId).find((key) => key.revokedAt === null && !isExpired(key, now))
            return activeKey === undefined ? new KeyNotFound({ keyId }) : Effect.succeed(activeKey)
          }),
        ownLine: read(({ reach, rows }) => {
          const line = (id: string | null): ReadonlyArray<string> => {
            const found = id === null ? undefined : rows.find(keyTable, id)
            return found === undefined ? [] : [found.key.id, ...line(found.key.rotatedFromId)]
          }
          return Effect.succeed(line(reach.principal.credential.id))
        }),
        ownKey: read((at) => {
          const keyId = at.reach.principal.credential.id
          const found = ofPerson(at, keyId)
          if (found === undefined) return new KeyNotFound({ keyId })
          const person = at.rows.find(personTable, found.key.personId)
          return Effect.succeed({ key: found.key, personName: person?.name ?? "", personEmail: person?.email ?? null })
        }),
        rename: (keyId, keyName, passed) =>
          write((at) => {
            const found = ofPerson(at, keyId)
            if (found === undefined) return new KeyNotFound({ keyId })
            const key = { ...found.key, keyName }
            put(at, { ...found, key }, keyRenamedEvent(keyId, keyName), passed)
            return Effect.succeed(key)
          }),
        revoke: (keyId, revokedReason, passed) =>
          write((at) => {
            const found = ofPerson(at, keyId)
            if (found === undefined) return new KeyNotFound({ keyId })
            if (found.key.revokedAt !== null) return Effect.succeed(found.key)
            const key = { ...found.key, revokedAt: at.now, revokedReason }
            put(at, { ...found, key }, keyRevokedEvent(keyId, revokedReason), passed)
            return Effect.succeed(key)
          }),
        replace: (oldId, newKey, oldDiesAt, passed) =>
          write((at) => {
            const found = ofPerson(at, oldId)
            if (found === undefined || found.key.revokedAt !== null || found.key.isRotated) {
              return new KeyNotFound({ keyId: oldId })
            }
            const endingKeys =
              oldDiesAt === null
                ? { revokedAt: at.now, revokedReason: rotatedReason }
                : { expiresAt: DateTime.min(found.key.expiresAt ?? oldDiesAt, oldDiesAt) }
            const event = keyRotatedEvent(oldId, newKey.key.id)
            put(at, { ...found, key: { ...found.key, isRotated: true, ...endingKeys } }, event, passed)
            at.rows.put(keyTable, newKey)
            return Effect.succeed(newKey.key)
          }),
        listEndingBefore: Effect.fnUntraced(function* (before) {
          const now = yield* DateTime.now
          return (yield* current)
            .all(keyTable)
            .flatMap(({ key: { expiresAt, id, isRotated, personId, revokedAt } }) =>
              expiresAt !== null && revokedAt === null && !isRotated ? [{ id, personId, expiresAt }] : []
            )
            .filter(({ expiresAt }) => DateTime.between(expiresAt, { minimum: now, maximum: before }))
            .toSorted(
              (one, other) =>
                DateTime.distance(other.expiresAt, one.expiresAt) ||
                (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)
            )
        }),
        touch: (keyId, times) =>
          atomically((rows) =>
            Effect.map(DateTime.now, (lastUsedAt) => {
              const found = rows.find(keyTable, keyId)
              if (found === undefined) return
              const usageCount = found.key.usageCount + times
              rows.put(keyTable, { ...found, key: { ...found.key, lastUsedAt, usageCount } })
            })
          )
      }
    })
  )
}

const keyTable = memoryTable<NewKey>("api_keys", ({ key }) => key.id)

export const rotatedReason = "rotated"

/**
 * Returns the key if it is active, and fails otherwise. If a key is both revoked and expired, fails with KeyRevoked.
 */
export const requireActive = (key: StoredKey, now: DateTime.Utc): Effect.Effect<StoredKey, KeyRevoked | KeyExpired> =>
  key.revokedAt !== null
    ? Effect.fail(new KeyRevoked({ keyId: key.id }))
    : isExpired(key, now)
      ? Effect.fail(new KeyExpired({ keyId: key.id }))
      : Effect.succeed(key)
