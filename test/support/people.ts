/** Creates people, workspaces and keys with the functions of the stores, so that tests do not bypass a store. */
import { DateTime, Effect, Exit } from "effect"
import { randomBytes } from "node:crypto"
import type { ReachShape } from "../../src/doors/Reach.ts"
import type { NewKey } from "../../src/features/keys/KeyStore.ts"
import { KeyStore } from "../../src/features/keys/KeyStore.ts"
import type { AgentDraft } from "../../src/features/people/Person.ts"
import { PeopleStore } from "../../src/features/people/PeopleStore.ts"
import { EventLog } from "../../src/features/events/EventLog.ts"
import { WorkspaceStore } from "../../src/features/workspaces/WorkspaceStore.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { aReach, type ReachOptions } from "./reach.ts"
import { withReach } from "./stores.ts"
import { aPassed } from "./passed.ts"
import { itemsOf } from "./pages.ts"

export const aPersonRow = (id: string = uuidv7()) => ({
  id,
  name: "Somebody",
  email: `${id}@example.com`,
  passwordHash: "never compared here"
})

/** Adds a person who can sign in. Returns the person's id, which is also the id of the person's own space. */
export const aPerson = Effect.gen(function* () {
  const person = aPersonRow()
  const people = yield* PeopleStore
  yield* people.addPerson(person)
  return person.id
})

const ownerIds = new WeakMap<object, string>()

/** The owner of the pod. A pod has only one owner, so the first test that needs the owner creates it. */
export const theOwner = Effect.gen(function* () {
  const people = yield* PeopleStore
  const owner = { ...aPersonRow(), name: "The owner" }
  const exit = yield* Effect.exit(people.claim(owner, null))
  if (Exit.isSuccess(exit)) ownerIds.set(people, owner.id)
  return ownerIds.get(people) ?? (yield* Effect.dieMessage("somebody else claimed the pod"))
})

export const aWorkspaceOf = (personId: string, name = "Workspace") =>
  Effect.gen(function* () {
    const workspaces = yield* WorkspaceStore
    const made = { id: uuidv7(), name, workspaceType: null, templateId: null, proposalId: null, definition: {} }
    yield* withReach(aReach({ personId }))(workspaces.add(made, aPassed))
    return made.id
  })

/** Makes a draft of an agent. Without capabilities in `draft`, the agent may write nothing. */
export const anAgent = (draft: Partial<AgentDraft> = {}): AgentDraft => ({ name: "Agent", capabilities: [], ...draft })

/** Stores an agent of the person of the reach. */
export const anAgentOf = (reach: ReachShape) =>
  Effect.flatMap(PeopleStore, ({ addAgent }) => withReach(reach)(addAgent(uuidv7(), anAgent(), aPassed)))

/** Stores a person with a workspace. Returns the reach, which says what the person may touch in this workspace. */
export const aMember = (options: Omit<ReachOptions, "personId" | "spaces"> = {}) =>
  Effect.gen(function* () {
    const personId = yield* aPerson
    const spaceId = yield* aWorkspaceOf(personId)
    return { personId, spaceId, reach: aReach({ ...options, personId, spaces: [spaceId] }) }
  })

export const aNewKey = (key: Partial<NewKey["key"]> & { readonly personId: string }): NewKey => ({
  hash: randomBytes(32),
  secretMark: "mark of tests",
  key: {
    id: uuidv7(),
    holderId: key.personId,
    keyName: "key",
    keyPrefix: "pod_",
    lastFour: "abcd",
    keyType: "user_pat",
    hubId: null,
    scopes: ["hub-protocol.read"],
    grant: null,
    workspaceId: null,
    toolProfile: null,
    rotatedFromId: null,
    isRotated: false,
    role: null,
    expiresAt: null,
    lastUsedAt: null,
    usageCount: 0,
    createdAt: DateTime.unsafeMake(0),
    revokedAt: null,
    revokedReason: null,
    ...key
  }
})

/**
 * Stores a valid key of the person in `reach`. If `holderId` names an agent of this person, stores a key of the agent.
 * Returns the same `reach`, but with the new key as its credential.
 */
export const throughKey = (reach: ReachShape, holderId: string = reach.principal.personId) =>
  Effect.gen(function* () {
    const { personId } = reach.principal
    const keys = yield* KeyStore
    const { epoch } = yield* Effect.flatMap(PeopleStore, ({ accessOf }) => accessOf(personId))
    const { id } = yield* withReach(aReach({ personId }))(keys.add(aNewKey({ personId, holderId }), aPassed))
    const kind = holderId === personId ? "person" : "agent"
    const keyed: ReachShape = {
      ...reach,
      principal: {
        ...reach.principal,
        credential: { kind: "key", id },
        holder: { id: holderId, kind, capabilities: [] },
        epoch
      },
      authority: { kind: "key", credentialId: id, personId, epoch }
    }
    return keyed
  })

/** Returns the events of a person in one space, oldest first. */
export const eventsIn = (spaceId: string, personId: string) =>
  Effect.gen(function* () {
    const log = yield* EventLog
    const all = yield* itemsOf(withReach(aReach({ personId, spaces: [spaceId] }))(log.list({ limit: 1000 })))
    return all
      .filter(({ workspaceId }) => (workspaceId ?? personId) === spaceId)
      .toSorted((one, other) => one.seq - other.seq)
  })

/** Returns the numbers 1, 2, … n. The events of a space must have exactly these numbers. */
export const upTo = (n: number): ReadonlyArray<number> => Array.from({ length: n }, (_, at) => at + 1)
