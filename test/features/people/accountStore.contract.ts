/** What every store of accounts must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { PagePlace } from "../../../src/doors/PageOrder.ts"
import { AccountStore } from "../../../src/features/people/AccountStore.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { anAgent, aPerson, eventsIn, aPersonRow, theOwner } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"
import { idsByCursor, itemsOf } from "../../support/pages.ts"

const all = { limit: 200, offset: 0 }

export const accountStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a member can neither list the people of the pod, suspend a person nor appoint an administrator, and no person can suspend the owner",
    Effect.gen(function* () {
      const store = yield* AccountStore
      const people = yield* PeopleStore
      const owner = yield* theOwner
      const [one, other] = [yield* aPerson, yield* aPerson]
      const reach = withReach(aReach({ personId: one }))
      assert.deepStrictEqual(yield* itemsOf(reach(store.people(all))), [])
      assert.isUndefined(yield* reach(store.suspend(other, true, aPassed)))
      assert.isUndefined(yield* reach(store.suspend(owner, true, aPassed)))
      assert.isUndefined(yield* reach(store.appoint(one, true, aPassed)))
      const ofOwner = withReach(aReach({ personId: owner }))
      for (const change of [store.suspend(owner, true, aPassed), store.appoint(owner, true, aPassed)]) {
        const kept = yield* ofOwner(change)
        assert.deepInclude(kept?.person, { id: owner, isOwner: true, isAdministrator: false, isSuspended: false })
        assert.isFalse(kept?.isChanged)
      }
      assert.strictEqual((yield* people.accessOf(one)).podRole, "member")
      for (const id of [owner, other]) assert.isFalse((yield* people.accessOf(id)).isSuspended)
    })
  )

  rule(
    "when a person is suspended, the person's agents are suspended too, and the cached rights of the person and of the agents become outdated",
    Effect.gen(function* () {
      const store = yield* AccountStore
      const people = yield* PeopleStore
      const owner = yield* theOwner
      const person = yield* aPerson
      const agent = yield* withReach(aReach({ personId: person }))(people.addAgent(uuidv7(), anAgent(), aPassed))
      const reach = withReach(aReach({ personId: owner }))
      for (const [at, isSuspended] of [true, false].entries()) {
        const change = yield* reach(store.suspend(person, isSuspended, aPassed))
        assert.isTrue(change?.isChanged)
        assert.deepInclude(change?.person, { id: person, isSuspended, isOwner: false, isAdministrator: false })
        for (const id of [person, agent.id]) {
          assert.deepInclude(yield* people.accessOf(id), { isSuspended, epoch: at + 2 })
        }
      }
      assert.isUndefined(yield* reach(store.suspend(agent.id, true, aPassed)))
      assert.isUndefined(yield* reach(store.suspend(uuidv7(), true, aPassed)))
      const events = (yield* eventsIn(owner, owner)).filter(({ subjectId }) => subjectId === person)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["person.suspend", "person.resume"]
      )
      const listed = yield* itemsOf(reach(store.people(all)))
      assert.includeMembers(
        listed.map(({ id }) => id),
        [owner, person]
      )
      assert.notInclude(
        listed.map(({ id }) => id),
        agent.id
      )
      assert.deepStrictEqual(
        listed.filter(({ isOwner }) => isOwner).map(({ id }) => id),
        [owner]
      )
    })
  )

  rule(
    "if a person joins between two pages of people, every other person appears exactly once, in the order in which they joined",
    Effect.gen(function* () {
      const store = yield* AccountStore
      const reach = withReach(aReach({ personId: yield* theOwner }))
      for (let count = 0; count < 4; count += 1) yield* aPerson
      const before = (yield* itemsOf(reach(store.people(all)))).map(({ id }) => id)
      const page = (place: PagePlace) => reach(store.people(place))
      assert.deepStrictEqual((yield* idsByCursor(page, 2)).flat(), before)
      const seen = (yield* idsByCursor(page, 2, aPerson)).flat()
      assert.deepStrictEqual(seen.slice(0, -1), before)
    })
  )

  rule(
    "an administrator of the pod can suspend members but neither the owner nor another administrator, and cannot appoint administrators",
    Effect.gen(function* () {
      const store = yield* AccountStore
      const people = yield* PeopleStore
      const owner = yield* theOwner
      const [first, second, member] = [yield* aPerson, yield* aPerson, yield* aPerson]
      const ofOwner = withReach(aReach({ personId: owner }))
      for (const id of [first, second]) {
        const change = yield* ofOwner(store.appoint(id, true, aPassed))
        assert.deepInclude(change?.person, { id, isAdministrator: true })
        assert.deepInclude(yield* people.accessOf(id), { podRole: "administrator", epoch: 2 })
      }
      const ofFirst = withReach(aReach({ personId: first }))
      for (const id of [owner, first, second]) {
        const change = yield* ofFirst(store.suspend(id, true, aPassed))
        assert.strictEqual(change?.isChanged, false, id)
        assert.isFalse((yield* people.accessOf(id)).isSuspended)
      }
      assert.deepInclude(yield* ofFirst(store.appoint(member, true, aPassed)), { isChanged: false })
      assert.strictEqual((yield* people.accessOf(member)).podRole, "member")
      assert.deepInclude(yield* ofFirst(store.suspend(member, true, aPassed)), { isChanged: true })
      assert.isTrue((yield* people.accessOf(member)).isSuspended)
      const listed = yield* itemsOf(ofFirst(store.people(all)))
      assert.includeMembers(
        listed.filter(({ isAdministrator }) => isAdministrator).map(({ id }) => id),
        [first, second]
      )
      assert.strictEqual((yield* eventsIn(first, first)).at(-1)?.type, "person.suspend")
    })
  )

  rule(
    "when an administrator of the pod is dismissed, the cached rights of this person become outdated, and the person can no longer suspend people",
    Effect.gen(function* () {
      const store = yield* AccountStore
      const people = yield* PeopleStore
      const owner = yield* theOwner
      const [former, member] = [yield* aPerson, yield* aPerson]
      const ofOwner = withReach(aReach({ personId: owner }))
      for (const isAdministrator of [true, false]) yield* ofOwner(store.appoint(former, isAdministrator, aPassed))
      assert.deepInclude(yield* people.accessOf(former), { podRole: "member", epoch: 3 })
      const ofFormer = withReach(aReach({ personId: former }))
      assert.isUndefined(yield* ofFormer(store.suspend(member, true, aPassed)))
      assert.deepStrictEqual(yield* itemsOf(ofFormer(store.people(all))), [])
      const events = (yield* eventsIn(owner, owner)).filter(({ subjectId }) => subjectId === former)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["person.appoint", "person.dismiss"]
      )
    })
  )

  rule(
    "a person changes their own name, the store changes the name of no other person, and the event of the change contains no name",
    Effect.gen(function* () {
      const store = yield* AccountStore
      const people = yield* PeopleStore
      const owner = yield* theOwner
      const [one, other] = [yield* aPerson, yield* aPerson]
      const before = yield* people.accessOf(one)
      yield* withReach(aReach({ personId: one }))(store.rename("Ana Lind", aPassed))
      const after = yield* people.accessOf(one)
      assert.strictEqual(after.name, "Ana Lind")
      assert.strictEqual(after.epoch, before.epoch + 1)
      for (const id of [owner, other]) assert.notStrictEqual((yield* people.accessOf(id)).name, "Ana Lind")
      const [event] = yield* eventsIn(one, one)
      assert.deepInclude(event, { type: "person.rename", subjectId: one, data: {} })
    })
  )

  rule(
    "a password change replaces the stored password hash only if the stored hash is still the hash that the caller checked",
    Effect.gen(function* () {
      const store = yield* AccountStore
      const people = yield* PeopleStore
      const person = { ...aPersonRow(), passwordHash: "the first" }
      yield* people.addPerson(person)
      const reach = withReach(aReach({ personId: person.id }))
      const mark = yield* store.passwordMark(person.email)
      assert.strictEqual(yield* reach(store.passwordHash), "the first")
      assert.isUndefined(yield* reach(store.changePassword({ from: "another", to: "mine" }, aPassed)))
      assert.strictEqual(yield* store.passwordMark(person.email), mark)
      assert.deepStrictEqual(yield* reach(store.changePassword({ from: "the first", to: "the second" }, aPassed)), [])
      assert.strictEqual(yield* reach(store.passwordHash), "the second")
      assert.notStrictEqual(yield* store.passwordMark(person.email), mark)
      assert.isUndefined(yield* store.passwordMark(`${uuidv7()}@example.com`))
      const [event] = yield* eventsIn(person.id, person.id)
      assert.deepInclude(event, { type: "person.changePassword", subjectId: person.id, data: {} })
    })
  )
}
