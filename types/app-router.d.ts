/**
 * The procedures of the pod as types, for `createTRPCClient<AppRouter>()` of @trpc/client 11. Made from the declarations
 * by scripts/appRouter.mjs: change those, not this file. Times are texts in ISO 8601; ids are UUIDs as texts.
 */
import type {
  TRPCBuiltRouter,
  TRPC_ERROR_CODE_KEY,
  TRPC_ERROR_CODE_NUMBER,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure
} from "@trpc/server"

export type AccessRole = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly description: string | null
  /** Permissions and limits. A grant only narrows what the person may do. */
  readonly grant: Grant
}

export type AccessRoleChange = {
  /** Id of the access role. */
  readonly roleId: string
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  /** Permissions and limits. A grant only narrows what the person may do. */
  readonly grant?: RoleGrant | undefined
}

export type AccessRoleDraft = {
  readonly name: string
  readonly description?: string | null | undefined
  /** Permissions and limits. A grant only narrows what the person may do. */
  readonly grant: RoleGrant
}

export type Agent = {
  readonly id: string
  readonly name: string
  /** Id of the person that the agent acts for. */
  readonly linkedUserId: string
  /** Capabilities of the agent: what the agent may write. With an empty list, the agent may only read. */
  readonly capabilities: ReadonlyArray<string>
  /** Whether the writes of the agent wait for a person's approval, unless a governance rule or the workspace says otherwise. */
  readonly writesRequireProposal: boolean
  /** Whether the agent is suspended. No key of a suspended agent works. */
  readonly isSuspended: boolean
  /** Type under which `POST /setup/agent` made the agent; null for an agent that a person made. */
  readonly agentType: string | null
  readonly createdAt: string
}

export type AgentConfig = {
  readonly agentId: string
  readonly name: string
  /** What the agent may write. */
  readonly capabilities: ReadonlyArray<string>
  /** `true`: the writes of the agent need no approval, unless a governance rule says otherwise. */
  readonly relaxed: boolean
  /** Whether the agent is suspended. No key of a suspended agent works. */
  readonly isSuspended: boolean
  /** Membership role of the agent in each workspace that you may read. */
  readonly roles: ReadonlyArray<AgentRoleIn>
  /** Number of active keys of the agent. */
  readonly keyCount: number
  readonly createdAt: string
}

export type AgentDefinition = {
  /** Model of the service. */
  readonly id: string
  readonly name: string
  /** Name of the model of the service, as in the health report. */
  readonly serviceId: string
  /** What the agent can do. */
  readonly capabilities: ReadonlyArray<ModelCapability>
  /** Operations of the pod that the agent carries out. */
  readonly specialisations: ReadonlyArray<string>
}

export type AgentRoleIn = {
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string
  /** Membership role of the agent in the workspace. */
  readonly role: string
}

export type AppliedMigration = {
  /** Number of the migration. */
  readonly version: string
  /** When the migration was applied to the database. */
  readonly appliedAt: string
  readonly description: string
}

export type AppliedMigrations = {
  /** Migrations of the database. */
  readonly total: number
  /** Migrations, in the order in which they were applied. */
  readonly migrations: ReadonlyArray<AppliedMigration>
  /** What the list of migrations means. */
  readonly note: string
  /** Engine of the database: embedded in the process of the pod, a PostgreSQL server, or memory only. */
  readonly engine: "embedded" | "postgres" | "memory"
  /** What a confirmed write of the embedded database survives. `process`: a killed process; `wal-sync`: also a power loss. Null for a PostgreSQL server and in memory. */
  readonly durability: "process" | "wal-sync" | null
  /** Size of the database on its disk in bytes; null in memory, and if the caller is not the owner of the pod. */
  readonly sizeBytes: number | null
}

export type AutomationRun = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  /** Id of the automation that ran. */
  readonly automationId: string | null
  /** Id of the rule that the automation carries out. */
  readonly ruleId: string | null
  /** Id of the event that started the run; null for a schedule. */
  readonly eventId: string | null
  readonly status: "queued" | "running" | "succeeded" | "failed" | "cancelled"
  readonly startedAt: string | null
  readonly finishedAt: string | null
  /** Result of each finished step, in order. */
  readonly output: unknown
  /** Why the run failed, as a sentence for people. */
  readonly error: string | null
}

export type BackupState = {
  /** The last backup in the backup folder; null if there is none. */
  readonly last: {
    readonly madeAt: string
    /** Size of the backup file in bytes. */
    readonly sizeBytes: number
  } | null
  /** Seconds between two backups that the pod makes by itself; 0 means that it makes none. */
  readonly everySeconds: number
}

export type BasicProposal = {
  readonly id: string
  /** Kind of the change: `<subject>.<action>`, or `join` to join a workspace. */
  readonly proposalType: string
  /** Type of the record that the proposal changes. */
  readonly targetType: string
  /** Id of the record that the proposal changes or creates. */
  readonly targetId: string
  readonly status: "pending" | "approved" | "rejected" | "auto_approved" | "reverted" | "approval_failed" | "withdrawn" | "expired"
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  readonly createdAt: string
  /** Id that all proposals and events of one task share. */
  readonly correlationId: string
  /** Id of the focus session that the record belongs to. */
  readonly sessionId: string | null
  /** Id of an agent of the caller. */
  readonly agentUserId: string | null
  /** Ids of the records that the approval created. */
  readonly materializedIds?: ReadonlyArray<string> | undefined
  readonly summary: string
  /** How sure the agent says it is, from 0 to 1: the field `confidence` of the content or of its properties. Null if the content has no such number. */
  readonly confidence: number | null
  /** Class of the change, such as `access` for access rights. */
  readonly class: "ephemeral" | "curatorial" | "governance" | "access" | "objectWork"
  /** Always null: `expiresAt` has the time when the proposal ends. */
  readonly lifetimeHours: number | null
  /** Revision number of the proposal; each edit adds one. */
  readonly revision: number
  /** SHA-256 of target, kind, projects, content and base version. An approval sends this hash to prove which content the person saw. */
  readonly contentHash: string
}

export type Bucket = {
  /** Kind of the files. */
  readonly name: "attachments" | "documents"
  /** When the first file of this kind that you may read was stored; null if there is none. */
  readonly createdAt: string | null
}

export type Buckets = {
  /** Kinds of stored files. */
  readonly buckets: ReadonlyArray<Bucket>
}

export type ChangedNotifications = {
  readonly success: true
  readonly count: number
}

export type Command = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly description: string | null
  /** Word that starts the command. */
  readonly triggerSlug: string | null
  /** Id of the skill that carries out the command. */
  readonly skillId: string | null
  /** Settings that clients store. */
  readonly config: Readonly<Record<string, unknown>>
  /** Who may use the command: everybody in the space, or only its creator. */
  readonly sharing: "space" | "user"
}

export type Connection = {
  /** Id of the key. The id is not secret. */
  readonly keyId: string
  readonly name: string
  /** Type of the holder of the key. */
  readonly heldBy: "person" | "agent" | "app"
  /** Name of the agent or app that holds the key; null for the person. */
  readonly holderName: string | null
  /** A sentence for people about what the key may do. */
  readonly summary: string
  /** Scopes of the key: which operations the key may call. */
  readonly scope: ReadonlyArray<string>
  /** Which MCP tools the key has; null means all. */
  readonly toolProfile: ToolProfile | null
  /** Whether the key works now. */
  readonly isActive: boolean
  /** Time when the key expires; null means never. */
  readonly expiresAt: string | null
  /** Time of the last use of the key; null means never. */
  readonly lastUsedAt: string | null
}

export type Connector = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  /** Kind of the service, such as `github`. */
  readonly kind: string
  /** Address that the pod calls to check the connector. */
  readonly baseUrl: string
  /** Id of the vault entry with the credential. The entry must be for the host of `baseUrl`. */
  readonly credentialId: string | null
  /** `unknown`: not checked since a change; `connected`; `unauthorized`: the service refuses the credential; `failing`: the service answers with an error; `unreachable`; `credential_missing`; `disconnected`. */
  readonly status: "unknown" | "connected" | "unauthorized" | "failing" | "unreachable" | "credential_missing" | "disconnected"
  /** Reason for the status, as a sentence. */
  readonly statusDetail: string | null
  readonly checkedAt: string | null
}

export type ConnectorState = {
  readonly id: string
  readonly name: string
  /** Kind of the service, such as `github`. */
  readonly kind: string
  /** `unknown`: not checked since a change; `connected`; `unauthorized`: the service refuses the credential; `failing`: the service answers with an error; `unreachable`; `credential_missing`; `disconnected`. */
  readonly status: "unknown" | "connected" | "unauthorized" | "failing" | "unreachable" | "credential_missing" | "disconnected"
  /** Reason for the status, as a sentence. */
  readonly statusDetail: string | null
  readonly checkedAt: string | null
}

export type DashboardMetrics = {
  /** Time of the count. */
  readonly timestamp: string
  /** How many of your latest events report a refusal or a failure. */
  readonly health: {
    /** `critical`: more than 10 % errors; `degraded`: more than 5 % errors, or more than 100 events a second. */
    readonly status: "healthy" | "degraded" | "critical"
    /** Share of refusals and failures in your events of the last five minutes, from 0 to 1. */
    readonly errorRate: number
  }
  /** How many events you caused. */
  readonly throughput: {
    /** Number of your events in a second, on average over the last five minutes. */
    readonly eventsPerSecond: number
    /** Number of your events of the last five minutes. The pod stops counting at 10,000. */
    readonly totalEventsLast5Min: number
  }
  /** Your open streams and running calls. */
  readonly connections: {
    /** Number of streams of events or of calls that you have open in this process of the pod. */
    readonly activeSSEClients: number
    /** Number of your calls that this process of the pod runs now, including this call. */
    readonly activeHandlers: number
  }
  /** MCP tools. */
  readonly tools: {
    /** Number of MCP tools of the pod. */
    readonly totalTools: number
    /** Always null, because the pod does not count the calls of tools for each person. */
    readonly totalExecutions: null
  }
  /** Your latest events, newest first, at most 20. */
  readonly latestEvents: ReadonlyArray<LatestEvent>
}

export type DataPodStats = {
  /** Time of the count. */
  readonly timestamp: string
  /** Number of entities that you may read. */
  readonly entities: number
  /** Entities by kind (profile slug). */
  readonly entitiesByProfile: Readonly<Record<string, number>>
  /** Number of documents that you may read. */
  readonly documents: number
  /** Number of projects that you may read. */
  readonly projects: number
  /** Number of views that you may read. */
  readonly views: number
  /** Number of tracks that you may read. */
  readonly tracks: number
  /** Number of channels that you may read. */
  readonly channels: number
  /** Number of threads that you may read. */
  readonly threads: number
  /** Number of knowledge entries that you may read, without archived entries. */
  readonly knowledgeEntries: number
  /** Number of facts about you that are valid now. */
  readonly memoryFacts: number
  /** Number of files of entities that you may read. The pod stops counting at 10,000. */
  readonly attachments: number
  /** Size in bytes of the newest 10,000 files of entities that you may read. */
  readonly attachmentBytes: number
  /** Number of workspaces that you belong to. */
  readonly workspaces: number
  /** Number of your events of the last 24 hours. The pod stops counting at 10,000. */
  readonly events24h: number
}

export type DeliveryChannel = {
  /** Id of the webhook; `in_pod` for notifications in the pod. */
  readonly id: string
  /** `in_pod`: notifications in the pod; `webhook`: calls of a webhook. */
  readonly type: "in_pod" | "webhook"
  readonly name: string
  /** `failing`: the pod stopped calling the webhook, because the receiver does not answer. */
  readonly status: "active" | "paused" | "failing"
  /** Workspace of the webhook, if any. */
  readonly workspaceId: string | null
}

export type Dependency = {
  readonly name: string
  /** `ok`, `down`, or `not_configured`: the pod runs without the service. */
  readonly state: "ok" | "down" | "not_configured"
  /** Whether the service answered. */
  readonly reachable: boolean
  /** Reason for the state, as a sentence for people. */
  readonly reason: string | null
  /** Address of the service; null if the address is private. */
  readonly endpoint: string | null
  /** Id of the registered service. */
  readonly serviceId: string | null
  /** HTTP status in the answer of the service. */
  readonly httpStatus: number | null
  /** Time until the answer, in milliseconds. */
  readonly latencyMs: number
}

export type Difference = {
  /** Path of the field, such as `properties.due`. */
  readonly path: ReadonlyArray<string>
  readonly kind: "added" | "removed" | "changed"
  /** Current value of the field. */
  readonly before?: unknown
  /** Proposed value of the field. */
  readonly after?: unknown
  /** Only for a text field: the pieces of the text. Each piece is kept, removed or added. */
  readonly words?: ReadonlyArray<{
    readonly kind: "same" | "removed" | "added"
    readonly text: string
  }> | undefined
}

export type Document = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly title: string
  /** Format of the content. For `pdf` and `docx`, the content is the text of the file. */
  readonly type: "text" | "markdown" | "code" | "html" | "pdf" | "docx"
  /** Id of the entity that the document belongs to. */
  readonly entityId: string | null
  /** Id of a project. */
  readonly projectId: string | null
  readonly content: string | null
  /** Same number as `version`. */
  readonly revision: number
}

export type Entity = {
  readonly id: string
  /** Entity kind (profile slug). */
  readonly profileSlug: string
  /** Same value as `profileSlug`, for older clients. */
  readonly type: string
  readonly title: string
  /** Short form of the text. */
  readonly preview: string | null
  readonly description: string | null
  /** Properties of the entity by slug. */
  readonly properties: Readonly<Record<string, unknown>>
  /** Data that the pod stores in addition to the properties. */
  readonly systemData: Readonly<Record<string, unknown>>
  /** Id of the person who owns the entity. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Id of the document that has the text of the entity. */
  readonly documentId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}

export type Event = {
  readonly id: string
  /** Version of the event format. */
  readonly version: "v1"
  readonly type: string
  /** Id of the object that the event is about. */
  readonly subjectId?: string | undefined
  /** First word of the event type. */
  readonly subjectType?: string | undefined
  /** Content of the event; its fields depend on the event type. */
  readonly data: Readonly<Record<string, unknown>>
  /** Data that the client stored with the event. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Id of the person who owns the log. */
  readonly userId: string
  /** Who acted: the person, or an agent or service of the person. */
  readonly actorId: string
  /** Source of the event. */
  readonly source: "api" | "automation" | "sync" | "migration" | "system" | "intelligence"
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Position in the log of the space, from 1. If an answer skips a number, the caller may not read the event with this number. */
  readonly seq: number
  readonly timestamp: string
  /** Id that all events of one request share. */
  readonly correlationId: string
  /** Id of the event that caused this event. */
  readonly causationId?: string | undefined
  /** Focus session to which the caller assigned the write. */
  readonly sessionId?: string | undefined
  /** Decision about the write; the id of the decision is the id of the event. */
  readonly decision?: {
    /** `allow`: carry out the request; `deny`: refuse the request; `propose`: ask a person first. */
    readonly verdict: "allow" | "deny" | "propose"
    /** The rung (access rule) that made this decision. */
    readonly rung: string
    readonly permission: string
  } | undefined
}

export type Fault = {
  /** Path of a wrong value, such as `properties.due`; empty for the whole input. */
  readonly path: string
  /** What is wrong with the value at `path`. */
  readonly message: string
}

export type GovernanceRule = {
  readonly id: string
  /** `agent`: the rule applies to one agent; `any`: to every agent. */
  readonly principalKind: "any" | "agent"
  /** Id of an agent of the caller. */
  readonly agentUserId: string | null
  /** Whether the rule applies to the pod or to a workspace. */
  readonly scopeKind: "pod" | "workspace"
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Whether the rule is about an action or about a profile. */
  readonly targetKind: "action" | "profile"
  /** Action that the rule is about, as `<subject>.<action>` or `<subject>.*`. If `targetKind` is `profile`: the slug of the profile. */
  readonly targetPattern: string
  /** Slug of a profile: the rule applies only to entities of this profile. */
  readonly targetProfile: string | null
  /** `auto`: carry out the write; `propose`: ask a person first. */
  readonly verdict: "auto" | "propose"
  /** Id of the person or agent who created the rule. */
  readonly createdBy: string
  /** Id of the proposal that the pod learned the rule from. */
  readonly sourceProposalId: string | null
  /** `earned`: the pod learned the rule from a proposal; `authored`: a person wrote the rule. */
  readonly provenance: "earned" | "authored"
  readonly createdAt: string
  /** Time when the rule ends; null means never. */
  readonly expiresAt: string | null
}

export type GovernanceRuleDraft = {
  /** Id of an agent of the caller. */
  readonly agentUserId?: string | undefined
  /** Whether the rule applies to the pod or to a workspace. */
  readonly scopeKind: "pod" | "workspace"
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId?: string | undefined
  /** Whether the rule is about an action or about a profile. */
  readonly targetKind: "action" | "profile"
  /** Action, such as `entity.create`, or the slug of the profile. */
  readonly targetPattern: string
  /** Entity kind (profile slug) that the rule is about. */
  readonly targetProfile?: string | undefined
  /** `auto`: carry out the write; `propose`: ask a person first. */
  readonly verdict: "auto" | "propose"
  /** Id of the proposal that the pod learned the rule from. */
  readonly sourceProposalId?: string | undefined
  /** Time when the rule ends; null means never. */
  readonly expiresAt?: string | undefined
  /** Another name for `agentUserId`. */
  readonly agentId?: string | undefined
}

export type Grant = {
  /** Permissions, such as `entity.note.create`; `*` means every permission. */
  readonly permissions: ReadonlyArray<string>
  /** Ids of the workspaces that the grant is limited to. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined
  /** Ids of the projects that the grant is limited to. */
  readonly projectIds?: ReadonlyArray<string> | undefined
  /** Ids of the entities that the grant is limited to. */
  readonly entityIds?: ReadonlyArray<string> | undefined
  /** Your own name for the grant. */
  readonly label?: string | undefined
  /** Id of the access role. */
  readonly roleId?: string | undefined
}

export type GrantPreview = {
  /** A short sentence for people about the grant, as the list of keys shows it. */
  readonly summary: string
  /** A sentence for people: which kinds the key reads and in which workspaces, whether it can write, and when it expires. */
  readonly sentence: string
  /** What a person should check again before the key is created. Empty for a narrow key that expires. */
  readonly risks: ReadonlyArray<GrantRisk>
  /** Parts of the grant that no longer exist, or that you can no longer read. Always empty for a new key. */
  readonly lost: ReadonlyArray<LostAccess>
  /** How many records the key can read, by type, kind and workspace. The pod stops counting at 10,000. For a key that is limited to projects, the kinds are counted among the first 10,000 entities. */
  readonly counts: ReadonlyArray<{
    readonly type: string
    readonly kind: string | null
    /** Id of a workspace; null means the personal space. */
    readonly workspaceId: string | null
    readonly count: number
  }>
  /** Some of your latest records of each type that the key can read; `rule` is the permission that allows this. */
  readonly samples: ReadonlyArray<PreviewedRecord>
  /** Some of your latest records of each type that the key cannot read; `rule` says why. */
  readonly missed: ReadonlyArray<PreviewedRecord>
  /** Every operation of the pod; for a refused operation also the reason. */
  readonly doors: ReadonlyArray<{
    /** Surface: REST, tRPC or MCP. */
    readonly surface: "rest" | "procedure" | "tool"
    /** Name of the operation. */
    readonly operation: string
    /** Whether the key may call the operation. */
    readonly isOpen: boolean
    /** Code of the reason, for programs. */
    readonly code: string | null
    /** Why the pod refuses the call; null if the pod does not refuse it. */
    readonly reason: string | null
  }>
  /** Whether the key may call the operation in the question; null without a question. */
  readonly can: {
    /** `allow`: carry out the request; `deny`: refuse the request; `propose`: ask a person first. */
    readonly verdict: "allow" | "deny" | "propose"
    /** Code of the reason, for programs. */
    readonly code: string | null
    /** Rung (rule of the gate) that decided; null if no rung decided. */
    readonly rung: string | null
    /** Why the pod refuses the call or asks a person first; null if it does neither. */
    readonly reason: string | null
    /** Permissions that the operation needs. */
    readonly required: ReadonlyArray<string>
    /** Permissions of the grant that cover the operation. */
    readonly matched: ReadonlyArray<string>
    /** Permissions of the grant that have the same subject but do not cover the operation. */
    readonly nearMisses: ReadonlyArray<string>
  } | null
}

export type GrantPreviewInput = {
  /** Permissions and limits of the key. A grant only narrows what the person may do. Required unless `keyId` is sent. */
  readonly grant?: GrantRequest | undefined
  /** Id of an existing key of yours or of your agent. The preview then shows this key as it is now. Send no other field except `can`. */
  readonly keyId?: string | undefined
  /** How many days the key would be valid; null means that it never expires. If absent, the preview does not say when the key expires. */
  readonly expiresInDays?: number | null | undefined
  /** Scopes of the key. Default: every scope of the Hub and of MCP. */
  readonly scope?: ReadonlyArray<Scope> | undefined
  /** Id of the agent that would hold the key. Default: the person holds the key. */
  readonly agentId?: string | undefined
  /** Id of the workspace that the key would be limited to. */
  readonly workspaceId?: string | undefined
  /** Tool profile of the key; null or absent means every MCP tool. */
  readonly toolProfile?: ToolProfile | null | undefined
  /** A question to answer: may the key call this operation? */
  readonly can?: GrantQuestion | undefined
  /** Another name for `agentId`. */
  readonly agentUserId?: string | undefined
}

export type GrantQuestion = {
  /** Name of the operation, such as `entities.update` or `svc_get_entities`. */
  readonly operation: string
  /** Id of the object. */
  readonly objectId?: string | undefined
  /** Type of the object, if the operation does not determine it: `entity`, `document`, `track` … */
  readonly objectType?: string | undefined
  /** Id of the workspace of the write. Default: the personal space. */
  readonly workspaceId?: string | undefined
  /** Entity kind (profile slug) of the new entity. */
  readonly kind?: string | undefined
}

/** The permissions and limits of the key. */
export type GrantRequest = {
  /** Permissions, such as `entity.note.create`; `*` means every permission. */
  readonly permissions?: ReadonlyArray<string> | undefined
  /** Ids of the workspaces that the grant is limited to. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined
  /** Ids of the projects that the grant is limited to. */
  readonly projectIds?: ReadonlyArray<string> | undefined
  /** Ids of the entities that the grant is limited to. */
  readonly entityIds?: ReadonlyArray<string> | undefined
  /** Your own name for the grant. */
  readonly label?: string | undefined
  /** Id of the access role. */
  readonly roleId?: string | undefined
}

export type GrantRisk = {
  /** Code of the risk, for programs. */
  readonly code: "NEVER_EXPIRES" | "FULL_ACCESS" | "ADMINISTRATION" | "CREATES_AGENTS" | "VAULT"
  /** The risk, as a sentence for people. */
  readonly reason: string
}

export type HealthReport = {
  /** `degraded` if a configured service does not answer. */
  readonly status: "ok" | "degraded"
  /** Name of this server. */
  readonly service: "hub-protocol"
  readonly checkedAt: string
  /** Workspace whose services were checked, or the pod. */
  readonly resolution: {
    /** Id of a workspace; null means the personal space. */
    readonly workspaceId: string | null
    /** Capability that the service provides. */
    readonly capability: string
  }
  /** Services that the pod depends on. */
  readonly dependencies: ReadonlyArray<Dependency>
}

export type InboxStats = {
  /** Number of unread notifications; the pod counts at most 200. */
  readonly unread: number
  /** Number of notifications that wait for the end of quiet hours; the pod counts at most 200. */
  readonly snoozed: number
}

export type IndexedSpace = {
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Language in which the index compares words. */
  readonly language: string
  /** Number of entities, documents and knowledge entries in the index. */
  readonly objects: number
  /** `loading`: the pod is still building the index; `full`: the memory has no room for a part of the index. */
  readonly status: "ready" | "loading" | "full"
}

export type Key = {
  readonly id: string
  /** Name that the owner gave the key. */
  readonly keyName: string
  /** First characters of the secret. */
  readonly keyPrefix: string
  /** Last four characters of the secret. */
  readonly lastFour: string
  /** Type of the key: for a person, an agent, a service or the system. */
  readonly keyType: "user_pat" | "hub_inbound" | "service" | "system"
  /** Id of the pod that the key is for. */
  readonly hubId: string | null
  /** Scopes of the key: which operations the key may call. */
  readonly scope: ReadonlyArray<string>
  /** Permissions and limits of the key. A grant only narrows what the owner of the key may do. */
  readonly grant: {
    /** Permissions, such as `entity.note.create`; `*` means every permission. */
    readonly permissions: ReadonlyArray<string>
    /** Workspaces that the key is limited to. */
    readonly workspaceIds: ReadonlyArray<string> | null
    /** Projects that the key is limited to. */
    readonly projectIds: ReadonlyArray<string> | null
    /** Entities that the key is limited to. */
    readonly entityIds: ReadonlyArray<string> | null
    readonly label: string | null
  } | null
  /** A sentence for people about what the key may read and write. */
  readonly summary: string
  /** Id of the person, agent or app that holds the key. */
  readonly holderId: string
  /** Agent that holds the key. */
  readonly heldByAgent: boolean
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Which MCP tools the key has; null means all. */
  readonly toolProfile: ToolProfile | null
  /** Whether the key works now. */
  readonly isActive: boolean
  /** Time when the key expires; null means never. */
  readonly expiresAt: string | null
  /** Time of the last use of the key; null means never. */
  readonly lastUsedAt: string | null
  /** How many times the key was used. */
  readonly usageCount: number
  /** Id of the old key that this key replaced. */
  readonly rotatedFromId: string | null
  /** Access role that the key was created from, and whether the role has changed since. */
  readonly role: {
    readonly id: string
    readonly name: string
    /** Whether the role has changed since the key was created. */
    readonly isDrifted: boolean
    /** Whether the role was deleted. */
    readonly isDeleted: boolean
  } | null
  readonly createdAt: string
  /** Time when the key was revoked; null means that the key is not revoked. */
  readonly revokedAt: string | null
  /** Why the key was revoked. */
  readonly revokedReason: string | null
}

export type KeyCall = {
  /** Id of the call. */
  readonly id: string
  /** When the call was answered. */
  readonly at: string
  /** Surface: REST, procedures or MCP. */
  readonly surface: "rest" | "procedure" | "mcp"
  /** What was called: method and path, or the names of procedures or tools. Null for MCP messages without a tool, such as the first message of a connection. */
  readonly operation: string | null
  /** HTTP status of the answer. For a procedure in a batch, and for a failed call of an MCP tool: the status that REST would use. */
  readonly status: number
  /** Code of the refusal or failure; null if the call succeeded. */
  readonly code: string | null
  /** Why the call was refused, for people; null if the call was not refused. */
  readonly reason: string | null
  /** Id of the proposal that the call became; null for every other call. In a batch: the first proposal. */
  readonly proposalId: string | null
  /** Network address of the client. */
  readonly address: string | null
  /** Name of the client, from the header `User-Agent`. */
  readonly userAgent: string | null
  /** Name and version that an MCP client states about itself, such as `claude-code/2.1.0`; null if the call states none. */
  readonly clientName: string | null
}

export type KeyDay = {
  /** Day in UTC, such as 2026-01-31. */
  readonly day: string
  /** Number of requests with the key. */
  readonly calls: number
  /** Number of refused calls: status 401, 403 or 429. */
  readonly refusals: number
}

export type KeyRequest = {
  /** Name that the owner gave the key. */
  readonly keyName: string
  /** Scopes of the key: which operations the key may call. */
  readonly scope: ReadonlyArray<Scope>
  /** Permissions and limits of the key. A grant only narrows what the owner of the key may do. */
  readonly grant: GrantRequest
  /** How many days the key is valid. Default: 90. Null means that the key never expires. */
  readonly expiresInDays?: number | null | undefined
  /** Id of the agent of the caller who will hold the key. */
  readonly agentId?: string | undefined
  /** Id of the pod that the key is for; the key becomes a service key. */
  readonly hubId?: string | undefined
  /** Set of MCP tools: `entry` or `builder`. Null or absent means every tool that the scopes and the grant allow. */
  readonly toolProfile?: ToolProfile | null | undefined
  /** Id of the workspace that the key is limited to. */
  readonly workspaceId?: string | undefined
  /** Another name for `agentId`. */
  readonly agentUserId?: string | undefined
} | {
  readonly name: string
  /** Scopes of the key: which operations the key may call. */
  readonly scopes: ReadonlyArray<Scope>
  /** Time when the key expires; null means never. */
  readonly expiresAt?: string | null | undefined
  /** Permissions and limits of the key. A grant only narrows what the owner of the key may do. */
  readonly grant?: GrantRequest | undefined
  /** Set of MCP tools: `entry` or `builder`. Null or absent means every tool that the scopes and the grant allow. */
  readonly toolProfile?: ToolProfile | null | undefined
  /** Id of the workspace that the key is limited to. */
  readonly workspaceId?: string | undefined
}

export type KeyThatReads = {
  /** Id of the key. The id is not secret. */
  readonly keyId: string
  /** Name that the owner gave the key. */
  readonly keyName: string
  /** Last four characters of the secret. */
  readonly lastFour: string
  /** Name of the agent that holds the key; null for the person. */
  readonly agentName: string | null
  /** A sentence for people about what the key may read and write. */
  readonly summary: string
  /** Time when the key expires; null means never. */
  readonly expiresAt: string | null
  /** Time of the last use of the key; null means never. */
  readonly lastUsedAt: string | null
}

export type KeyUsage = {
  /** Id of the key. The id is not secret. */
  readonly keyId: string
  /** The days with calls among the last 90 days, oldest first. */
  readonly days: ReadonlyArray<KeyDay>
  /** The last 50 calls, newest first. */
  readonly calls: ReadonlyArray<KeyCall>
}

export type LastCall = {
  /** Id of the key. The id is not secret. */
  readonly keyId: string
  readonly call: KeyCall
}

export type LatestEvent = {
  readonly id: string
  readonly type: string
  /** Your id: the answer has only your own events. */
  readonly userId: string
  readonly timestamp: string
  /** Whether the event reports a refusal or a failure. */
  readonly isError: boolean
}

export type ListedProfile = {
  readonly id: string
  readonly slug: string
  readonly displayName: string
  /** Whether the profile applies in one workspace or in the whole pod. */
  readonly entityScope: "pod" | "workspace"
  readonly description: string | null
  readonly icon: string | null
  readonly parentProfileId?: string | null | undefined
  /** `system`: every pod has the profile; `workspace`: one workspace; `user`: one personal space. */
  readonly scope?: "system" | "workspace" | "user" | undefined
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId?: string | null | undefined
  /** Values of a new entity for properties that the request leaves out, by property slug. */
  readonly defaultValues?: Readonly<Record<string, unknown>> | undefined
  /** Hints for clients about display, such as the position in a list (`displayOrder`). */
  readonly uiHints?: Readonly<Record<string, unknown>> | undefined
  readonly color?: string | null | undefined
  /** `kind`: an entity kind; `role`: a role that entities can have in addition to their kind. */
  readonly profileKind?: "kind" | "role" | undefined
  /** For a role: slugs of the kinds that may play it. */
  readonly applicableKinds?: ReadonlyArray<string> | undefined
  /** Version, from 1. Each write adds one. */
  readonly version?: number | undefined
  readonly createdAt?: string | undefined
  readonly updatedAt?: string | undefined
}

export type LostAccess = {
  /** Type of the lost part of the grant. */
  readonly type: "workspace" | "project" | "entity" | "permission"
  /** Id of the workspace, project or entity, or the permission. */
  readonly id: string
  /** Why the key lost this part, as a sentence for people. */
  readonly reason: string
}

export type McpServer = {
  /** `pod` for the pod itself. */
  readonly id: string
  readonly name: string
  /** Address of the endpoint. */
  readonly url: string
  /** Transport of MCP. */
  readonly transport: "streamable-http"
  /** How a client sends its key. */
  readonly auth: {
    /** The header `Authorization: Bearer <key>`. */
    readonly type: "bearer"
    /** Scopes for the endpoint; a key needs one of them. */
    readonly scopes: ReadonlyArray<string>
  }
  /** Number of tools of the endpoint. A key can use only the tools that its scopes and its grant allow. */
  readonly toolCount: number
}

export type Me = {
  readonly id: string
  readonly name: string
  readonly email: string | null
  /** Role of the person in the pod. An administrator may invite and suspend people. */
  readonly podRole: "owner" | "administrator" | "member"
  /** Scopes: which operations the credential may call. */
  readonly scopes: ReadonlyArray<string>
  /** Id of the agent whose key makes the call; null for a person. */
  readonly agentId: string | null
}

export type ModelCapability = "chat" | "embeddings"

export type ModelService = {
  /** Name of the service in the health report. */
  readonly id: "model-service" | "embedding-service"
  /** Name of the model of the service, as in the health report. */
  readonly serviceId: string
  readonly name: string
  /** What the service can do. */
  readonly capabilities: ReadonlyArray<ModelCapability>
  /** Always null: the pod does not know the prices of a service. */
  readonly pricing: "unknown"
  /** Version of the service; null if the version is not known. */
  readonly version: string | null
  /** State of the service at the last check. `unknown` if the pod has not checked the service yet. */
  readonly health: "ok" | "down" | "unknown"
  /** When the pod last checked the service. */
  readonly checkedAt: string | null
}

export type NamedCount = {
  /** Name of the category or tag. */
  readonly name: string
  /** Number of vault entries in the category or with the tag. */
  readonly count: number
}

export type Notification = {
  readonly id: string
  readonly kind: "proposal_waiting" | "proposal_decided" | "webhook_failing" | "key_ending" | "mention" | "automation_failed" | "automation_notice" | "post"
  /** `held`: stored in quiet hours, and counted as unread only from `heldUntil` on. `dismissed`: listed only on request. */
  readonly state: "held" | "unread" | "read" | "dismissed"
  readonly title: string
  /** Text of the object, as far as you may read it now. */
  readonly text: string | null
  /** Number of events in this notification. While the notification is unread, the pod adds further events. */
  readonly count: number
  /** Workspace of the object; null means the personal space. */
  readonly workspaceId: string | null
  /** Id of the object that the event is about. */
  readonly subjectId: string
  /** Type of the object. */
  readonly subjectType: "proposal" | "webhook" | "apiKey" | "thread" | "document" | "automation"
  /** Id of the latest message; only for a mention or a post. */
  readonly messageId: string | null
  /** Id of the first event in this notification. */
  readonly eventId: string
  readonly createdAt: string
  /** Time of the latest event in this notification. */
  readonly updatedAt: string
  /** End of the quiet hours; then the notification counts as unread. */
  readonly heldUntil: string | null
  readonly readAt: string | null
  readonly dismissedAt: string | null
}

export type NotificationKind = "proposal_waiting" | "proposal_decided" | "webhook_failing" | "key_ending" | "mention" | "automation_failed" | "automation_notice" | "post"

export type NotificationPreferences = {
  /** Whether you want notifications of each kind. */
  readonly kinds: {
    /** Notify me when a proposal waits for me. */
    readonly proposal_waiting: boolean
    /** Notify me when my proposal is decided. */
    readonly proposal_decided: boolean
    /** Notify me when my webhook fails. */
    readonly webhook_failing: boolean
    /** Notify me when my key expires soon. */
    readonly key_ending: boolean
    /** Notify me when somebody mentions me. */
    readonly mention: boolean
    /** Notify me when my automation rule fails. */
    readonly automation_failed: boolean
    /** Notify me if an automation rule sends me a notice. */
    readonly automation_notice: boolean
    /** Notify me when an agent posts to me. */
    readonly post: boolean
  }
  /** Quiet hours. Notifications of these hours count as unread only after the end. */
  readonly quietHours: QuietHours | null
  /** Whether posts of type `alert` arrive in quiet hours too. */
  readonly alertsPassQuietHours: boolean
  /** Workspaces from which you get no notifications. */
  readonly mutedWorkspaceIds: ReadonlyArray<string>
}

export type NotificationPreferencesChange = {
  /** Kinds to switch on or off. All other kinds stay as they are. */
  readonly kinds?: {
    readonly proposal_waiting?: boolean | undefined
    readonly proposal_decided?: boolean | undefined
    readonly webhook_failing?: boolean | undefined
    readonly key_ending?: boolean | undefined
    readonly mention?: boolean | undefined
    readonly automation_failed?: boolean | undefined
    readonly automation_notice?: boolean | undefined
    readonly post?: boolean | undefined
  } | undefined
  /** Quiet hours. Notifications of these hours count as unread only after the end. */
  readonly quietHours?: QuietHours | null | undefined
  /** Whether posts of type `alert` arrive in quiet hours too. */
  readonly alertsPassQuietHours?: boolean | undefined
  /** Workspaces from which you get no notifications. */
  readonly mutedWorkspaceIds?: ReadonlyArray<string> | undefined
}

export type NotificationSelection = {
  readonly kind?: NotificationKind | undefined
  /** Leave out the notifications of this kind. */
  readonly exceptKind?: NotificationKind | undefined
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId?: string | undefined
  /** Leave out the notifications of these workspaces. */
  readonly exceptWorkspaceIds?: ReadonlyArray<string> | undefined
}

export type OpenedVaultEntry = {
  /** Id of the entry. */
  readonly id: string
  /** Id of the person who owns the entry. */
  readonly userId: string
  /** Name of the entry. */
  readonly name: string
  /** Category; null means none. */
  readonly category: string | null
  /** Tags of the entry. */
  readonly tags: ReadonlyArray<string>
  /** Address of the service that the value is for. */
  readonly url: string | null
  /** Whether the entry has notes. */
  readonly hasNotes: boolean
  /** Time when the value expires; null means never. */
  readonly expiresAt: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  /** Time when the value was last replaced. */
  readonly rotatedAt: string
  /** The secret value. */
  readonly value: string
  /** The notes; null means none. */
  readonly notes: string | null
  /** People that the owner shares the entry with; empty if the caller is not the owner. */
  readonly sharedWith: ReadonlyArray<VaultShare>
}

export type OwnSession = {
  /** Id of the session. The id is not secret. */
  readonly id: string
  /** Address from which the person signed in; null if the address is not known. */
  readonly address: string | null
  /** Name of the program, such as a browser, from the header `User-Agent`; null without this header. */
  readonly userAgent: string | null
  /** When the person signed in. */
  readonly createdAt: string
  /** When the session ends by itself. */
  readonly expiresAt: string
  /** Whether this session makes the call. */
  readonly isCurrent: boolean
}

export type PreferenceChange = {
  /** Colour theme of clients. */
  readonly theme?: "system" | "light" | "dark" | undefined
  /** Settings of clients. */
  readonly uiPreferences?: Readonly<Record<string, unknown>> | undefined
  /** Settings of the graph in clients. */
  readonly graphPreferences?: Readonly<Record<string, unknown>> | undefined
  /** Whether the person has seen the introduction. */
  readonly onboardingCompleted?: boolean | undefined
  /** The new look of each list whose look changes. */
  readonly viewModes?: {
    /** How clients show lists of entities. */
    readonly entities?: "grid" | "list" | "table" | "gallery" | "kanban" | "calendar" | undefined
    /** How clients show lists of documents. */
    readonly documents?: "grid" | "list" | "table" | "gallery" | "kanban" | "calendar" | undefined
    /** How clients show lists of views. */
    readonly views?: "grid" | "list" | "table" | "gallery" | "kanban" | "calendar" | undefined
  } | undefined
  /** For each capability, the id of the preferred service. */
  readonly intelligenceServices?: Readonly<Record<string, string>> | undefined
}

export type PreferenceMerge = {
  /** Settings of clients. */
  readonly uiPreferences?: Readonly<Record<string, unknown>> | undefined
  /** Settings of the graph in clients. */
  readonly graphPreferences?: Readonly<Record<string, unknown>> | undefined
}

export type Preferences = {
  /** Id of the person. */
  readonly userId: string
  /** Colour theme of clients. */
  readonly theme: "system" | "light" | "dark"
  /** Settings of clients. */
  readonly uiPreferences: Readonly<Record<string, unknown>>
  /** Settings of the graph in clients. */
  readonly graphPreferences: Readonly<Record<string, unknown>>
  /** Whether the person has seen the introduction. */
  readonly onboardingCompleted: boolean
  /** How clients show lists. */
  readonly viewModes: ViewModes
  /** For each capability, the id of the preferred service. */
  readonly intelligenceServices: Readonly<Record<string, string>>
}

export type PreviewedProjection = {
  /** Id of the workspace. */
  readonly workspaceId: string
  /** Slugs of the entity kinds and roles whose entities are public. */
  readonly roles: ReadonlyArray<string>
  /** Names of the public properties; the name `title` stands for the title. Only these fields, the id and a public role of an entity are public. */
  readonly fields: ReadonlyArray<string>
  /** Largest number of entities to return. */
  readonly limit?: number | undefined
}

export type PreviewedRecord = {
  readonly type: string
  readonly id: string
  readonly title: string
  readonly kind: string | null
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  readonly rule: string
}

/** `kind`: an entity kind; `role`: a role that entities can have in addition to their kind. */
export type ProfileKind = "kind" | "role"

export type ProfileRelation = {
  /** Id of the relation definition. */
  readonly relationDefId: string
  readonly type: string
  readonly label: string
  /** Entity kind (profile slug) that the relation starts from. */
  readonly sourceProfileSlug: string | null
  /** Entity kind (profile slug) that the relation leads to. */
  readonly targetProfileSlug: string | null
  /** Whether the relation has a direction. */
  readonly isDirectional: boolean
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
}

export type PropertyDef = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly profileId: string
  readonly slug: string
  readonly displayName: string | null
  /** Type of the property's values. */
  readonly valueType: "text" | "number" | "boolean" | "date" | "select" | "multi_select" | "relation" | "entity_id" | "array" | "url" | "email" | "phone" | "json"
  /** Rules for a value, such as `required`, `options` and `defaultValue`. */
  readonly constraints: Readonly<Record<string, unknown>>
  /** Hints for clients about display, such as the position in a list (`displayOrder`). */
  readonly uiHints: Readonly<Record<string, unknown>>
}

export type Proposal = {
  readonly id: string
  /** Kind of the change: `<subject>.<action>`, or `join` to join a workspace. */
  readonly proposalType: string
  /** Type of the record that the proposal changes. */
  readonly targetType: string
  /** Id of the record that the proposal changes or creates. */
  readonly targetId: string
  readonly status: "pending" | "approved" | "rejected" | "auto_approved" | "reverted" | "approval_failed" | "withdrawn" | "expired"
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  readonly createdAt: string
  /** Id that all proposals and events of one task share. */
  readonly correlationId: string
  /** Id of the focus session that the record belongs to. */
  readonly sessionId: string | null
  /** Id of an agent of the caller. */
  readonly agentUserId: string | null
  /** Ids of the records that the approval created. */
  readonly materializedIds?: ReadonlyArray<string> | undefined
  readonly summary: string
  /** How sure the agent says it is, from 0 to 1: the field `confidence` of the content or of its properties. Null if the content has no such number. */
  readonly confidence: number | null
  /** Class of the change, such as `access` for access rights. */
  readonly class: "ephemeral" | "curatorial" | "governance" | "access" | "objectWork"
  /** Always null: `expiresAt` has the time when the proposal ends. */
  readonly lifetimeHours: number | null
  /** Revision number of the proposal; each edit adds one. */
  readonly revision: number
  /** SHA-256 of target, kind, projects, content and base version. An approval sends this hash to prove which content the person saw. */
  readonly contentHash: string
  /** The change: `changeType`, `targetType`, `targetId`, `workspaceId`, `reasoning`, `summary`, `correlationId` (also `requestId`), `source`, `sourceId` (of the message), and the changed fields in `data`. */
  readonly data: Readonly<Record<string, unknown>>
  /** Reason for the change, for the person who decides. */
  readonly reasoning: string | null
  /** For the agent: why the proposal was rejected or not applied. */
  readonly statusReason: string | null
  /** Code of the reason, for programs. */
  readonly reasonCode: string | null
  /** Id of the thread if the proposal is for messages, else null. */
  readonly threadId: string | null
  /** Id of the message that led to the proposal; null if the maker of the proposal named none. */
  readonly sourceMessageId: string | null
  /** Always null. Exists for older clients. */
  readonly commandRunId: string | null
  /** Id of the creator: a person or an agent. */
  readonly createdBy: string
  /** Id of the key that asked for the change; null for a sign-in session. The id is not secret. */
  readonly keyId: string | null
  /** Id of the person who decided; null before the decision. */
  readonly decidedBy: string | null
  /** Time of the decision; null before the decision. */
  readonly decidedAt: string | null
  /** Version of the record when the proposal was made; null for a create. */
  readonly baseVersion: number | null
  /** Time when the proposal expires if nobody decides. */
  readonly expiresAt: string
  readonly updatedAt: string
}

export type ProposalDetail = {
  readonly id: string
  /** Kind of the change: `<subject>.<action>`, or `join` to join a workspace. */
  readonly proposalType: string
  /** Type of the record that the proposal changes. */
  readonly targetType: string
  /** Id of the record that the proposal changes or creates. */
  readonly targetId: string
  readonly status: "pending" | "approved" | "rejected" | "auto_approved" | "reverted" | "approval_failed" | "withdrawn" | "expired"
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  readonly createdAt: string
  /** Id that all proposals and events of one task share. */
  readonly correlationId: string
  /** Id of the focus session that the record belongs to. */
  readonly sessionId: string | null
  /** Id of an agent of the caller. */
  readonly agentUserId: string | null
  /** Ids of the records that the approval created. */
  readonly materializedIds?: ReadonlyArray<string> | undefined
  readonly summary: string
  /** How sure the agent says it is, from 0 to 1: the field `confidence` of the content or of its properties. Null if the content has no such number. */
  readonly confidence: number | null
  /** Class of the change, such as `access` for access rights. */
  readonly class: "ephemeral" | "curatorial" | "governance" | "access" | "objectWork"
  /** Always null: `expiresAt` has the time when the proposal ends. */
  readonly lifetimeHours: number | null
  /** Revision number of the proposal; each edit adds one. */
  readonly revision: number
  /** SHA-256 of target, kind, projects, content and base version. An approval sends this hash to prove which content the person saw. */
  readonly contentHash: string
  /** The change: `changeType`, `targetType`, `targetId`, `workspaceId`, `reasoning`, `summary`, `correlationId` (also `requestId`), `source`, `sourceId` (of the message), and the changed fields in `data`. */
  readonly data: Readonly<Record<string, unknown>>
  /** Reason for the change, for the person who decides. */
  readonly reasoning: string | null
  /** For the agent: why the proposal was rejected or not applied. */
  readonly statusReason: string | null
  /** Code of the reason, for programs. */
  readonly reasonCode: string | null
  /** Id of the thread if the proposal is for messages, else null. */
  readonly threadId: string | null
  /** Id of the message that led to the proposal; null if the maker of the proposal named none. */
  readonly sourceMessageId: string | null
  /** Always null. Exists for older clients. */
  readonly commandRunId: string | null
  /** Id of the creator: a person or an agent. */
  readonly createdBy: string
  /** Id of the key that asked for the change; null for a sign-in session. The id is not secret. */
  readonly keyId: string | null
  /** Id of the person who decided; null before the decision. */
  readonly decidedBy: string | null
  /** Time of the decision; null before the decision. */
  readonly decidedAt: string | null
  /** Version of the record when the proposal was made; null for a create. */
  readonly baseVersion: number | null
  /** Time when the proposal expires if nobody decides. */
  readonly expiresAt: string
  readonly updatedAt: string
  /** What the proposal changes in the current record; after the decision, what it changed or would have changed. */
  readonly differences: ReadonlyArray<Difference>
  /** Fields that the proposal changes and that somebody else has changed since. */
  readonly conflicts: ReadonlyArray<{
    /** Path of the field, such as `properties.due`. */
    readonly path: ReadonlyArray<string>
    /** Value when the proposal was made. */
    readonly base?: unknown
    /** Current value of the field. */
    readonly current?: unknown
    /** Proposed value of the field. */
    readonly proposed?: unknown
  }>
  /** Whether the asker (who made the proposal) may still make the change; null after the decision, or if an agent calls. */
  readonly asker: {
    /** Whether the asker may still make the change. */
    readonly mayStill: boolean
    /** Why the asker may not make the change; null if the asker may. */
    readonly why: string | null
  } | null
}

export type ProposalPage = {
  readonly proposals: ReadonlyArray<Proposal | BasicProposal>
  /** Largest number of proposals to return. */
  readonly limit: number
  /** Number of skipped proposals. */
  readonly offset: number
  /** Number of proposals that match the filters. The pod stops counting at 10,000. */
  readonly total: number
  /** Whether there is a next page. */
  readonly hasMore: boolean
}

export type Proposed = {
  readonly status: "proposed"
  readonly message: string
  readonly proposalId: string
  /** Kind of the change, `<subject>.<action>`; `join` when an agent asks to join a workspace. */
  readonly proposalType: string
  /** What the write would do. Names only records that the caller may read. */
  readonly summary: string
  /** Reason for the write, as the agent gave it. */
  readonly reasoning: string | null
  readonly reviewPath: string
  /** URL of the page where a person reviews the proposal. */
  readonly reviewUrl: string
  /** Id of the proposed record. Messages and events get another id on approval. */
  readonly proposedId: string
  /** Workspace that the write is for; null means the personal space. */
  readonly effectiveWorkspaceId: string | null
  /** Id of the decision; `GET /auth/decisions/{id}` explains it. */
  readonly decisionId: string
  /** State of the write. */
  readonly writeReceipt: {
    /** Always `pending`: a person must decide first. */
    readonly state: "pending"
  }
  /** Same as `proposedId`; only for entities. */
  readonly proposedEntityId?: string | undefined
  /** Always null, because a proposed artifact does not exist yet. Only operations on artifacts have this field. */
  readonly artifact?: null | undefined
  /** Id of the workspace, if the write changes a workspace. */
  readonly workspaceId?: string | undefined
}

export type PublicFeed = {
  /** Entities of this page, among the 1,000 latest of each kind and role. */
  readonly items: ReadonlyArray<PublicItem>
  readonly count: number
}

export type PublicItem = {
  readonly id: string
  readonly title: string | null
  /** Public entity kind or role (profile slug) of the entity. */
  readonly role: string
  /** Values of the entity's public properties, by slug. */
  readonly properties: Readonly<Record<string, unknown>>
}

export type QuietHours = {
  /** Beginning of the quiet hours, as `HH:MM`. */
  readonly from: string
  /** End of the quiet hours, as `HH:MM`. An end that is earlier than `from` is on the next day. */
  readonly to: string
  /** IANA time zone, such as `Europe/Berlin`. */
  readonly timezone: string
}

export type ReadRecord = {
  /** Type of the record: `entity`, `document`, `track` … */
  readonly objectType: string
  /** Id of the record. */
  readonly objectId: string
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly cursor?: string | undefined
}

export type Relation = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  /** Id of the entity that the relation starts from. */
  readonly sourceEntityId: string
  /** Id of the entity that the relation leads to; for `belongs_to_project`, of the project. */
  readonly targetEntityId: string
  readonly type: string
  /** Data that clients store. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export type RelationDef = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly slug: string
  readonly displayName: string
  readonly description: string | null
  /** Whether the relation has a direction. */
  readonly isDirectional: boolean
  /** Label of the relation, seen from the target. */
  readonly inverseLabel: string | null
  /** Entity kinds (profile slugs) that are allowed at this end of the relation; an empty list means all. */
  readonly sourceKinds: ReadonlyArray<string>
  /** Entity kinds (profile slugs) that are allowed at this end of the relation; an empty list means all. */
  readonly targetKinds: ReadonlyArray<string>
}

export type RelationType = {
  readonly slug: string
  readonly displayName: string
  readonly description: string | null
  /** Whether the relation has a direction. */
  readonly isDirectional: boolean
  /** Label of the relation, seen from the target. */
  readonly inverseLabel: string | null
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
}

export type Removed = {
  readonly success: true
  readonly id: string
}

export type RoleGrant = {
  /** Permissions, such as `entity.note.create`; `*` means every permission. */
  readonly permissions: ReadonlyArray<string>
  /** Ids of the workspaces that the grant is limited to. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined
  /** Ids of the projects that the grant is limited to. */
  readonly projectIds?: ReadonlyArray<string> | undefined
  /** Ids of the entities that the grant is limited to. */
  readonly entityIds?: ReadonlyArray<string> | undefined
  /** Your own name for the grant. */
  readonly label?: string | undefined
  /** Id of the access role. */
  readonly roleId?: string | undefined
}

export type Scope = "hub-protocol.read" | "hub-protocol.write" | "hub-protocol.admin" | "mcp.read" | "mcp.write" | "data.read" | "data.write" | "skills.invoke" | "chat.stream" | "read:entities" | "write:entities" | "ai:analyze" | "realtime:observe" | "providers.write" | "setup.agent" | "probe"

export type SecretReport = {
  /** Name of the setting, such as `POD_KEY_PEPPER`. */
  readonly name: string
  /** Number of values of the setting: the present value and the former values. */
  readonly values: number
  /** Records that only a former value of the secret opens. Without that value, these records are useless. */
  readonly older: ReadonlyArray<{
    /** Kind of the records, such as `keys`. */
    readonly of: string
    /** Number of records of this kind. */
    readonly count: number
  }>
}

export type ServiceCommand = {
  /** Name of the operation of the pod. */
  readonly id: string
  /** Name of the model of the service, as in the health report. */
  readonly serviceId: string
  /** What the operation does. */
  readonly description: string
  /** HTTP method, such as GET or POST. */
  readonly method: string
  /** Path of the operation. */
  readonly path: string
}

export type ServiceManifest = {
  /** The model service. */
  readonly service: ModelService
  /** Operations of the pod that call the service. */
  readonly commands: ReadonlyArray<ServiceCommand>
}

export type SharedVaultEntry = {
  /** Id of the entry. */
  readonly id: string
  /** Id of the person who owns the entry. */
  readonly userId: string
  /** Name of the entry. */
  readonly name: string
  /** Category; null means none. */
  readonly category: string | null
  /** Tags of the entry. */
  readonly tags: ReadonlyArray<string>
  /** Address of the service that the value is for. */
  readonly url: string | null
  /** Whether the entry has notes. */
  readonly hasNotes: boolean
  /** Time when the value expires; null means never. */
  readonly expiresAt: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  /** Time when the value was last replaced. */
  readonly rotatedAt: string
  /** Name of the owner. */
  readonly ownerName: string
  /** A workspace in which both people are members. */
  readonly workspaceId: string
  readonly sharedAt: string
}

export type ShownSetting = {
  /** Name of the setting, such as `POD_PORT`. */
  readonly name: string
  /** Area of the setting, such as `Server` or `Storage`. */
  readonly area: string
  /** What the setting is for. */
  readonly doc: string
  /** Value of the setting; `set` for a secret, null if the setting has no value. */
  readonly value: string | null
  /** Where the value came from, such as `environment`, `.env line 4` or `default`. */
  readonly source: string
}

export type Specialisation = {
  /** Name of the operation of the pod. */
  readonly id: string
  /** Name of the model of the service, as in the health report. */
  readonly serviceId: string
  readonly capability: "chat" | "embeddings"
  /** What the service is used for. */
  readonly description: string
}

export type SystemCapabilities = {
  /** Version of the pod. */
  readonly version: string
  /** Parts of the pod that have operations. */
  readonly features: ReadonlyArray<string>
  /** Number of operations by surface. */
  readonly surfaces: {
    /** Number of REST operations. */
    readonly rest: number
    /** Number of tRPC procedures. */
    readonly procedures: number
    /** MCP tools. */
    readonly tools: number
  }
  /** Models that the settings configure. */
  readonly models: {
    /** Whether the pod has a language model. */
    readonly chat: boolean
    /** Whether the pod has an embedding model. */
    readonly embeddings: boolean
  }
  /** Number of calls that a credential may make in a minute. */
  readonly callsPerMinute: number
}

export type SystemSkill = {
  /** Name of the operation of the pod. */
  readonly id: string
  readonly name: string
  readonly description: string
  /** Who can use the skill: always everybody in the pod. */
  readonly scope: "pod"
  /** Always `synchronous`: the answer contains the result. */
  readonly executionMode: "synchronous"
  /** Name of the model of the service, as in the health report. */
  readonly serviceId: string
}

export type ToolProfile = "entry" | "builder"

export type UnreadCount = {
  readonly count: number
  /** True if more notifications are unread than `count`, which is at most 200. */
  readonly hasMore: boolean
}

export type VaultEntry = {
  /** Id of the entry. */
  readonly id: string
  /** Id of the person who owns the entry. */
  readonly userId: string
  /** Name of the entry. */
  readonly name: string
  /** Category; null means none. */
  readonly category: string | null
  /** Tags of the entry. */
  readonly tags: ReadonlyArray<string>
  /** Address of the service that the value is for. */
  readonly url: string | null
  /** Whether the entry has notes. */
  readonly hasNotes: boolean
  /** Time when the value expires; null means never. */
  readonly expiresAt: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  /** Time when the value was last replaced. */
  readonly rotatedAt: string
}

export type VaultEntryChange = {
  readonly id: string
  /** The version that you read; the call fails with a conflict if the entry has another version now. */
  readonly expectedVersion?: number | undefined
  /** Name of the entry. */
  readonly name?: string | undefined
  /** A new secret value. */
  readonly value?: string | undefined
  /** Tags of the entry. */
  readonly tags?: ReadonlyArray<string> | undefined
  readonly category?: string | null | undefined
  readonly url?: string | null | undefined
  /** Notes, encrypted like the value. */
  readonly notes?: string | null | undefined
  /** Time when the value expires. */
  readonly expiresAt?: string | null | undefined
}

export type VaultEntryDraft = {
  /** Name of the entry. */
  readonly name: string
  /** The secret value. */
  readonly value: string
  /** Tags of the entry. */
  readonly tags?: ReadonlyArray<string> | undefined
  readonly category?: string | null | undefined
  readonly url?: string | null | undefined
  /** Notes, encrypted like the value. */
  readonly notes?: string | null | undefined
  /** Time when the value expires. */
  readonly expiresAt?: string | null | undefined
}

export type VaultMetadata = {
  /** Whether the person has stored a secret. */
  readonly hasVault: boolean
  /** True if the pod cannot decrypt the vault, because the encryption key of the pod was replaced. The recovery key decrypts the vault. */
  readonly isLocked: boolean
  /** Whether the person has made a recovery key. */
  readonly hasRecoveryKey: boolean
  /** Time of the first vault entry; null without a vault. */
  readonly createdAt: string | null
  /** Time when the recovery key was made. */
  readonly recoveryKeyCreatedAt: string | null
  /** Time of the last unlock that a client has recorded. */
  readonly lastUnlockedAt: string | null
  /** Number of recorded unlocks of the vault. */
  readonly unlockCount: number
  /** Entries without their values, newest first. */
  readonly entries: ReadonlyArray<VaultEntry>
}

export type VaultSecurity = {
  /** Number of vault entries. */
  readonly total: number
  /** Number of entries whose value is easy to guess. */
  readonly weak: number
  /** Number of entries whose value another entry has too. */
  readonly reused: number
  /** Number of entries whose value is older than a year. */
  readonly old: number
  /** Number of entries that have expired. */
  readonly expired: number
}

export type VaultShare = {
  /** The person who may read the entry. */
  readonly userId: string
  /** A workspace in which both people are members. */
  readonly workspaceId: string
  readonly sharedAt: string
}

export type VaultState = {
  /** Whether the person has stored a secret. */
  readonly hasVault: boolean
  /** True if the pod cannot decrypt the vault, because the encryption key of the pod was replaced. The recovery key decrypts the vault. */
  readonly isLocked: boolean
  /** Whether the person has made a recovery key. */
  readonly hasRecoveryKey: boolean
}

export type VaultUnlock = {
  readonly success: true
  /** Time of this unlock. */
  readonly lastUnlockedAt: string | null
  /** Number of recorded unlocks of the vault. */
  readonly unlockCount: number
}

export type View = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly type: "table" | "list" | "grid" | "gallery" | "kanban" | "matrix" | "masonry" | "calendar" | "flow" | "bento" | "branch_tree" | "whiteboard"
  /** Id of the profile whose entities the view shows. */
  readonly profileId: string | null
  /** Settings that clients store. */
  readonly config: Readonly<Record<string, unknown>>
  /** Data that clients store. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export type ViewModes = {
  /** How clients show lists of entities. */
  readonly entities: "grid" | "list" | "table" | "gallery" | "kanban" | "calendar"
  /** How clients show lists of documents. */
  readonly documents: "grid" | "list" | "table" | "gallery" | "kanban" | "calendar"
  /** How clients show lists of views. */
  readonly views: "grid" | "list" | "table" | "gallery" | "kanban" | "calendar"
}

export type WaitingSpace = {
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Number of changed objects that the index has not read; the pod counts at most 1,000. Null if no search has read the space in this process. */
  readonly waiting: number | null
  /** Number of changed objects that the embedding model has not read; the pod counts at most 1,000. Null without such a model. */
  readonly vectorsWaiting: number | null
}

export type Webhook = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly url: string
  /** Types of the events that the webhook subscribes to. */
  readonly eventTypes: ReadonlyArray<string>
  /** Which events are sent: `all`; `external`, those that come from outside (source `sync` or `migration`, or a type that begins with `cron.`, `feed.item.` or `webhook.received`); `internal`, all others. */
  readonly lens: "all" | "internal" | "external"
  /** Whether the webhook is active. */
  readonly active: boolean
  /** How many times the pod repeats a failed call. */
  readonly retryConfig: {
    /** Largest number of retries of a failed call. */
    readonly maxRetries: number
  }
  /** Time until which each call is also signed with the former secret; null without a former secret. */
  readonly formerSecretEnds: string | null
  /** Time of the last call of the webhook. */
  readonly lastTriggeredAt: string | null
  /** Why the pod stopped calling the webhook. To resume, set `active` to true. */
  readonly disabledReason: "gone" | "failing" | null
}

export type WebhookChange = {
  readonly id: string
  readonly name?: string | undefined
  readonly url?: string | undefined
  /** Types of the events that the webhook subscribes to. */
  readonly eventTypes?: ReadonlyArray<string> | undefined
  /** Which events are sent: `all`; `external`, those that come from outside (source `sync` or `migration`, or a type that begins with `cron.`, `feed.item.` or `webhook.received`); `internal`, all others. */
  readonly lens?: "all" | "internal" | "external" | undefined
  /** Whether the webhook is active. */
  readonly active?: boolean | undefined
  /** How many times the pod repeats a failed call. */
  readonly retryConfig?: {
    /** Largest number of retries of a failed call. */
    readonly maxRetries: number
  } | undefined
}

export type WebhookDelivery = {
  /** Same as the header `webhook-id` of each call. */
  readonly id: string
  /** Id of the webhook. */
  readonly subscriptionId: string
  readonly eventId: string
  /** Type of the event. */
  readonly eventType: string
  readonly status: "pending" | "success" | "failed"
  /** Number of calls for this delivery so far. */
  readonly attempt: number
  /** HTTP status of the receiver's answer. */
  readonly responseStatus: string | null
  /** Beginning of the receiver's answer. */
  readonly responseBody: string | null
  readonly error: string | null
  /** Time of the successful call. */
  readonly deliveredAt: string | null
  /** Time of the next call. */
  readonly nextAttemptAt: string | null
  readonly createdAt: string
}

export type WebhookDeliveryAttempt = {
  /** Number of the call, from 1. */
  readonly attempt: number
  /** Time of the call. */
  readonly at: string
  /** Duration of the call in milliseconds. */
  readonly latencyMs: number
  /** Headers that the pod sent, with the signatures of the body; null for calls that an earlier version of the pod made. */
  readonly requestHeaders: Readonly<Record<string, string>> | null
  /** Body that the pod sent, at most 16 kB of it. Null if you may not read the event, and for calls that an earlier version of the pod made. */
  readonly requestBody: string | null
  /** True if the body was longer than `requestBody`. */
  readonly requestBodyTruncated: boolean
  /** HTTP status of the receiver's answer. */
  readonly responseStatus: string | null
  /** Headers of the receiver's answer, at most 4 kB of them, without cookies; null without an answer. */
  readonly responseHeaders: Readonly<Record<string, string>> | null
  /** Beginning of the receiver's answer, at most 16 kB. */
  readonly responseBody: string | null
  readonly error: string | null
}

export type WebhookDraft = {
  readonly workspaceId?: string | null | undefined
  readonly name: string
  readonly url: string
  /** Types of the events that the webhook subscribes to. */
  readonly eventTypes: ReadonlyArray<string>
  /** Which events are sent: `all`; `external`, those that come from outside (source `sync` or `migration`, or a type that begins with `cron.`, `feed.item.` or `webhook.received`); `internal`, all others. */
  readonly lens?: "all" | "internal" | "external" | undefined
  /** If absent, the pod makes a secret. */
  readonly secret?: string | undefined
  /** Whether the webhook is active. */
  readonly active?: boolean | undefined
  /** How many times the pod repeats a failed call. */
  readonly retryConfig?: {
    /** Largest number of retries of a failed call. */
    readonly maxRetries: number
  } | undefined
}

export type WebhookFigures = {
  /** Id of the webhook. */
  readonly subscriptionId: string
  /** Number of deliveries that ended in the last 24 hours. */
  readonly ended: number
  /** How many of the deliveries of the last 24 hours arrived. */
  readonly arrived: number
  /** Number of deliveries whose last call failed in the last 24 hours and will be repeated. */
  readonly retrying: number
  /** Latency of the last calls of finished and waiting deliveries: 95 percent took at most this many milliseconds. Null without a call. */
  readonly p95Ms: number | null
  /** Time of the next call; null if no delivery waits. */
  readonly nextAttemptAt: string | null
}

export type WidgetDefinition = {
  /** Kind of the widget, as in the widgets of a view. */
  readonly kind: "table" | "list" | "grid" | "gallery" | "kanban" | "matrix" | "masonry" | "calendar" | "flow" | "bento" | "branch_tree" | "whiteboard"
  readonly name: string
}

export type Workspace = {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** Membership role of the caller in the workspace. */
  readonly role: "owner" | "admin" | "editor" | "viewer"
  readonly joinedAt: string
  /** How the caller has access: always as a member of the workspace. */
  readonly accessKind: "member"
  /** Who may read the workspace: always only its members. */
  readonly workspaceVisibility: "members"
  /** Purpose of the workspace. */
  readonly workspaceType: string | null
  /** Always null. */
  readonly workspaceSubtype: null
  /** Always null. */
  readonly onboarding: null
  /** Always empty. */
  readonly workspaceCapabilities: ReadonlyArray<string>
  /** Always null. */
  readonly appId: null
  /** Always null. */
  readonly packageSlug: null
  /** Always null. */
  readonly packageVersion: null
  /** Always empty. */
  readonly installedPacks: ReadonlyArray<string>
  /** Always null. */
  readonly systemSlug: null
  /** Template from which the workspace was created; null means none. */
  readonly templateId: string | null
  /** Number of entities in the workspace. The pod stops counting at 10,000. */
  readonly entityCount: number
  /** Ids of the projects in the workspace, and of projects with content from the workspace. At most 200, and only projects that the caller may read. */
  readonly usedByProjectIds: ReadonlyArray<string>
  /** True if `usedByProjectIds` does not list all projects that use the workspace. */
  readonly isUsedByMore?: boolean | undefined
  /** Roles that each source plays, by the name of the source; the roles are free text. */
  readonly sourceRoles: Readonly<Record<string, unknown>>
  /** Default data source of each role. */
  readonly defaultSources: Readonly<Record<string, unknown>>
  /** Whether the workspace is ready, is still being created, or failed. */
  readonly provisioningStatus: "provisioning" | "ready" | "failed"
  /** Step that failed, while the status is `failed`. */
  readonly failedStep?: string | undefined
  /** Why the step in `failedStep` failed. */
  readonly failedStepError?: string | undefined
  readonly createdAt: string
  readonly updatedAt: string
}

export type WorkspaceKeyRequest = {
  /** Name that the owner gave the key. */
  readonly keyName: string
  /** Scopes of the key: which operations the key may call. */
  readonly scope: ReadonlyArray<Scope>
  /** Permissions and limits of the key. A grant only narrows what the owner of the key may do. */
  readonly grant: GrantRequest
  /** How many days the key is valid. Default: 90. Null means that the key never expires. */
  readonly expiresInDays?: number | null | undefined
  /** Id of the agent of the caller who will hold the key. */
  readonly agentId?: string | undefined
  /** Id of the pod that the key is for; the key becomes a service key. */
  readonly hubId?: string | undefined
  /** Set of MCP tools: `entry` or `builder`. Null or absent means every tool that the scopes and the grant allow. */
  readonly toolProfile?: ToolProfile | null | undefined
  /** Id of the workspace that the key is limited to. */
  readonly workspaceId: string
  /** Another name for `agentId`. */
  readonly agentUserId?: string | undefined
} | {
  readonly name: string
  /** Scopes of the key: which operations the key may call. */
  readonly scopes: ReadonlyArray<Scope>
  /** Time when the key expires; null means never. */
  readonly expiresAt?: string | null | undefined
  /** Permissions and limits of the key. A grant only narrows what the owner of the key may do. */
  readonly grant?: GrantRequest | undefined
  /** Set of MCP tools: `entry` or `builder`. Null or absent means every tool that the scopes and the grant allow. */
  readonly toolProfile?: ToolProfile | null | undefined
  /** Id of the workspace that the key is limited to. */
  readonly workspaceId: string
}

export type WorkspacePolicy = {
  /** Always `standard`. */
  readonly governanceMode: "standard"
  /** What agents may do without a person's approval; null means that nothing is set. */
  readonly autoApproveFor: ReadonlyArray<string> | null
  /** Id of the agent that the workspace was created for. */
  readonly linkedAgentId: string | null
}

export type WorkspaceWebhookDraft = {
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string
  readonly name: string
  readonly url: string
  /** Types of the events that the webhook subscribes to. */
  readonly eventTypes: ReadonlyArray<string>
  /** Which events are sent: `all`; `external`, those that come from outside (source `sync` or `migration`, or a type that begins with `cron.`, `feed.item.` or `webhook.received`); `internal`, all others. */
  readonly lens?: "all" | "internal" | "external" | undefined
  /** If absent, the pod makes a secret. */
  readonly secret?: string | undefined
  /** Whether the webhook is active. */
  readonly active?: boolean | undefined
  /** How many times the pod repeats a failed call. */
  readonly retryConfig?: {
    /** Largest number of retries of a failed call. */
    readonly maxRetries: number
  } | undefined
}

/** The fields of a refusal. Its `code` and its `reason` decide which fields are present. */
export type ErrorData = {
  readonly code: TRPC_ERROR_CODE_KEY
  readonly httpStatus: number
  /** Absent if the request failed before the pod knew its procedures. */
  readonly path?: string | undefined
  readonly details?: unknown
  readonly docs?: (string & {}) | undefined
  readonly reason?: "INTERNAL_SERVER_ERROR" | "no_auth" | "invalid_format" | "key_revoked" | "expired" | "AGENTS_ONLY" | "AGENT_FORBIDDEN" | "APPROVAL_DENIED" | "APPROVAL_NEEDED" | "CAPABILITY_MISSING" | "GRANT_DENIED" | "GRANT_TOO_WIDE" | "IDENTITY_FORBIDDEN" | "ISSUER_REJECTED" | "KEY_ONLY" | "ORIGIN_FORBIDDEN" | "OPERATOR_ONLY" | "OWNER_ONLY" | "ADMINISTRATOR_ONLY" | "PEOPLE_ONLY" | "PROBE_UNSUPPORTED" | "PROFILE_OF_EVERY_POD" | "QUOTA_REACHED" | "RULE_REFUSED" | "SCOPE_MISSING" | "SESSION_ONLY" | "SHARING_FORBIDDEN" | "SOURCE_FORBIDDEN" | "TOOL_PROFILE" | "WORKSPACE_FORBIDDEN" | "ALREADY_CLAIMED" | "ALREADY_MADE" | "ALREADY_MEMBER" | "ALREADY_THERE" | "AUTHORITY_GONE" | "CONTENT_CHANGED" | "DEFAULT_TAKEN" | "EMAIL_TAKEN" | "FACET_TAKEN" | "IDEMPOTENT_ANSWER_NOT_KEPT" | "INVITATION_INVALID" | "INVITATION_NOT_OPEN" | "KEY_EXISTS" | "KEY_ROTATED" | "KEY_TAKEN" | "LAST_OWNER" | "LINKED_ALREADY" | "MEMORY_FULL" | "NO_OWNER" | "NOT_PROPOSED" | "OWNER_STAYS" | "PASSWORD_CHANGED" | "PROFILE_IN_USE" | "PROPOSAL_CONFLICT" | "PROPOSAL_SETTLED" | "REVERT_CONFLICT" | "REVISION_CONFLICT" | "SAME_NAME" | "SESSION_EXISTS" | "SETUP_LINK_INVALID" | "SLUG_TAKEN" | "TARGET_GONE" | "THREAD_EXISTS" | "VAULT_LOCKED" | "VERSION_CONFLICT" | "WORKSPACE_IN_USE" | (string & {}) | "GRANT_DOOR_UNSUPPORTED" | undefined
  readonly errorId?: string | undefined
  readonly keyIdPrefix?: string | undefined
  readonly required?: ReadonlyArray<string> | undefined
  readonly granted?: ReadonlyArray<string> | undefined
  readonly decisionId?: (string & {}) | undefined
  readonly why?: (string & {}) | undefined
  readonly alternatives?: ReadonlyArray<string> | undefined
  readonly fix?: (string & {}) | undefined
  readonly retryable?: false | undefined
  readonly requestId?: (string & {}) | undefined
  readonly status?: "denied" | undefined
  readonly clause?: "when" | "where" | "then" | undefined
  readonly brandWorkspaceId?: string | null | undefined
  readonly projectId?: string | null | undefined
}

/** The shape of every error that the pod answers. */
export interface ErrorShape {
  readonly code: TRPC_ERROR_CODE_NUMBER
  /** A message for people. If the input was wrong, the message is the JSON of its faults, as in `data.details`. */
  readonly message: string
  readonly data: ErrorData
}

interface RootTypes {
  ctx: object
  meta: object
  errorShape: ErrorShape
  transformer: false
}

/** Every procedure, by its path. A key calls procedures at `/api/hub/trpc`, and a sign-in session at `/trpc`. */
export type AppRouter = TRPCBuiltRouter<
  RootTypes,
  {
    entities: {
      /** List the entities that the caller may read, newest first. */
      getEntities: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Entity kind (profile slug). */
          readonly profileSlug?: string | undefined
          /** Slug of an entity kind or a facet. */
          readonly type?: string | undefined
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
          /** Id of a project: list only entities that are in this project, if the caller may read the project. */
          readonly projectId?: string | undefined
          /** Slug of a facet: list only entities that have this facet, if the caller may read the facet. */
          readonly facetSlug?: string | undefined
          /** Largest number of entities to return. */
          readonly limit?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Entity>
        meta: object
      }>
    }
    apiKeys: {
      /** Create a key; only this answer contains its secret. */
      create: TRPCMutationProcedure<{
        input: KeyRequest
        output: {
          readonly id: string
          /** Secret key. Only this answer contains the secret. */
          readonly key: string
          /** First characters of the secret. */
          readonly keyPrefix: string
          /** Name that the owner gave the key. */
          readonly keyName: string
          /** Scopes of the key: which operations the key may call. */
          readonly scope: ReadonlyArray<string>
          /** Time when the key expires; null means never. */
          readonly expiresAt: string | null
          readonly summary: string
          readonly status: "created" | "rotated"
          /** A note for people about how to store the key. */
          readonly message: string
        }
        meta: object
      }>
      /** Create a key that is limited to one workspace; only this answer contains its secret. */
      createForWorkspace: TRPCMutationProcedure<{
        input: WorkspaceKeyRequest
        output: {
          readonly id: string
          /** Secret key. Only this answer contains the secret. */
          readonly key: string
          /** First characters of the secret. */
          readonly keyPrefix: string
          /** Name that the owner gave the key. */
          readonly keyName: string
          /** Scopes of the key: which operations the key may call. */
          readonly scope: ReadonlyArray<string>
          /** Time when the key expires; null means never. */
          readonly expiresAt: string | null
          readonly summary: string
          readonly status: "created" | "rotated"
          /** A note for people about how to store the key. */
          readonly message: string
        }
        meta: object
      }>
      /** List your keys and the keys of your agents, newest first. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Key>
        meta: object
      }>
      /** Change the name of a key. The secret and the rights of the key stay the same. */
      rename: TRPCMutationProcedure<{
        input: {
          /** Id of the key. The id is not secret. */
          readonly keyId: string
          /** Name that the owner gave the key. */
          readonly keyName: string
        }
        output: Key
        meta: object
      }>
      /** Revoke a key. The key stops working, and after this answer no call with it can write anything. */
      revoke: TRPCMutationProcedure<{
        input: {
          /** Id of the key. The id is not secret. */
          readonly keyId: string
          /** Why you revoke the key, as a sentence for people. */
          readonly reason?: string | undefined
        }
        output: {
          readonly status: "revoked"
          /** Id of the key. The id is not secret. */
          readonly keyId: string
          /** Time when the key was revoked; null means that the key is not revoked. */
          readonly revokedAt: string | null
        }
        meta: object
      }>
      /** Replace a key with a new one that has the same grant, scopes and expiry. */
      rotate: TRPCMutationProcedure<{
        input: {
          /** Id of the key. The id is not secret. */
          readonly keyId: string
          /** How many seconds the old key stays valid beside the new key. */
          readonly overlapSeconds?: number | undefined
        }
        output: {
          readonly id: string
          /** Secret key. Only this answer contains the secret. */
          readonly key: string
          /** First characters of the secret. */
          readonly keyPrefix: string
          /** Name that the owner gave the key. */
          readonly keyName: string
          /** Scopes of the key: which operations the key may call. */
          readonly scope: ReadonlyArray<string>
          /** Time when the key expires; null means never. */
          readonly expiresAt: string | null
          readonly summary: string
          readonly status: "created" | "rotated"
          /** A note for people about how to store the key. */
          readonly message: string
        }
        meta: object
      }>
      /** List the service and system keys of the pod, newest first. Only for the owner and the administrators of the pod. For keys of other people, the answer leaves out the access role and the ids of projects and records; `summary` has the number of these limits. */
      listSystemKeys: TRPCQueryProcedure<{
        input: void | undefined | {
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Key>
        meta: object
      }>
      /** Read how often one of your keys was used on each day, and the last calls with this key. */
      usage: TRPCQueryProcedure<{
        input: {
          /** Id of the key. The id is not secret. */
          readonly keyId: string
        }
        output: KeyUsage
        meta: object
      }>
      /** Watch the calls with one of your keys as a subscription. Refused calls are included. */
      watchCalls: TRPCSubscriptionProcedure<{
        input: {
          /** Id of the key. The id is not secret. */
          readonly keyId: string
          /** The `id` of the last call that you received. tRPC clients send it when they connect again. `0`: begin with the last 50 calls. */
          readonly lastEventId?: string | null | undefined
        }
        output: AsyncIterable<{
          id: string
          data: KeyCall
        }, void>
        meta: object
      }>
      /** Read the last call with each of your keys and those of your agents; a key without calls is left out. */
      lastCalls: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<LastCall>
        meta: object
      }>
      /** Read how often your keys and those of your agents were used on each of the last days. */
      usageByDay: TRPCQueryProcedure<{
        input: void | undefined | {
          /** How many days to return, including today. */
          readonly days?: number | undefined
        }
        output: ReadonlyArray<{
          /** Id of the key. The id is not secret. */
          readonly keyId: string
          /** Day in UTC, such as 2026-01-31. */
          readonly day: string
          /** Number of requests with the key. */
          readonly calls: number
          /** Number of refused calls: status 401, 403 or 429. */
          readonly refusals: number
        }>
        meta: object
      }>
    }
    connections: {
      /** List the connections to your pod: your keys and the keys of your agents and apps, each with what the key may do. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Connection>
        meta: object
      }>
      /** End a connection. Its key stops working, and after this answer no call with the key can write anything. */
      revoke: TRPCMutationProcedure<{
        input: {
          /** Id of the key. The id is not secret. */
          readonly keyId: string
          /** Why you end the connection, as a sentence for people. */
          readonly reason?: string | undefined
        }
        output: {
          readonly status: "revoked"
          /** Id of the key. The id is not secret. */
          readonly keyId: string
          /** Time when the key was revoked; null means that the key is not revoked. */
          readonly revokedAt: string | null
        }
        meta: object
      }>
    }
    notifCenter: {
      /** List your notifications, latest event first, except the dismissed ones. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          readonly kind?: NotificationKind | undefined
          /** Leave out the notifications of this kind. */
          readonly exceptKind?: NotificationKind | undefined
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
          /** Whether to list only unread notifications. */
          readonly unread?: boolean | undefined
          /** Whether to list only dismissed notifications. */
          readonly dismissed?: boolean | undefined
          readonly limit?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Notification>
        meta: object
      }>
      /** Count your unread notifications. Notifications that came in quiet hours count only after these hours. */
      unreadCount: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: UnreadCount
        meta: object
      }>
      /** Read which notifications you want, and your quiet hours. */
      getPrefs: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: NotificationPreferences
        meta: object
      }>
      /** Mark one of your notifications as read. Only for people. */
      markRead: TRPCMutationProcedure<{
        input: {
          readonly id: string
        }
        output: Notification | Proposed
        meta: object
      }>
      /** Mark your unread notifications as read: all, or those of a kind or a workspace. Only for people. */
      markAllRead: TRPCMutationProcedure<{
        input: void | undefined | NotificationSelection
        output: ChangedNotifications | Proposed
        meta: object
      }>
      /** Dismiss one of your notifications: it is no longer listed. Only for people. */
      dismiss: TRPCMutationProcedure<{
        input: {
          readonly id: string
        }
        output: Notification | Proposed
        meta: object
      }>
      /** Dismiss your notifications: all, or those of a kind or a workspace. Only for people. */
      dismissAll: TRPCMutationProcedure<{
        input: void | undefined | NotificationSelection
        output: ChangedNotifications | Proposed
        meta: object
      }>
      /** Set which notifications you want: kinds, quiet hours, muted workspaces. Only for people. */
      setPrefs: TRPCMutationProcedure<{
        input: void | undefined | NotificationPreferencesChange
        output: NotificationPreferences | Proposed
        meta: object
      }>
    }
    inbox: {
      /** Count your unread notifications, and those that wait for the end of quiet hours. */
      stats: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: InboxStats
        meta: object
      }>
    }
    svc: {
      /** Read who the caller is (a person or an agent), and the scopes of the credential. */
      me: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: Me
        meta: object
      }>
    }
    agents: {
      /** Add an agent that acts for you. The agent can read what you can read, but can write only after you allow writes. */
      create: TRPCMutationProcedure<{
        input: {
          readonly name: string
          /** Capabilities of the agent: what the agent may write. */
          readonly capabilities?: ReadonlyArray<string> | undefined
        }
        output: Agent
        meta: object
      }>
      /** Set what one of your agents may write, whether you approve its writes first, and whether the agent is suspended. */
      update: TRPCMutationProcedure<{
        input: void | undefined | {
          /** Id of the agent. Required unless `agentUserId` is sent. */
          readonly agentId?: string | undefined
          readonly name?: string | undefined
          /** Capabilities of the agent: what the agent may write. */
          readonly capabilities?: ReadonlyArray<string> | undefined
          /** Whether the writes of the agent wait for a person. */
          readonly writesRequireProposal?: boolean | undefined
          /** `true` suspends the agent: its running calls end, and its keys do not work until the value is `false` again. */
          readonly isSuspended?: boolean | undefined
          /** Another name for `agentId`. */
          readonly agentUserId?: string | undefined
        }
        output: Agent
        meta: object
      }>
      /** List your agents. */
      list: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<Agent>
        meta: object
      }>
    }
    sessions: {
      /** List your open sign-in sessions, the latest first. */
      list: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<OwnSession>
        meta: object
      }>
      /** End one of your sign-in sessions. Its running calls stop at once. */
      end: TRPCMutationProcedure<{
        input: {
          /** Id of the session to end. */
          readonly sessionId: string
        }
        output: {
          readonly success: true
        }
        meta: object
      }>
      /** End all your sign-in sessions except the one that makes this call. Your keys stay valid. */
      endOthers: TRPCMutationProcedure<{
        input: void | undefined | {
          /** Why you end the sessions, as a sentence for people. The pod stores the reason in the event of this call. */
          readonly reason?: string | undefined
        }
        output: {
          /** Number of the ended sessions. */
          readonly endedSessions: number
        }
        meta: object
      }>
    }
    workspaces: {
      /** List the workspaces of the caller. */
      list: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<Workspace>
        meta: object
      }>
    }
    events: {
      /** Append an event to your own log or to the log of a workspace. */
      log: TRPCMutationProcedure<{
        input: {
          readonly type: string
          readonly data?: Readonly<Record<string, unknown>> | undefined
          readonly subjectId?: string | undefined
          readonly source?: "api" | "automation" | "sync" | "migration" | "system" | "intelligence" | undefined
          /** Data that the client stores with the event. For some kinds the pod checks these fields: `ai` (`agent`, `confidence.score`, `extraction`), `import` (`sourceSystem`, `externalId`), `sync` (`deviceId`, `platform`, `offline`), `automation` (`ruleId`, `executionContext`). Any other `kind` is allowed too. */
          readonly metadata?: Readonly<Record<string, unknown>> | undefined
          readonly causationId?: string | undefined
          readonly workspaceId?: string | null | undefined
        }
        output: Event | Proposed
        meta: object
      }>
      /** List your events, newest first. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
          readonly type?: string | undefined
          /** `true`: return only events that have metadata. */
          readonly hasMetadata?: boolean | undefined
          /** Only events whose metadata has this kind. */
          readonly metadataKind?: "ai" | "import" | "sync" | "automation" | "custom" | undefined
          /** Only events of writes in the focus session with this id. */
          readonly sessionId?: string | undefined
          /** Only events that the person or agent with this id caused. */
          readonly actorId?: string | undefined
          /** Latest time of the events. */
          readonly until?: string | undefined
          /** Source of the event. */
          readonly source?: "api" | "automation" | "sync" | "migration" | "system" | "intelligence" | undefined
        }
        output: ReadonlyArray<Event>
        meta: object
      }>
      /** Read one event. */
      get: TRPCQueryProcedure<{
        input: {
          readonly eventId: string
        }
        output: Event
        meta: object
      }>
      /** Watch your events as a subscription. To continue later, send the id of the last event that you received. */
      stream: TRPCSubscriptionProcedure<{
        input: void | undefined | {
          /** Only events whose metadata has this kind. */
          readonly metadataKind?: "ai" | "import" | "sync" | "automation" | "custom" | undefined
          readonly type?: string | undefined
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
          /** First word of the event type. */
          readonly entityType?: string | undefined
          /** The `id` of the last event that you received. tRPC clients send it when they connect again. */
          readonly lastEventId?: string | null | undefined
        }
        output: AsyncIterable<{
          id: string
          data: Event
        }, void>
        meta: object
      }>
    }
    profiles: {
      /** List the built-in entity kinds and roles, and those of the caller's spaces; `detail=full` returns all fields. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
          /** `kind`: an entity kind; `role`: a role that entities can have in addition to their kind. */
          readonly profileKind?: ProfileKind | undefined
          /** Which fields of each profile to return: all fields (`full`), or only a few (`digest`). */
          readonly detail?: "digest" | "full" | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<ListedProfile>
        meta: object
      }>
    }
    propertyDefs: {
      /** List property definitions in the spaces of the caller. With `profileId`, list only the definitions of this profile. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
          readonly profileId?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<PropertyDef>
        meta: object
      }>
    }
    proposals: {
      /** List proposals about records that the caller may read, latest first. */
      listProposals: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Ignored: the credential identifies the caller. */
          readonly userId?: string | undefined
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
          /** Id of the focus session that the record belongs to. */
          readonly sessionId?: string | undefined
          readonly status?: "pending" | "approved" | "rejected" | "auto_approved" | "reverted" | "approval_failed" | "withdrawn" | "expired" | "settled" | "all" | undefined
          /** How much of each proposal to return: everything, or everything except the content. */
          readonly view?: "full" | "basic" | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ProposalPage
        meta: object
      }>
      /** List proposals about records that the caller may read, latest first. This call does the same as `listProposals`. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Ignored: the credential identifies the caller. */
          readonly userId?: string | undefined
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
          /** Id of the focus session that the record belongs to. */
          readonly sessionId?: string | undefined
          readonly status?: "pending" | "approved" | "rejected" | "auto_approved" | "reverted" | "approval_failed" | "withdrawn" | "expired" | "settled" | "all" | undefined
          /** How much of each proposal to return: everything, or everything except the content. */
          readonly view?: "full" | "basic" | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ProposalPage
        meta: object
      }>
      /** Read one proposal with every difference to the current record. */
      get: TRPCQueryProcedure<{
        input: {
          readonly proposalId: string
        }
        output: ProposalDetail
        meta: object
      }>
      /** Replace the content of a pending proposal. */
      updateProposal: TRPCMutationProcedure<{
        input: {
          readonly proposalId: string
          /** New content, which replaces the whole old content. */
          readonly data: Readonly<Record<string, unknown>>
          /** New summary of the proposal. Only a person may send a summary; for an agent the pod writes the summary. */
          readonly summary?: string | undefined
          /** Revision that you read. If somebody has edited the proposal since, the call fails. */
          readonly expectedRevision?: number | undefined
        }
        output: Proposal | Proposed
        meta: object
      }>
      /** Approve a proposal with the content that you saw. Only people can approve. */
      approve: TRPCMutationProcedure<{
        input: {
          readonly proposalId: string
          /** Revision that you read. If somebody has edited the proposal since, the call fails. */
          readonly expectedRevision?: number | undefined
          /** `contentHash` that you read; the call fails if the content has another hash. */
          readonly contentHash?: string | undefined
        }
        output: Proposal | Proposed
        meta: object
      }>
      /** Reject a proposal with a reason, or withdraw your own proposal. */
      reject: TRPCMutationProcedure<{
        input: {
          readonly proposalId: string
          /** Why you reject or withdraw the proposal. */
          readonly reason?: string | undefined
          /** Code of the reason, for programs. */
          readonly reasonCode?: "incorrect" | "incomplete" | "not_wanted" | "duplicate" | "unsafe" | "other" | undefined
        }
        output: Proposal | Proposed
        meta: object
      }>
      /** Revert an approved proposal. If fields that the proposal wrote have changed since, the pod reverts nothing. Only people can revert. */
      revert: TRPCMutationProcedure<{
        input: {
          readonly proposalId: string
        }
        output: Proposal | Proposed
        meta: object
      }>
    }
    automations: {
      /** List the runs of automations that the caller may read, newest first. */
      listRuns: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
          /** Id of the automation that ran. */
          readonly automationId?: string | undefined
          readonly ruleId?: string | undefined
          readonly status?: "queued" | "running" | "succeeded" | "failed" | "cancelled" | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<AutomationRun>
        meta: object
      }>
      /** Read one run of an automation. */
      getRun: TRPCQueryProcedure<{
        input: {
          /** Id of the run. */
          readonly runId: string
        }
        output: AutomationRun
        meta: object
      }>
    }
    commands: {
      /** List the commands that the caller may read, latest change first. */
      listCommands: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
          /** Word that starts the command. */
          readonly triggerSlug?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Command>
        meta: object
      }>
      /** Read one command. */
      getCommand: TRPCQueryProcedure<{
        input: {
          /** Id of the command. */
          readonly commandId: string
        }
        output: Command
        meta: object
      }>
    }
    documents: {
      /** Read one document with its content. */
      getDocument: TRPCQueryProcedure<{
        input: {
          readonly documentId: string
        }
        output: Document
        meta: object
      }>
    }
    secretsVault: {
      /** Check whether you have a vault, and whether the pod can open it. */
      hasVault: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: VaultState
        meta: object
      }>
      /** Read the state of your vault and its entries, newest first, without values and notes. */
      getVaultMetadata: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Only entries of this category. */
          readonly category?: string | undefined
          /** Only entries with this tag. */
          readonly tag?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: VaultMetadata
        meta: object
      }>
      /** List the categories of your vault entries. */
      getCategories: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<NamedCount>
        meta: object
      }>
      /** List the tags of your vault entries. */
      getTags: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<NamedCount>
        meta: object
      }>
      /** List the vault entries that others share with you, newest first, without their values. */
      sharedWithMe: TRPCQueryProcedure<{
        input: void | undefined | {
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<SharedVaultEntry>
        meta: object
      }>
      /** Count the weak, reused, old and expired vault entries, which you should change. */
      getSecurityStats: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: VaultSecurity
        meta: object
      }>
      /** List your vault entries, newest first, without their values. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Only entries of this category. */
          readonly category?: string | undefined
          /** Only entries with this tag. */
          readonly tag?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<VaultEntry>
        meta: object
      }>
      /** Read a vault entry with its value: an entry of yours, or one that somebody shares with you. */
      get: TRPCQueryProcedure<{
        input: {
          readonly id: string
        }
        output: OpenedVaultEntry
        meta: object
      }>
      /** Store a secret. The pod encrypts it (AES-256-GCM). */
      create: TRPCMutationProcedure<{
        input: VaultEntryDraft
        output: VaultEntry
        meta: object
      }>
      /** Change a vault entry of yours, for example its value. */
      update: TRPCMutationProcedure<{
        input: VaultEntryChange
        output: VaultEntry
        meta: object
      }>
      /** Let another member of a workspace read a vault entry of yours, as long as both of you are members. */
      share: TRPCMutationProcedure<{
        input: {
          readonly id: string
          /** The person who may read the entry. */
          readonly personId: string
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId: string
        }
        output: {
          readonly success: true
        }
        meta: object
      }>
      /** Stop sharing a vault entry of yours with a person. */
      unshare: TRPCMutationProcedure<{
        input: {
          readonly id: string
          /** Id of the person who may no longer read the entry. */
          readonly personId: string
        }
        output: {
          readonly success: true
        }
        meta: object
      }>
      /** Delete a vault entry of yours. Nobody can restore the entry. Only for people. */
      delete: TRPCMutationProcedure<{
        input: {
          readonly id: string
        }
        output: Removed | Proposed
        meta: object
      }>
      /** Record that you have unlocked your vault in a client. Only for people. */
      recordUnlock: TRPCMutationProcedure<{
        input: void | undefined | Record<string, never>
        output: VaultUnlock | Proposed
        meta: object
      }>
      /** Make a new recovery key; the old recovery key stops working. If the pod loses `POD_ENCRYPTION_KEY`, you can open your vault with the recovery key (`secretsVault.recover`). Only for people. */
      generateRecoveryKey: TRPCMutationProcedure<{
        input: void | undefined | Record<string, never>
        output: {
          /** The recovery key. Only this answer shows it: write it down, and keep it in a place outside the pod. */
          readonly recoveryKey: string
        } | Proposed
        meta: object
      }>
      /** Open your vault with its recovery key after the encryption key of the pod was replaced. The pod then encrypts the key of the vault with the new encryption key of the pod. */
      recover: TRPCMutationProcedure<{
        input: {
          /** The recovery key. */
          readonly recoveryKey: string
        }
        output: VaultState
        meta: object
      }>
    }
    connectors: {
      /** Read the status that the last check of each of your connectors found. */
      status: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Only connectors of this kind. */
          readonly kind?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<ConnectorState>
        meta: object
      }>
      /** List your connectors, newest first. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Only connectors of this kind. */
          readonly kind?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Connector>
        meta: object
      }>
    }
    views: {
      /** List the views that the caller may read, latest change first. */
      listViews: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
          /** Only views of this type. */
          readonly type?: "table" | "list" | "grid" | "gallery" | "kanban" | "matrix" | "masonry" | "calendar" | "flow" | "bento" | "branch_tree" | "whiteboard" | undefined
          readonly profileId?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<View>
        meta: object
      }>
    }
    widgetDefinitions: {
      /** List the kinds of widgets that a view can have. */
      list: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<WidgetDefinition>
        meta: object
      }>
    }
    relations: {
      /** List the relations of a workspace or of an entity, newest first. The list has only relations that the caller may read. */
      listRelations: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Id of an entity at either end of the relation. */
          readonly entityId?: string | undefined
          readonly type?: string | undefined
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Relation>
        meta: object
      }>
      /** List the relations in the personal space of the caller, newest first. */
      listRelationsPodWide: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Id of an entity at either end of the relation. */
          readonly entityId?: string | undefined
          readonly type?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Relation>
        meta: object
      }>
      /** List the built-in relation types, and those defined in the spaces of the caller. */
      listTypes: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
        }
        output: ReadonlyArray<RelationType>
        meta: object
      }>
    }
    relationDefs: {
      /** List the relation types that are defined in the spaces of the caller, newest first. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<RelationDef>
        meta: object
      }>
    }
    profileRelations: {
      /** List which entity kinds a relation may connect: for each relation type, from which kind to which kind. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Slug of an entity kind: only relation types that may connect this kind are listed. */
          readonly profileSlug?: string | undefined
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<ProfileRelation>
        meta: object
      }>
    }
    governance: {
      /** Set what every agent in a workspace may do without approval. Only for owners and admins of the workspace. */
      setPolicy: TRPCMutationProcedure<{
        input: {
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId: string
          /** Always `standard`. The pod refuses the older value `agent-owned`, because deletes by agents always need approval. */
          readonly governanceMode?: "standard" | undefined
          /** What agents may do without a person's approval. */
          readonly autoApproveFor?: ReadonlyArray<string> | null | undefined
        }
        output: WorkspacePolicy
        meta: object
      }>
    }
    governanceRules: {
      /** List the governance rules of a workspace. Without `workspaceId`, list those for your own agents. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId?: string | undefined
        }
        output: ReadonlyArray<GovernanceRule>
        meta: object
      }>
      /** List every governance rule that you can see. */
      listAll: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<GovernanceRule>
        meta: object
      }>
      /** Create a governance rule. It says whether agents need the approval of a person for an action. */
      create: TRPCMutationProcedure<{
        input: GovernanceRuleDraft
        output: GovernanceRule
        meta: object
      }>
      /** Revoke a governance rule. */
      revoke: TRPCMutationProcedure<{
        input: {
          readonly ruleId: string
        }
        output: {
          readonly status: "revoked"
          readonly ruleId: string
        }
        meta: object
      }>
    }
    grants: {
      /** Show what a key with this grant could read and which operations it could call, before you create the key. */
      preview: TRPCQueryProcedure<{
        input: void | undefined | GrantPreviewInput
        output: GrantPreview
        meta: object
      }>
      /** List which of your keys, and of the keys of your agents, may read a record now. */
      readers: TRPCQueryProcedure<{
        input: ReadRecord
        output: ReadonlyArray<KeyThatReads>
        meta: object
      }>
    }
    projection: {
      /** Show what a workspace would make public with these roles and fields, without making anything public. */
      preview: TRPCQueryProcedure<{
        input: PreviewedProjection
        output: PublicFeed
        meta: object
      }>
    }
    roles: {
      /** List your access roles, newest first. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<AccessRole>
        meta: object
      }>
      /** Create an access role: a named grant from which keys are created. */
      create: TRPCMutationProcedure<{
        input: AccessRoleDraft
        output: AccessRole
        meta: object
      }>
      /** Change an access role; keys that were created from the role keep their grant. */
      update: TRPCMutationProcedure<{
        input: AccessRoleChange
        output: AccessRole
        meta: object
      }>
      /** Delete an access role; keys that were created from the role stay valid. */
      delete: TRPCMutationProcedure<{
        input: {
          /** Id of the access role. */
          readonly roleId: string
        }
        output: Removed
        meta: object
      }>
    }
    webhooks: {
      /** List your webhooks, newest first; a key without the grant `*` lists only the webhooks that were created with it. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Webhook>
        meta: object
      }>
      /** List the latest deliveries of a webhook, newest first. */
      deliveries: TRPCQueryProcedure<{
        input: {
          readonly subscriptionId: string
          /** Earliest time of the deliveries, by their `createdAt`. */
          readonly since?: string | undefined
          /** Latest time of the deliveries, by their `createdAt`. */
          readonly until?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<WebhookDelivery>
        meta: object
      }>
      /** List the latest calls of a delivery, oldest first, each with its latency, what the pod sent and what the receiver answered. */
      attempts: TRPCQueryProcedure<{
        input: {
          readonly subscriptionId: string
          readonly deliveryId: string
        }
        output: ReadonlyArray<WebhookDeliveryAttempt>
        meta: object
      }>
      /** Read how the deliveries of your webhooks went in the last 24 hours: success, latency and the next call. */
      figures: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<WebhookFigures>
        meta: object
      }>
      /** Create a webhook: the pod sends events of the given types to an address. Only this answer shows the secret. Only for people. */
      create: TRPCMutationProcedure<{
        input: WebhookDraft
        output: {
          /** The created or changed webhook, without its secret. */
          readonly subscription: Webhook
          /** The secret. Only this answer shows it: store it now. */
          readonly secret: string
        } | Proposed
        meta: object
      }>
      /** Change a webhook. Only for people. */
      update: TRPCMutationProcedure<{
        input: WebhookChange
        output: Webhook | Proposed
        meta: object
      }>
      /** Replace the secret of a webhook; only this answer shows the new secret. For 24 hours, the header `webhook-signature` has one signature with the old secret and one with the new secret. The header `X-Svc-Signature` uses the new secret at once. Only for people. */
      rotateSecret: TRPCMutationProcedure<{
        input: {
          readonly id: string
        }
        output: {
          /** The created or changed webhook, without its secret. */
          readonly subscription: Webhook
          /** The secret. Only this answer shows it: store it now. */
          readonly secret: string
        } | Proposed
        meta: object
      }>
      /** Send a test event to a webhook. Only for people. */
      test: TRPCMutationProcedure<{
        input: {
          readonly id: string
        }
        output: {
          readonly deliveryId: string
        } | Proposed
        meta: object
      }>
      /** Send one delivery again. Only for people. */
      resend: TRPCMutationProcedure<{
        input: {
          readonly subscriptionId: string
          readonly deliveryId: string
        }
        output: {
          readonly deliveryId: string
        } | Proposed
        meta: object
      }>
      /** Repeat the failed deliveries of a webhook since a given time, earliest first. At most 10,000 deliveries may wait. Only for people. */
      recover: TRPCMutationProcedure<{
        input: {
          readonly id: string
          /** Earliest time of the wanted deliveries or events; at most 29 days ago. */
          readonly since: string
        }
        output: {
          /** Number of deliveries that the pod sends again. */
          readonly count: number
        } | Proposed
        meta: object
      }>
      /** Send the events that a webhook missed since a given time, for example while the webhook was paused. A job plans the deliveries in order; at most 10,000 deliveries may wait. Only for people. */
      replay: TRPCMutationProcedure<{
        input: {
          readonly id: string
          /** Earliest time of the wanted deliveries or events; at most 29 days ago. */
          readonly since: string
          /** Latest time of the events. Default: now. */
          readonly until?: string | undefined
          /** Send only missed events of these types, for example `task.create`. Default: every type that the webhook follows. */
          readonly eventTypes?: ReadonlyArray<string> | undefined
        }
        output: {
          /** Id of the job that plans the deliveries. */
          readonly jobId: string
        } | Proposed
        meta: object
      }>
      /** Delete a webhook. Only for people. */
      delete: TRPCMutationProcedure<{
        input: {
          readonly id: string
        }
        output: Removed | Proposed
        meta: object
      }>
      /** List your webhooks of one workspace, newest first; a key without the grant `*` lists only the webhooks that were created with it. */
      listForWorkspace: TRPCQueryProcedure<{
        input: {
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId: string
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Webhook>
        meta: object
      }>
      /** Create a webhook for the events of one workspace. Only this answer shows the secret. Only for people. */
      createForWorkspace: TRPCMutationProcedure<{
        input: WorkspaceWebhookDraft
        output: {
          /** The created or changed webhook, without its secret. */
          readonly subscription: Webhook
          /** The secret. Only this answer shows it: store it now. */
          readonly secret: string
        } | Proposed
        meta: object
      }>
      /** Switch one of your webhooks of a workspace on or off. Only for people. */
      toggleForWorkspace: TRPCMutationProcedure<{
        input: {
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId: string
          readonly id: string
          /** Whether the webhook is active after the call. Without this field, the call switches an active webhook off and a paused webhook on. */
          readonly active?: boolean | undefined
        }
        output: Webhook | Proposed
        meta: object
      }>
      /** Delete one of your webhooks of a workspace. Only for people. */
      deleteForWorkspace: TRPCMutationProcedure<{
        input: {
          /** Id of a workspace; null means the personal space. */
          readonly workspaceId: string
          readonly id: string
        }
        output: Removed | Proposed
        meta: object
      }>
    }
    channelGateway: {
      /** List the ways in which the pod tells you about events: notifications in the pod, and your webhooks. */
      list: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<DeliveryChannel>
        meta: object
      }>
    }
    system: {
      /** List the settings of the pod with their values and where each value comes from, without secrets. Only for the owner of the pod. */
      getSettings: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<ShownSetting>
        meta: object
      }>
      /** Read what the pod can do: its parts, surfaces, models and limits. */
      getCapabilities: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: SystemCapabilities
        meta: object
      }>
      /** Read your latest events, and how many of them report a refusal or a failure. */
      getDashboardMetrics: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: DashboardMetrics
        meta: object
      }>
      /** Check the services that the pod depends on. */
      getServiceHealth: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: HealthReport
        meta: object
      }>
      /** Count the records that you may read. */
      getDataPodStats: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: DataPodStats
        meta: object
      }>
      /** Read when the last backup was made, and how often the pod makes one. Only for the owner of the pod. */
      getBackups: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: BackupState
        meta: object
      }>
    }
    health: {
      /** Count the records that still need a former value of a secret setting, such as keys made with a former `POD_KEY_PEPPER`. Only for the owner of the pod. */
      secrets: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<SecretReport>
        meta: object
      }>
      /** Read whether the pod answers. */
      alive: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: {
          readonly status: "alive"
          readonly timestamp: string
        }
        meta: object
      }>
      /** Read whether the pod can serve: its database accepts writes, its migrations are applied, and the pod is not stopping. */
      ready: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: {
          readonly status: "ready"
          readonly timestamp: string
          /** Result of each check. */
          readonly checks: {
            /** Whether the database answers and accepts writes. */
            readonly database: "healthy"
          }
        }
        meta: object
      }>
      /** Read how many jobs wait, how many run and how many failed, how long the oldest job has waited, and the memory of the process. */
      metrics: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: {
          /** Time of the count. */
          readonly timestamp: string
          /** Seconds since the start of the process; only if you own the pod. */
          readonly uptime?: number | undefined
          /** Memory of the process in megabytes; only if you own the pod. */
          readonly memory?: {
            /** Size of the used part of the heap. */
            readonly used: number
            /** Size of the heap. */
            readonly total: number
            /** Size of the memory of the whole process. */
            readonly rss: number
          } | undefined
          /** Number of entities that the caller may read. */
          readonly totalEntities: number
          /** Number of events of the last 24 hours that the caller caused or that concern the caller's records. */
          readonly events24h: number
          /** Queues with jobs, by name; empty unless you own the pod. The queue `dead-letter` has the jobs that failed and are not tried again. */
          readonly jobs: ReadonlyArray<{
            readonly queue: string
            /** Number of jobs that wait for their start time or for a free worker. */
            readonly waiting: number
            /** Number of jobs that a pod runs now. */
            readonly running: number
            /** Number of jobs that ended without an error within about the last 12 hours. */
            readonly completed: number
            /** Number of jobs that were cancelled within about the last 12 hours. */
            readonly cancelled: number
            /** Number of jobs whose last attempt failed within about the last 12 hours. */
            readonly failed: number
            /** For how many seconds the oldest waiting job has been due; null if no job is due. */
            readonly oldestSeconds: number | null
          }>
        }
        meta: object
      }>
      /** Read the engine and the size of the database, and its migrations with the time of each. */
      migrations: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: AppliedMigrations
        meta: object
      }>
    }
    setup: {
      /** Read whether the pod is set up, and the version of the pod. */
      status: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: {
          /** Whether the pod has an owner. */
          readonly initialized: boolean
          /** Version of the pod. */
          readonly version: string
        }
        meta: object
      }>
    }
    mcpServers: {
      /** List the MCP servers that you can use. The list has only the pod's own endpoint. */
      list: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<McpServer>
        meta: object
      }>
    }
    files: {
      /** List the kinds of stored files, and when the first file of each kind was stored. */
      listBuckets: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: Buckets
        meta: object
      }>
    }
    capabilities: {
      /** List what the pod can do, and the model services of the pod with their last known states. */
      list: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: {
          /** The pod itself. */
          readonly core: {
            /** Version of the pod. */
            readonly version: string
            /** Parts of the pod that have operations. */
            readonly features: ReadonlyArray<string>
          }
          /** Plugins; this pod loads none. */
          readonly plugins: ReadonlyArray<string>
          /** Model services. */
          readonly intelligenceServices: ReadonlyArray<ModelService>
        }
        meta: object
      }>
    }
    intelligence: {
      /** List the model services of the pod. Their keys and addresses are never shown. */
      listRegisteredServices: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<ModelService>
        meta: object
      }>
      /** List what the pod uses its model services for. The list is empty if no service answers. */
      listSpecialisations: TRPCQueryProcedure<{
        input: void | undefined | {
          /** The `id` or `serviceId` of the wanted service. */
          readonly serviceId?: string | undefined
        }
        output: ReadonlyArray<Specialisation>
        meta: object
      }>
      /** List the agents that the model services define: one agent for each language model that answers. */
      agentDefinitions: TRPCQueryProcedure<{
        input: void | undefined | {
          /** The `id` or `serviceId` of the wanted service. */
          readonly serviceId?: string | undefined
        }
        output: ReadonlyArray<AgentDefinition>
        meta: object
      }>
      /** List the operations of the pod that call a model service. The list is empty if no service answers. */
      getServiceCommands: TRPCQueryProcedure<{
        input: void | undefined | {
          /** The `id` or `serviceId` of the wanted service. */
          readonly serviceId?: string | undefined
        }
        output: ReadonlyArray<ServiceCommand>
        meta: object
      }>
      /** List the skills that everybody can use because the pod has a model service. The list is empty if no service answers. */
      listSystemSkills: TRPCQueryProcedure<{
        input: void | undefined | {
          /** The `id` or `serviceId` of the wanted service. */
          readonly serviceId?: string | undefined
        }
        output: ReadonlyArray<SystemSkill>
        meta: object
      }>
      /** Read what the pod knows about a model service, by default the first one; null if the pod has no model service. */
      getServiceManifest: TRPCQueryProcedure<{
        input: void | undefined | {
          /** The `id` or `serviceId` of the wanted service. */
          readonly serviceId?: string | undefined
        }
        output: ServiceManifest | null
        meta: object
      }>
      /** Read the latest compacted memory. The answer is always null, because the pod keeps every fact. */
      getLatestMemoryState: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: null
        meta: object
      }>
    }
    preferences: {
      /** Read your preferences: theme, settings of clients and how lists look. */
      get: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: Preferences
        meta: object
      }>
      /** Read your settings for the look of lists. */
      getViewModes: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ViewModes
        meta: object
      }>
      /** Read which model services you prefer, and which the pod has. */
      getIntelligenceServices: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: {
          /** For each capability, the id of the preferred service. */
          readonly preferences: Readonly<Record<string, string>>
          /** Model services of the pod. */
          readonly available: ReadonlyArray<ModelService>
        }
        meta: object
      }>
      /** Change your preferences; fields that you leave out keep their values. Only for people. */
      set: TRPCMutationProcedure<{
        input: void | undefined | PreferenceChange
        output: Preferences | Proposed
        meta: object
      }>
      /** Change single fields of your free-form preferences (JSON Merge Patch): fields that you leave out keep their values, and null removes a field. Only for people. */
      merge: TRPCMutationProcedure<{
        input: void | undefined | PreferenceMerge
        output: Preferences | Proposed
        meta: object
      }>
    }
    agentConfigs: {
      /** List your agents, with what each may do, its membership roles and the number of its keys. */
      list: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<AgentConfig>
        meta: object
      }>
    }
    typesense: {
      /** Read how many objects of your spaces are in the search index of this process of the pod. */
      getStats: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: {
          /** Name of the search engine, which is a part of the pod. */
          readonly engine: "pod"
          /** Number of objects of all your spaces in the index. */
          readonly objects: number
          /** Your spaces. */
          readonly spaces: ReadonlyArray<IndexedSpace>
        }
        meta: object
      }>
      /** Read how many changes of your spaces the search index has not read yet; the next search reads them. */
      getQueueStatus: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: {
          /** Number of changed objects of all your spaces that the index has not read yet. */
          readonly waiting: number
          /** Your spaces. */
          readonly spaces: ReadonlyArray<WaitingSpace>
        }
        meta: object
      }>
      /** Delete all search indexes in the memory of this process of the pod, and build those of your spaces again. Only for the owner and the administrators of the pod. */
      initializeCollections: TRPCMutationProcedure<{
        input: void | undefined | Record<string, never>
        output: {
          readonly status: "initialized"
          /** What the pod did. */
          readonly message: string
        } | Proposed
        meta: object
      }>
    }
  }
>
