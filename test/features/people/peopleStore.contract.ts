/** What every store of people must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Exit, type Layer, Option } from "effect"
import { randomBytes } from "node:crypto"
import type { NewPerson } from "../../../src/features/people/Person.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { anAgent, aPerson, aWorkspaceOf, eventsIn, aPersonRow, throughKey, upTo } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"

const tagOf = <A, E extends { readonly _tag: string }, R>(work: Effect.Effect<A, E, R>) =>
  Effect.match(work, { onFailure: ({ _tag }) => _tag, onSuccess: () => "it was done" })

const claimed = (person: NewPerson, link: Buffer | null = null) =>
  Effect.flatMap(PeopleStore, ({ claim }) => tagOf(claim(person, link)))

const isKnown = (id: string) =>
  Effect.flatMap(PeopleStore, ({ accessOf }) => Effect.map(tagOf(accessOf(id)), (tag) => tag !== "UserUnknown"))

// The clock of a test starts in 1970, so this time is in the past.
const past = DateTime.unsafeMake("1969-01-01")
const future = DateTime.unsafeMake("2999-01-01")

/**
 * A pod can be claimed (get its first owner) only once. So one test contains all rules of the claim. No earlier test
 * may claim the pod of this database.
 */
const claiming = Effect.gen(function* () {
  const people = yield* PeopleStore
  const [link, late] = [randomBytes(32), randomBytes(32)]
  yield* people.addSetupLink(link, future)
  yield* people.addSetupLink(late, past)
  for (const refused of [randomBytes(32), late]) {
    const nobody = aPersonRow()
    assert.strictEqual(yield* claimed(nobody, refused), "SetupLinkInvalid")
    assert.isFalse(yield* isKnown(nobody.id))
  }
  assert.isFalse(yield* people.hasOwner)
  const states = Effect.forEach([link, late, randomBytes(32)], people.setupLinkState)
  assert.deepStrictEqual(yield* states, ["open", "expired", undefined])

  // An account with this e-mail address exists already, so the claim fails half way, and nothing of the claim is
  // stored.
  const known = aPersonRow()
  yield* people.addPerson(known)
  const broken = { ...aPersonRow(), email: known.email.toUpperCase() }
  assert.isTrue(Exit.isFailure(yield* Effect.exit(people.claim(broken, link))))
  assert.isFalse(yield* people.hasOwner)
  assert.isFalse(yield* isKnown(broken.id))

  const candidates = upTo(8).map(() => aPersonRow())
  const outcomes = yield* Effect.forEach(candidates, (candidate) => claimed(candidate, link), {
    concurrency: "unbounded"
  })
  assert.lengthOf(
    outcomes.filter((outcome) => outcome === "it was done"),
    1
  )
  assert.isTrue(yield* people.hasOwner)
  const winner = candidates[outcomes.indexOf("it was done")]
  const losers = candidates.filter((candidate) => candidate !== winner)
  assert.strictEqual((yield* people.accessOf(winner.id)).podRole, "owner")
  for (const { id } of losers) assert.isFalse(yield* isKnown(id))
  assert.strictEqual((yield* people.accessOf(known.id)).podRole, "member")

  // The claim used up its link and deleted all further links. So a second claim with this link fails, and a claim
  // without a link finds that the pod has an owner.
  assert.strictEqual(yield* claimed(aPersonRow(), link), "SetupLinkInvalid")
  assert.strictEqual(yield* claimed(aPersonRow()), "AlreadyClaimed")
  assert.deepStrictEqual(yield* states, ["used", undefined, undefined])
  assert.deepStrictEqual(yield* people.usedSetupLink, Option.some(link))
})

export const peopleStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "when many people claim a pod at the same moment, one person becomes the owner, and the other people are not stored",
    claiming
  )

  rule(
    "the people store returns no access rights for the id of a person who was never added",
    Effect.gen(function* () {
      assert.isFalse(yield* isKnown(uuidv7()))
    })
  )

  rule(
    "two people cannot have the same e-mail address, even in different letter case",
    Effect.gen(function* () {
      const people = yield* PeopleStore
      const email = `${uuidv7()}@example.com`
      const many = upTo(4).map((at) => ({ ...aPersonRow(), email: at % 2 === 0 ? email.toUpperCase() : email }))
      const exits = yield* Effect.forEach(many, (person) => Effect.exit(people.addPerson(person)), {
        concurrency: "unbounded"
      })
      assert.lengthOf(exits.filter(Exit.isSuccess), 1)
      const known = yield* Effect.filter(many, ({ id }) => isKnown(id))
      assert.lengthOf(known, 1)
    })
  )

  rule(
    "a person's list of agents does not contain the agents of other people",
    Effect.gen(function* () {
      const people = yield* PeopleStore
      const [one, other] = [aReach({ personId: yield* aPerson }), aReach({ personId: yield* aPerson })]
      const agent = yield* withReach(one)(people.addAgent(uuidv7(), anAgent(), aPassed))
      assert.deepStrictEqual(yield* withReach(other)(people.agents), [])
      assert.deepStrictEqual(yield* withReach(one)(people.agents), [agent])
    })
  )

  rule(
    "a new person owns only the personal space, and the access rights of the person's agent contain the same memberships as those of the person",
    Effect.gen(function* () {
      const people = yield* PeopleStore
      const person = { ...aPersonRow(), name: "A Person" }
      yield* people.addPerson(person)
      const own = { spaceId: person.id, role: "owner" as const }
      const access = {
        holder: { id: person.id, kind: "person" as const, capabilities: [] },
        name: "A Person",
        email: person.email,
        personId: person.id,
        podRole: "member" as const,
        isSuspended: false,
        epoch: 1,
        memberships: [own]
      }
      assert.deepStrictEqual(yield* people.accessOf(person.id), access)
      const reach = aReach({ personId: person.id })
      const agent = yield* withReach(reach)(people.addAgent(uuidv7(), anAgent(), aPassed))
      const holder = { id: agent.id, kind: "agent" as const, capabilities: [] }
      assert.deepStrictEqual(yield* people.accessOf(agent.id), { ...access, holder })

      const spaceId = yield* aWorkspaceOf(person.id)
      const after = yield* people.accessOf(agent.id)
      assert.deepStrictEqual(after.memberships, [own, { spaceId, role: "owner" }])
      assert.strictEqual(after.epoch, 2)
    })
  )

  rule(
    "when a person adds an agent, the person's log gets an event, and the agent has no capability and needs approval for its writes",
    Effect.gen(function* () {
      const people = yield* PeopleStore
      const personId = yield* aPerson
      const reach = aReach({ personId })
      const id = uuidv7()
      const { createdAt, ...agent } = yield* withReach(reach)(people.addAgent(id, anAgent(), aPassed))
      const asked = { capabilities: [], writesRequireProposal: true, isSuspended: false, agentType: null }
      assert.deepStrictEqual(agent, { id, name: "Agent", linkedUserId: personId, ...asked })
      const second = yield* withReach(reach)(people.addAgent(uuidv7(), anAgent({ name: "Second" }), aPassed))
      assert.deepStrictEqual(yield* withReach(reach)(people.agents), [{ ...agent, createdAt }, second])
      const [event, ...more] = yield* eventsIn(personId, personId)
      assert.lengthOf(more, 1)
      const expectedEvent = { type: "agent.create", subjectId: id, actorId: personId, userId: personId, seq: 1 }
      assert.deepInclude(event, { ...expectedEvent, correlationId: reach.origin.requestId, workspaceId: null })
    })
  )

  rule(
    "when a person changes an agent, only the given fields change, the log gets an event, and the cached rights of the agent become outdated",
    Effect.gen(function* () {
      const people = yield* PeopleStore
      const personId = yield* aPerson
      const reach = aReach({ personId })
      const capabilities = ["entity.note", "document.create"]
      const made = yield* withReach(reach)(people.addAgent(uuidv7(), anAgent({ capabilities }), aPassed))
      const sibling = yield* withReach(reach)(people.addAgent(uuidv7(), anAgent({ name: "Sibling" }), aPassed))
      assert.deepStrictEqual((yield* people.accessOf(made.id)).holder.capabilities, capabilities)
      const steps = [
        { name: "Renamed" },
        { capabilities: [] },
        { writesRequireProposal: false },
        { isSuspended: true },
        { isSuspended: false },
        { name: "Scribe", capabilities: ["*"], writesRequireProposal: true }
      ]
      let expected = made
      let epoch = (yield* people.accessOf(made.id)).epoch
      for (const step of steps) {
        expected = { ...expected, ...step }
        assert.deepStrictEqual(yield* withReach(reach)(people.changeAgent(made.id, step, aPassed)), expected)
        const access = yield* people.accessOf(made.id)
        assert.isAbove(access.epoch, epoch)
        epoch = access.epoch
        assert.deepStrictEqual(access.holder.capabilities, expected.capabilities)
        assert.strictEqual(access.isSuspended, expected.isSuspended)
      }
      assert.deepStrictEqual(yield* withReach(reach)(people.agents), [expected, sibling])
      const events = (yield* eventsIn(personId, personId)).slice(2)
      assert.deepStrictEqual(
        events.map(({ type, subjectId, data }) => [type, subjectId, data]),
        steps.map((step) => ["agent.update", made.id, step])
      )
    })
  )

  rule(
    "if agents are added at the same moment, each new agent gets an event, and no event number is missing",
    Effect.gen(function* () {
      const people = yield* PeopleStore
      const personId = yield* aPerson
      const add = () => withReach(aReach({ personId }))(people.addAgent(uuidv7(), anAgent(), aPassed))
      yield* Effect.forEach(upTo(16), add, { concurrency: "unbounded" })
      const events = yield* eventsIn(personId, personId)
      assert.deepStrictEqual(
        events.map(({ seq }) => seq),
        upTo(16)
      )
    })
  )

  rule(
    "the record of the caller contains the person, and for an agent's key also the agent",
    Effect.gen(function* () {
      const people = yield* PeopleStore
      const person = aPersonRow()
      yield* people.addPerson(person)
      const reach = aReach({ personId: person.id })
      const me = { id: person.id, name: person.name, email: person.email, agentId: null }
      assert.deepStrictEqual(yield* withReach(reach)(people.me), me)
      const agent = yield* withReach(reach)(people.addAgent(uuidv7(), anAgent(), aPassed))
      const acting = yield* throughKey(reach, agent.id)
      assert.deepStrictEqual(yield* withReach(acting)(people.me), { ...me, agentId: agent.id })
    })
  )
}
