/** What every store of invitations must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Exit, type Layer } from "effect"
import { randomBytes } from "node:crypto"
import type { StoredInvitation } from "../../../src/features/invitations/Invitation.ts"
import { InvitationStore } from "../../../src/features/invitations/InvitationStore.ts"
import { AccountStore } from "../../../src/features/people/AccountStore.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPerson, aWorkspaceOf, eventsIn, aPersonRow, upTo } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"
import { idsByCursor, itemsOf } from "../../support/pages.ts"

// The clock of a test shows 1970, and the clock of a database shows the present. One of these times is before both
// clocks, and the other is after both.
const past = DateTime.unsafeMake("1969-01-01")
const future = DateTime.unsafeMake("2999-01-01")

const anInvitation = (invitedBy: string, given: Partial<StoredInvitation> = {}): StoredInvitation => ({
  id: uuidv7(),
  invitedBy,
  note: null,
  workspaceId: null,
  role: null,
  createdAt: DateTime.unsafeMake(0),
  expiresAt: future,
  usedAt: null,
  usedBy: null,
  withdrawnAt: null,
  ...given
})

/** The owner of the pod. The first test that asks for the owner makes a person the owner. */
const theOwner = Effect.gen(function* () {
  const people = yield* PeopleStore
  const owner = { ...aPersonRow(), email: "the-owner@example.com" }
  const exit = yield* Effect.exit(people.claim(owner, null))
  if (Exit.isSuccess(exit)) ownerIds.set(people, owner.id)
  return ownerIds.get(people) ?? (yield* Effect.dieMessage("somebody else claimed the pod"))
})
const ownerIds = new WeakMap<object, string>()

const anAdministrator = Effect.gen(function* () {
  const owner = yield* theOwner
  const personId = yield* aPerson
  const { appoint } = yield* AccountStore
  yield* withReach(aReach({ personId: owner }))(appoint(personId, true, aPassed))
  return personId
})

const kept = (invitation: StoredInvitation, secretMark = "mark of tests") =>
  Effect.gen(function* () {
    const store = yield* InvitationStore
    const hash = randomBytes(32)
    yield* withReach(aReach({ personId: invitation.invitedBy }))(store.add({ invitation, hash, secretMark }, aPassed))
    return { hash, invitation }
  })

const all = { limit: 200, offset: 0 }

const find = (hash: Buffer) => Effect.flatMap(InvitationStore, (store) => store.find(hash))
const stateOf = (hash: Buffer) => Effect.map(find(hash), (found) => found?.state)

export const invitationStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "the invitation store does not accept an unknown, expired or withdrawn invitation, and says whether the invitation has expired or was withdrawn",
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const owner = yield* theOwner
      const late = yield* kept(anInvitation(owner, { expiresAt: past }))
      const taken = yield* kept(anInvitation(owner))
      const reach = aReach({ personId: owner })
      assert.isNotNull((yield* withReach(reach)(store.withdraw(taken.invitation.id, aPassed)))?.withdrawnAt)
      for (const [hash, state] of [
        [randomBytes(32), undefined],
        [late.hash, "expired"],
        [taken.hash, "withdrawn"]
      ] as const) {
        assert.strictEqual(yield* stateOf(hash), state)
        assert.isUndefined(yield* store.use(hash, uuidv7()))
        assert.strictEqual(yield* stateOf(hash), state)
      }
      for (const { invitation } of [late, taken]) {
        assert.isUndefined(yield* withReach(reach)(store.withdraw(invitation.id, aPassed)))
      }
    })
  )

  rule(
    "the invitation store counts the open invitations whose tokens were not hashed with the current pepper, because these invitations need a former pepper",
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const owner = yield* theOwner
      const before = yield* store.countOtherMark("new")
      yield* kept(anInvitation(owner), "new")
      yield* kept(anInvitation(owner, { expiresAt: past }), "old")
      const taken = yield* kept(anInvitation(owner), "old")
      yield* kept(anInvitation(owner), "old")
      assert.strictEqual(yield* store.countOtherMark("new"), before + 2)
      yield* withReach(aReach({ personId: owner }))(store.withdraw(taken.invitation.id, aPassed))
      assert.strictEqual(yield* store.countOtherMark("new"), before + 1)
    })
  )

  rule(
    "only the person who made an invitation and the owner of the pod can list and withdraw the invitation",
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const owner = yield* theOwner
      const { hash, invitation } = yield* kept(anInvitation(owner))
      for (const personId of [yield* aPerson, yield* anAdministrator]) {
        const other = withReach(aReach({ personId }))
        assert.deepStrictEqual(yield* itemsOf(other(store.list(all))), [])
        assert.isUndefined(yield* other(store.get(invitation.id)))
        assert.isUndefined(yield* other(store.withdraw(invitation.id, aPassed)))
      }
      assert.strictEqual(yield* stateOf(hash), "open")
    })
  )

  rule(
    "an invitation without a workspace cannot be used while its inviter is only a member of the pod, or is a suspended or dismissed administrator",
    Effect.gen(function* () {
      const [store, accounts] = [yield* InvitationStore, yield* AccountStore]
      const ofOwner = withReach(aReach({ personId: yield* theOwner }))
      const [member, suspended, dismissed] = [yield* aPerson, yield* anAdministrator, yield* anAdministrator]
      const links = yield* Effect.forEach([member, suspended, dismissed], (id) => kept(anInvitation(id)))
      yield* ofOwner(accounts.suspend(suspended, true, aPassed))
      yield* ofOwner(accounts.appoint(dismissed, false, aPassed))
      for (const { hash } of links) {
        assert.strictEqual(yield* stateOf(hash), "closed")
        assert.isUndefined(yield* store.use(hash, uuidv7()))
      }
      // The refusals did not use up the links. After the inviters regain the right to invite, the store accepts their
      // links.
      yield* ofOwner(accounts.suspend(suspended, false, aPassed))
      yield* ofOwner(accounts.appoint(dismissed, true, aPassed))
      const used = yield* Effect.forEach(links, ({ hash }) => store.use(hash, uuidv7()))
      assert.deepStrictEqual(
        used.map((each) => each?.invitedBy),
        [undefined, suspended, dismissed]
      )
      assert.deepStrictEqual(yield* Effect.forEach(links, ({ hash }) => stateOf(hash)), ["closed", "used", "used"])
    })
  )

  rule(
    "the owner of the pod can list and withdraw the invitation of an administrator",
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const owner = yield* theOwner
      const administrator = yield* anAdministrator
      const { hash, invitation } = yield* kept(anInvitation(administrator))
      const ofOwner = withReach(aReach({ personId: owner }))
      assert.include(
        (yield* itemsOf(ofOwner(store.list(all)))).map(({ id }) => id),
        invitation.id
      )
      const own = yield* withReach(aReach({ personId: administrator }))(store.get(invitation.id))
      assert.deepStrictEqual([own, yield* ofOwner(store.get(invitation.id))], [invitation, invitation])
      assert.isUndefined(yield* ofOwner(store.get(uuidv7())))
      assert.strictEqual((yield* ofOwner(store.withdraw(invitation.id, aPassed)))?.invitedBy, administrator)
      assert.strictEqual(yield* stateOf(hash), "withdrawn")
      const event = (yield* eventsIn(owner, owner)).at(-1)
      assert.deepInclude(event, { type: "invitation.withdraw", subjectId: invitation.id })
    })
  )

  rule(
    "when many people use one invitation at the same moment, only one person succeeds, and the listing shows this person",
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const owner = yield* theOwner
      const { hash, invitation } = yield* kept(anInvitation(owner, { note: "for one" }))
      const guests = upTo(8).map(() => uuidv7())
      const used = yield* Effect.forEach(guests, (id) => store.use(hash, id), { concurrency: "unbounded" })
      const won = used.flatMap((each) => (each === undefined ? [] : [each.usedBy]))
      assert.lengthOf(won, 1)
      const listed = yield* itemsOf(withReach(aReach({ personId: owner }))(store.list(all)))
      const found = listed.find(({ id }) => id === invitation.id)
      assert.deepInclude(found, { id: invitation.id, note: "for one", usedBy: won[0], withdrawnAt: null })
      assert.isNotNull(found?.usedAt)
    })
  )

  rule(
    "invitations are listed newest first in pages, and the inviter's log contains the events of the invitations",
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const owner = yield* theOwner
      const ids: Array<string> = []
      for (const second of [1, 2, 3]) {
        const { invitation } = yield* kept(
          anInvitation(owner, { createdAt: DateTime.unsafeMake(`2900-01-01T00:00:0${second}Z`) })
        )
        ids.push(invitation.id)
      }
      const reach = aReach({ personId: owner })
      const page = (limit: number, offset: number) =>
        Effect.map(withReach(reach)(store.list({ limit, offset })), ({ items }) => items.map(({ id }) => id))
      assert.deepStrictEqual(yield* page(2, 0), [ids[2], ids[1]])
      assert.deepStrictEqual(yield* page(1, 2), [ids[0]])
      const before = (yield* itemsOf(withReach(reach)(store.list(all)))).map(({ id }) => id)
      const later = kept(anInvitation(owner, { createdAt: DateTime.unsafeMake("2900-01-01T00:00:04Z") }))
      const pages = yield* idsByCursor((place) => withReach(reach)(store.list(place)), 2, later)
      assert.deepStrictEqual(pages.flat(), before)
      yield* withReach(reach)(store.withdraw(ids[0] ?? "", aPassed))
      const events = (yield* eventsIn(owner, owner)).filter(({ subjectId }) => ids.includes(subjectId ?? ""))
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["invitation.create", "invitation.create", "invitation.create", "invitation.withdraw"]
      )
    })
  )

  rule(
    "an invited person does not join a workspace of which the inviter is not a member, and the log of a joined workspace gets an event about the new member",
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const people = yield* PeopleStore
      const owner = yield* theOwner
      const stranger = yield* aPerson
      const [own, foreign] = [yield* aWorkspaceOf(owner), yield* aWorkspaceOf(stranger)]
      const guest = yield* aPerson
      for (const [workspaceId, expected] of [
        [foreign, false],
        [own, true],
        [owner, false],
        [uuidv7(), false]
      ] as const) {
        const invitation = anInvitation(owner, { workspaceId, role: "viewer" })
        const reach = aReach({ personId: owner, spaces: [workspaceId] })
        assert.strictEqual(yield* withReach(reach)(store.join(invitation, guest, aPassed)), expected, workspaceId)
      }
      const access = yield* people.accessOf(guest)
      assert.deepStrictEqual(access.memberships, [
        { spaceId: guest, role: "owner" },
        { spaceId: own, role: "viewer" }
      ])
      assert.strictEqual(access.epoch, 2)
      const event = (yield* eventsIn(own, owner)).at(-1)
      assert.deepInclude(event, { type: "member.create", subjectId: guest })
    })
  )

  rule(
    "the link of a workspace admin who is only a member of the pod lets a person of the pod join the workspace, but creates no account",
    Effect.gen(function* () {
      const [store, accounts, owner] = [yield* InvitationStore, yield* AccountStore, yield* theOwner]
      const [admin, stranger] = [yield* aPerson, yield* aPerson]
      const [own, foreign] = [yield* aWorkspaceOf(admin, "Quay"), yield* aWorkspaceOf(stranger, "Secret")]
      const rights = (each: { readonly hash: Buffer; readonly invitation: StoredInvitation }) =>
        Effect.gen(function* () {
          const { invitedBy, workspaceId } = each.invitation
          const reach = aReach({ personId: invitedBy, spaces: [workspaceId ?? ""] })
          const found = yield* find(each.hash)
          const name = yield* withReach(reach)(store.workspaceName(each.invitation))
          return [found?.state, found?.createsAccount, found?.inviterName, name]
        })
      const link = yield* kept(anInvitation(admin, { workspaceId: own, role: "viewer" }))
      assert.deepStrictEqual((yield* find(link.hash))?.invitation, link.invitation)
      assert.deepStrictEqual(yield* rights(link), ["open", false, "Somebody", "Quay"])
      assert.isUndefined(yield* store.use(link.hash, uuidv7()))
      const withoutRight = yield* kept(anInvitation(admin, { workspaceId: foreign, role: "viewer" }))
      assert.deepStrictEqual(yield* rights(withoutRight), ["open", false, "Somebody", undefined])
      const ofOwner = yield* kept(anInvitation(owner, { workspaceId: foreign, role: "viewer" }))
      assert.deepStrictEqual(yield* rights(ofOwner), ["open", true, "Somebody", undefined])
      yield* withReach(aReach({ personId: owner }))(accounts.suspend(admin, true, aPassed))
      assert.strictEqual(yield* stateOf(link.hash), "closed")
      const guest = withReach(aReach({ personId: yield* aPerson }))
      assert.isUndefined(yield* guest(store.useAsMember(link.invitation, aPassed)))
      yield* withReach(aReach({ personId: owner }))(accounts.suspend(admin, false, aPassed))
      assert.isDefined(yield* guest(store.useAsMember(link.invitation, aPassed)))
    })
  )

  rule(
    "of many people of the pod who use one invitation at the same moment, one succeeds, and the log of this person gets the event",
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const owner = yield* theOwner
      const workspaceId = yield* aWorkspaceOf(owner)
      const { hash, invitation } = yield* kept(anInvitation(owner, { workspaceId, role: "viewer" }))
      const guests = yield* Effect.forEach(upTo(6), () => aPerson)
      const used = yield* Effect.forEach(
        guests,
        (personId) => withReach(aReach({ personId }))(store.useAsMember(invitation, aPassed)),
        { concurrency: "unbounded" }
      )
      const won = used.flatMap((each) => (each?.usedBy == null ? [] : [each.usedBy]))
      assert.lengthOf(won, 1)
      assert.include(guests, won[0])
      assert.strictEqual(yield* stateOf(hash), "used")
      const logs = yield* Effect.forEach(guests, (guest) => eventsIn(guest, guest))
      assert.deepStrictEqual(
        logs.flat().map(({ data, type }) => ({ data, type })),
        [{ type: "invitation.use", data: { userId: won[0], workspaceId } }]
      )
    })
  )

  rule(
    "a person who already belongs to the pod cannot use an invitation that names no workspace, has expired, was withdrawn or was used",
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const owner = yield* theOwner
      const workspaceId = yield* aWorkspaceOf(owner)
      const place = { workspaceId, role: "viewer" as const }
      const withoutWorkspace = yield* kept(anInvitation(owner))
      const expired = yield* kept(anInvitation(owner, { ...place, expiresAt: past }))
      const withdrawn = yield* kept(anInvitation(owner, place))
      const used = yield* kept(anInvitation(owner, place))
      yield* withReach(aReach({ personId: owner }))(store.withdraw(withdrawn.invitation.id, aPassed))
      yield* store.use(used.hash, uuidv7())
      const guest = yield* aPerson
      for (const { invitation } of [withoutWorkspace, expired, withdrawn, used]) {
        assert.isUndefined(yield* withReach(aReach({ personId: guest }))(store.useAsMember(invitation, aPassed)))
      }
      assert.deepStrictEqual(yield* eventsIn(guest, guest), [])
    })
  )

  rule(
    "the log of the inviter has an event which says that the invited person joined the pod, and which workspace the person joined",
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const owner = yield* theOwner
      const guest = uuidv7()
      const invitation = anInvitation(owner, { workspaceId: uuidv7(), role: "editor" })
      const reach = withReach(aReach({ personId: owner }))
      yield* reach(store.note(invitation, { personId: guest, hasJoined: false }, aPassed))
      yield* reach(store.note(invitation, { personId: guest, hasJoined: true }, aPassed))
      const events = (yield* eventsIn(owner, owner)).filter(({ subjectId }) => subjectId === invitation.id)
      assert.deepStrictEqual(
        events.map(({ data }) => data),
        [
          { userId: guest, workspaceId: null },
          { userId: guest, workspaceId: invitation.workspaceId }
        ]
      )
    })
  )
}
