/** Calls every method of the stores that only one feature uses. storeCalls.ts calls the methods of all other stores. */
import { DateTime, Effect } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { AttachmentStore } from "../../../src/features/attachments/AttachmentStore.ts"
import { CalendarStore } from "../../../src/features/calendar/CalendarStore.ts"
import { CentralityStore } from "../../../src/features/centrality/CentralityStore.ts"
import { DiscoveryStore } from "../../../src/features/discovery/DiscoveryStore.ts"
import { ReactiveEvents } from "../../../src/features/events/ReactiveEvents.ts"
import { SentEvents } from "../../../src/features/webhooks/SentEvents.ts"
import { EventCursors } from "../../../src/features/events/EventCursors.ts"
import { GraphStore } from "../../../src/features/graph/GraphStore.ts"
import { InvitationStore } from "../../../src/features/invitations/InvitationStore.ts"
import { FigureStore } from "../../../src/features/figures/FigureStore.ts"
import { PodNameStore } from "../../../src/features/setup/PodNameStore.ts"
import { PreferenceStore } from "../../../src/features/preferences/PreferenceStore.ts"
import { NotificationStore } from "../../../src/features/notifications/NotificationStore.ts"
import { standardPreferences } from "../../../src/features/notifications/Notification.ts"
import { PostCountStore } from "../../../src/features/proactive/PostCountStore.ts"
import { OwnSessionStore } from "../../../src/features/people/OwnSessionStore.ts"
import { AccountStore } from "../../../src/features/people/AccountStore.ts"
import { IdentityLookup } from "../../../src/features/identity/IdentityLookup.ts"
import { MemoryStore } from "../../../src/features/memory/MemoryStore.ts"
import { MessagingStore } from "../../../src/features/messaging/MessagingStore.ts"
import { Document } from "../../../src/features/documents/Document.ts"
import { ProjectionStore } from "../../../src/features/projection/ProjectionStore.ts"
import { ProjectMemberStore } from "../../../src/features/projects/ProjectMemberStore.ts"
import { RecordHistory } from "../../../src/features/records/RecordHistory.ts"
import { RelationStore } from "../../../src/features/relations/RelationStore.ts"
import { SampleStore } from "../../../src/features/samples/SampleStore.ts"
import { SearchStore } from "../../../src/features/search/SearchStore.ts"
import { anyFiling } from "../../../src/features/search/SearchBounds.ts"
import { Vectors } from "../../../src/features/search/Vectors.ts"
import { MemberStore } from "../../../src/features/workspaces/MemberStore.ts"
import { ProvisioningStore } from "../../../src/features/workspaces/ProvisioningStore.ts"
import { WorkspaceChangeStore } from "../../../src/features/workspaces/WorkspaceChangeStore.ts"
import { VaultStore } from "../../../src/features/vault/VaultStore.ts"
import { WorkspaceUse } from "../../../src/features/workspaces/WorkspaceUse.ts"
import { AutomationStore } from "../../../src/features/automations/AutomationStore.ts"
import { CallStore } from "../../../src/features/webhooks/CallStore.ts"
import { DeliveryStore } from "../../../src/features/webhooks/DeliveryStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import type { Calls } from "../../support/freeStoreMethods.ts"
import { aPassed } from "../../support/passed.ts"
import { aFiring } from "../automations/automationStore.contract.ts"
import { anOutcome } from "../webhooks/deliveryCalls.ts"
import { aPlannedNotification } from "../notifications/notificationStore.contract.ts"
import { aSealedEntry } from "../vault/vaultStore.contract.ts"
import { aFactWrite } from "../memory/factRows.ts"

/**
 * No calls, for a store whose methods do not check the access of a caller. `freeStoreMethods.ts` says why these methods
 * need no check.
 */
const none = {}

export const callsOnFurther = (reach: ReachShape, spaceId: string, entityId: string) => {
  const event = { type: "test.happened", data: {} }
  const id = uuidv7()
  const page = { limit: 10, offset: 0 }
  const edge = { sourceEntityId: entityId, targetEntityId: id, type: "mentions" }
  const member = { entityId, projectId: id }
  const { personId } = reach.principal
  const file = { fileName: "a.txt", fileEntityId: null, mimeType: "text/plain", sizeBytes: 1, sha256: "0".repeat(64) }

  const now = DateTime.unsafeMake(0)
  const invitation = {
    id,
    invitedBy: personId,
    note: null,
    workspaceId: spaceId,
    role: "editor" as const,
    createdAt: now,
    expiresAt: now,
    usedAt: null,
    usedBy: null,
    withdrawnAt: null
  }
  const hash = Buffer.alloc(32)
  const secretMark = "mark of tests"

  const facts: Calls<"memory"> = {
    list: Effect.flatMap(MemoryStore, ({ list }) => list(page)),
    count: Effect.flatMap(MemoryStore, ({ count }) => count),
    byIds: Effect.flatMap(MemoryStore, ({ byIds }) => byIds([id], "read")),
    since: Effect.flatMap(MemoryStore, ({ since }) => since({ seq: 0, id }, 10)),
    vectorsSince: Effect.flatMap(MemoryStore, ({ vectorsSince }) => vectorsSince({ seq: 0, id }, 10)),
    vectors: Effect.flatMap(MemoryStore, ({ vectors }) => vectors([id])),
    history: Effect.flatMap(MemoryStore, ({ history }) => history(id, page)),
    findRepeated: Effect.flatMap(MemoryStore, ({ findRepeated }) => findRepeated([id])),
    write: Effect.flatMap(MemoryStore, ({ write }) => write("create", aFactWrite(), event, aPassed))
  }

  const accounts: Calls<"accounts"> = {
    people: Effect.flatMap(AccountStore, ({ people }) => people(page)),
    suspend: Effect.flatMap(AccountStore, ({ suspend }) => suspend(id, true, aPassed)),
    appoint: Effect.flatMap(AccountStore, ({ appoint }) => appoint(id, true, aPassed)),
    rename: Effect.flatMap(AccountStore, ({ rename }) => rename("Name", aPassed)),
    passwordHash: Effect.flatMap(AccountStore, ({ passwordHash }) => passwordHash),
    changePassword: Effect.flatMap(AccountStore, (store) => store.changePassword({ from: "a", to: "b" }, aPassed))
  }
  const ownSessions: Calls<"ownSessions"> = {
    list: Effect.flatMap(OwnSessionStore, ({ list }) => list),
    end: Effect.flatMap(OwnSessionStore, ({ end }) => end(id, aPassed)),
    endOthers: Effect.flatMap(OwnSessionStore, ({ endOthers }) => endOthers(undefined, aPassed))
  }
  const podName: Calls<"podName"> = {
    rename: Effect.flatMap(PodNameStore, ({ rename }) => rename("Name", aPassed))
  }
  const invitations: Calls<"invitations"> = {
    add: Effect.flatMap(InvitationStore, ({ add }) => add({ invitation, hash, secretMark }, aPassed)),
    list: Effect.flatMap(InvitationStore, ({ list }) => list(page)),
    get: Effect.flatMap(InvitationStore, ({ get }) => get(id)),
    withdraw: Effect.flatMap(InvitationStore, ({ withdraw }) => withdraw(id, aPassed)),
    workspaceName: Effect.flatMap(InvitationStore, ({ workspaceName }) => workspaceName(invitation)),
    useAsMember: Effect.flatMap(InvitationStore, ({ useAsMember }) => useAsMember(invitation, aPassed)),
    join: Effect.flatMap(InvitationStore, ({ join }) => join(invitation, id, aPassed)),
    note: Effect.flatMap(InvitationStore, ({ note }) => note(invitation, { personId: id, hasJoined: false }, aPassed))
  }
  const attachments: Calls<"attachments"> = {
    list: Effect.flatMap(AttachmentStore, ({ list }) => list(entityId)),
    get: Effect.flatMap(AttachmentStore, ({ get }) => get(entityId, id)),
    add: Effect.flatMap(AttachmentStore, ({ add }) =>
      add({ id, entityId, ...file, bytes: Buffer.from("a") }, event, aPassed)
    )
  }
  const centrality: Calls<"centrality"> = {
    edges: Effect.flatMap(CentralityStore, ({ edges }) => edges),
    keep: Effect.flatMap(CentralityStore, ({ keep }) => keep([{ id: entityId, score: 1 }])),
    ranking: Effect.flatMap(CentralityStore, ({ ranking }) => ranking)
  }
  const discovery: Calls<"discovery"> = {
    fills: Effect.flatMap(DiscoveryStore, ({ fills }) => fills({ kinds: ["note"], spaces: null }))
  }
  const graph: Calls<"graph"> = {
    steps: Effect.flatMap(GraphStore, ({ steps }) =>
      steps({ nodes: [{ id: entityId, spaceId }], types: null, limit: 10 })
    ),
    findReferencing: Effect.flatMap(GraphStore, ({ findReferencing }) => findReferencing(entityId, 10))
  }
  const members: Calls<"members"> = {
    memberships: Effect.flatMap(MemberStore, ({ memberships }) => memberships([id])),
    enroll: Effect.flatMap(MemberStore, ({ enroll }) => enroll(id, spaceId, "editor", event, aPassed)),
    change: Effect.flatMap(MemberStore, ({ change }) =>
      change({ userId: id, spaceId, role: "viewer", isOwner: true }, event, aPassed)
    ),
    dismiss: Effect.flatMap(MemberStore, ({ dismiss }) => dismiss(id, spaceId, event, aPassed))
  }
  const messaging: Calls<"messaging"> = {
    list: Effect.flatMap(MessagingStore, ({ list }) => list({ spaces: null, cursor: undefined, ...page })),
    linked: Effect.flatMap(MessagingStore, ({ linked }) => linked({ spaces: null, limit: 10 })),
    locate: Effect.flatMap(MessagingStore, ({ locate }) => locate(id)),
    mark: Effect.flatMap(MessagingStore, ({ mark }) => mark(id, null, event, aPassed))
  }
  const identity: Calls<"identity"> = {
    findMatching: Effect.flatMap(IdentityLookup, ({ findMatching }) =>
      findMatching({ nameKey: "harbour", kinds: ["note"], signals: [], spaces: null })
    )
  }
  const projectMembers: Calls<"projectMembers"> = {
    file: Effect.flatMap(ProjectMemberStore, (store) => store.file({ id, ...member }, event, aPassed)),
    unfile: Effect.flatMap(ProjectMemberStore, ({ unfile }) => unfile(member, event, aPassed)),
    find: Effect.flatMap(ProjectMemberStore, ({ find }) => find([entityId], id, "read"))
  }
  const projections: Calls<"projections"> = {
    read: Effect.flatMap(ProjectionStore, ({ read }) => read({ workspace: spaceId, limit: 10 })),
    preview: Effect.flatMap(ProjectionStore, ({ preview }) =>
      preview({ enabled: true, roles: [], fields: [] }, { workspace: spaceId, limit: 10 })
    )
  }
  const provisioning: Calls<"provisioning"> = {
    progress: Effect.flatMap(ProvisioningStore, ({ progress }) => progress(spaceId)),
    earlier: Effect.flatMap(ProvisioningStore, ({ earlier }) => earlier({ proposalId: id, provisionKey: null })),
    mark: Effect.flatMap(ProvisioningStore, ({ mark }) => mark(spaceId, "ready", event, aPassed)),
    addProfiles: Effect.flatMap(ProvisioningStore, ({ addProfiles }) =>
      addProfiles(spaceId, [{ slug: "boat", displayName: "Boat" }], event, aPassed)
    )
  }
  const recordHistory: Calls<"recordHistory"> = {
    list: Effect.flatMap(RecordHistory, ({ list }) => list(Document, id, page)),
    get: Effect.flatMap(RecordHistory, ({ get }) => get(Document, id, 1))
  }
  const relations: Calls<"relations"> = {
    list: Effect.flatMap(RelationStore, ({ list }) =>
      list({ spaces: null, entityId: undefined, type: undefined, cursor: undefined, ...page })
    ),
    get: Effect.flatMap(RelationStore, ({ get }) => get(id)),
    locate: Effect.flatMap(RelationStore, ({ locate }) => locate(id)),
    find: Effect.flatMap(RelationStore, ({ find }) => find(edge)),
    add: Effect.flatMap(RelationStore, ({ add }) => add({ id, spaceId, ...edge, metadata: {} }, event, aPassed)),
    remove: Effect.flatMap(RelationStore, ({ remove }) => remove(id, null, event, aPassed)),
    restore: Effect.flatMap(RelationStore, ({ restore }) => restore(id, event, aPassed)),
    connections: Effect.flatMap(RelationStore, ({ connections }) => connections(entityId, 10, 10))
  }
  const vectors: Calls<"vectors"> = {
    heads: Effect.flatMap(Vectors, ({ heads }) => heads("model", [spaceId])),
    placesOf: Effect.flatMap(Vectors, ({ placesOf }) => placesOf("model", spaceId, [entityId])),
    since: Effect.flatMap(Vectors, (store) =>
      store.since("model", spaceId, { revision: 0, objectId: entityId, start: 0 }, 10)
    ),
    keep: Effect.flatMap(Vectors, ({ keep }) =>
      keep({ spaceId, model: "model", objectIds: [], places: [], vectors: [], seq: 1, isComplete: true })
    )
  }
  const searchSources: Calls<"searchSources"> = {
    heads: Effect.flatMap(SearchStore, ({ heads }) => heads(null)),
    readable: Effect.flatMap(SearchStore, ({ readable }) => readable("entity", anyFiling, null)),
    documentsOf: Effect.flatMap(SearchStore, ({ documentsOf }) => documentsOf(spaceId, [entityId])),
    eventsAfter: Effect.flatMap(SearchStore, ({ eventsAfter }) => eventsAfter(spaceId, 0, 10)),
    sources: Effect.flatMap(SearchStore, ({ sources }) => sources(spaceId, [entityId])),
    page: Effect.flatMap(SearchStore, (store) => store.page(spaceId, "entity", null, 10)),
    show: Effect.flatMap(SearchStore, ({ show }) => show("entity", [{ id: entityId, start: 0, length: 10 }]))
  }
  const samples: Calls<"samples"> = {
    list: Effect.flatMap(SampleStore, ({ list }) => list),
    remove: Effect.flatMap(SampleStore, ({ remove }) => remove(spaceId, aPassed))
  }
  const workspaceChanges: Calls<"workspaceChanges"> = {
    find: Effect.flatMap(WorkspaceChangeStore, ({ find }) => find(spaceId)),
    change: Effect.flatMap(WorkspaceChangeStore, (store) =>
      store.change(spaceId, { name: "Theirs" }, null, event, aPassed)
    ),
    revertCreation: Effect.flatMap(WorkspaceChangeStore, ({ revertCreation }) =>
      revertCreation(personId, event, aPassed)
    )
  }
  const workspaceUse: Calls<"workspaceUse"> = {
    of: Effect.flatMap(WorkspaceUse, ({ of }) => of([spaceId], 10))
  }
  const eventCursors: Calls<"eventCursors"> = {
    lock: Effect.flatMap(EventCursors, ({ lock }) => lock("consumer", spaceId, DateTime.unsafeMake(0))),
    after: Effect.flatMap(EventCursors, ({ after }) => after(spaceId, 0, 10)),
    listBetween: Effect.flatMap(EventCursors, ({ listBetween }) => {
      const [since, until] = [DateTime.unsafeMake(0), DateTime.unsafeMake(1)]
      return listBetween(spaceId, { userId: id, since, until, seq: 0 }, 10)
    }),
    move: Effect.flatMap(EventCursors, ({ move }) => move("consumer", spaceId, 1))
  }
  const planned = {
    id,
    spaceId,
    webhookId: id,
    homeId: spaceId,
    eventId: id,
    eventType: "test.happened",
    seq: 1,
    subjectId: id,
    isTest: false
  }
  const claimed = { ...planned, attempt: 1 }
  const firing = { ...aFiring(spaceId, id), attempt: 1, ruleVersion: 1, results: [] }
  const automations: Calls<"automations"> = {
    plan: Effect.flatMap(AutomationStore, ({ plan }) => plan([aFiring(spaceId, id)])),
    claim: Effect.flatMap(AutomationStore, ({ claim }) => claim(id, 10)),
    release: Effect.flatMap(AutomationStore, ({ release }) => release(firing)),
    drop: Effect.flatMap(AutomationStore, ({ drop }) => drop(firing)),
    recent: Effect.flatMap(AutomationStore, ({ recent }) => recent(id)),
    begin: Effect.flatMap(AutomationStore, ({ begin }) => begin(firing, 1, false)),
    advance: Effect.flatMap(AutomationStore, ({ advance }) => advance(firing, { kind: "set", status: "done" }, 10)),
    storeEnd: Effect.flatMap(AutomationStore, ({ storeEnd }) => storeEnd(firing, { status: "succeeded", error: null }))
  }
  const webhookCalls: Calls<"webhookCalls"> = {
    claim: Effect.flatMap(CallStore, ({ claim }) => claim([id], 10, 10)),
    release: Effect.flatMap(CallStore, ({ release }) => release([claimed])),
    storeResults: Effect.flatMap(CallStore, ({ storeResults }) =>
      storeResults([{ claimed, outcome: anOutcome() }], 10)
    ),
    stop: Effect.flatMap(CallStore, ({ stop }) => stop({ webhookId: id, reason: "gone" })),
    drop: Effect.flatMap(CallStore, ({ drop }) => drop([id]))
  }
  const deliveries: Calls<"deliveries"> = {
    plan: Effect.flatMap(DeliveryStore, ({ plan }) => plan([planned])),
    list: Effect.flatMap(DeliveryStore, ({ list }) => list(id, { limit: 10, offset: 0 })),
    latest: Effect.flatMap(DeliveryStore, ({ latest }) => latest([id], 10)),
    makeDue: Effect.flatMap(DeliveryStore, ({ makeDue }) => makeDue(id, id)),
    recover: Effect.flatMap(DeliveryStore, ({ recover }) => recover(id, DateTime.unsafeMake(0), 10)),
    waiting: Effect.flatMap(DeliveryStore, ({ waiting }) => waiting(id)),
    states: Effect.flatMap(DeliveryStore, ({ states }) => states([id])),
    attempts: Effect.flatMap(DeliveryStore, ({ attempts }) => attempts(id, id)),
    figures: Effect.flatMap(DeliveryStore, ({ figures }) => figures([id])),
    enable: Effect.flatMap(DeliveryStore, ({ enable }) => enable(id))
  }
  const reactiveEvents: Calls<"reactiveEvents"> = {
    list: Effect.flatMap(ReactiveEvents, ({ list }) => list({ kinds: ["automation"], ids: [id], limit: 10 })),
    causedBy: Effect.flatMap(ReactiveEvents, ({ causedBy }) => causedBy([id], 10)),
    causesOf: Effect.flatMap(ReactiveEvents, ({ causesOf }) => causesOf("automation", { before: undefined, limit: 10 }))
  }
  const sentEvents: Calls<"sentEvents"> = {
    recent: Effect.flatMap(SentEvents, ({ recent }) => recent({ before: undefined, limit: 10 }, null)),
    of: Effect.flatMap(SentEvents, (store) => store.of([id], null))
  }
  const notifications: Calls<"notifications"> = {
    add: Effect.flatMap(NotificationStore, ({ add }) => add(aPlannedNotification(spaceId), aPassed)),
    list: Effect.flatMap(NotificationStore, ({ list }) => list({ state: "open", limit: 10 })),
    find: Effect.flatMap(NotificationStore, ({ find }) => find(id)),
    mark: Effect.flatMap(NotificationStore, ({ mark }) => mark([id], "read", event, aPassed)),
    markSubjectRead: Effect.flatMap(NotificationStore, ({ markSubjectRead }) =>
      markSubjectRead("proposal_waiting", id)
    ),
    people: Effect.flatMap(NotificationStore, ({ people }) => people(spaceId)),
    preferences: Effect.flatMap(NotificationStore, ({ preferences }) => preferences),
    setPreferences: Effect.flatMap(NotificationStore, ({ setPreferences }) =>
      setPreferences(standardPreferences, null, aPassed)
    )
  }
  const figures: Calls<"figures"> = {
    recent: Effect.flatMap(FigureStore, ({ recent }) => recent(5, 100)),
    attachments: Effect.flatMap(FigureStore, ({ attachments: counted }) => counted(100)),
    firstDocument: Effect.flatMap(FigureStore, ({ firstDocument }) => firstDocument),
    knowledge: Effect.flatMap(FigureStore, ({ knowledge }) => knowledge),
    migrations: Effect.flatMap(FigureStore, ({ migrations }) => migrations),
    databaseBytes: Effect.flatMap(FigureStore, ({ databaseBytes }) => databaseBytes),
    lastBackup: Effect.flatMap(FigureStore, ({ lastBackup }) => lastBackup),
    facts: Effect.flatMap(FigureStore, ({ facts: factCount }) => factCount)
  }
  const preferences: Calls<"preferences"> = {
    changeFrom: Effect.flatMap(PreferenceStore, ({ changeFrom }) =>
      changeFrom({ uiPreferences: {}, graphPreferences: {} }, { theme: "dark" }, aPassed)
    ),
    get: Effect.flatMap(PreferenceStore, ({ get }) => get),
    base: Effect.flatMap(PreferenceStore, ({ base }) => base),
    change: Effect.flatMap(PreferenceStore, ({ change }) => change({ theme: "dark" }, aPassed))
  }
  const postCounts: Calls<"postCounts"> = {
    take: Effect.flatMap(PostCountStore, ({ take }) => take(spaceId))
  }
  const entry = aSealedEntry(personId)
  const vaults: Calls<"vaults"> = {
    vault: Effect.flatMap(VaultStore, ({ vault }) => vault),
    begin: Effect.flatMap(VaultStore, ({ begin }) => begin(hash, aPassed)),
    changeVault: Effect.flatMap(VaultStore, ({ changeVault }) => changeVault({ kind: "unlock" }, aPassed)),
    list: Effect.flatMap(VaultStore, ({ list }) => list({ limit: 10 })),
    find: Effect.flatMap(VaultStore, ({ find }) => find(id)),
    add: Effect.flatMap(VaultStore, ({ add }) => add(entry, aPassed)),
    change: Effect.flatMap(VaultStore, ({ change }) => change(entry, [], aPassed)),
    remove: Effect.flatMap(VaultStore, ({ remove }) => remove(id, aPassed)),
    share: Effect.flatMap(VaultStore, ({ share }) => share(id, personId, spaceId, aPassed)),
    unshare: Effect.flatMap(VaultStore, ({ unshare }) => unshare(id, personId, aPassed)),
    sharesOf: Effect.flatMap(VaultStore, ({ sharesOf }) => sharesOf(id)),
    received: Effect.flatMap(VaultStore, ({ received }) => received(page))
  }
  const calendars: Calls<"calendars"> = {
    createdAt: Effect.flatMap(CalendarStore, ({ createdAt }) => createdAt),
    put: Effect.flatMap(CalendarStore, ({ put }) => put({ hash, secretMark }, aPassed)),
    remove: Effect.flatMap(CalendarStore, ({ remove }) => remove(aPassed))
  }
  return {
    calendars,
    vaults,
    probes: none,
    vaultKeys: none,
    providers: none,
    reactiveEvents,
    sentEvents,
    accounts,
    ownSessions,
    podName,
    automations,
    notifications,
    postCounts,
    webhookCalls,
    figures,
    preferences,
    deliveries,
    eventCursors,
    attachments,
    invitations,
    centrality,
    discovery,
    graph,
    idempotency: none,
    jobs: none,
    members,
    memory: facts,
    messaging,
    modelTokens: none,
    proposalCounts: none,
    usage: none,
    identity,
    projectMembers,
    projections,
    provisioning,
    recordHistory,
    relations,
    samples,
    searchSources,
    transactions: none,
    vectors,
    workspaceChanges,
    workspaceUse
  }
}
