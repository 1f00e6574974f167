/**
 * A statement under a dead credential ends before it reads or writes anything, in each store that all features use.
 * The other stores are tested through their operations in deadOperations.test.ts.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Cause, type Context, Effect, Exit, type Layer } from "effect"
import { createHash } from "node:crypto"
import { AuthorityLost } from "../../../src/doors/Authority.ts"
import { Reach, type ReachShape } from "../../../src/doors/Reach.ts"
import { EntityStore } from "../../../src/features/entities/EntityStore.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import { KeyStore } from "../../../src/features/keys/KeyStore.ts"
import { KnowledgeStore } from "../../../src/features/knowledge/KnowledgeStore.ts"
import { standardPolicy } from "../../../src/features/gate/Policy.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { PolicyStore } from "../../../src/features/governance/PolicyStore.ts"
import { ProposalStore } from "../../../src/features/proposals/ProposalStore.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { Profiles } from "../../../src/features/profiles/Profiles.ts"
import { WorkspaceStore } from "../../../src/features/workspaces/WorkspaceStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { contents } from "../../support/catalog.ts"
import { aMember, anAgent, aNewKey, throughKey } from "../../support/people.ts"
import { asOwner, by, onEachDatabase, type SqlStores } from "../../support/stores.ts"
import { added, anEntity } from "../entities/entityCalls.ts"
import { aRule } from "../governance/policyStore.contract.ts"
import { aProposal } from "../proposals/proposalCalls.ts"
import { aTrack, Tracks } from "../records/recordCalls.ts"
import { aWord } from "../../support/word.ts"

type Store =
  | EntityStore
  | EventLog
  | KeyStore
  | KnowledgeStore
  | PeopleStore
  | PolicyStore
  | Profiles
  | ProposalStore
  | Records
  | WorkspaceStore

/** One call of each method that needs a reach. A missing method does not compile. */
type Calls<Service, Free extends keyof Service = never> = {
  readonly [Method in Exclude<keyof Service, Free>]: Effect.Effect<unknown, unknown, Reach | Store>
}
type Of<Tag> = Tag extends Context.Tag<infer _, infer Service> ? Service : never

/** Methods without a credential: called before the caller is known, or about no person's records. */
type FreeKeyCalls = "verify" | "touch"
type FreePeopleCalls = "accessOf" | "hasOwner" | "claim" | "addPerson" | "addSetupLink" | "hasSetupLink"

const callsOn = (reach: ReachShape, spaceId: string, entityId: string) => {
  const { personId, credential } = reach.principal
  const event = { type: "test.happened", data: {} }
  const place = { spaceId, key: "deploy" }
  const fields = { value: 1, namespace: null, slug: null, status: "active", author: null }
  const page = { limit: 10, offset: 0 }
  const filter = { kind: undefined, projectId: undefined, ...page }
  const workspace = { name: "Workspace", workspaceType: null, templateId: null, proposalId: uuidv7(), definition: {} }

  const entities: Calls<Of<typeof EntityStore>> = {
    list: Effect.flatMap(EntityStore, ({ list }) =>
      Effect.zipRight(list({ ...filter, search: "harbour" }, null), list({ ...filter, search: undefined }, null))
    ),
    get: Effect.flatMap(EntityStore, ({ get }) => get(entityId)),
    place: Effect.flatMap(EntityStore, (store) => store.place(entityId, "update")),
    add: Effect.flatMap(EntityStore, ({ add }) => add(anEntity({ spaceId, projectId: uuidv7() }), event, aWord)),
    change: Effect.flatMap(EntityStore, ({ change }) => change(entityId, { title: "theirs" }, event, aWord)),
    remove: Effect.flatMap(EntityStore, ({ remove }) => remove(entityId, null, event, aWord)),
    restore: Effect.flatMap(EntityStore, ({ restore }) => restore(entityId, event, aWord)),
    tally: Effect.flatMap(EntityStore, ({ tally }) => tally)
  }
  const events: Calls<Of<typeof EventLog>> = {
    append: Effect.flatMap(EventLog, ({ append }) => append(spaceId, event, aWord)),
    list: Effect.flatMap(EventLog, ({ list }) => list(page)),
    get: Effect.flatMap(EventLog, ({ get }) => get(uuidv7())),
    decided: Effect.flatMap(EventLog, ({ decided }) => decided(uuidv7()))
  }
  const keys: Calls<Of<typeof KeyStore>, FreeKeyCalls> = {
    add: Effect.flatMap(KeyStore, ({ add }) => add(aNewKey({ personId }), aWord)),
    list: Effect.flatMap(KeyStore, ({ list }) => list(page)),
    listSystem: Effect.flatMap(KeyStore, ({ listSystem }) => listSystem),
    get: Effect.flatMap(KeyStore, ({ get }) => get(credential.id)),
    own: Effect.flatMap(KeyStore, ({ own }) => own),
    successorOf: Effect.flatMap(KeyStore, ({ successorOf }) => successorOf(credential.id)),
    revoke: Effect.flatMap(KeyStore, ({ revoke }) => revoke(uuidv7(), "test", aWord)),
    replace: Effect.flatMap(KeyStore, ({ replace }) => replace(credential.id, aNewKey({ personId }), null, aWord))
  }
  const knowledge: Calls<Of<typeof KnowledgeStore>> = {
    list: Effect.flatMap(KnowledgeStore, ({ list }) =>
      list({ spaceId, namespace: undefined, status: undefined, ...page })
    ),
    find: Effect.flatMap(KnowledgeStore, ({ find }) => find(place, "read")),
    locate: Effect.flatMap(KnowledgeStore, ({ locate }) => locate(uuidv7(), "read")),
    add: Effect.flatMap(KnowledgeStore, ({ add }) => add({ id: uuidv7(), ...place, ...fields }, event, aWord)),
    change: Effect.flatMap(KnowledgeStore, ({ change }) =>
      change(place, { action: "update", from: "any", fields: { value: 2 } }, event, aWord)
    ),
    versions: Effect.flatMap(KnowledgeStore, ({ versions }) => versions(place, page))
  }
  const people: Calls<Of<typeof PeopleStore>, FreePeopleCalls> = {
    me: Effect.flatMap(PeopleStore, ({ me }) => me),
    agents: Effect.flatMap(PeopleStore, ({ agents }) => agents),
    addAgent: Effect.flatMap(PeopleStore, ({ addAgent }) => addAgent(uuidv7(), anAgent(), aWord)),
    changeAgent: Effect.flatMap(PeopleStore, ({ changeAgent }) => changeAgent(uuidv7(), { name: "Renamed" }, aWord))
  }
  const policies: Calls<Of<typeof PolicyStore>> = {
    policyFor: Effect.flatMap(PolicyStore, ({ policyFor }) => policyFor(reach.principal, spaceId)),
    workspacePolicy: Effect.flatMap(PolicyStore, ({ workspacePolicy }) => workspacePolicy(spaceId)),
    changeWorkspacePolicy: Effect.flatMap(PolicyStore, (store) =>
      store.changeWorkspacePolicy(spaceId, standardPolicy, event, aWord)
    ),
    rules: Effect.flatMap(PolicyStore, ({ rules }) => rules([spaceId])),
    addRule: Effect.flatMap(PolicyStore, ({ addRule }) =>
      addRule(aRule({ spaceId, createdBy: personId }), event, aWord)
    ),
    revokeRule: Effect.flatMap(PolicyStore, ({ revokeRule }) => revokeRule(uuidv7(), [spaceId], event, aWord))
  }
  const made = aProposal({ spaceId, userId: personId })
  const moment = made.expiresAt
  const kept = { ...made, decidedAt: null, settledEventId: null, createdAt: moment, updatedAt: moment }
  const listing = { spaceId, sessionId: undefined, status: "all" as const, before: undefined, ...page }
  const proposals: Calls<Of<typeof ProposalStore>> = {
    add: Effect.flatMap(ProposalStore, ({ add }) => add(made, event, aWord)),
    list: Effect.flatMap(ProposalStore, ({ list }) => list(listing)),
    get: Effect.flatMap(ProposalStore, ({ get }) => get(made.id)),
    hold: Effect.flatMap(ProposalStore, ({ hold }) => hold(made.id)),
    settle: Effect.flatMap(ProposalStore, ({ settle }) =>
      settle({ ...kept, filedEventId: uuidv7() }, { status: "approved" }, event, aWord)
    ),
    pendingAlike: Effect.flatMap(ProposalStore, ({ pendingAlike }) =>
      pendingAlike({ actorId: personId, credentialId: "", spaceId, proposalType: "join", content: null }, aWord)
    )
  }
  const records: Calls<Of<typeof Records>> = {
    list: Effect.flatMap(Records, ({ list }) => list(Tracks, page)),
    tally: Effect.flatMap(Records, ({ tally }) => tally(Tracks)),
    count: Effect.flatMap(Records, ({ count }) => count(Tracks, {})),
    get: Effect.flatMap(Records, ({ get }) => get(Tracks, entityId)),
    place: Effect.flatMap(Records, (store) => store.place(Tracks, entityId, "update")),
    add: Effect.flatMap(Records, ({ add }) => add(Tracks, { id: uuidv7(), spaceId, fields: aTrack() }, event, aWord)),
    change: Effect.flatMap(Records, ({ change }) => change(Tracks, entityId, { name: "theirs" }, null, event, aWord)),
    remove: Effect.flatMap(Records, ({ remove }) => remove(Tracks, entityId, null, event, aWord)),
    restore: Effect.flatMap(Records, ({ restore }) => restore(Tracks, entityId, event, aWord))
  }
  const profiles: Partial<Calls<Of<typeof Profiles>>> = { kinds: Effect.flatMap(Profiles, ({ kinds }) => kinds) }
  const workspaces: Partial<Calls<Of<typeof WorkspaceStore>>> = {
    list: Effect.flatMap(WorkspaceStore, ({ list }) => list),
    get: Effect.flatMap(WorkspaceStore, ({ get }) => get(spaceId)),
    add: Effect.flatMap(WorkspaceStore, ({ add }) => add({ id: uuidv7(), ...workspace }, aWord))
  }
  const all = { entities, events, keys, knowledge, people, policies, profiles, proposals, records, workspaces }
  return Object.entries(all).flatMap(([store, calls]) =>
    Object.entries(calls).map(([method, call]: [string, Effect.Effect<unknown, unknown, Reach | Store>]) => ({
      name: `${store}.${method}`,
      call
    }))
  )
}

const isLost = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) && Cause.isDie(exit.cause) && Cause.squash(exit.cause) instanceof AuthorityLost

/** The same person signed in, with a session row as the sign-in library stores it. */
const throughSession = (reach: ReachShape) =>
  Effect.gen(function* () {
    const { personId } = reach.principal
    const id = uuidv7()
    const sql = yield* SqlClient.SqlClient
    const token = createHash("sha256").update(id).digest("hex")
    const later = new Date(Date.now() + 3_600_000)
    yield* sql`INSERT INTO auth_sessions ${sql.insert({ id, token, user_id: personId, expires_at: later, updated_at: new Date() })}`
    const { epoch } = yield* Effect.flatMap(PeopleStore, ({ accessOf }) => accessOf(personId))
    const session: ReachShape = {
      ...reach,
      principal: { ...reach.principal, credential: { kind: "session", id }, epoch },
      authority: { kind: "session", credentialId: id, personId, epoch }
    }
    return session
  })

type Death = (sql: SqlClient.SqlClient, reach: ReachShape) => Effect.Effect<unknown, unknown>

const personDeaths: Readonly<Record<string, Death>> = {
  "of a suspended person": (sql, { principal }) =>
    sql`UPDATE users SET suspended_at = now() WHERE id = ${principal.personId}::uuid`,
  "of a person whose access moved on": (sql, { principal }) =>
    sql`UPDATE users SET authz_epoch = authz_epoch + 1 WHERE id = ${principal.personId}::uuid`
}
const keyDeaths: Readonly<Record<string, Death>> = {
  "that was revoked": (sql, { principal }) =>
    sql`UPDATE api_keys SET revoked_at = now() WHERE id = ${principal.credential.id}::uuid`,
  "that expired": (sql, { principal }) =>
    sql`UPDATE api_keys SET expires_at = now() WHERE id = ${principal.credential.id}::uuid`,
  "that a suspended agent holds": (sql, { principal }) => {
    const agent = {
      id: uuidv7(),
      kind: "agent",
      person_id: principal.personId,
      name: "Resting",
      suspended_at: new Date(0)
    }
    return Effect.zipRight(
      sql`INSERT INTO users ${sql.insert(agent)}`,
      sql`UPDATE api_keys SET user_id = ${agent.id}::uuid WHERE id = ${principal.credential.id}::uuid`
    )
  },
  "that is no longer there": (sql, { principal }) =>
    sql`DELETE FROM api_keys WHERE id = ${principal.credential.id}::uuid`,
  ...personDeaths
}
const sessionDeaths: Readonly<Record<string, Death>> = {
  "that was ended": (sql, { principal }) => sql`DELETE FROM auth_sessions WHERE id = ${principal.credential.id}`,
  "that expired": (sql, { principal }) =>
    sql`UPDATE auth_sessions SET expires_at = now() WHERE id = ${principal.credential.id}`,
  ...personDeaths
}

onEachDatabase("a dead credential", (stores: Layer.Layer<SqlStores>) => {
  const credentials = [
    { noun: "key", open: throughKey, deaths: keyDeaths },
    { noun: "session", open: throughSession, deaths: sessionDeaths }
  ]
  for (const { noun, open, deaths } of credentials) {
    for (const [how, die] of Object.entries(deaths)) {
      it.effect(`a ${noun} ${how} ends every statement of every store, and nothing is written`, () =>
        Effect.gen(function* () {
          const { spaceId, reach } = yield* aMember()
          const entity = yield* added(reach, anEntity({ spaceId, title: "harbour" }))
          const held = yield* open(reach)
          const sql = yield* SqlClient.SqlClient
          assert.isTrue(Exit.isSuccess(yield* Effect.exit(by(held)(Effect.flatMap(PeopleStore, ({ me }) => me)))))
          yield* asOwner(Effect.orDie(die(sql, held)))
          const before = yield* contents
          for (const { name, call } of callsOn(held, spaceId, entity.id)) {
            assert.isTrue(isLost(yield* Effect.exit(by(held)(call))), name)
          }
          assert.deepStrictEqual(yield* contents, before)
        }).pipe(Effect.provide(stores))
      )
    }
  }

  it.effect("no statement of the stores ends with a lost authority while its credential lives", () =>
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      for (const open of [throughKey, throughSession]) {
        const entity = yield* added(reach, anEntity({ spaceId }))
        // Replacing the key and adding a workspace end the key or its epoch themselves, so they are left out.
        const last = new Set(["keys.replace", "workspaces.add"])
        const calls = callsOn(yield* open(reach), spaceId, entity.id)
        for (const { name, call } of calls.filter((each) => !last.has(each.name))) {
          const held = yield* open(reach)
          assert.isFalse(isLost(yield* Effect.exit(by(held)(call))), name)
        }
      }
    }).pipe(Effect.provide(stores))
  )
})
