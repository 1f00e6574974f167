/** What every store of keys must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer, TestClock } from "effect"
import { randomBytes } from "node:crypto"
import type { PagePlace } from "../../../src/doors/PageOrder.ts"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { KeyStore, type NewKey, rotatedReason } from "../../../src/features/keys/KeyStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { anAgentOf, aNewKey, aPerson, eventsIn, throughKey, upTo } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"
import { idsByCursor, itemsOf } from "../../support/pages.ts"

const later = (seconds: number) => DateTime.unsafeMake(seconds * 1000)
/** A time after the test clock and after the clock of a database. */
const farAhead = DateTime.unsafeMake("2999-01-01T00:00:00Z")

const kept = Effect.gen(function* () {
  const personId = yield* aPerson
  const reach = aReach({ personId })
  const add = (key: Partial<NewKey["key"]> = {}) => {
    const made = aNewKey({ personId, ...key })
    return Effect.flatMap(KeyStore, (keys) => Effect.as(withReach(reach)(keys.add(made, aPassed)), made))
  }
  return { personId, reach, add, keys: yield* KeyStore }
})

const tagOf = <A, E extends { readonly _tag: string }, R>(work: Effect.Effect<A, E, R>) =>
  Effect.match(work, { onFailure: ({ _tag }) => _tag, onSuccess: () => "it was done" })

const eventTypes = (personId: string) =>
  Effect.map(eventsIn(personId, personId), (events) => events.map(({ seq, type }) => `${seq} ${type}`))

export const keyStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "the key store refuses an unknown, a revoked and an expired key, and reports a key that is both revoked and expired as a revoked key",
    Effect.gen(function* () {
      const { reach, add, keys } = yield* kept
      assert.strictEqual(yield* tagOf(keys.verify(randomBytes(32))), "KeyUnknown")
      const revoked = yield* add({ expiresAt: later(60) })
      const expiring = yield* add({ expiresAt: later(60) })
      yield* withReach(reach)(keys.revoke(revoked.key.id, "lost", aPassed))
      assert.strictEqual(yield* tagOf(keys.verify(revoked.hash)), "KeyRevoked")
      assert.strictEqual((yield* keys.verify(expiring.hash)).id, expiring.key.id)
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(yield* tagOf(keys.verify(expiring.hash)), "KeyExpired")
      assert.strictEqual(yield* tagOf(keys.verify(revoked.hash)), "KeyRevoked")
    })
  )

  rule(
    "the key store finds a key by a list of hashes that contains the stored hash of its secret, and no longer by a hash that was replaced",
    Effect.gen(function* () {
      const { add, keys } = yield* kept
      const { hash: former, key } = yield* add()
      const [present, unknown] = [randomBytes(32), randomBytes(32)]
      assert.strictEqual(yield* tagOf(keys.verifyAmong([present, unknown])), "KeyUnknown")
      const found = yield* keys.verifyAmong([present, former])
      assert.deepStrictEqual([found.key.id, found.hash], [key.id, former])
      const before = yield* keys.countOtherMark("new")
      const next = { hash: present, secretMark: "new" }
      yield* keys.rehash(key.id, unknown, next)
      yield* keys.rehash(uuidv7(), former, next)
      assert.strictEqual(yield* tagOf(keys.verify(present)), "KeyUnknown")
      yield* keys.rehash(key.id, former, next)
      // This call does what a second pod does: it finds the key at the same moment and also replaces the hash.
      yield* keys.rehash(key.id, former, next)
      assert.strictEqual(yield* tagOf(keys.verify(former)), "KeyUnknown")
      const after = yield* keys.verifyAmong([present, former])
      assert.deepStrictEqual([after.key, after.hash], [found.key, present])
      assert.strictEqual(yield* keys.countOtherMark("new"), before - 1)
    })
  )

  rule(
    "a revoked key and a rotated key are refused with every pepper, and do not count as keys that need a former pepper",
    Effect.gen(function* () {
      const { personId, reach, add, keys } = yield* kept
      const start = yield* keys.countOtherMark("new")
      const expired = yield* add({ expiresAt: later(60) })
      yield* TestClock.adjust("60 seconds")
      const before = yield* keys.countOtherMark("new")
      // `before` can be lower than `start`, because keys of other tests might have expired meanwhile.
      assert.isAtMost(before, start)
      const [revoked, rotated] = [yield* add(), yield* add()]
      const successor = { ...aNewKey({ personId, rotatedFromId: rotated.key.id }), secretMark: "new" }
      assert.strictEqual(yield* keys.countOtherMark("new"), before + 2)
      yield* withReach(reach)(keys.revoke(revoked.key.id, "lost", aPassed))
      yield* withReach(reach)(keys.replace(rotated.key.id, successor, null, aPassed))
      for (const { hash, key } of [revoked, rotated]) {
        const next = { hash: randomBytes(32), secretMark: "new" }
        assert.strictEqual(yield* tagOf(keys.verifyAmong([next.hash, hash])), "KeyRevoked")
        yield* keys.rehash(key.id, hash, next)
        assert.strictEqual(yield* tagOf(keys.verifyAmong([next.hash, hash])), "KeyRevoked")
      }
      assert.strictEqual(yield* tagOf(keys.verifyAmong([randomBytes(32), expired.hash])), "KeyExpired")
      assert.strictEqual((yield* keys.verifyAmong([successor.hash])).key.id, successor.key.id)
      assert.strictEqual(yield* keys.countOtherMark("new"), before)
    })
  )

  rule(
    "a caller can neither read, list, rename, revoke nor replace a key of another person",
    Effect.gen(function* () {
      const { personId, reach, add, keys } = yield* kept
      const made = yield* add()
      const before = yield* withReach(reach)(keys.get(made.key.id))
      const strangerId = yield* aPerson
      const stranger = withReach(aReach({ personId: strangerId }))
      const successor = aNewKey({ personId: strangerId })
      for (const oldDiesAt of [null, later(60)]) {
        assert.strictEqual(
          yield* tagOf(stranger(keys.replace(made.key.id, successor, oldDiesAt, aPassed))),
          "KeyNotFound"
        )
      }
      assert.strictEqual(yield* tagOf(stranger(keys.get(made.key.id))), "KeyNotFound")
      assert.deepStrictEqual(yield* stranger(keys.listByIds([made.key.id])), [])
      assert.deepStrictEqual(yield* withReach(reach)(keys.listByIds([made.key.id, uuidv7()])), [before])
      assert.strictEqual(yield* tagOf(stranger(keys.revoke(made.key.id, "mine now", aPassed))), "KeyNotFound")
      assert.strictEqual(yield* tagOf(stranger(keys.rename(made.key.id, "mine now", aPassed))), "KeyNotFound")
      assert.deepStrictEqual(yield* itemsOf(stranger(keys.list({ limit: 100 }))), [])
      assert.strictEqual(yield* tagOf(keys.verify(successor.hash)), "KeyUnknown")
      assert.deepStrictEqual(yield* withReach(reach)(keys.get(made.key.id)), before)
      assert.deepStrictEqual(yield* eventTypes(personId), ["1 apiKey.create"])
      assert.deepStrictEqual(yield* eventTypes(strangerId), [])
    })
  )

  rule(
    "a caller cannot replace a revoked key, and the store does not keep the new key from such an attempt",
    Effect.gen(function* () {
      const { personId, reach, add, keys } = yield* kept
      const { key } = yield* add()
      yield* withReach(reach)(keys.revoke(key.id, "lost", aPassed))
      const successor = aNewKey({ personId })
      for (const oldDiesAt of [null, later(60)]) {
        assert.strictEqual(
          yield* tagOf(withReach(reach)(keys.replace(key.id, successor, oldDiesAt, aPassed))),
          "KeyNotFound"
        )
      }
      assert.strictEqual(yield* tagOf(keys.verify(successor.hash)), "KeyUnknown")
      assert.strictEqual((yield* withReach(reach)(keys.get(key.id))).revokedReason, "lost")
      assert.lengthOf(yield* eventTypes(personId), 2)
    })
  )

  rule(
    "the key store counts the active keys of each holder, without revoked and expired keys and keys of other people",
    Effect.gen(function* () {
      const { personId, reach, add, keys } = yield* kept
      const stranger = yield* kept
      const counted = withReach(reach)(keys.countActive)
      assert.deepStrictEqual(yield* counted, [])
      yield* add()
      yield* add({ expiresAt: DateTime.unsafeMake("2999-01-01T00:00:00Z") })
      yield* add({ expiresAt: DateTime.unsafeMake("1970-01-01T00:00:00Z") })
      const revoked = yield* add()
      yield* withReach(reach)(keys.revoke(revoked.key.id, "lost", aPassed))
      yield* stranger.add()
      assert.deepStrictEqual(yield* counted, [{ holderId: personId, count: 2 }])
    })
  )

  rule(
    "renaming a key writes one event and changes only the name of the key",
    Effect.gen(function* () {
      const { personId, reach, add, keys } = yield* kept
      const made = yield* add()
      const before = yield* withReach(reach)(keys.get(made.key.id))
      const renamed = yield* withReach(reach)(keys.rename(made.key.id, "Laptop", aPassed))
      assert.deepStrictEqual(renamed, { ...before, keyName: "Laptop" })
      assert.deepStrictEqual(yield* withReach(reach)(keys.get(made.key.id)), renamed)
      assert.strictEqual((yield* keys.verify(made.hash)).id, made.key.id)
      assert.deepStrictEqual(yield* eventTypes(personId), ["1 apiKey.create", "2 apiKey.update"])
    })
  )

  rule(
    "the event of a change of a key contains the new name, the id of the key that replaced this key, or the reason of the revocation",
    Effect.gen(function* () {
      const { personId, reach, add, keys } = yield* kept
      const { key } = yield* add()
      const next = aNewKey({ personId, rotatedFromId: key.id })
      yield* withReach(reach)(keys.rename(key.id, "Laptop", aPassed))
      yield* withReach(reach)(keys.replace(key.id, next, farAhead, aPassed))
      yield* withReach(reach)(keys.revoke(next.key.id, "lost", aPassed))
      assert.deepStrictEqual(
        (yield* eventsIn(personId, personId)).map(({ data }) => data),
        [
          { keyName: key.keyName, scopes: key.scopes, holderId: key.holderId, grant: key.grant },
          { keyName: "Laptop" },
          { successorId: next.key.id },
          { reason: "lost" }
        ]
      )
    })
  )

  rule(
    "when a person revokes a key twice, both answers are the same, and there is only one event",
    Effect.gen(function* () {
      const { personId, reach, add, keys } = yield* kept
      const { key } = yield* add()
      const first = yield* withReach(reach)(keys.revoke(key.id, "lost", aPassed))
      assert.strictEqual(first.revokedReason, "lost")
      assert.isNotNull(first.revokedAt)
      assert.deepStrictEqual(yield* withReach(reach)(keys.revoke(key.id, "again", aPassed)), first)
      assert.deepStrictEqual(yield* eventTypes(personId), ["1 apiKey.create", "2 apiKey.revoke"])
    })
  )

  rule(
    "when many calls replace or revoke one key at the same moment, exactly one call takes effect",
    Effect.gen(function* () {
      const { personId, reach, add, keys } = yield* kept
      const { key } = yield* add()
      const successors = upTo(8).map(() => aNewKey({ personId }))
      const outcomes = yield* Effect.forEach(
        successors,
        (successor) => tagOf(withReach(reach)(keys.replace(key.id, successor, null, aPassed))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        outcomes.filter((outcome) => outcome === "it was done"),
        1
      )
      const alive = yield* Effect.filter(successors, ({ hash }) =>
        Effect.map(tagOf(keys.verify(hash)), (outcome) => outcome !== "KeyUnknown")
      )
      assert.lengthOf(alive, 1)
      const { id } = alive[0].key
      yield* Effect.forEach(upTo(8), () => withReach(reach)(keys.revoke(id, "lost", aPassed)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(yield* eventTypes(personId), ["1 apiKey.create", "2 apiKey.rotate", "3 apiKey.revoke"])
    })
  )

  rule(
    "a replaced key stops working at once or at the given time, but never later than it would have expired anyway",
    Effect.gen(function* () {
      const { personId, reach, add, keys } = yield* kept
      const atOnce = yield* add()
      const first = aNewKey({ personId, rotatedFromId: atOnce.key.id })
      assert.strictEqual((yield* withReach(reach)(keys.replace(atOnce.key.id, first, null, aPassed))).id, first.key.id)
      assert.strictEqual(yield* tagOf(keys.verify(atOnce.hash)), "KeyRevoked")
      assert.strictEqual((yield* withReach(reach)(keys.get(atOnce.key.id))).revokedReason, rotatedReason)
      assert.strictEqual((yield* keys.verify(first.hash)).rotatedFromId, atOnce.key.id)

      const dying = yield* add({ expiresAt: later(30) })
      const endless = yield* add()
      for (const old of [dying, endless]) {
        yield* withReach(reach)(keys.replace(old.key.id, aNewKey({ personId }), later(60), aPassed))
        assert.strictEqual(yield* tagOf(keys.verify(old.hash)), "it was done")
      }
      const expiryOf = ({ key }: NewKey) => Effect.map(withReach(reach)(keys.get(key.id)), ({ expiresAt }) => expiresAt)
      assert.deepStrictEqual(yield* expiryOf(dying), later(30))
      assert.deepStrictEqual(yield* expiryOf(endless), later(60))
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(yield* tagOf(keys.verify(endless.hash)), "KeyExpired")
    })
  )

  rule(
    "the key store returns a key with all its fields, and the pod verifies a key only by its hash",
    Effect.gen(function* () {
      const { personId, reach, keys } = yield* kept
      const agent = yield* anAgentOf(reach)
      const bounds = { permissions: ["entity.note.read"], workspaceIds: [uuidv7()], projectIds: [], entityIds: null }
      const made = aNewKey({
        personId,
        holderId: agent.id,
        keyName: 'a "key", {with} 🗝️',
        keyType: "service",
        hubId: "hub",
        scopes: ["hub-protocol.read", "mcp.read"],
        grant: { ...bounds, label: "label" },
        workspaceId: uuidv7(),
        rotatedFromId: uuidv7(),
        expiresAt: later(3600)
      })
      const { createdAt, ...key } = yield* withReach(reach)(keys.add(made, aPassed))
      const { createdAt: _, ...given } = made.key
      assert.deepStrictEqual(key, given)
      assert.deepStrictEqual(yield* withReach(reach)(keys.get(made.key.id)), { ...key, createdAt })
      assert.deepStrictEqual(yield* keys.verify(made.hash), { ...key, createdAt })
    })
  )

  rule(
    "the key store lists the keys of a person and of the person's agents newest first, in pages",
    Effect.gen(function* () {
      const { reach, add, keys } = yield* kept
      const agent = yield* anAgentOf(reach)
      const made: Array<string> = []
      for (const at of upTo(7)) made.push((yield* add(at % 2 === 0 ? { holderId: agent.id } : {})).key.id)
      const listed = (limit: number, offset: number) =>
        Effect.map(withReach(reach)(keys.list({ limit, offset })), ({ items }) => items.map(({ id }) => id))
      assert.deepStrictEqual(yield* listed(100, 0), made.toReversed())
      const pages = yield* Effect.forEach([0, 3, 6, 9], (offset) => listed(3, offset))
      assert.deepStrictEqual(pages.flat(), made.toReversed())
    })
  )

  rule(
    "if a key is created between two pages of keys, every other key appears exactly once, and a cursor shows nobody the keys of others",
    Effect.gen(function* () {
      const { reach, add, keys } = yield* kept
      const made: Array<string> = []
      for (const _ of upTo(7)) made.push((yield* add()).key.id)
      const page = (place: PagePlace) => withReach(reach)(keys.list(place))
      const newest = made.toReversed()
      assert.deepStrictEqual((yield* idsByCursor(page, 3)).flat(), newest)
      assert.deepStrictEqual((yield* idsByCursor(page, 3, add())).flat(), newest)
      const { next } = yield* page({ limit: 1 })
      const foreign = withReach(aReach())(keys.list({ limit: 10, cursor: next ?? undefined }))
      assert.deepStrictEqual(yield* foreign, { items: [], next: null })
    })
  )

  rule(
    "the list of system keys contains all people's keys of the types `service` and `system`, and no keys of other types, also if it is read page by page",
    Effect.gen(function* () {
      const { reach, add, keys } = yield* kept
      const other = yield* kept
      const service = yield* add({ keyType: "service" })
      const system = yield* other.add({ keyType: "system" })
      const personal = [yield* add(), yield* other.add({ keyType: "hub_inbound" })]
      const pages = yield* idsByCursor((place) => withReach(reach)(keys.listSystem(place)), 1)
      for (const page of pages) assert.lengthOf(page, 1)
      const listed = pages.flat()
      const whole = yield* withReach(reach)(keys.listSystem({ limit: 500 }))
      assert.deepStrictEqual(
        whole.items.map(({ id }) => id),
        listed
      )
      assert.includeMembers(listed, [service.key.id, system.key.id])
      for (const { key } of personal) assert.notInclude(listed, key.id)
      assert.isBelow(listed.indexOf(system.key.id), listed.indexOf(service.key.id))
    })
  )

  rule(
    "a call with a key can read the record of this key",
    Effect.gen(function* () {
      const { personId, reach, add, keys } = yield* kept
      yield* add()
      const keyed: ReachShape = yield* throughKey(reach)
      const { key } = yield* withReach(keyed)(keys.ownKey)
      assert.deepStrictEqual([key.id, key.personId], [keyed.principal.credential.id, personId])
      assert.strictEqual(yield* tagOf(withReach(reach)(keys.ownKey)), "KeyNotFound")
    })
  )

  rule(
    "for an active key, a look-up of its successor returns the key itself, and for a revoked key the latest active key that replaced it",
    Effect.gen(function* () {
      const { personId, reach, add, keys } = yield* kept
      const carriedOn = (id: string, who: ReachShape = reach) =>
        Effect.match(withReach(who)(keys.successorOf(id)), {
          onFailure: ({ _tag }) => _tag,
          onSuccess: (key) => key.id
        })
      const rotated = (from: NewKey, at: Parameters<typeof keys.replace>[2]) =>
        Effect.gen(function* () {
          const made = aNewKey({ personId, rotatedFromId: from.key.id })
          yield* withReach(reach)(keys.replace(from.key.id, made, at, aPassed))
          return made
        })
      assert.strictEqual(yield* carriedOn(uuidv7()), "KeyNotFound")
      const first = yield* add()
      const stranger = yield* add()
      assert.strictEqual(yield* carriedOn(first.key.id), first.key.id)
      const second = yield* rotated(first, farAhead)
      // The replaced key is still valid for a while, so the store returns the key itself as the successor.
      assert.strictEqual(yield* carriedOn(first.key.id), first.key.id)
      const third = yield* rotated(second, null)
      assert.strictEqual(yield* carriedOn(second.key.id), third.key.id)
      yield* withReach(reach)(keys.revoke(first.key.id, "test", aPassed))
      assert.strictEqual(yield* carriedOn(first.key.id), third.key.id)
      // An approval looks up the key that made the proposal. This key can belong to another person than the approver.
      const approver = aReach({ personId: yield* aPerson })
      assert.strictEqual(yield* carriedOn(first.key.id, approver), third.key.id)
      assert.strictEqual(yield* carriedOn(third.key.id), third.key.id)
      yield* withReach(reach)(keys.revoke(third.key.id, "test", aPassed))
      for (const { key } of [first, second, third]) assert.strictEqual(yield* carriedOn(key.id), "KeyNotFound")
      assert.strictEqual(yield* carriedOn(stranger.key.id), stranger.key.id)
    })
  )

  rule(
    "a key that replaced other keys by rotation has their ids besides its own, and has no id of a key that replaced it",
    Effect.gen(function* () {
      const { personId, reach, add, keys } = yield* kept
      const rotated = (from: NewKey) =>
        Effect.gen(function* () {
          const made = aNewKey({ personId, rotatedFromId: from.key.id })
          yield* withReach(reach)(keys.replace(from.key.id, made, farAhead, aPassed))
          return made
        })
      const first = yield* add()
      yield* add()
      const second = yield* rotated(first)
      const third = yield* rotated(second)
      const lineOf = ({ key }: NewKey) =>
        withReach({ ...reach, principal: { ...reach.principal, credential: { kind: "key", id: key.id } } })(
          keys.ownLine
        )
      assert.deepStrictEqual(yield* lineOf(first), [first.key.id])
      assert.sameMembers([...(yield* lineOf(third))], [first.key.id, second.key.id, third.key.id])
      assert.deepStrictEqual(yield* withReach(reach)(keys.ownLine), [])
    })
  )

  rule(
    "a key has no active replacement if the key that replaced it has expired",
    Effect.gen(function* () {
      const { personId, reach, add, keys } = yield* kept
      const old = yield* add()
      const made = aNewKey({ personId, rotatedFromId: old.key.id, expiresAt: later(-60) })
      yield* withReach(reach)(keys.replace(old.key.id, made, null, aPassed))
      const refusal = yield* Effect.flip(withReach(reach)(keys.successorOf(old.key.id)))
      assert.strictEqual(refusal._tag, "KeyNotFound")
    })
  )

  rule(
    "the key store counts each use of a key, even if calls use it at the same moment",
    Effect.gen(function* () {
      const { reach, add, keys } = yield* kept
      const { key } = yield* add()
      yield* Effect.forEach(upTo(8), () => keys.touch(key.id, 3), { concurrency: "unbounded" })
      const used = yield* withReach(reach)(keys.get(key.id))
      assert.strictEqual(used.usageCount, 24)
      assert.isNotNull(used.lastUsedAt)
      yield* keys.touch(uuidv7(), 1)
    })
  )
}
