/** The contract suites of all stores. If a store in the table of stores has no suite, this file does not compile. */
import type { Layer } from "effect"
import type { StoreName } from "../../src/Stores.ts"
import { centralityStoreContract } from "../features/centrality/centralityStore.contract.ts"
import { discoveryStoreContract } from "../features/discovery/discoveryStore.contract.ts"
import { entityHistoryContract } from "../features/entities/entityHistory.contract.ts"
import { entityReachContract } from "../features/entities/entityStore.contract.ts"
import { eventCursorsContract } from "../features/events/eventCursors.contract.ts"
import { reactiveEventsContract } from "../features/events/reactiveEvents.contract.ts"
import { sentEventsContract } from "../features/webhooks/sentEvents.contract.ts"
import { eventFeedContract } from "../features/events/eventFeed.contract.ts"
import { eventLogContract } from "../features/events/eventLog.contract.ts"
import { graphStoreContract } from "../features/graph/graphStore.contract.ts"
import { usageStoreContract } from "../features/usage/usageStore.contract.ts"
import { vaultKeyStoreContract } from "../features/vault/vaultKeyStore.contract.ts"
import { vaultStoreContract } from "../features/vault/vaultStore.contract.ts"
import { providerStoreContract } from "../features/providers/providerStore.contract.ts"
import { calendarStoreContract } from "../features/calendar/calendarStore.contract.ts"
import { policyStoreContract } from "../features/governance/policyStore.contract.ts"
import { invitationStoreContract } from "../features/invitations/invitationStore.contract.ts"
import { keyStoreContract } from "../features/keys/keyStore.contract.ts"
import { memoryReachContract, memoryStoreContract } from "../features/memory/memoryStore.contract.ts"
import { messagingStoreContract } from "../features/messaging/messagingStore.contract.ts"
import { notificationStoreContract } from "../features/notifications/notificationStore.contract.ts"
import { figureStoreContract } from "../features/figures/figureStore.contract.ts"
import { preferenceStoreContract } from "../features/preferences/preferenceStore.contract.ts"
import { podNameStoreContract } from "../features/setup/podNameStore.contract.ts"
import { postCountStoreContract } from "../features/proactive/postCountStore.contract.ts"
import { ownSessionStoreContract } from "../features/people/ownSessionStore.contract.ts"
import { accountStoreContract } from "../features/people/accountStore.contract.ts"
import { peopleStoreContract } from "../features/people/peopleStore.contract.ts"
import { profilesContract } from "../features/profiles/profiles.contract.ts"
import { projectionStoreContract } from "../features/projection/projectionStore.contract.ts"
import { workspaceUseContract } from "../features/projects/workspaceUse.contract.ts"
import { proposalStoreContract } from "../features/proposals/proposalStore.contract.ts"
import { settlingContract } from "../features/proposals/settling.contract.ts"
import { recordHistoryContract } from "../features/records/recordHistory.contract.ts"
import { recordPagesContract } from "../features/records/recordPages.contract.ts"
import { recordReachContract } from "../features/records/recordReach.contract.ts"
import { quotaStoreContract } from "../features/gate/quotaStore.contract.ts"
import { recordsContract } from "../features/records/records.contract.ts"
import { uniqueRecordsContract } from "../features/records/uniqueRecords.contract.ts"
import { relationStoreContract } from "../features/relations/relationStore.contract.ts"
import { sampleStoreContract } from "../features/samples/sampleStore.contract.ts"
import { searchStoreContract } from "../features/search/searchStore.contract.ts"
import { vectorsContract } from "../features/search/storedVectors.contract.ts"
import { idempotencyContract } from "../features/system/idempotencyStore.contract.ts"
import { probeStoreContract } from "../features/system/probeStore.contract.ts"
import { automationStoreContract } from "../features/automations/automationStore.contract.ts"
import { callStoreContract } from "../features/webhooks/callStore.contract.ts"
import { deliveryStoreContract } from "../features/webhooks/deliveryStore.contract.ts"
import { workspaceChangesContract } from "../features/workspaces/workspaceChanges.contract.ts"
import { workspaceStoreContract } from "../features/workspaces/workspaceStore.contract.ts"
import { attachmentStoreContract } from "../features/attachments/attachmentStore.contract.ts"
import { entityTallyContract } from "../features/entities/entityKindCounts.contract.ts"
import { memberStoreContract } from "../features/workspaces/memberStore.contract.ts"
import { identityLookupContract } from "../features/identity/identityLookup.contract.ts"
import { projectMemberStoreContract } from "../features/projects/projectMemberStore.contract.ts"
import { provisioningStoreContract } from "../features/workspaces/provisioningStore.contract.ts"
import { jobAttemptsContract } from "../platform/jobs/jobAttempts.contract.ts"
import { jobsContract } from "../platform/jobs/jobs.contract.ts"
import { tokenStoreContract } from "../platform/models/tokenStore.contract.ts"
import { transactionContract } from "../platform/transaction.contract.ts"
import type { Stores } from "./stores.ts"

type Suite = (stores: Layer.Layer<Stores>) => void

interface Contract {
  /**
   * The suites about reach (the rows that a caller may touch). The conditions of the SQL statements enforce the reach
   * even without row-level security.
   */
  readonly reach: ReadonlyArray<Suite>
  readonly further: ReadonlyArray<Suite>
}

/** Names the test that checks the rules of a store on each engine, if the store has no suite of its own. */
interface Elsewhere {
  readonly testFile: string
}

const contracts = {
  accounts: { reach: [], further: [accountStoreContract] },
  ownSessions: { reach: [], further: [ownSessionStoreContract] },
  attachments: { reach: [attachmentStoreContract], further: [] },
  automations: { reach: [automationStoreContract], further: [] },
  webhookCalls: { reach: [callStoreContract], further: [] },
  deliveries: { reach: [deliveryStoreContract], further: [] },
  calendars: { reach: [], further: [calendarStoreContract] },
  centrality: { reach: [centralityStoreContract], further: [] },
  discovery: { reach: [discoveryStoreContract], further: [] },
  entities: { reach: [entityReachContract], further: [entityHistoryContract, entityTallyContract] },
  eventCursors: { reach: [eventCursorsContract], further: [] },
  eventFeed: { reach: [eventFeedContract], further: [] },
  events: { reach: [eventLogContract], further: [] },
  figures: { reach: [figureStoreContract], further: [] },
  graph: { reach: [graphStoreContract], further: [] },
  idempotency: { reach: [], further: [idempotencyContract] },
  invitations: { reach: [], further: [invitationStoreContract] },
  jobs: { reach: [], further: [jobsContract, jobAttemptsContract] },
  keys: { reach: [keyStoreContract], further: [] },
  knowledge: { testFile: "test/features/knowledge/knowledge.test.ts" },
  members: { reach: [memberStoreContract], further: [] },
  memory: { reach: [memoryReachContract], further: [memoryStoreContract] },
  messaging: { reach: [messagingStoreContract], further: [] },
  modelTokens: { reach: [], further: [tokenStoreContract] },
  identity: { reach: [identityLookupContract], further: [] },
  notifications: { reach: [notificationStoreContract], further: [] },
  people: { reach: [peopleStoreContract], further: [] },
  policies: { reach: [policyStoreContract], further: [] },
  podName: { reach: [], further: [podNameStoreContract] },
  postCounts: { reach: [postCountStoreContract], further: [] },
  preferences: { reach: [preferenceStoreContract], further: [] },
  probes: { reach: [], further: [probeStoreContract] },
  profiles: { reach: [profilesContract], further: [] },
  projectMembers: { reach: [projectMemberStoreContract], further: [] },
  projections: { reach: [projectionStoreContract], further: [] },
  proposalCounts: { testFile: "test/surfaces/metrics.test.ts" },
  proposals: { reach: [proposalStoreContract], further: [settlingContract] },
  providers: { reach: [], further: [providerStoreContract] },
  provisioning: { reach: [provisioningStoreContract], further: [] },
  quotas: { reach: [], further: [quotaStoreContract] },
  recordHistory: { reach: [recordHistoryContract], further: [] },
  records: { reach: [recordReachContract], further: [recordsContract, recordPagesContract, uniqueRecordsContract] },
  reactiveEvents: { reach: [reactiveEventsContract], further: [] },
  relations: { reach: [relationStoreContract], further: [] },
  samples: { reach: [], further: [sampleStoreContract] },
  searchSources: { reach: [searchStoreContract], further: [] },
  sentEvents: { reach: [sentEventsContract], further: [] },
  transactions: { reach: [], further: [transactionContract] },
  usage: { reach: [], further: [usageStoreContract] },
  vaultKeys: { reach: [], further: [vaultKeyStoreContract] },
  vaults: { reach: [vaultStoreContract], further: [] },
  vectors: { reach: [vectorsContract], further: [] },
  workspaceChanges: { reach: [], further: [workspaceChangesContract] },
  workspaceUse: { reach: [], further: [workspaceUseContract] },
  workspaces: { reach: [workspaceStoreContract], further: [] }
} satisfies Readonly<Record<StoreName, Contract | Elsewhere>>

type StoreWithSuite = {
  [Name in StoreName]: (typeof contracts)[Name] extends Contract ? Name : never
}[StoreName]

export const contractOf =
  (name: StoreWithSuite): Suite =>
  (stores) => {
    const { further, reach }: Contract = contracts[name]
    for (const suite of [...reach, ...further]) suite(stores)
  }

/** For every store, runs the suites that test which rows a caller may touch. */
export const reachSuites: Suite = (stores) => {
  for (const contract of Object.values<Contract | Elsewhere>(contracts)) {
    if ("reach" in contract) for (const suite of contract.reach) suite(stores)
  }
}

/** The paths of the tests that check the stores without a suite. */
export const coveredElsewhere: ReadonlyArray<string> = Object.values<Contract | Elsewhere>(contracts).flatMap(
  (contract) => ("testFile" in contract ? [contract.testFile] : [])
)
