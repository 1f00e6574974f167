/**
 * Calls every method of every store, for tests that apply to all stores. If a store is missing here, this file does not
 * compile.
 */
import { DateTime, Effect } from "effect"
import type { Reach, ReachShape } from "../../../src/doors/Reach.ts"
import { EntityStore } from "../../../src/features/entities/EntityStore.ts"
import { EventFeed } from "../../../src/features/events/EventFeed.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import { standardPolicy } from "../../../src/features/gate/Policy.ts"
import { PolicyStore } from "../../../src/features/governance/PolicyStore.ts"
import { KeyStore } from "../../../src/features/keys/KeyStore.ts"
import { KnowledgeStore } from "../../../src/features/knowledge/KnowledgeStore.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { Profiles } from "../../../src/features/profiles/Profiles.ts"
import { ProposalStore } from "../../../src/features/proposals/ProposalStore.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { WorkspaceStore } from "../../../src/features/workspaces/WorkspaceStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import type { Stores } from "../../../src/Stores.ts"
import type { Calls, CallsOfStores } from "../../support/freeStoreMethods.ts"
import { anAgent, aNewKey } from "../../support/people.ts"
import { aPassed } from "../../support/passed.ts"
import { anEntity } from "../entities/entityCalls.ts"
import { aRule } from "../governance/policyStore.contract.ts"
import { aProposal } from "../proposals/proposalCalls.ts"
import { aTrack, Tracks } from "../records/recordCalls.ts"
import { callsOnFurther } from "./furtherStoreCalls.ts"

export const callsOn = (reach: ReachShape, spaceId: string, entityId: string) => {
  const { personId, credential } = reach.principal
  const event = { type: "test.happened", data: {} }
  const place = { spaceId, key: "deploy" }
  const fields = { value: 1, namespace: null, slug: null, status: "active", author: null }
  const page = { limit: 10, offset: 0 }
  const filter = { kind: undefined, projectId: undefined, ...page }
  const workspace = { name: "Workspace", workspaceType: null, templateId: null, proposalId: uuidv7(), definition: {} }

  const entities: Calls<"entities"> = {
    list: Effect.flatMap(EntityStore, ({ list }) =>
      Effect.zipRight(list({ ...filter, search: "harbour" }, null), list({ ...filter, search: undefined }, null))
    ),
    get: Effect.flatMap(EntityStore, ({ get }) => get(entityId)),
    listByIds: Effect.flatMap(EntityStore, ({ listByIds }) => listByIds([entityId])),
    heads: Effect.flatMap(EntityStore, ({ heads }) => heads([entityId])),
    locate: Effect.flatMap(EntityStore, (store) => store.locate(entityId, "update")),
    add: Effect.flatMap(EntityStore, ({ add }) => add(anEntity({ spaceId, projectId: uuidv7() }), event, aPassed)),
    change: Effect.flatMap(EntityStore, ({ change }) => change(entityId, { title: "theirs" }, event, aPassed)),
    remove: Effect.flatMap(EntityStore, ({ remove }) => remove(entityId, null, event, aPassed)),
    restore: Effect.flatMap(EntityStore, ({ restore }) => restore(entityId, event, aPassed)),
    countByKind: Effect.flatMap(EntityStore, ({ countByKind }) => countByKind({ spaces: null }))
  }
  const events: Calls<"events"> = {
    append: Effect.flatMap(EventLog, ({ append }) => append(spaceId, event, aPassed)),
    list: Effect.flatMap(EventLog, ({ list }) => list(page)),
    get: Effect.flatMap(EventLog, ({ get }) => get(uuidv7())),
    listByIds: Effect.flatMap(EventLog, ({ listByIds }) => listByIds([uuidv7()])),
    decided: Effect.flatMap(EventLog, ({ decided }) => decided(uuidv7()))
  }
  const nothing = { heads: new Map([[spaceId, 0]]), authorities: [] }
  const eventFeed: Calls<"eventFeed"> = {
    page: Effect.flatMap(EventFeed, (feed) => feed.page({ ...page, from: DateTime.unsafeMake(0) })),
    after: Effect.flatMap(EventFeed, ({ after }) =>
      Effect.zipRight(after({}, undefined, 10), after({}, new Map(), 10))
    ),
    changesSince: Effect.flatMap(EventFeed, ({ changesSince }) => changesSince(nothing))
  }
  const keys: Calls<"keys"> = {
    add: Effect.flatMap(KeyStore, ({ add }) => add(aNewKey({ personId }), aPassed)),
    list: Effect.flatMap(KeyStore, ({ list }) => list(page)),
    countActive: Effect.flatMap(KeyStore, ({ countActive }) => countActive),
    listSystem: Effect.flatMap(KeyStore, ({ listSystem }) => listSystem(page)),
    get: Effect.flatMap(KeyStore, ({ get }) => get(credential.id)),
    listByIds: Effect.flatMap(KeyStore, ({ listByIds }) => listByIds([credential.id])),
    ownKey: Effect.flatMap(KeyStore, ({ ownKey }) => ownKey),
    ofHolder: Effect.flatMap(KeyStore, ({ ofHolder }) => ofHolder(personId)),
    ownLine: Effect.flatMap(KeyStore, ({ ownLine }) => ownLine),
    successorOf: Effect.flatMap(KeyStore, ({ successorOf }) => successorOf(credential.id)),
    rename: Effect.flatMap(KeyStore, ({ rename }) => rename(credential.id, "another name", aPassed)),
    revoke: Effect.flatMap(KeyStore, ({ revoke }) => revoke(uuidv7(), "test", aPassed)),
    replace: Effect.flatMap(KeyStore, ({ replace }) => replace(credential.id, aNewKey({ personId }), null, aPassed))
  }
  const knowledge: Calls<"knowledge"> = {
    list: Effect.flatMap(KnowledgeStore, ({ list }) =>
      list({ spaceId, namespace: undefined, status: undefined, ...page })
    ),
    latest: Effect.flatMap(KnowledgeStore, ({ latest }) => latest(10)),
    countBySpace: Effect.flatMap(KnowledgeStore, ({ countBySpace }) => countBySpace),
    find: Effect.flatMap(KnowledgeStore, ({ find }) => find(place, "read")),
    locate: Effect.flatMap(KnowledgeStore, ({ locate }) => locate(uuidv7(), "read")),
    listByIds: Effect.flatMap(KnowledgeStore, ({ listByIds }) => listByIds([uuidv7()])),
    add: Effect.flatMap(KnowledgeStore, ({ add }) => add({ id: uuidv7(), ...place, ...fields }, event, aPassed)),
    change: Effect.flatMap(KnowledgeStore, ({ change }) =>
      change(place, { action: "update", from: "any", fields: { value: 2 } }, event, aPassed)
    ),
    versions: Effect.flatMap(KnowledgeStore, ({ versions }) => versions(place, page))
  }
  const people: Calls<"people"> = {
    me: Effect.flatMap(PeopleStore, ({ me }) => me),
    agents: Effect.flatMap(PeopleStore, ({ agents }) => agents),
    addAgent: Effect.flatMap(PeopleStore, ({ addAgent }) => addAgent(uuidv7(), anAgent(), aPassed)),
    changeAgent: Effect.flatMap(PeopleStore, ({ changeAgent }) => changeAgent(uuidv7(), { name: "Renamed" }, aPassed))
  }
  const policies: Calls<"policies"> = {
    policyFor: Effect.flatMap(PolicyStore, ({ policyFor }) => policyFor(reach.principal, spaceId)),
    workspacePolicy: Effect.flatMap(PolicyStore, ({ workspacePolicy }) => workspacePolicy(spaceId)),
    changeWorkspacePolicy: Effect.flatMap(PolicyStore, (store) =>
      store.changeWorkspacePolicy(spaceId, standardPolicy, event, aPassed)
    ),
    rules: Effect.flatMap(PolicyStore, ({ rules }) => rules([spaceId])),
    addRule: Effect.flatMap(PolicyStore, ({ addRule }) =>
      addRule(aRule({ spaceId, createdBy: personId }), event, aPassed)
    ),
    revokeRule: Effect.flatMap(PolicyStore, ({ revokeRule }) => revokeRule(uuidv7(), [spaceId], event, aPassed))
  }
  const made = aProposal({ spaceId, userId: personId })
  const moment = made.expiresAt
  const kept = { ...made, decidedAt: null, settledEventId: null, createdAt: moment, updatedAt: moment }
  const listing = { spaceId, sessionId: undefined, status: "all" as const, before: undefined, ...page }
  const proposals: Calls<"proposals"> = {
    add: Effect.flatMap(ProposalStore, ({ add }) => add(made, event, aPassed)),
    list: Effect.flatMap(ProposalStore, ({ list }) => list(listing)),
    page: Effect.flatMap(ProposalStore, ({ page: pageOf }) => pageOf(listing)),
    excerpts: Effect.flatMap(ProposalStore, ({ excerpts }) =>
      excerpts({ in: null, notIn: [], inProjects: null, notInProjects: [] }, 10)
    ),
    get: Effect.flatMap(ProposalStore, ({ get }) => get(made.id)),
    lock: Effect.flatMap(ProposalStore, ({ lock }) => lock(made.id)),
    changeLocked: Effect.flatMap(ProposalStore, ({ changeLocked }) =>
      changeLocked({ ...kept, filedEventId: uuidv7() }, { status: "approved" }, event, aPassed)
    ),
    pendingAlike: Effect.flatMap(ProposalStore, ({ pendingAlike }) =>
      pendingAlike({ actorId: personId, credentialId: "", spaceId, proposalType: "join", content: null }, aPassed)
    )
  }
  const records: Calls<"records"> = {
    list: Effect.flatMap(Records, ({ list }) => list(Tracks, page)),
    countBySpace: Effect.flatMap(Records, ({ countBySpace }) => countBySpace(Tracks)),
    count: Effect.flatMap(Records, ({ count }) => count(Tracks, {})),
    get: Effect.flatMap(Records, ({ get }) => get(Tracks, entityId)),
    among: Effect.flatMap(Records, ({ among }) => among(Tracks, [entityId], ["name"])),
    locate: Effect.flatMap(Records, (store) => store.locate(Tracks, entityId, "update")),
    add: Effect.flatMap(Records, ({ add }) => add(Tracks, { id: uuidv7(), spaceId, fields: aTrack() }, event, aPassed)),
    change: Effect.flatMap(Records, ({ change }) =>
      change(Tracks, entityId, { fields: { name: "theirs" } }, event, aPassed)
    ),
    ownerOfArchived: Effect.flatMap(Records, ({ ownerOfArchived }) => ownerOfArchived(Tracks, entityId)),
    remove: Effect.flatMap(Records, ({ remove }) => remove(Tracks, entityId, null, event, aPassed)),
    restore: Effect.flatMap(Records, ({ restore }) => restore(Tracks, entityId, event, aPassed))
  }
  const profiles: Calls<"profiles"> = {
    kinds: Effect.flatMap(Profiles, ({ kinds }) => kinds),
    kindsIn: Effect.flatMap(Profiles, ({ kindsIn }) => kindsIn([spaceId])),
    slugOf: Effect.flatMap(Profiles, ({ slugOf }) => slugOf(uuidv7(), spaceId)),
    schemaFor: Effect.flatMap(Profiles, ({ schemaFor }) => schemaFor("note", spaceId))
  }
  const workspaces: Calls<"workspaces"> = {
    list: Effect.flatMap(WorkspaceStore, ({ list }) => list),
    get: Effect.flatMap(WorkspaceStore, ({ get }) => get(spaceId)),
    add: Effect.flatMap(WorkspaceStore, ({ add }) => add({ id: uuidv7(), ...workspace }, aPassed))
  }
  const all = {
    ...callsOnFurther(reach, spaceId, entityId),
    entities,
    eventFeed,
    events,
    keys,
    knowledge,
    people,
    policies,
    profiles,
    proposals,
    quotas: {},
    records,
    workspaces
  } satisfies CallsOfStores
  return Object.entries(all).flatMap(([store, calls]) =>
    Object.entries(calls).map(([method, call]: [string, Effect.Effect<unknown, unknown, Reach | Stores>]) => ({
      name: `${store}.${method}`,
      call
    }))
  )
}
