/**
 * A pod with the people and records of the model. The test writes the records directly into the stores. After this,
 * every step calls an operation, including the access checks of the operation.
 */
import { Cause, Context, DateTime, Effect, Either, Exit, Option } from "effect"
import type { Failure } from "../../../../src/doors/Failure.ts"
import type { Operation } from "../../../../src/doors/Operation.ts"
import type { Proposed } from "../../../../src/doors/Proposed.ts"
import { type Bounds, noClient, Reach, type ReachShape } from "../../../../src/doors/Reach.ts"
import { sessionScopes } from "../../../../src/doors/Scope.ts"
import { wireAnswerOf } from "../../../../src/doors/WireAnswer.ts"
import { doorRefusal } from "../../../../src/features/access/Admission.ts"
import type { Entity } from "../../../../src/features/entities/Entity.ts"
import { EntityStore } from "../../../../src/features/entities/EntityStore.ts"
import type { Command } from "../../../../src/features/commands/Command.ts"
import { eventTable } from "../../../../src/features/events/EventTable.ts"
import { boundsFor } from "../../../../src/features/grants/GrantMatcher.ts"
import { KeyStore } from "../../../../src/features/keys/KeyStore.ts"
import { PeopleStore } from "../../../../src/features/people/PeopleStore.ts"
import { agentTable, membershipTable, personTable } from "../../../../src/features/people/UserTables.ts"
import { Project } from "../../../../src/features/projects/Project.ts"
import { ProjectMemberStore } from "../../../../src/features/projects/ProjectMemberStore.ts"
import type { Proposal, ProposalDetail } from "../../../../src/features/proposals/Proposal.ts"
import { Records } from "../../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../../src/platform/Ids.ts"
import { MemoryDatabase } from "../../../../src/platform/MemoryDatabase.ts"
import type { PodInProcess } from "../../../support/podInProcess.ts"
import { aPassed } from "../../../support/passed.ts"
import type { StepResult } from "./modelProposals.ts"
import { callerSpecs, grantOf, type Ids, type PersonName, rolesOf, spaceNames, thingSpecs } from "./smallWorld.ts"
import { aNewKey } from "../../../support/people.ts"

/** The status of a call, with its answer. */
export interface CallResponse extends StepResult {
  readonly answer: unknown
}

export interface Reality {
  readonly ids: Ids
  /** Calls an operation as one of the callers, with the access checks of the operation. */
  readonly call: (by: number, operation: string, input: object) => CallResponse
  /** Returns the listing of proposals that each of these callers gets, in the order of `callers`. */
  readonly proposalsFor: (callers: ReadonlyArray<number>) => ReadonlyArray<ReadonlyArray<Proposal>>
  readonly entitiesFor: (callers: ReadonlyArray<number>) => ReadonlyArray<ReadonlyArray<Entity>>
  readonly commandsFor: (callers: ReadonlyArray<number>) => ReadonlyArray<ReadonlyArray<Command>>
  /** Returns the number of events. Every write adds one event. */
  readonly eventCount: () => number
  readonly detailFor: (by: number, proposalId: string) => ProposalDetail | undefined
  readonly keyIds: ReadonlyArray<string>
  /**
   * Returns the proposal as its owner reads it. `firstHash` is the hash that the proposal had when a caller first read
   * it.
   */
  readonly kept: (proposalId: string) => Proposal
  readonly firstHash: (proposalId: string) => string
}

const origin = { operation: "", requestId: uuidv7(), client: noClient }
const scopes = ["hub-protocol.read", "hub-protocol.write"]
const personNames = ["ann", "ben"] as const

const newIds = (): Ids => {
  const people = { ann: uuidv7(), ben: uuidv7() }
  return {
    people,
    agents: { ann: uuidv7(), ben: uuidv7() },
    spaces: { home: people.ann, shared: uuidv7(), other: uuidv7() },
    projects: { first: uuidv7(), second: uuidv7() },
    things: thingSpecs.map(() => uuidv7())
  }
}

/** Returns the value if it is a text, otherwise an empty text. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const inputs = new WeakMap<Operation, unknown>()
/** Returns the input for a listing of all rows, decoded once for each operation. */
const everyOne = (operation: Operation): unknown => {
  const known = inputs.get(operation)
  if (known !== undefined) return known
  const status = operation.name === "proposals.list" ? { status: "all" } : {}
  const decoded = Either.getOrThrow(operation.decode({ path: {}, query: { limit: "200", ...status }, body: undefined }))
  inputs.set(operation, decoded)
  return decoded
}

/**
 * Prepares the people and the records of the model in the pod. Makes keys for the callers who make requests (`acting`).
 */
export const aReality = (pod: PodInProcess, acting: ReadonlySet<number>): Reality => {
  const ids = newIds()
  const stores = pod.stores()
  const people = Context.get(stores, PeopleStore)
  const credentials = callerSpecs.map(() => uuidv7())

  // Computing the access rights of a caller takes most of the time, and only few steps change them. So they are stored.
  const reaches = new Map<number, ReachShape>()
  const reachOf = (by: number): ReachShape => {
    const known = reaches.get(by)
    if (known !== undefined) return known
    const made = newReachOf(by)
    reaches.set(by, made)
    return made
  }

  const newReachOf = (by: number): ReachShape => {
    const { grant, isAgent, person } = callerSpecs[by]
    const holder = isAgent ? ids.agents[person] : ids.people[person]
    const { memberships, holder: keyHolder, epoch } = Effect.runSync(Effect.orDie(people.accessOf(holder)))
    const kind = grant === null ? ("session" as const) : ("key" as const)
    const principal = {
      credential: { kind, id: credentials[by] },
      holder: keyHolder,
      personId: ids.people[person],
      podRole: "member" as const,
      epoch,
      memberships,
      scopes: grant === null ? sessionScopes : scopes,
      grant: grant === null ? null : grantOf(grant, ids),
      workspaceId: null,
      toolProfile: null,
      expiresAt: null
    }
    const bounds = new Map<string, Bounds>()
    return {
      principal,
      authority: { kind, credentialId: credentials[by], personId: principal.personId, epoch },
      origin,
      bounds: (subject, action) => {
        const asked = `${subject}.${action}`
        const found = bounds.get(asked) ?? boundsFor(principal, subject, action)
        bounds.set(asked, found)
        return found
      }
    }
  }

  const agentOf = (person: PersonName) => ({
    id: ids.agents[person],
    name: `${person}'s agent`,
    linkedUserId: ids.people[person],
    capabilities: ["*"],
    writesRequireProposal: true,
    isSuspended: false,
    agentType: null,
    createdAt: DateTime.unsafeMake(0)
  })
  const personOf = (person: PersonName) => ({
    id: ids.people[person],
    name: person,
    email: `${person}@example.com`,
    epoch: 1,
    isSuspended: false,
    isAdministrator: false,
    createdAt: DateTime.unsafeMake(0)
  })
  const membershipsOf = (person: PersonName) => {
    const home = person === "ben" ? [{ spaceId: ids.people.ben, role: "owner" as const }] : []
    const own = spaceNames.flatMap((name) => {
      const role = rolesOf[person][name]
      return role === undefined ? [] : [{ spaceId: ids.spaces[name], role }]
    })
    const agents = [ids.spaces.shared, ids.spaces.other].map((spaceId) => ({ spaceId, role: "editor" as const }))
    const joinedAt = DateTime.unsafeMake(0)
    return [
      ...[...home, ...own].map((each) => ({ ...each, userId: ids.people[person], joinedAt })),
      ...agents.map((each) => ({ ...each, userId: ids.agents[person], joinedAt }))
    ]
  }

  const prepared = Effect.gen(function* () {
    const { atomically } = yield* MemoryDatabase
    const keys = yield* KeyStore
    const records = yield* Records
    const entities = yield* EntityStore
    const members = yield* ProjectMemberStore
    yield* atomically((rows) =>
      Effect.sync(() => {
        rows.put(personTable, ...personNames.map(personOf))
        rows.put(agentTable, ...personNames.map(agentOf))
        rows.put(membershipTable, ...personNames.flatMap(membershipsOf))
      })
    )
    const as = (by: number) => Effect.provideService(Reach, reachOf(by))
    for (const [by, { grant, isAgent, name, person }] of callerSpecs.entries()) {
      if (grant === null || !acting.has(by)) continue
      const { key } = aNewKey({
        id: credentials[by],
        holderId: isAgent ? ids.agents[person] : ids.people[person],
        personId: ids.people[person],
        keyName: name,
        keyType: isAgent ? "hub_inbound" : "user_pat",
        scopes,
        grant: { ...grantOf(grant, ids), label: null }
      })
      yield* as(person === "ann" ? 0 : 1)(keys.add({ key, hash: Buffer.from(key.id), secretMark: "test" }, aPassed))
    }
    for (const name of ["first", "second"] as const) {
      const fields = { name, description: null, status: "active" as const, settings: {}, metadata: {} }
      const made = { id: ids.projects[name], spaceId: ids.spaces.shared, fields }
      yield* as(0)(records.add(Project, made, { type: "project.create", data: {} }, aPassed))
    }
    for (const [at, { kind, owner, projects, space }] of thingSpecs.entries()) {
      const made = { id: ids.things[at], spaceId: ids.spaces[space], kind, title: `thing ${at}` }
      const rest = { preview: null, description: null, properties: {}, projectId: undefined }
      const event = { type: `entity.${kind}.create`, data: {} }
      yield* as(owner === "ann" ? 0 : 1)(entities.add({ ...made, ...rest }, event, aPassed))
      for (const project of projects) {
        const edge = { id: uuidv7(), entityId: made.id, projectId: ids.projects[project] }
        yield* as(0)(members.file(edge, { type: "relation.create", data: {} }, aPassed))
      }
    }
  })
  const ready = Effect.runSyncExit(Effect.provide(prepared, stores) as Effect.Effect<void, unknown>)
  if (Exit.isFailure(ready)) throw new Error(Cause.pretty(ready.cause))

  const failed = (failure: Failure): CallResponse => {
    const { body, status } = wireAnswerOf(failure)
    return { status: String(status), code: textOf(body["code"]), answer: body }
  }

  const call: Reality["call"] = (by, name, input) => {
    const operation = pod.operations.get(name)
    if (operation === undefined) throw new Error(`there is no ${name}`)
    if (operation.kind === "mutation") reaches.clear()
    const reach = reachOf(by)
    const refusal = doorRefusal(reach.principal, operation.door)
    if (refusal !== null) return failed(refusal)
    const decoded = operation.decode(input)
    if (decoded._tag === "Left") throw new Error(`${name} was called with ${JSON.stringify(decoded.left)}`)
    const exit = pod.run(Effect.provideService(operation.run(decoded.right), Reach, reach))
    if (operation.kind === "mutation") reaches.clear()
    if (Exit.isSuccess(exit)) return { status: "ok", code: "", answer: exit.value }
    const failure = Option.getOrUndefined(Cause.failureOption<Failure | Proposed>(exit.cause))
    if (failure === undefined) throw new Error(`${name} broke: ${Cause.pretty(exit.cause)}`)
    return failure._tag === "Proposed" ? { status: "proposed", code: "", answer: failure.answer } : failed(failure)
  }

  /** Returns the listings of several callers in one run, because starting a run costs as much as a listing. */
  const listings = (callers: ReadonlyArray<number>, name: string): ReadonlyArray<unknown> => {
    const operation = pod.operations.get(name)!
    const input = everyOne(operation)
    const exit = pod.run(
      Effect.forEach(callers, (by) => {
        const reach = reachOf(by)
        const refusal = doorRefusal(reach.principal, operation.door)
        return refusal === null
          ? Effect.provideService(operation.run(input), Reach, reach)
          : Effect.dieMessage(`${name} was refused: ${refusal.why}`)
      })
    )
    if (Exit.isFailure(exit)) throw new Error(`${name} failed: ${Cause.pretty(exit.cause)}`)
    return exit.value
  }
  const listed = (callers: ReadonlyArray<number>) =>
    (listings(callers, "proposals.list") as ReadonlyArray<{ answer: { proposals: ReadonlyArray<Proposal> } }>).map(
      ({ answer }) => answer.proposals
    )
  const firstHashes = new Map<string, string>()
  const noted = (proposals: ReadonlyArray<Proposal>) => {
    for (const { contentHash, id } of proposals) if (!firstHashes.has(id)) firstHashes.set(id, contentHash)
    return proposals
  }

  return {
    kept: (proposalId) =>
      listed([0, 1])
        .flat()
        .find(({ id }) => id === proposalId)!,
    firstHash: (proposalId) => firstHashes.get(proposalId)!,
    ids,
    call,
    keyIds: credentials,
    proposalsFor: (callers) => listed(callers).map(noted),
    entitiesFor: (callers) =>
      (listings(callers, "entities.list") as ReadonlyArray<{ items: ReadonlyArray<Entity> }>).map(({ items }) => items),
    commandsFor: (callers) =>
      (listings(callers, "commands.list") as ReadonlyArray<{ items: ReadonlyArray<Command> }>).map(
        ({ items }) => items
      ),
    eventCount: () => Effect.runSync(Context.get(stores, MemoryDatabase).rows).all(eventTable).length,
    detailFor: (by, proposalId) => {
      const heard = call(by, "proposals.get", { path: { id: proposalId }, query: {}, body: undefined })
      return heard.status === "ok" ? (heard.answer as ProposalDetail) : undefined
    }
  }
}
