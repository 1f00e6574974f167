/** The store of people, agents and the ownership of the pod. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { MemoryDatabase, memoryTable, type Rows } from "../../platform/MemoryDatabase.ts"
import { findEmailAddress, passwordAccount } from "../../platform/SignIn.ts"
import { accountTable } from "../../platform/SignInMemory.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import {
  type Access,
  type Agent,
  type AgentChange,
  AlreadyClaimed,
  EmailTaken,
  type Me,
  type NewAgent,
  type NewPerson,
  SetupLinkInvalid,
  type SetupLinkState,
  UserUnknown
} from "./Person.ts"
import {
  advanceEpoch,
  agentTable,
  membershipsOf,
  membershipTable,
  ownerTable,
  personTable,
  podOwnerOf,
  podRoleOf
} from "./UserTables.ts"

export class PeopleStore extends Context.Tag("pod/PeopleStore")<
  PeopleStore,
  {
    /**
     * Returns the access of the person or agent with this id, with everything that limits the credentials (keys and
     * sessions). The pod does not know the caller yet, so this call checks no rights.
     */
    readonly accessOf: (userId: string) => Effect.Effect<Access, UserUnknown>
    readonly me: Effect.Effect<Omit<Me, "scopes" | "podRole">, never, Reach>
    readonly agents: Effect.Effect<ReadonlyArray<Agent>, never, Reach>
    /** Adds an agent of the caller's person, with its event. This person approves the writes of the agent. */
    readonly addAgent: (id: string, draft: NewAgent, passed: Passed) => Effect.Effect<Agent, never, Reach>
    /** Changes an agent of the caller's person. Cached access of the agent becomes stale. */
    readonly changeAgent: (
      id: string,
      change: Omit<AgentChange, "agentId">,
      passed: Passed
    ) => Effect.Effect<Agent, never, Reach>
    readonly hasOwner: Effect.Effect<boolean>
    /** The id of the pod's owner. Undefined while the pod has no owner. */
    readonly ownerId: Effect.Effect<string | undefined>
    /**
     * Stores the first owner with the owner's account and own space, and makes the setup link invalid, in one
     * transaction. So if several people claim the pod at the same time, only one person succeeds.
     */
    readonly claim: (
      owner: NewPerson,
      setupLinkHash: Buffer | null
    ) => Effect.Effect<void, AlreadyClaimed | SetupLinkInvalid>
    /** Adds a person who is not the owner, with the person's account and own space. */
    readonly addPerson: (person: NewPerson) => Effect.Effect<void, EmailTaken>
    /**
     * Tells whether a setup link is open, used, expired or unknown. When the pod gets its owner, the store keeps the
     * link that the owner used and deletes all other links.
     */
    readonly setupLinkState: (hash: Buffer) => Effect.Effect<SetupLinkState>
    /** The hash of the setup link that the owner used. None if the pod has no such link. */
    readonly usedSetupLink: Effect.Effect<Option.Option<Buffer>>
    readonly addSetupLink: (hash: Buffer, expiresAt: DateTime.Utc) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { atomically, rows: current } = yield* MemoryDatabase
      const { read, write } = yield* memoryStatements

      const addPerson = ({ email: requestedEmail, id, name, passwordHash }: NewPerson) =>
        atomically(
          Effect.fnUntraced(
            function* (rows) {
              const email = yield* findEmailAddress(requestedEmail)
              if (rows.all(personTable).some((known) => known.email === email)) {
                return yield* new EmailTaken()
              }
              const now = yield* DateTime.now
              rows.put(personTable, {
                id,
                name,
                email,
                epoch: 1,
                isSuspended: false,
                isAdministrator: false,
                createdAt: now
              })
              rows.put(membershipTable, { userId: id, spaceId: id, role: "owner", joinedAt: now })
              rows.put(
                accountTable,
                passwordAccount({ userId: id, email, name, passwordHash, now: DateTime.toDateUtc(now) })
              )
            },
            Effect.catchTag("NoSuchElementException", Effect.die)
          )
        )

      return {
        accessOf: (userId) =>
          Effect.flatMap(current, (rows) => {
            const agent = rows.find(agentTable, userId)
            const personId = agent?.linkedUserId ?? userId
            const person = rows.find(personTable, personId)
            if (person === undefined) return new UserUnknown({ userId })
            return Effect.succeed({
              holder: {
                id: userId,
                kind: agent === undefined ? ("person" as const) : ("agent" as const),
                capabilities: agent?.capabilities ?? []
              },
              name: person.name,
              email: person.email,
              personId,
              podRole: podRoleOf(rows, personId),
              isSuspended: person.isSuspended || (agent?.isSuspended ?? false),
              epoch: person.epoch,
              memberships: membershipsOf(rows, personId).map(({ role, spaceId }) => ({ spaceId, role }))
            })
          }),
        me: read(({ reach: { principal }, rows }) => {
          const person = rows.find(personTable, principal.personId)
          return Effect.succeed({
            id: principal.personId,
            name: person?.name ?? "",
            email: person?.email ?? null,
            agentId: principal.holder.kind === "agent" ? principal.holder.id : null
          })
        }),
        agents: read(({ reach: { principal }, rows }) =>
          Effect.succeed(rows.all(agentTable).filter(({ linkedUserId }) => linkedUserId === principal.personId))
        ),
        addAgent: (id, { agentType = null, capabilities, name }, passed) =>
          write(({ append, now, reach, rows }) => {
            const { personId } = reach.principal
            const first = { writesRequireProposal: true, isSuspended: false, createdAt: now }
            const agent: Agent = { id, name, linkedUserId: personId, capabilities, agentType, ...first }
            rows.put(agentTable, agent)
            append(personId, { type: "agent.create", subjectId: id, data: { name, capabilities } }, passed)
            return Effect.succeed(agent)
          }),
        changeAgent: (id, change, passed) =>
          write(({ append, reach, rows }) => {
            const { personId } = reach.principal
            const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
            const known = rows.find(agentTable, id)
            if (known === undefined) return Effect.dieMessage("cannot change an agent that does not exist")
            const agent = { ...known, ...given }
            rows.put(agentTable, agent)
            advanceEpoch(rows, personId)
            append(personId, { type: "agent.update", subjectId: id, data: given }, passed)
            return Effect.succeed(agent)
          }),
        hasOwner: Effect.map(current, (rows) => podOwnerOf(rows) !== undefined),
        ownerId: Effect.map(current, podOwnerOf),
        setupLinkState: (hash) => Effect.zipWith(current, DateTime.now, (rows, now) => stateOf(rows, hash, now)),
        usedSetupLink: Effect.map(current, (rows) =>
          Option.map(Option.fromNullable(rows.all(linkTable).find(({ isUsed }) => isUsed)), ({ hash }) => hash)
        ),
        claim: (person, linkHash) =>
          atomically(
            Effect.fnUntraced(function* (rows) {
              const now = yield* DateTime.now
              const state = linkHash === null ? "open" : stateOf(rows, linkHash, now)
              if (state !== "open") return yield* new SetupLinkInvalid({ isExpired: state === "expired" })
              if (podOwnerOf(rows) !== undefined) return yield* new AlreadyClaimed({ isByThisLink: false })
              rows.put(ownerTable, { personId: person.id })
              for (const link of rows.all(linkTable)) {
                if (linkHash !== null && link.hash.equals(linkHash)) rows.put(linkTable, { ...link, isUsed: true })
                else rows.remove(linkTable, linkTable.keyOf(link))
              }
              // Before the pod has an owner, it has no people. So nobody else has the e-mail address.
              yield* Effect.orDie(addPerson(person))
            })
          ),
        addPerson,
        addSetupLink: (hash, expiresAt) =>
          atomically((rows) => Effect.sync(() => rows.put(linkTable, { hash, expiresAt, isUsed: false })))
      }
    })
  )
}

interface SetupLink {
  readonly hash: Buffer
  readonly expiresAt: DateTime.Utc
  readonly isUsed: boolean
}

const linkTable = memoryTable<SetupLink>("setup_links", ({ hash }) => hash.toString("hex"))

const stateOf = (rows: Rows, hash: Buffer, now: DateTime.Utc): SetupLinkState => {
  const found = rows.find(linkTable, hash.toString("hex"))
  if (found === undefined) return undefined
  if (found.isUsed) return "used"
  return DateTime.greaterThan(found.expiresAt, now) ? "open" : "expired"
}
