/**
 * The table of stores: the service tag and the two adapters (SQL and memory) of each store. All lists of stores are
 * made from this table.
 */
import type { Context, Layer as LayerType } from "effect"
import { Layer } from "effect"
import { Idempotency } from "./doors/Idempotency.ts"
import * as AttachmentSql from "./features/attachments/AttachmentSql.ts"
import { AttachmentStore } from "./features/attachments/AttachmentStore.ts"
import * as AutomationSql from "./features/automations/AutomationSql.ts"
import { AutomationStore } from "./features/automations/AutomationStore.ts"
import * as CalendarSql from "./features/calendar/CalendarSql.ts"
import { CalendarStore } from "./features/calendar/CalendarStore.ts"
import * as CentralitySql from "./features/centrality/CentralitySql.ts"
import { CentralityStore } from "./features/centrality/CentralityStore.ts"
import * as DiscoverySql from "./features/discovery/DiscoverySql.ts"
import { DiscoveryStore } from "./features/discovery/DiscoveryStore.ts"
import * as EntitySql from "./features/entities/EntitySql.ts"
import { EntityStore } from "./features/entities/EntityStore.ts"
import * as IdentityMemory from "./features/entities/IdentityMemory.ts"
import * as IdentitySql from "./features/entities/IdentitySql.ts"
import { EventCursors } from "./features/events/EventCursors.ts"
import * as EventCursorSql from "./features/events/EventCursorSql.ts"
import { EventFeed } from "./features/events/EventFeed.ts"
import * as EventFeedSql from "./features/events/EventFeedSql.ts"
import { EventLog } from "./features/events/EventLog.ts"
import * as EventSql from "./features/events/EventSql.ts"
import { ReactiveEvents } from "./features/events/ReactiveEvents.ts"
import * as ReactiveEventSql from "./features/events/ReactiveEventSql.ts"
import * as FigureSql from "./features/figures/FigureSql.ts"
import { FigureStore } from "./features/figures/FigureStore.ts"
import * as GraphSql from "./features/graph/GraphSql.ts"
import { GraphStore } from "./features/graph/GraphStore.ts"
import { IdentityLookup } from "./features/identity/IdentityLookup.ts"
import * as PolicySql from "./features/governance/PolicySql.ts"
import { PolicyStore } from "./features/governance/PolicyStore.ts"
import * as QuotaSql from "./features/gate/QuotaSql.ts"
import { QuotaStore } from "./features/gate/QuotaStore.ts"
import * as InvitationSql from "./features/invitations/InvitationSql.ts"
import { InvitationStore } from "./features/invitations/InvitationStore.ts"
import * as KeySql from "./features/keys/KeySql.ts"
import { KeyStore } from "./features/keys/KeyStore.ts"
import * as KnowledgeSql from "./features/knowledge/KnowledgeSql.ts"
import { KnowledgeStore } from "./features/knowledge/KnowledgeStore.ts"
import * as MemorySql from "./features/memory/MemorySql.ts"
import { MemoryStore } from "./features/memory/MemoryStore.ts"
import * as MessagingSql from "./features/messaging/MessagingSql.ts"
import { MessagingStore } from "./features/messaging/MessagingStore.ts"
import * as NotificationSql from "./features/notifications/NotificationSql.ts"
import { NotificationStore } from "./features/notifications/NotificationStore.ts"
import * as OwnSessionSql from "./features/people/OwnSessionSql.ts"
import { OwnSessionStore } from "./features/people/OwnSessionStore.ts"
import * as AccountSql from "./features/people/AccountSql.ts"
import { AccountStore } from "./features/people/AccountStore.ts"
import * as PeopleSql from "./features/people/PeopleSql.ts"
import { PeopleStore } from "./features/people/PeopleStore.ts"
import * as PodNameSql from "./features/setup/PodNameSql.ts"
import { PodNameStore } from "./features/setup/PodNameStore.ts"
import * as PreferenceSql from "./features/preferences/PreferenceSql.ts"
import { PreferenceStore } from "./features/preferences/PreferenceStore.ts"
import * as PostCountSql from "./features/proactive/PostCountSql.ts"
import { PostCountStore } from "./features/proactive/PostCountStore.ts"
import { Profiles } from "./features/profiles/Profiles.ts"
import * as ProfileSql from "./features/profiles/ProfileSql.ts"
import * as ProjectionSql from "./features/projection/ProjectionSql.ts"
import { ProjectionStore } from "./features/projection/ProjectionStore.ts"
import * as ProjectMemberSql from "./features/projects/ProjectMemberSql.ts"
import { ProjectMemberStore } from "./features/projects/ProjectMemberStore.ts"
import * as WorkspaceUseMemory from "./features/projects/WorkspaceUseMemory.ts"
import * as WorkspaceUseSql from "./features/projects/WorkspaceUseSql.ts"
import { ProposalCount } from "./features/proposals/ProposalCount.ts"
import * as ProposalCountSql from "./features/proposals/ProposalCountSql.ts"
import * as ProposalSql from "./features/proposals/ProposalSql.ts"
import { ProposalStore } from "./features/proposals/ProposalStore.ts"
import * as ProviderSql from "./features/providers/ProviderSql.ts"
import { ProviderStore } from "./features/providers/ProviderStore.ts"
import { RecordHistory } from "./features/records/RecordHistory.ts"
import * as RecordHistorySql from "./features/records/RecordHistorySql.ts"
import { Records } from "./features/records/Records.ts"
import * as RecordsSql from "./features/records/RecordsSql.ts"
import * as RelationSql from "./features/relations/RelationSql.ts"
import { RelationStore } from "./features/relations/RelationStore.ts"
import * as SampleSql from "./features/samples/SampleSql.ts"
import { SampleStore } from "./features/samples/SampleStore.ts"
import * as SearchSql from "./features/search/SearchSql.ts"
import { SearchStore } from "./features/search/SearchStore.ts"
import * as VectorSql from "./features/search/VectorSql.ts"
import { Vectors } from "./features/search/Vectors.ts"
import * as IdempotencySql from "./features/system/IdempotencySql.ts"
import * as ProbeSql from "./features/system/ProbeSql.ts"
import { ProbeStore } from "./features/system/ProbeStore.ts"
import * as CallMemory from "./features/webhooks/CallMemory.ts"
import * as CallSql from "./features/webhooks/CallSql.ts"
import { CallStore } from "./features/webhooks/CallStore.ts"
import * as UsageSql from "./features/usage/UsageSql.ts"
import { UsageStore } from "./features/usage/UsageStore.ts"
import * as VaultKeySql from "./features/vault/VaultKeySql.ts"
import { VaultKeyStore } from "./features/vault/VaultKeyStore.ts"
import * as VaultSql from "./features/vault/VaultSql.ts"
import { VaultStore } from "./features/vault/VaultStore.ts"
import * as DeliveryMemory from "./features/webhooks/DeliveryMemory.ts"
import * as DeliverySql from "./features/webhooks/DeliverySql.ts"
import { DeliveryStore } from "./features/webhooks/DeliveryStore.ts"
import * as SentEventSql from "./features/webhooks/SentEventSql.ts"
import { SentEvents } from "./features/webhooks/SentEvents.ts"
import * as MemberSql from "./features/workspaces/MemberSql.ts"
import { MemberStore } from "./features/workspaces/MemberStore.ts"
import * as ProvisioningSql from "./features/workspaces/ProvisioningSql.ts"
import { ProvisioningStore } from "./features/workspaces/ProvisioningStore.ts"
import * as WorkspaceChangeSql from "./features/workspaces/WorkspaceChangeSql.ts"
import { WorkspaceChangeStore } from "./features/workspaces/WorkspaceChangeStore.ts"
import * as WorkspaceSql from "./features/workspaces/WorkspaceSql.ts"
import { WorkspaceStore } from "./features/workspaces/WorkspaceStore.ts"
import { WorkspaceUse } from "./features/workspaces/WorkspaceUse.ts"
import * as JobSql from "./platform/jobs/JobSql.ts"
import { JobStore } from "./platform/jobs/JobStore.ts"
import * as TokenSql from "./platform/models/TokenSql.ts"
import { TokenStore } from "./platform/models/TokenStore.ts"
import { Transaction } from "./platform/Transaction.ts"
import * as TransactionSql from "./platform/TransactionSql.ts"

/** Makes a store with its two adapters, which provide the same service. */
const store = <Id, Service, InSql, InMemory>(
  tag: Context.Tag<Id, Service>,
  sql: LayerType.Layer<Id, never, InSql>,
  memory: LayerType.Layer<Id, never, InMemory>
) => ({ tag, sql, memory })

export const stores = {
  accounts: store(AccountStore, AccountSql.layer, AccountStore.layerMemory),
  ownSessions: store(OwnSessionStore, OwnSessionSql.layer, OwnSessionStore.layerMemory),
  attachments: store(AttachmentStore, AttachmentSql.layer, AttachmentStore.layerMemory),
  automations: store(AutomationStore, AutomationSql.layer, AutomationStore.layerMemory),
  calendars: store(CalendarStore, CalendarSql.layer, CalendarStore.layerMemory),
  centrality: store(CentralityStore, CentralitySql.layer, CentralityStore.layerMemory),
  webhookCalls: store(CallStore, CallSql.layer, CallMemory.layer),
  deliveries: store(DeliveryStore, DeliverySql.layer, DeliveryMemory.layer),
  discovery: store(DiscoveryStore, DiscoverySql.layer, DiscoveryStore.layerMemory),
  entities: store(EntityStore, EntitySql.layer, EntityStore.layerMemory),
  eventCursors: store(EventCursors, EventCursorSql.layer, EventCursors.layerMemory),
  eventFeed: store(EventFeed, EventFeedSql.layer, EventFeed.layerMemory),
  events: store(EventLog, EventSql.layer, EventLog.layerMemory),
  figures: store(FigureStore, FigureSql.layer, FigureStore.layerMemory),
  graph: store(GraphStore, GraphSql.layer, GraphStore.layerMemory),
  idempotency: store(Idempotency, IdempotencySql.layer, Idempotency.layerMemory),
  invitations: store(InvitationStore, InvitationSql.layer, InvitationStore.layerMemory),
  jobs: store(JobStore, JobSql.layer, JobStore.layerMemory),
  keys: store(KeyStore, KeySql.layer, KeyStore.layerMemory),
  knowledge: store(KnowledgeStore, KnowledgeSql.layer, KnowledgeStore.layerMemory),
  members: store(MemberStore, MemberSql.layer, MemberStore.layerMemory),
  memory: store(MemoryStore, MemorySql.layer, MemoryStore.layerMemory),
  messaging: store(MessagingStore, MessagingSql.layer, MessagingStore.layerMemory),
  modelTokens: store(TokenStore, TokenSql.layer, TokenStore.layerMemory),
  identity: store(IdentityLookup, IdentitySql.layer, IdentityMemory.layer),
  notifications: store(NotificationStore, NotificationSql.layer, NotificationStore.layerMemory),
  people: store(PeopleStore, PeopleSql.layer, PeopleStore.layerMemory),
  policies: store(PolicyStore, PolicySql.layer, PolicyStore.layerMemory),
  postCounts: store(PostCountStore, PostCountSql.layer, PostCountStore.layerMemory),
  podName: store(PodNameStore, PodNameSql.layer, PodNameStore.layerMemory),
  preferences: store(PreferenceStore, PreferenceSql.layer, PreferenceStore.layerMemory),
  probes: store(ProbeStore, ProbeSql.layer, ProbeStore.layerMemory),
  profiles: store(Profiles, ProfileSql.layer, Profiles.layerMemory),
  projectMembers: store(ProjectMemberStore, ProjectMemberSql.layer, ProjectMemberStore.layerMemory),
  projections: store(ProjectionStore, ProjectionSql.layer, ProjectionStore.layerMemory),
  proposalCounts: store(ProposalCount, ProposalCountSql.layer, ProposalCount.layerMemory),
  proposals: store(ProposalStore, ProposalSql.layer, ProposalStore.layerMemory),
  providers: store(ProviderStore, ProviderSql.layer, ProviderStore.layerMemory),
  provisioning: store(ProvisioningStore, ProvisioningSql.layer, ProvisioningStore.layerMemory),
  quotas: store(QuotaStore, QuotaSql.layer, QuotaStore.layerMemory),
  recordHistory: store(RecordHistory, RecordHistorySql.layer, RecordHistory.layerMemory),
  records: store(Records, RecordsSql.layer, Records.layerMemory),
  relations: store(RelationStore, RelationSql.layer, RelationStore.layerMemory),
  reactiveEvents: store(ReactiveEvents, ReactiveEventSql.layer, ReactiveEvents.layerMemory),
  samples: store(SampleStore, SampleSql.layer, SampleStore.layerMemory),
  searchSources: store(SearchStore, SearchSql.layer, SearchStore.layerMemory),
  sentEvents: store(SentEvents, SentEventSql.layer, SentEvents.layerMemory),
  transactions: store(Transaction, TransactionSql.layer, Transaction.layerMemory),
  usage: store(UsageStore, UsageSql.layer, UsageStore.layerMemory),
  vaultKeys: store(VaultKeyStore, VaultKeySql.layer, VaultKeyStore.layerMemory),
  vaults: store(VaultStore, VaultSql.layer, VaultStore.layerMemory),
  vectors: store(Vectors, VectorSql.layer, Vectors.layerMemory),
  workspaceChanges: store(WorkspaceChangeStore, WorkspaceChangeSql.layer, WorkspaceChangeStore.layerMemory),
  workspaceUse: store(WorkspaceUse, WorkspaceUseSql.layer, WorkspaceUseMemory.layer),
  workspaces: store(WorkspaceStore, WorkspaceSql.layer, WorkspaceStore.layerMemory)
}

export type StoreName = keyof typeof stores
type Side = "sql" | "memory"
type Needs<At extends Side> = {
  [Name in StoreName]: (typeof stores)[Name][At] extends LayerType.Layer<infer _, infer _E, infer In> ? In : never
}[StoreName]

/** The services of all stores. */
export type Stores = { [Name in StoreName]: Context.Tag.Identifier<(typeof stores)[Name]["tag"]> }[StoreName]

/**
 * Returns all adapters of one kind: SQL or memory. TypeScript loses the types of the layers in a list, so the code
 * derives the result type from the table.
 */
const allStores = <At extends Side>(side: At) => {
  const [first, ...others] = Object.values(stores).map((each) => each[side] as LayerType.Layer<never, never, unknown>)
  return Layer.mergeAll(first, ...others) as LayerType.Layer<Stores, never, Needs<At>>
}

export const layerSql = allStores("sql")
export const layerMemory = allStores("memory")
