/** Where keys are kept: by keyed hash, found by index, never by trying. */
import { Context, DateTime, Effect, Layer, Ref } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import type { Passed } from "../gate/Passed.ts"
import { isExpired, KeyExpired, KeyNotFound, KeyRevoked, KeyUnknown, type StoredKey } from "./Key.ts"

/** A key to be kept: the record and the hash it is found by. */
export interface NewKey {
  readonly key: StoredKey
  readonly hash: Buffer
}

export interface OwnKey {
  readonly key: StoredKey
  readonly personName: string
  readonly personEmail: string | null
}

export class KeyStore extends Context.Tag("pod/KeyStore")<
  KeyStore,
  {
    /** Keeps a new key, with its event. */
    readonly add: (made: NewKey, passed: Passed) => Effect.Effect<StoredKey, never, Reach>
    /** The key behind a hash, if it lives. Asked before anybody is known, so it needs no reach. */
    readonly verify: (hash: Buffer) => Effect.Effect<StoredKey, KeyUnknown | KeyRevoked | KeyExpired>
    /** The keys of the caller's person and of that person's agents, newest first. */
    readonly list: (page: {
      readonly limit: number
      readonly offset: number
    }) => Effect.Effect<ReadonlyArray<StoredKey>, never, Reach>
    /** Every service and system key of the pod, newest first. For the pod's owner. */
    readonly listSystem: Effect.Effect<ReadonlyArray<StoredKey>, never, Reach>
    readonly get: (keyId: string) => Effect.Effect<StoredKey, KeyNotFound, Reach>
    /** The very key the call was made with, and its person's name and e-mail. */
    readonly own: Effect.Effect<OwnKey, KeyNotFound, Reach>
    /** Kills it now, with its event. Killing a dead key changes nothing and answers the same. */
    readonly revoke: (keyId: string, reason: string, passed: Passed) => Effect.Effect<StoredKey, KeyNotFound, Reach>
    /**
     * Keeps the successor, and sets when the old key dies (null: now; never later than it would have). One step: never
     * both, never neither. Fails also for a key that is revoked, or has a successor.
     */
    readonly replace: (
      oldId: string,
      made: NewKey,
      oldDiesAt: DateTime.Utc | null,
      passed: Passed
    ) => Effect.Effect<StoredKey, KeyNotFound, Reach>
    /**
     * The living key that carries on what this one began: itself, or its successor by rotation. Whosever it is: an
     * approval asks about the one who proposed. Held alive until the transaction ends.
     */
    readonly successorOf: (keyId: string) => Effect.Effect<StoredKey, KeyNotFound, Reach>
    /** Notes that it was used. Called seldom: see the gatekeeper. */
    readonly touch: (keyId: string, times: number) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const kept = yield* Ref.make<ReadonlyArray<NewKey>>([])
      const mine = (keyId: string) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const found = (yield* Ref.get(kept)).find(
            ({ key }) => key.id === keyId && key.personId === principal.personId
          )
          return found?.key ?? (yield* new KeyNotFound({ keyId }))
        })
      const update = (keyId: string, change: (key: StoredKey) => StoredKey) =>
        Ref.update(kept, (all) =>
          all.map((each) => (each.key.id === keyId ? { ...each, key: change(each.key) } : each))
        )
      const noted = (type: string, key: StoredKey, passed: Passed) =>
        Effect.flatMap(Reach, (reach) =>
          append(reach, reach.principal.personId, { type, subjectId: key.id, data: { keyName: key.keyName } }, passed)
        )
      const newest = (all: ReadonlyArray<NewKey>) => all.map(({ key }) => key).toReversed()

      return {
        add: (made, passed) =>
          Effect.gen(function* () {
            yield* Ref.update(kept, (all) => [...all, made])
            yield* noted("apiKey.create", made.key, passed)
            return made.key
          }),
        verify: (hash) =>
          Effect.gen(function* () {
            const found = (yield* Ref.get(kept)).find((each) => each.hash.equals(hash))
            if (found === undefined) return yield* new KeyUnknown()
            return yield* alive(found.key, yield* DateTime.now)
          }),
        list: ({ limit, offset }) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            return newest(yield* Ref.get(kept))
              .filter((key) => key.personId === principal.personId)
              .slice(offset, offset + limit)
          }),
        listSystem: Effect.map(Ref.get(kept), (all) =>
          newest(all).filter(({ keyType }) => keyType === "service" || keyType === "system")
        ),
        get: mine,
        successorOf: (keyId) =>
          Effect.gen(function* () {
            const now = yield* DateTime.now
            const all = (yield* Ref.get(kept)).map(({ key }) => key)
            const line = (id: string): ReadonlyArray<StoredKey> =>
              all
                .filter((key) => key.id === id || key.rotatedFromId === id)
                .flatMap((key) => (key.id === id ? [key] : line(key.id)))
            const living = line(keyId).find((key) => key.revokedAt === null && !isExpired(key, now))
            return living ?? (yield* new KeyNotFound({ keyId }))
          }),
        own: Effect.gen(function* () {
          const { principal } = yield* Reach
          return { key: yield* mine(principal.credential.id), personName: "", personEmail: null }
        }),
        revoke: (keyId, reason, passed) =>
          Effect.gen(function* () {
            const key = yield* mine(keyId)
            if (key.revokedAt !== null) return key
            const revokedAt = yield* DateTime.now
            yield* update(keyId, (old) => ({ ...old, revokedAt, revokedReason: reason }))
            yield* noted("apiKey.revoke", key, passed)
            return yield* mine(keyId)
          }),
        replace: (oldId, made, oldDiesAt, passed) =>
          Effect.gen(function* () {
            const now = yield* DateTime.now
            const old = yield* mine(oldId)
            if (old.revokedAt !== null || old.isRotated) return yield* new KeyNotFound({ keyId: oldId })
            yield* update(oldId, (key) =>
              oldDiesAt === null
                ? { ...key, isRotated: true, revokedAt: now, revokedReason: rotatedReason }
                : { ...key, isRotated: true, expiresAt: DateTime.min(key.expiresAt ?? oldDiesAt, oldDiesAt) }
            )
            yield* Ref.update(kept, (all) => [...all, made])
            yield* noted("apiKey.rotate", old, passed)
            return made.key
          }),
        touch: (keyId, times) =>
          Effect.flatMap(DateTime.now, (lastUsedAt) =>
            update(keyId, (key) => ({ ...key, lastUsedAt, usageCount: key.usageCount + times }))
          )
      }
    })
  )
}

export const rotatedReason = "rotated"

/** The key when it lives; else why not. Revocation is said before expiry. */
export const alive = (key: StoredKey, now: DateTime.Utc): Effect.Effect<StoredKey, KeyRevoked | KeyExpired> =>
  key.revokedAt !== null
    ? Effect.fail(new KeyRevoked({ keyId: key.id }))
    : isExpired(key, now)
      ? Effect.fail(new KeyExpired({ keyId: key.id }))
      : Effect.succeed(key)
