/** The service of keys. It creates, rotates and revokes keys. Only a person who is signed in is allowed to do this. */
import { Context, DateTime, Effect, FiberSet, Layer, Redacted } from "effect"
import { Forbidden, Invalid } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import type { PagePlace } from "../../doors/PageOrder.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { endCallsBeforeAnswer, Revocations } from "../../doors/Revocations.ts"
import { Database } from "../../platform/Database.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { secretMark as markOf } from "../../platform/Secrets.ts"
import { ownSpacePass } from "../gate/OwnSpacePass.ts"
import { quotaKeeper } from "../gate/Quotas.ts"
import { boundsOf, type Grant, type GrantRequest } from "../grants/Grant.ts"
import { People } from "../people/People.ts"
import { administratorsOnly, podOwnerOnly } from "../people/PodOwner.ts"
import { Profiles } from "../profiles/Profiles.ts"
import { AccessRoles } from "../accessRoles/AccessRoles.ts"
import { grantResolver } from "./GrantResolver.ts"
import {
  isExpired,
  type KeyExpired,
  KeyInactive,
  KeyRotated,
  type KeyNotFound,
  type KeyRevoked,
  type KeyUnknown,
  type StoredKey
} from "./Key.ts"
import type { NormalizedKeyRequest } from "./MintRequest.ts"
import { hashSecret, type KeyPrefix, lastFourOf, mintSecret } from "./KeySecret.ts"
import { KeyStore, type NewKey } from "./KeyStore.ts"

/**
 * A new key with its secret. Only this value and the answer to the call contain the secret. The pod does not store the
 * secret.
 */
export interface MintedKey {
  readonly key: StoredKey
  readonly secret: Redacted.Redacted
}

export class KeySettings extends Context.Tag("pod/KeySettings")<
  KeySettings,
  {
    readonly pepper: Redacted.Redacted
    /**
     * Former peppers. A key stays valid if its hash was made with a former pepper. When somebody uses such a key, the
     * pod replaces the hash by a hash with the present pepper.
     */
    readonly formerPeppers: ReadonlyArray<Redacted.Redacted>
    /** Whether new keys begin with `svc_hub_live_` or `svc_hub_test_` (specification §2.1). */
    readonly isProduction: boolean
  }
>() {}

// the maximum number of seconds for which a rotated key can stay valid together with its successor
const overlapMax = 7 * 24 * 3600

export class Keys extends Context.Tag("pod/Keys")<
  Keys,
  {
    /**
     * Creates a key. Fails with Forbidden if a named workspace or agent does not belong to the caller, or if
     * the person has too many keys, and with Invalid if another value is not allowed.
     */
    readonly mint: (order: NormalizedKeyRequest) => Effect.Effect<MintedKey, Forbidden | Proposed | Invalid, Reach>
    /**
     * Returns the grant that a new key of the caller would have, and creates no key. This method makes the same checks
     * as `mint`.
     */
    readonly check: (
      grant: GrantRequest,
      workspaceId: string | undefined
    ) => Effect.Effect<Grant, Forbidden | Invalid, Reach>
    /**
     * Finds the active key with this secret. The pod does not know the caller yet, so this call checks no rights of a
     * caller.
     */
    readonly verify: (secret: string) => Effect.Effect<StoredKey, KeyUnknown | KeyRevoked | KeyExpired>
    /** Adds `times` to the number of uses of a key. */
    readonly touch: KeyStore["Type"]["touch"]
    readonly ownKey: KeyStore["Type"]["ownKey"]
    readonly get: KeyStore["Type"]["get"]
    readonly listByIds: KeyStore["Type"]["listByIds"]
    readonly listEndingBefore: KeyStore["Type"]["listEndingBefore"]
    /** Counts the active keys whose hash was made with a former pepper. Only the pod itself calls this. */
    readonly countOlder: Effect.Effect<number>
    readonly successorOf: KeyStore["Type"]["successorOf"]
    readonly ownLine: KeyStore["Type"]["ownLine"]
    readonly countActive: KeyStore["Type"]["countActive"]
    readonly list: KeyStore["Type"]["list"]
    readonly listSystem: (place: PagePlace) => Effect.Effect<Page<StoredKey>, Forbidden, Reach>
    /**
     * Gives a key another name. A revoked key can also get another name, because people can still read the history of
     * the key.
     */
    readonly rename: (
      keyId: string,
      keyName: string
    ) => Effect.Effect<StoredKey, KeyNotFound | Forbidden | Proposed, Reach>
    /**
     * Revokes a key. First commits the revocation, then waits until every earlier transaction has ended. When this
     * method returns, no process of the pod can commit a change with the key any more.
     */
    readonly revoke: (
      keyId: string,
      reason: string
    ) => Effect.Effect<StoredKey, KeyNotFound | Forbidden | Proposed, Reach>
    /**
     * Revokes every active key of the caller's person, or of one agent of this person. Works in the same way as
     * `revoke`. Returns the number of keys.
     */
    readonly revokeOfHolder: (holderId: string, reason: string) => Effect.Effect<number, Forbidden | Proposed, Reach>
    /**
     * Rotates a key: creates a successor with the same grant, scopes and expiry. The old key ends now, or after
     * `overlapSeconds`.
     */
    readonly rotate: (
      keyId: string,
      overlapSeconds: number
    ) => Effect.Effect<MintedKey, KeyNotFound | KeyInactive | KeyRotated | Invalid | Forbidden | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const store = yield* KeyStore
      const { within } = yield* quotaKeeper
      const people = yield* People
      const profiles = yield* Profiles
      const roles = yield* AccessRoles
      const database = yield* Database
      const revocations = yield* Revocations
      const { formerPeppers, isProduction, pepper } = yield* KeySettings
      const secretMark = markOf("key-pepper", pepper)
      // The pod replaces a hash in the background. So a key can be used even while the database refuses writes.
      const runFork = yield* FiberSet.makeRuntime()

      const createKey = (prefix: KeyPrefix, record: Omit<StoredKey, "keyPrefix" | "lastFour">) => {
        const secret = mintSecret(prefix)
        const newKey: NewKey = {
          key: { ...record, keyPrefix: prefix, lastFour: lastFourOf(secret) },
          hash: hashSecret(pepper, Redacted.value(secret)),
          secretMark
        }
        return { newKey, secret }
      }

      const passFor = yield* ownSpacePass("api_key", { subject: "apiKey" })

      const resolved = grantResolver(profiles, roles)

      /**
       * Finds the active key whose hash was made with any of the peppers. If a former pepper made the hash, replaces
       * the hash.
       */
      const verifyAmong = Effect.fnUntraced(function* (secret: string) {
        const hash = hashSecret(pepper, secret)
        const former = formerPeppers.map((each) => hashSecret(each, secret))
        const found = yield* store.verifyAmong([hash, ...former])
        if (!found.hash.equals(hash)) {
          runFork(Effect.ignoreLogged(Effect.sandbox(store.rehash(found.key.id, found.hash, { hash, secretMark }))))
        }
        return found.key
      })

      const endAfterwards = endCallsBeforeAnswer(database, revocations)

      const revoke = Effect.fnUntraced(function* (keyId: string, reason: string) {
        const key = yield* store.revoke(keyId, reason, yield* passFor("delete"))
        yield* endAfterwards(key.id)
        return key
      })

      return {
        mint: Effect.fnUntraced(function* (order) {
          const { principal } = yield* Reach
          const { grant, role } = yield* resolved(order.grant, order.workspaceId)
          if (order.expiresAt !== null && isExpired(order, yield* DateTime.now)) {
            return yield* new Invalid({
              faults: [{ path: "expiresAt", message: "This time is in the past. Send a later time." }]
            })
          }
          if (order.agentId !== undefined) yield* people.agentGiven(order.agentId)
          if (order.hubId !== undefined) yield* podOwnerOnly("can create keys for services")
          const prefix = order.hubId === undefined ? "svc_user_" : isProduction ? "svc_hub_live_" : "svc_hub_test_"
          const { newKey, secret } = createKey(prefix, {
            id: uuidv7(),
            holderId: order.agentId ?? principal.personId,
            personId: principal.personId,
            keyName: order.keyName,
            keyType: order.hubId !== undefined ? "service" : order.agentId === undefined ? "user_pat" : "hub_inbound",
            hubId: order.hubId ?? null,
            scopes: order.scopes,
            grant: grant === null ? null : { ...boundsOf(grant), label: grant.label ?? null },
            workspaceId: order.workspaceId ?? null,
            toolProfile: order.toolProfile,
            rotatedFromId: null,
            isRotated: false,
            role,
            expiresAt: order.expiresAt,
            lastUsedAt: null,
            usageCount: 0,
            createdAt: yield* DateTime.now,
            revokedAt: null,
            revokedReason: null
          })
          const passed = yield* passFor("create")
          return { key: yield* within("api_key", store.add(newKey, passed)), secret }
        }),
        check: (request, workspaceId) => Effect.map(resolved(request, workspaceId), ({ grant }) => grant!),
        verify: formerPeppers.length === 0 ? (secret) => store.verify(hashSecret(pepper, secret)) : verifyAmong,
        touch: store.touch,
        ownKey: store.ownKey,
        get: store.get,
        listByIds: store.listByIds,
        listEndingBefore: store.listEndingBefore,
        countOlder: store.countOtherMark(secretMark),
        successorOf: store.successorOf,
        ownLine: store.ownLine,
        countActive: store.countActive,
        list: store.list,
        listSystem: (place) => Effect.zipRight(administratorsOnly("can list system keys"), store.listSystem(place)),
        rename: (keyId, keyName) => Effect.flatMap(passFor("update"), (passed) => store.rename(keyId, keyName, passed)),
        revoke,
        revokeOfHolder: Effect.fnUntraced(function* (holderId, reason) {
          // A rotation at the same moment can add a successor. So the code lists the keys again until it has revoked
          // each of them.
          const revoked = new Set<string>()
          for (;;) {
            const found = (yield* store.ofHolder(holderId)).filter(({ id }) => !revoked.has(id))
            if (found.length === 0) return revoked.size
            for (const { id } of found) {
              revoked.add(id)
              // If somebody else revokes this key at the same moment, nothing is left to do for it.
              yield* Effect.catchTag(revoke(id, reason), "KeyNotFound", () => Effect.void)
            }
          }
        }),
        rotate: Effect.fnUntraced(function* (keyId, overlapSeconds) {
          if (overlapSeconds < 0 || overlapSeconds > overlapMax) {
            return yield* new Invalid({
              faults: [{ path: "overlapSeconds", message: `Use 0 to ${overlapMax} seconds.` }]
            })
          }
          const old = yield* store.get(keyId)
          const now = yield* DateTime.now
          if (old.isRotated && old.revokedAt === null) return yield* new KeyRotated({ keyId })
          if (old.revokedAt !== null || isExpired(old, now)) return yield* new KeyInactive({ keyId })
          // `createKey` made the old key, so the stored prefix is one of its prefixes.
          const { newKey, secret } = createKey(old.keyPrefix as KeyPrefix, {
            ...old,
            id: uuidv7(),
            keyName: old.keyName.endsWith(" (rotated)") ? old.keyName : `${old.keyName} (rotated)`,
            rotatedFromId: old.id,
            lastUsedAt: null,
            usageCount: 0,
            createdAt: now
          })
          const oldDiesAt = overlapSeconds === 0 ? null : DateTime.add(now, { seconds: overlapSeconds })
          const passed = yield* passFor("update")
          // If two rotations run at the same time, only one succeeds. The other rotation finds that the key is rotated
          // or revoked.
          // During an overlap, both keys count for the quota.
          const replaced = within("api_key", store.replace(keyId, newKey, oldDiesAt, passed), {
            isAdded: () => oldDiesAt !== null
          })
          const key = yield* Effect.catchTag(replaced, "KeyNotFound", (absent) =>
            Effect.flatMap(store.get(keyId), ({ isRotated }) =>
              Effect.fail(isRotated ? new KeyRotated({ keyId }) : absent)
            )
          )
          if (oldDiesAt === null) yield* endAfterwards(old.id)
          else yield* database.notify({ kind: "changed", id: old.id })
          return { key, secret }
        })
      }
    })
  )
}
