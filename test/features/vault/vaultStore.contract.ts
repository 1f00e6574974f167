/**
 * What the store of vaults guarantees on each engine: a person can read and change only their own entries, and can
 * share them with members. A vault has one data key.
 */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { mapPage } from "../../../src/doors/Page.ts"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { InvitationStore } from "../../../src/features/invitations/InvitationStore.ts"
import type { SealedEntry } from "../../../src/features/vault/VaultEntry.ts"
import { VaultStore } from "../../../src/features/vault/VaultStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, aPerson, eventsIn } from "../../support/people.ts"
import { idsByCursor, itemsOf } from "../../support/pages.ts"
import { aReach } from "../../support/reach.ts"
import { type Stores, withReach } from "../../support/stores.ts"

type Store = typeof VaultStore.Service

const store = <A, E>(reach: ReachShape, call: (store: Store) => Effect.Effect<A, E, any>) =>
  withReach(reach)(Effect.flatMap(VaultStore, call))

const moment = DateTime.unsafeMake("2026-05-01T10:00:00.000Z")

export const aSealedEntry = (personId: string, more: Partial<SealedEntry> = {}): SealedEntry => ({
  id: uuidv7(),
  personId,
  name: "Mail",
  category: "work",
  tags: ["mail", "eu"],
  url: "https://mail.example.com",
  hasNotes: false,
  valueHash: Buffer.alloc(32, 1),
  strengthBits: 70,
  expiresAt: null,
  version: 1,
  createdAt: moment,
  updatedAt: moment,
  rotatedAt: moment,
  sealedValue: Buffer.from([1, 2, 255, 0]),
  sealedNotes: null,
  ...more
})

const begun = (reach: ReachShape, key = Buffer.from("key")) => store(reach, ({ begin }) => begin(key, aPassed))
const added = (reach: ReachShape, more: Partial<SealedEntry> = {}) => {
  const entry = aSealedEntry(reach.principal.personId, more)
  return Effect.as(
    store(reach, ({ add }) => add(entry, aPassed)),
    entry
  )
}
const listed = (reach: ReachShape, filter: object = {}) => store(reach, ({ list }) => list({ limit: 10, ...filter }))
const found = (reach: ReachShape, id: string) => store(reach, ({ find }) => find(id))
const idsOf = (entries: ReadonlyArray<{ readonly id: string }>) => entries.map(({ id }) => id)

/** Adds a second person, who joins the workspace of the first person. */
const aColleagueOf = (inviter: ReachShape, spaceId: string) =>
  Effect.gen(function* () {
    const personId = yield* aPerson
    const invitation = {
      id: uuidv7(),
      invitedBy: inviter.principal.personId,
      note: null,
      workspaceId: spaceId,
      role: "viewer" as const,
      createdAt: moment,
      expiresAt: moment,
      usedAt: null,
      usedBy: null,
      withdrawnAt: null
    }
    yield* withReach(inviter)(Effect.flatMap(InvitationStore, ({ join }) => join(invitation, personId, aPassed)))
    return aReach({ personId, spaces: [spaceId], role: "viewer" })
  })

export const vaultStoreContract = (stores: Layer.Layer<Stores>): void => {
  const check = (name: string, body: () => Effect.Effect<void, unknown, Stores>) =>
    it.effect(name, () => Effect.provide(body(), stores))

  check(
    "a person cannot find, change, delete or share a vault entry of another person, even in the same workspace",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        yield* begun(reach)
        const entry = yield* added(reach)
        const colleague = yield* aColleagueOf(reach, spaceId)
        for (const stranger of [colleague, aReach({ personId: yield* aPerson })]) {
          yield* begun(stranger)
          assert.isNull(yield* found(stranger, entry.id))
          assert.deepStrictEqual(yield* listed(stranger), [])
          assert.deepStrictEqual(yield* store(stranger, ({ received }) => received({ limit: 10 })), {
            items: [],
            next: null
          })
          assert.isFalse(yield* store(stranger, ({ change }) => change({ ...entry, version: 2 }, [], aPassed)))
          assert.isFalse(yield* store(stranger, ({ remove }) => remove(entry.id, aPassed)))
          const { personId } = reach.principal
          assert.isFalse(yield* store(stranger, ({ share }) => share(entry.id, personId, spaceId, aPassed)))
          assert.isFalse(yield* store(stranger, ({ unshare }) => unshare(entry.id, personId, aPassed)))
          assert.deepStrictEqual(yield* store(stranger, ({ sharesOf }) => sharesOf(entry.id)), [])
        }
        assert.strictEqual((yield* found(reach, entry.id))?.entry.version, 1)
      })
  )

  check(
    "if several calls create the vault of one person at the same moment, only one of their data keys is stored, and the log gets one event",
    () =>
      Effect.gen(function* () {
        const { personId, reach } = yield* aMember()
        assert.isNull(yield* store(reach, ({ vault }) => vault))
        const keys = [1, 2, 3, 4].map((byte) => Buffer.alloc(8, byte))
        yield* Effect.forEach(keys, (key) => begun(reach, key), { concurrency: "unbounded" })
        const vault = yield* store(reach, (each) => each.vault)
        assert.isTrue(keys.some((key) => vault?.sealedKey.equals(key)))
        const types = (yield* eventsIn(personId, personId)).map(({ type }) => type)
        assert.deepStrictEqual(types, ["vault.begin"])
      })
  )

  check(
    "the vault store returns an entry as it was stored, and a listing of entries can be filtered and can begin after a given entry",
    () =>
      Effect.gen(function* () {
        const { personId, reach } = yield* aMember()
        yield* begun(reach)
        const first = yield* added(reach, { sealedNotes: Buffer.from("notes"), hasNotes: true, expiresAt: moment })
        const second = yield* added(reach, { category: null, tags: [], url: null })
        assert.deepStrictEqual(yield* found(reach, first.id), { entry: first, sealedKey: Buffer.from("key") })
        assert.deepStrictEqual((yield* found(reach, second.id))?.entry, second)
        assert.deepStrictEqual(idsOf(yield* listed(reach)), [second.id, first.id])
        assert.deepStrictEqual(idsOf(yield* listed(reach, { after: second.id })), [first.id])
        assert.deepStrictEqual(idsOf(yield* listed(reach, { offset: 1 })), [first.id])
        assert.deepStrictEqual(idsOf(yield* listed(reach, { category: "work" })), [first.id])
        assert.deepStrictEqual(idsOf(yield* listed(reach, { tag: "eu" })), [first.id])
        assert.deepStrictEqual(idsOf(yield* listed(reach, { tag: "e" })), [])
        const event = (yield* eventsIn(personId, personId)).find(({ type }) => type === "vault.create")
        assert.deepStrictEqual(event?.data, {})
      })
  )

  check("if several callers change one version of a vault entry at the same moment, only one change is stored", () =>
    Effect.gen(function* () {
      const { reach } = yield* aMember()
      yield* begun(reach)
      const entry = yield* added(reach)
      const changes = ["one", "two", "three"].map((name) =>
        store(reach, ({ change }) => change({ ...entry, name, version: 2 }, ["name"], aPassed))
      )
      const stored = yield* Effect.all(changes, { concurrency: "unbounded" })
      assert.lengthOf(
        stored.filter((isStored) => isStored),
        1
      )
      assert.isTrue(yield* store(reach, ({ remove }) => remove(entry.id, aPassed)))
      assert.isFalse(yield* store(reach, ({ remove }) => remove(entry.id, aPassed)))
      assert.isNull(yield* found(reach, entry.id))
    })
  )

  check(
    "a person can share a vault entry only with a member of the given workspace, and the member can read the entry until the sharing ends or the member leaves",
    () =>
      Effect.gen(function* () {
        const { personId, reach, spaceId } = yield* aMember()
        yield* begun(reach)
        const entry = yield* added(reach)
        const reader = yield* aColleagueOf(reach, spaceId)
        const readerId = reader.principal.personId
        const stranger = yield* aPerson
        assert.isFalse(yield* store(reach, ({ share }) => share(entry.id, stranger, spaceId, aPassed)))
        assert.isFalse(yield* store(reach, ({ share }) => share(entry.id, personId, spaceId, aPassed)))
        assert.isFalse(yield* store(reach, ({ share }) => share(entry.id, readerId, uuidv7(), aPassed)))
        for (const _ of [1, 2]) {
          assert.isTrue(yield* store(reach, ({ share }) => share(entry.id, readerId, spaceId, aPassed)))
        }
        assert.deepStrictEqual((yield* found(reader, entry.id))?.entry.sealedValue, entry.sealedValue)
        const [received, ...others] = yield* itemsOf(store(reader, (each) => each.received({ limit: 10 })))
        assert.lengthOf(others, 0)
        assert.deepInclude(received, { ownerName: "Somebody", workspaceId: spaceId })
        assert.strictEqual(received.entry.id, entry.id)
        const second = yield* added(reach)
        yield* store(reach, ({ share }) => share(second.id, readerId, spaceId, aPassed))
        const pages = yield* idsByCursor(
          (place) =>
            Effect.map(
              store(reader, (each) => each.received(place)),
              (page) => mapPage(page, (one) => one.entry)
            ),
          1
        )
        assert.deepStrictEqual(pages, [[second.id], [entry.id]])
        assert.deepStrictEqual(yield* listed(reader), [])
        assert.isFalse(yield* store(reader, ({ change }) => change({ ...entry, version: 2 }, [], aPassed)))
        assert.isFalse(yield* store(reader, ({ remove }) => remove(entry.id, aPassed)))
        // The reader has left the workspace, so this caller has no access to the workspace any more.
        assert.isNull(yield* found(aReach({ personId: readerId }), entry.id))
        const [shared] = yield* store(reach, ({ sharesOf }) => sharesOf(entry.id))
        assert.deepInclude(shared, { userId: readerId, workspaceId: spaceId })
        assert.isTrue(yield* store(reach, ({ unshare }) => unshare(entry.id, readerId, aPassed)))
        assert.isNull(yield* found(reader, entry.id))
        assert.isFalse(yield* store(reach, ({ unshare }) => unshare(entry.id, readerId, aPassed)))
      })
  )

  check(
    "the vault store counts the unlocks of a vault and keeps its recovery key, and a recovery changes nothing if the data key was replaced in the meantime",
    () =>
      Effect.gen(function* () {
        const { reach } = yield* aMember()
        const changed = (change: Parameters<Store["changeVault"]>[0]) =>
          store(reach, ({ changeVault }) => changeVault(change, aPassed))
        assert.isFalse(yield* changed({ kind: "unlock" }))
        yield* begun(reach)
        assert.isTrue(yield* changed({ kind: "unlock" }))
        assert.isTrue(yield* changed({ kind: "unlock" }))
        const recovery = { hash: Buffer.from("hash"), sealedKey: Buffer.from("recovery") }
        assert.isTrue(yield* changed({ kind: "recovery", recovery }))
        const [former, sealedKey] = [Buffer.from("key"), Buffer.from("another")]
        assert.isTrue(yield* changed({ kind: "recover", sealedKey, former }))
        assert.isFalse(yield* changed({ kind: "recover", sealedKey: former, former }))
        const vault = yield* store(reach, (each) => each.vault)
        assert.deepInclude(vault, { sealedKey, unlocks: 2 })
        assert.deepInclude(vault?.recovery, recovery)
        assert.isNotNull(vault?.unlockedAt)
      })
  )
}
