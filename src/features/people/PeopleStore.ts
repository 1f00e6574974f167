/** What is kept of people, agents and the ownership of the pod. */
import { Context, DateTime, Effect, Layer, Ref } from "effect"
import type { Membership, MembershipRole } from "../../doors/Principal.ts"
import { Reach } from "../../doors/Reach.ts"
import { findEmailAddress, passwordAccount } from "../../platform/SignIn.ts"
import { MemoryAccounts } from "../../platform/SignInMemory.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import type { Passed } from "../gate/Passed.ts"
import {
  type Access,
  type Agent,
  type AgentChange,
  type AgentDraft,
  AlreadyClaimed,
  EmailTaken,
  type Me,
  type NewPerson,
  SetupLinkInvalid,
  UserUnknown
} from "./Person.ts"

export class PeopleStore extends Context.Tag("pod/PeopleStore")<
  PeopleStore,
  {
    /** Whatever bounds a credential of this user. Asked before anybody is known, so it needs no reach. */
    readonly accessOf: (userId: string) => Effect.Effect<Access, UserUnknown>
    readonly me: Effect.Effect<Omit<Me, "scopes">, never, Reach>
    readonly agents: Effect.Effect<ReadonlyArray<Agent>, never, Reach>
    /** Adds an agent of the caller's person, with its event. What it writes is approved by that person. */
    readonly addAgent: (id: string, draft: AgentDraft, passed: Passed) => Effect.Effect<Agent, never, Reach>
    /** Changes an agent of the caller's person; what was remembered of it is stale from then on. */
    readonly changeAgent: (
      id: string,
      change: Omit<AgentChange, "agentId">,
      passed: Passed
    ) => Effect.Effect<Agent, never, Reach>
    readonly hasOwner: Effect.Effect<boolean>
    /**
     * Makes the pod's owner: the person, their account, their own space. One transaction in which only one claim can
     * win. With a setup link, the link is used up in the same step.
     */
    readonly claim: (
      owner: NewPerson,
      setupLinkHash: Buffer | null
    ) => Effect.Effect<void, AlreadyClaimed | SetupLinkInvalid>
    /** Adds a person who is not the owner, with their account and own space. */
    readonly addPerson: (person: NewPerson) => Effect.Effect<void, EmailTaken>
    /** Whether it would still make its holder the owner. */
    readonly hasSetupLink: (hash: Buffer) => Effect.Effect<boolean>
    readonly addSetupLink: (hash: Buffer, expiresAt: DateTime.Utc) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const accounts = yield* MemoryAccounts
      const users = yield* MemoryUsers
      const owner = yield* Ref.make<string | null>(null)
      const links = yield* Ref.make<ReadonlyArray<{ readonly hash: Buffer; readonly expiresAt: DateTime.Utc }>>([])
      const agents = Effect.map(Ref.get(users.agents), (all) => [...all.values()].map(({ agent }) => agent))

      const hasSetupLink = (setupLinkHash: Buffer) =>
        Effect.gen(function* () {
          const now = yield* DateTime.now
          return (yield* Ref.get(links)).some(
            ({ hash, expiresAt }) => hash.equals(setupLinkHash) && DateTime.greaterThan(expiresAt, now)
          )
        })

      const addPerson = (person: NewPerson) =>
        Effect.gen(function* () {
          const email = yield* findEmailAddress(person.email)
          const now = yield* DateTime.now
          const isNew = yield* Ref.modify(users.all, (all) =>
            [...all.values()].some((known) => known.email === email)
              ? [false, all]
              : [true, new Map(all).set(person.id, newcomer(person.id, person.name, email, now))]
          )
          if (!isNew) return yield* new EmailTaken()
          yield* accounts.add(
            passwordAccount({
              userId: person.id,
              email,
              name: person.name,
              passwordHash: person.passwordHash,
              now: DateTime.toDateUtc(now)
            })
          )
        }).pipe(Effect.catchTag("NoSuchElementException", Effect.die))

      return {
        accessOf: (userId) =>
          Effect.gen(function* () {
            const agent = (yield* agents).find(({ id }) => id === userId)
            const personId = agent?.linkedUserId ?? userId
            const person = (yield* Ref.get(users.all)).get(personId)
            if (person === undefined) return yield* new UserUnknown({ userId })
            return {
              holder: {
                id: userId,
                kind: agent === undefined ? ("person" as const) : ("agent" as const),
                capabilities: agent?.capabilities ?? []
              },
              name: person.name,
              email: person.email,
              personId,
              isPodOwner: (yield* Ref.get(owner)) === personId,
              isSuspended: person.isSuspended || (agent?.isSuspended ?? false),
              epoch: person.epoch,
              memberships: person.memberships
            }
          }),
        me: Effect.gen(function* () {
          const { principal } = yield* Reach
          const person = (yield* Ref.get(users.all)).get(principal.personId)
          return {
            id: principal.personId,
            name: person?.name ?? "",
            email: person?.email ?? null,
            agentId: principal.holder.kind === "agent" ? principal.holder.id : null
          }
        }),
        agents: Effect.gen(function* () {
          const { principal } = yield* Reach
          return (yield* agents).filter(({ linkedUserId }) => linkedUserId === principal.personId)
        }),
        addAgent: (id, { capabilities, name }, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const agent: Agent = {
              id,
              name,
              linkedUserId: reach.principal.personId,
              capabilities,
              writesRequireProposal: true,
              isSuspended: false,
              createdAt: yield* DateTime.now
            }
            yield* Ref.update(users.agents, (all) => new Map(all).set(id, { agent, roles: new Map() }))
            yield* append(
              reach,
              reach.principal.personId,
              {
                type: "agent.create",
                subjectId: id,
                data: { name, capabilities }
              },
              passed
            )
            return agent
          }),
        changeAgent: (id, change, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const { personId } = reach.principal
            const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
            const known = (yield* Ref.get(users.agents)).get(id)
            if (known === undefined) return yield* Effect.dieMessage("an agent was changed that is not there")
            const agent = { ...known.agent, ...given }
            yield* Ref.update(users.agents, (all) => new Map(all).set(id, { ...known, agent }))
            yield* Ref.update(users.all, (all) => {
              const person = all.get(personId)!
              return new Map(all).set(personId, { ...person, epoch: person.epoch + 1 })
            })
            yield* append(reach, personId, { type: "agent.update", subjectId: id, data: given }, passed)
            return agent
          }),
        hasOwner: Effect.map(Ref.get(owner), (id) => id !== null),
        hasSetupLink,
        claim: (person, setupLinkHash) =>
          Effect.gen(function* () {
            if (setupLinkHash !== null && !(yield* hasSetupLink(setupLinkHash))) return yield* new SetupLinkInvalid()
            const isFirst = yield* Ref.modify(owner, (id) => (id === null ? [true, person.id] : [false, id]))
            if (!isFirst) return yield* new AlreadyClaimed()
            yield* Effect.onError(Effect.orDie(addPerson(person)), () => Ref.set(owner, null))
            yield* Ref.set(links, [])
          }),
        addPerson,
        addSetupLink: (hash, expiresAt) => Ref.update(links, (all) => [...all, { hash, expiresAt }])
      }
    })
  )
}

interface MemoryUser {
  readonly name: string
  readonly email: string
  readonly epoch: number
  readonly isSuspended: boolean
  readonly createdAt: DateTime.Utc
  readonly memberships: ReadonlyArray<Membership>
}

const newcomer = (id: string, name: string, email: string, createdAt: DateTime.Utc): MemoryUser => ({
  name,
  email,
  epoch: 1,
  isSuspended: false,
  createdAt,
  memberships: [{ spaceId: id, role: "owner" }]
})

interface MemoryAgent {
  readonly agent: Agent
  /** By workspace that it was let into. */
  readonly roles: ReadonlyMap<string, MembershipRole>
}

/** People and agents as the memory twins share them: workspaces add memberships here. */
export class MemoryUsers extends Context.Tag("pod/MemoryUsers")<
  MemoryUsers,
  {
    readonly all: Ref.Ref<ReadonlyMap<string, MemoryUser>>
    readonly agents: Ref.Ref<ReadonlyMap<string, MemoryAgent>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.all({
      all: Ref.make<ReadonlyMap<string, MemoryUser>>(new Map()),
      agents: Ref.make<ReadonlyMap<string, MemoryAgent>>(new Map())
    })
  )
}
