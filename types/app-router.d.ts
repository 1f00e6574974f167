/**
 * The procedures of the pod as types, for `createTRPCClient<AppRouter>()` of @trpc/client 11. Made from the declarations
 * by scripts/appRouter.mjs: change those, not this file. Times are texts in ISO 8601; ids are UUIDs as texts.
 */
import type {
  TRPCBuiltRouter,
  TRPC_ERROR_CODE_KEY,
  TRPC_ERROR_CODE_NUMBER,
  TRPCMutationProcedure,
  TRPCQueryProcedure
} from "@trpc/server"

export type AccessRole = {
  readonly id: string
  /** The person who owns it. */
  readonly userId: string
  /** The workspace; null: the person's own space. */
  readonly workspaceId: string | null
  /** The number of writes, starting at 1. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly description: string | null
  /** What the credential may touch; it only narrows. */
  readonly grant: Grant
}

export type AccessRoleChange = {
  /** The access role. */
  readonly roleId: string
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  /** What the credential may touch; it only narrows. */
  readonly grant?: RoleGrant | undefined
}

export type AccessRoleDraft = {
  readonly name: string
  readonly description?: string | null | undefined
  readonly grant: RoleGrant
}

export type Agent = {
  readonly id: string
  readonly name: string
  /** The person it acts for. */
  readonly linkedUserId: string
  /** What it may write. Nothing ticked: it only reads. */
  readonly capabilities: ReadonlyArray<string>
  /** Whether a person approves what it writes, where no rule and no workspace says otherwise. */
  readonly writesRequireProposal: boolean
  /** While it is, its keys open nothing. */
  readonly isSuspended: boolean
  readonly createdAt: string
}

export type AutomationRun = {
  readonly id: string
  /** The person who owns it. */
  readonly userId: string
  /** The workspace; null: the person's own space. */
  readonly workspaceId: string | null
  /** The number of writes, starting at 1. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  /** The automation that ran. */
  readonly automationId: string | null
  /** The rule whose automation it is. */
  readonly ruleId: string | null
  readonly status: "queued" | "running" | "succeeded" | "failed" | "cancelled"
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly output: unknown
  /** Why it failed, for people. */
  readonly error: string | null
}

export type BasicProposal = {
  readonly id: string
  /** What it does: `<subject>.<action>`, or `join`. */
  readonly proposalType: string
  /** The type of the record that it changes. */
  readonly targetType: string
  /** The id of the record that it changes or creates. */
  readonly targetId: string
  readonly status: "pending" | "approved" | "rejected" | "auto_approved" | "reverted" | "approval_failed" | "withdrawn" | "expired"
  /** A workspace that the caller belongs to; null means the person's own space. */
  readonly workspaceId: string | null
  readonly createdAt: string
  /** Shared by everything that belongs to one task. */
  readonly correlationId: string
  /** The focus session that the record belongs to. */
  readonly sessionId: string | null
  /** An agent of the caller. */
  readonly agentUserId: string | null
  /** The ids of what it created. */
  readonly materializedIds?: ReadonlyArray<string> | undefined
  readonly summary: string
  /** The class of the change, such as `access`. */
  readonly class: "ephemeral" | "curatorial" | "governance" | "access" | "objectWork"
  /** Always null: `expiresAt` says when it ends. */
  readonly lifetimeHours: number | null
  /** Increases by one with every edit. */
  readonly revision: number
  /** SHA-256 of target, kind, projects, content and base. An approval sends it back to prove which content it saw. */
  readonly contentHash: string
}

export type Command = {
  readonly id: string
  /** The person who owns it. */
  readonly userId: string
  /** The workspace; null: the person's own space. */
  readonly workspaceId: string | null
  /** The number of writes, starting at 1. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly description: string | null
  /** The word that starts it. */
  readonly triggerSlug: string | null
  /** The skill that carries it out. */
  readonly skillId: string | null
  /** Settings of the client that shows it. */
  readonly config: Readonly<Record<string, unknown>>
  /** Who may use it: everybody in the space, or only its maker. */
  readonly sharing: "space" | "user"
}

export type Connection = {
  /** The id of the key. It is not secret. */
  readonly keyId: string
  readonly name: string
  /** Who holds it. */
  readonly heldBy: "person" | "agent" | "app"
  /** The agent or the app; null for the person. */
  readonly holderName: string | null
  /** What it may do, in one sentence. */
  readonly summary: string
  /** The surfaces that it may call. */
  readonly scope: ReadonlyArray<string>
  /** Whether it can be used now. */
  readonly isActive: boolean
  /** When it expires; null: never. */
  readonly expiresAt: string | null
  /** When it was last used; null: never. */
  readonly lastUsedAt: string | null
}

export type Difference = {
  /** Which field. */
  readonly path: ReadonlyArray<string>
  readonly kind: "added" | "removed" | "changed"
  /** The current value. */
  readonly before?: unknown
  /** The proposed value. */
  readonly after?: unknown
  /** For a text: its pieces, each kept, removed or added. */
  readonly words?: ReadonlyArray<{
    readonly kind: "same" | "removed" | "added"
    /** The text of the piece. */
    readonly text: string
  }> | undefined
}

export type Document = {
  readonly id: string
  /** The person who owns it. */
  readonly userId: string
  /** The workspace; null: the person's own space. */
  readonly workspaceId: string | null
  /** The number of writes, starting at 1. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly title: string
  readonly type: "text" | "markdown" | "code" | "html" | "pdf" | "docx"
  /** The entity it belongs to, when it belongs to one. */
  readonly entityId: string | null
  /** A project. */
  readonly projectId: string | null
  /** The text. */
  readonly content: string | null
  /** The same as `version`. */
  readonly revision: number
}

export type Entity = {
  readonly id: string
  /** Its kind: the slug of a profile. */
  readonly profileSlug: string
  /** The same as profileSlug, for clients that still read it. */
  readonly type: string
  readonly title: string
  /** A short form of its text. */
  readonly preview: string | null
  readonly description: string | null
  /** Its fields by slug, as its profile has them. */
  readonly properties: Readonly<Record<string, unknown>>
  /** What the pod stores besides its properties. */
  readonly systemData: Readonly<Record<string, unknown>>
  /** The person who owns it. */
  readonly userId: string
  /** The workspace; null: the person's own space. */
  readonly workspaceId: string | null
  /** The document it belongs to. */
  readonly documentId: string | null
  /** The number of writes, starting at 1. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}

export type Event = {
  readonly id: string
  /** The version of the event format. */
  readonly version: "v1"
  readonly type: string
  /** The object it is about, by id. */
  readonly subjectId?: string | undefined
  /** Its content; the fields depend on the type. */
  readonly data: Readonly<Record<string, unknown>>
  /** Free data of the client. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** The person whose stream it belongs to. */
  readonly userId: string
  /** Who did it: the person, or the agent or service acting for them. */
  readonly actorId: string
  /** Where it comes from. */
  readonly source: "api" | "automation" | "sync" | "migration" | "system" | "intelligence"
  /** A workspace that the caller belongs to; null means the person's own space. */
  readonly workspaceId: string | null
  /** Position in the log of its space, from 1, without gaps. */
  readonly seq: number
  /** When it happened. */
  readonly timestamp: string
  /** The same for all events of one request. */
  readonly correlationId: string
  /** The event that caused this one. */
  readonly causationId?: string | undefined
  /** The decision of the gate, if this event reports one. The id of the decision is the id of the event. */
  readonly decision?: {
    /** The verdict of the gate. */
    readonly verdict: "allow" | "deny" | "propose"
    /** The rung of the gate that decided. */
    readonly rung: string
    /** The permission that the write needed. */
    readonly permission: string
  } | undefined
}

export type Fault = {
  /** Where, such as `properties.due`; empty for the whole input. */
  readonly path: string
  /** What is wrong there. */
  readonly message: string
}

export type GovernanceRule = {
  readonly id: string
  /** `agent`: for one agent; `any`: for every agent. */
  readonly principalKind: "any" | "agent"
  /** An agent of the caller. */
  readonly agentUserId: string | null
  /** Whether it applies to the pod or to a workspace. */
  readonly scopeKind: "pod" | "workspace"
  /** A workspace that the caller belongs to; null means the person's own space. */
  readonly workspaceId: string | null
  /** Whether it is about an action or about a profile. */
  readonly targetKind: "action" | "profile"
  /** `<subject>.<action>` or `<subject>.*`; when `targetKind` is `profile`, the slug of the profile. */
  readonly targetPattern: string
  /** Only entities of this profile. */
  readonly targetProfile: string | null
  /** `auto`: carry it out; `propose`: ask a person first. */
  readonly verdict: "auto" | "propose"
  /** Who made it. */
  readonly createdBy: string
  /** The proposal it was learned from. */
  readonly sourceProposalId: string | null
  /** `earned`: learned from a proposal; `authored`: written by a person. */
  readonly provenance: "earned" | "authored"
  readonly createdAt: string
  /** When it ends; null: never. */
  readonly expiresAt: string | null
}

export type GovernanceRuleDraft = {
  /** An agent of the caller. */
  readonly agentUserId?: string | undefined
  /** Whether it applies to the pod or to a workspace. */
  readonly scopeKind: "pod" | "workspace"
  /** A workspace that the caller belongs to; null means the person's own space. */
  readonly workspaceId?: string | undefined
  /** Whether it is about an action or about a profile. */
  readonly targetKind: "action" | "profile"
  /** The action, such as `entity.create`, or the slug of the profile. */
  readonly targetPattern: string
  /** The kind it is about. */
  readonly targetProfile?: string | undefined
  /** `auto`: carry it out; `propose`: ask a person first. */
  readonly verdict: "auto" | "propose"
  /** The proposal it was learned from. */
  readonly sourceProposalId?: string | undefined
  /** When it ends; null: never. */
  readonly expiresAt?: string | undefined
  /** Another name for agentUserId. */
  readonly agentId?: string | undefined
}

export type Grant = {
  /** What it may do, such as `entity.note.create`; `*` is everything. */
  readonly permissions: ReadonlyArray<string>
  /** Within these workspaces only. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined
  /** Within these projects only. */
  readonly projectIds?: ReadonlyArray<string> | undefined
  /** These entities and no others. */
  readonly entityIds?: ReadonlyArray<string> | undefined
  readonly label?: string | undefined
  /** The access role. */
  readonly roleId?: string | undefined
}

export type GrantPreview = {
  /** One sentence: what it may touch. */
  readonly summary: string
  /** How many records it can read, by type, kind and workspace. */
  readonly counts: ReadonlyArray<{
    readonly type: string
    readonly kind: string | null
    /** A workspace that the caller belongs to; null means the person's own space. */
    readonly workspaceId: string | null
    readonly count: number
  }>
  /** A few of the latest records of each type. */
  readonly samples: ReadonlyArray<{
    readonly type: string
    readonly id: string
    readonly title: string
    readonly kind: string | null
    /** A workspace that the caller belongs to; null means the person's own space. */
    readonly workspaceId: string | null
  }>
  /** Every operation of the pod; for a refused one, the reason. */
  readonly doors: ReadonlyArray<{
    /** REST, tRPC or MCP. */
    readonly surface: "rest" | "procedure" | "tool"
    /** The operation that was called. */
    readonly operation: string
    /** Whether the key may call it. */
    readonly isOpen: boolean
    /** Names the cause, for programs. */
    readonly code: string | null
    /** The reason, for people. */
    readonly reason: string | null
  }>
  /** A question about one operation, and its answer. */
  readonly can: {
    /** The decision of the gate: allow, deny or propose. */
    readonly verdict: "allow" | "deny" | "propose"
    /** Names the cause, for programs. */
    readonly code: string | null
    /** The step of the gate that decided; null if the door decided. */
    readonly rung: string | null
    /** The reason, for people. */
    readonly reason: string | null
  } | null
}

export type GrantPreviewInput = {
  /** What the credential may touch; it only narrows. */
  readonly grant: GrantRequest
  /** Left out: every scope of the Hub and of MCP. */
  readonly scope?: ReadonlyArray<Scope> | undefined
  /** The agent that would hold the key; left out: the person. */
  readonly agentId?: string | undefined
  /** The workspace that the key would be made for. */
  readonly workspaceId?: string | undefined
  /** A question about one operation, and its answer. */
  readonly can?: GrantQuestion | undefined
  /** Another name for agentId. */
  readonly agentUserId?: string | undefined
}

export type GrantQuestion = {
  /** An operation's name, such as `entities.update` or `svc_get_entities`. */
  readonly operation: string
  /** The object, by id. */
  readonly objectId?: string | undefined
  /** The type of the object, if the operation does not determine it: `entity`, `document`, `track` … */
  readonly objectType?: string | undefined
  /** The workspace where something would be created; left out: the person's own space. */
  readonly workspaceId?: string | undefined
  /** The kind of entity that would be created. */
  readonly kind?: string | undefined
}

export type GrantRequest = {
  /** What it may do, such as `entity.note.create`; `*` is everything. */
  readonly permissions?: ReadonlyArray<string> | undefined
  /** Within these workspaces only. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined
  /** Within these projects only. */
  readonly projectIds?: ReadonlyArray<string> | undefined
  /** These entities and no others. */
  readonly entityIds?: ReadonlyArray<string> | undefined
  readonly label?: string | undefined
  /** The access role. */
  readonly roleId?: string | undefined
}

export type Key = {
  readonly id: string
  /** The name that its owner gave it. */
  readonly keyName: string
  /** The first characters of the secret. */
  readonly keyPrefix: string
  /** The last four characters of the secret. */
  readonly lastFour: string
  /** The type of the key: a person's, an agent's, a service's or the system's. */
  readonly keyType: "user_pat" | "hub_inbound" | "service" | "system"
  /** The pod it was made for. */
  readonly hubId: string | null
  /** The surfaces that it may call. */
  readonly scope: ReadonlyArray<string>
  /** Limits what the key may do; it never gives more than its person has. */
  readonly grant: {
    /** What it may do, such as `entity.note.create`; `*` is everything. */
    readonly permissions: ReadonlyArray<string>
    /** Only in these workspaces. */
    readonly workspaceIds: ReadonlyArray<string> | null
    /** Only in these projects. */
    readonly projectIds: ReadonlyArray<string> | null
    /** Only these entities. */
    readonly entityIds: ReadonlyArray<string> | null
    readonly label: string | null
  } | null
  /** One sentence: what it may touch. */
  readonly summary: string
  /** Who holds the key. */
  readonly holderId: string
  /** The agent that holds it. */
  readonly heldByAgent: boolean
  /** A workspace that the caller belongs to; null means the person's own space. */
  readonly workspaceId: string | null
  /** Whether it can be used now. */
  readonly isActive: boolean
  /** When it expires; null: never. */
  readonly expiresAt: string | null
  /** When it was last used; null: never. */
  readonly lastUsedAt: string | null
  /** How often it was used. */
  readonly usageCount: number
  /** The key it replaces. */
  readonly rotatedFromId: string | null
  /** The access role it was made from, and whether that role has changed since. */
  readonly role: {
    readonly id: string
    readonly name: string
    /** Whether the role has changed since the key was made. */
    readonly isDrifted: boolean
    /** Whether the role was deleted. */
    readonly isDeleted: boolean
  } | null
  readonly createdAt: string
  /** When it was revoked; null: not revoked. */
  readonly revokedAt: string | null
  /** Why it was revoked. */
  readonly revokedReason: string | null
}

export type KeyRequest = {
  /** The name that its owner gave it. */
  readonly keyName: string
  /** The surfaces that it may call. */
  readonly scope: ReadonlyArray<Scope>
  /** Limits what the key may do; it never gives more than its person has. */
  readonly grant: GrantRequest
  /** Left out: 90 days. Null: never expires. */
  readonly expiresInDays?: number | null | undefined
  /** The agent that will hold it: one of the caller's own. */
  readonly agentId?: string | undefined
  /** The pod the key is for; makes it a service key. */
  readonly hubId?: string | undefined
  /** Limits the key to one workspace. */
  readonly workspaceId?: string | undefined
  /** Another name for agentId. */
  readonly agentUserId?: string | undefined
} | {
  readonly name: string
  /** The surfaces that it may call. */
  readonly scopes: ReadonlyArray<Scope>
  /** When it expires; null: never. */
  readonly expiresAt?: string | null | undefined
  /** Limits what the key may do; it never gives more than its person has. */
  readonly grant?: GrantRequest | undefined
}

export type ListedProfile = {
  readonly id: string
  readonly slug: string
  readonly displayName: string
  /** Whether it applies in one workspace or in the whole pod. */
  readonly entityScope: "pod" | "workspace"
  readonly description: string | null
  readonly icon: string | null
  /** The profile that it refines. */
  readonly parentProfileId?: string | null | undefined
  /** `system`: every pod has it. `workspace`: of the workspace named. `user`: of the person's own space. */
  readonly scope?: "system" | "workspace" | "user" | undefined
  /** A workspace that the caller belongs to; null means the person's own space. */
  readonly workspaceId?: string | null | undefined
  /** Default values of the properties. */
  readonly defaultValues?: Readonly<Record<string, unknown>> | undefined
  /** How clients may show it. */
  readonly uiHints?: Readonly<Record<string, unknown>> | undefined
  readonly color?: string | null | undefined
  /** A kind of entity, or a role that entities play. */
  readonly profileKind?: "kind" | "role" | undefined
  /** The kinds that may play this role. */
  readonly applicableKinds?: ReadonlyArray<string> | undefined
  /** The number of writes, starting at 1. */
  readonly version?: number | undefined
  readonly createdAt?: string | undefined
  readonly updatedAt?: string | undefined
}

export type Me = {
  readonly id: string
  readonly name: string
  readonly email: string | null
  /** Which surfaces it may call. */
  readonly scopes: ReadonlyArray<string>
  /** The agent whose key calls; null for a person. */
  readonly agentId: string | null
}

export type ProfileRelation = {
  /** The definition, by id. */
  readonly relationDefId: string
  readonly type: string
  readonly label: string
  /** The kind it starts from. */
  readonly sourceProfileSlug: string | null
  /** The kind it leads to. */
  readonly targetProfileSlug: string | null
  /** Whether it has a direction from source to target. */
  readonly isDirectional: boolean
  /** A workspace that the caller belongs to; null means the person's own space. */
  readonly workspaceId: string | null
}

export type PropertyDef = {
  readonly id: string
  /** The person who owns it. */
  readonly userId: string
  /** The workspace; null: the person's own space. */
  readonly workspaceId: string | null
  /** The number of writes, starting at 1. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  /** The profile, by id. */
  readonly profileId: string
  readonly slug: string
  readonly displayName: string | null
  /** What its values are. */
  readonly valueType: "text" | "number" | "boolean" | "date" | "select" | "multi_select" | "relation" | "entity_id" | "array" | "url" | "email" | "phone" | "json"
  /** What its type understands, and `required`, `defaultValue`, `options` and `targetProfileSlug`. */
  readonly constraints: Readonly<Record<string, unknown>>
  /** How clients may show it. */
  readonly uiHints: Readonly<Record<string, unknown>>
}

export type Proposal = {
  readonly id: string
  /** What it does: `<subject>.<action>`, or `join`. */
  readonly proposalType: string
  /** The type of the record that it changes. */
  readonly targetType: string
  /** The id of the record that it changes or creates. */
  readonly targetId: string
  readonly status: "pending" | "approved" | "rejected" | "auto_approved" | "reverted" | "approval_failed" | "withdrawn" | "expired"
  /** A workspace that the caller belongs to; null means the person's own space. */
  readonly workspaceId: string | null
  readonly createdAt: string
  /** Shared by everything that belongs to one task. */
  readonly correlationId: string
  /** The focus session that the record belongs to. */
  readonly sessionId: string | null
  /** An agent of the caller. */
  readonly agentUserId: string | null
  /** The ids of what it created. */
  readonly materializedIds?: ReadonlyArray<string> | undefined
  readonly summary: string
  /** The class of the change, such as `access`. */
  readonly class: "ephemeral" | "curatorial" | "governance" | "access" | "objectWork"
  /** Always null: `expiresAt` says when it ends. */
  readonly lifetimeHours: number | null
  /** Increases by one with every edit. */
  readonly revision: number
  /** SHA-256 of target, kind, projects, content and base. An approval sends it back to prove which content it saw. */
  readonly contentHash: string
  /** The change with its circumstances: `changeType`, `targetType`, `targetId`, `reasoning`, `summary`, `correlationId`, `source`, and as `data` the fields of the change. */
  readonly data: Readonly<Record<string, unknown>>
  /** The reason, for the person who decides. */
  readonly reasoning: string | null
  /** Why it was rejected or could not be applied, for the asker. */
  readonly statusReason: string | null
  /** Why it was rejected, for programs. */
  readonly reasonCode: string | null
  /** Always null: no thread is kept with it. */
  readonly threadId: string | null
  /** Always null: no message is kept with it. */
  readonly sourceMessageId: string | null
  /** Always null: no run of a command is kept with it. */
  readonly commandRunId: string | null
  /** Who made it. */
  readonly createdBy: string
  /** The person who decided; null before. */
  readonly decidedBy: string | null
  /** When it was decided; null before. */
  readonly decidedAt: string | null
  /** The version of the record that it was made from; null for a create. */
  readonly baseVersion: number | null
  /** When it expires if nobody decides. */
  readonly expiresAt: string
  readonly updatedAt: string
}

export type ProposalDetail = {
  readonly id: string
  /** What it does: `<subject>.<action>`, or `join`. */
  readonly proposalType: string
  /** The type of the record that it changes. */
  readonly targetType: string
  /** The id of the record that it changes or creates. */
  readonly targetId: string
  readonly status: "pending" | "approved" | "rejected" | "auto_approved" | "reverted" | "approval_failed" | "withdrawn" | "expired"
  /** A workspace that the caller belongs to; null means the person's own space. */
  readonly workspaceId: string | null
  readonly createdAt: string
  /** Shared by everything that belongs to one task. */
  readonly correlationId: string
  /** The focus session that the record belongs to. */
  readonly sessionId: string | null
  /** An agent of the caller. */
  readonly agentUserId: string | null
  /** The ids of what it created. */
  readonly materializedIds?: ReadonlyArray<string> | undefined
  readonly summary: string
  /** The class of the change, such as `access`. */
  readonly class: "ephemeral" | "curatorial" | "governance" | "access" | "objectWork"
  /** Always null: `expiresAt` says when it ends. */
  readonly lifetimeHours: number | null
  /** Increases by one with every edit. */
  readonly revision: number
  /** SHA-256 of target, kind, projects, content and base. An approval sends it back to prove which content it saw. */
  readonly contentHash: string
  /** The change with its circumstances: `changeType`, `targetType`, `targetId`, `reasoning`, `summary`, `correlationId`, `source`, and as `data` the fields of the change. */
  readonly data: Readonly<Record<string, unknown>>
  /** The reason, for the person who decides. */
  readonly reasoning: string | null
  /** Why it was rejected or could not be applied, for the asker. */
  readonly statusReason: string | null
  /** Why it was rejected, for programs. */
  readonly reasonCode: string | null
  /** Always null: no thread is kept with it. */
  readonly threadId: string | null
  /** Always null: no message is kept with it. */
  readonly sourceMessageId: string | null
  /** Always null: no run of a command is kept with it. */
  readonly commandRunId: string | null
  /** Who made it. */
  readonly createdBy: string
  /** The person who decided; null before. */
  readonly decidedBy: string | null
  /** When it was decided; null before. */
  readonly decidedAt: string | null
  /** The version of the record that it was made from; null for a create. */
  readonly baseVersion: number | null
  /** When it expires if nobody decides. */
  readonly expiresAt: string
  readonly updatedAt: string
  /** The differences it would make to the current record; for a settled proposal, those it was made for. */
  readonly differences: ReadonlyArray<Difference>
  /** Fields that the proposal changes and that somebody else changed since. */
  readonly conflicts: ReadonlyArray<{
    /** Which field. */
    readonly path: ReadonlyArray<string>
    /** The value that the proposal was made from. */
    readonly base?: unknown
    /** The current value. */
    readonly current?: unknown
    /** The proposed value. */
    readonly proposed?: unknown
  }>
}

export type ProposalPage = {
  /** The proposals. */
  readonly proposals: ReadonlyArray<Proposal | BasicProposal>
  /** At most this many. */
  readonly limit: number
  /** How many were skipped. */
  readonly offset: number
  readonly total: number
  /** Whether there are more. */
  readonly hasMore: boolean
}

export type Proposed = {
  readonly status: "proposed"
  /** What happens next, as a sentence for people. */
  readonly message: string
  /** The proposal: the write that waits for a person. */
  readonly proposalId: string
  /** `<subject>.<action>`; `join` where an agent asks to be let into a workspace. */
  readonly proposalType: string
  readonly summary: string
  /** The reason that the agent gave. */
  readonly reasoning: string | null
  /** The path of the page where a person decides. */
  readonly reviewPath: string
  /** The id that the proposed record has or will have. Messages and events get their final id on approval. */
  readonly proposedId: string
  /** Where it would be written; null: the person's own space. */
  readonly effectiveWorkspaceId: string | null
  /** The id of the decision, for `GET /auth/decisions/{id}`. */
  readonly decisionId: string
  /** How far the write has come. */
  readonly writeReceipt: {
    readonly state: "pending"
  }
}

export type Relation = {
  readonly id: string
  /** The person who owns it. */
  readonly userId: string
  /** The workspace; null: the person's own space. */
  readonly workspaceId: string | null
  /** The number of writes, starting at 1. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  /** The end it starts from. */
  readonly sourceEntityId: string
  /** The end it leads to; for `belongs_to_project` it is a project. */
  readonly targetEntityId: string
  readonly type: string
  /** Free data of the client. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export type RelationDef = {
  readonly id: string
  /** The person who owns it. */
  readonly userId: string
  /** The workspace; null: the person's own space. */
  readonly workspaceId: string | null
  /** The number of writes, starting at 1. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly slug: string
  readonly displayName: string
  readonly description: string | null
  /** Whether it has a direction from source to target. */
  readonly isDirectional: boolean
  /** Its name when read from the target. */
  readonly inverseLabel: string | null
  /** Kinds it may start from; empty: any. */
  readonly sourceKinds: ReadonlyArray<string>
  /** Kinds it may lead to; empty: any. */
  readonly targetKinds: ReadonlyArray<string>
}

export type RelationType = {
  readonly slug: string
  readonly displayName: string
  readonly description: string | null
  /** Whether it has a direction from source to target. */
  readonly isDirectional: boolean
  /** The name read from the other end. */
  readonly inverseLabel: string | null
  /** A workspace that the caller belongs to; null means the person's own space. */
  readonly workspaceId: string | null
}

export type Removed = {
  readonly success: true
  readonly id: string
}

export type RoleGrant = {
  /** What it may do, such as `entity.note.create`; `*` is everything. */
  readonly permissions: ReadonlyArray<string>
  /** Within these workspaces only. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined
  /** Within these projects only. */
  readonly projectIds?: ReadonlyArray<string> | undefined
  /** These entities and no others. */
  readonly entityIds?: ReadonlyArray<string> | undefined
  readonly label?: string | undefined
  /** The access role. */
  readonly roleId?: string | undefined
}

export type Scope = "hub-protocol.read" | "hub-protocol.write" | "hub-protocol.admin" | "mcp.read" | "mcp.write" | "data.read" | "data.write" | "skills.invoke" | "chat.stream" | "read:entities" | "write:entities" | "ai:analyze" | "realtime:observe" | "providers.write" | "setup.agent" | "probe"

export type View = {
  readonly id: string
  /** The person who owns it. */
  readonly userId: string
  /** The workspace; null: the person's own space. */
  readonly workspaceId: string | null
  /** The number of writes, starting at 1. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly type: "table" | "list" | "grid" | "gallery" | "kanban" | "matrix" | "masonry" | "calendar" | "flow" | "bento" | "branch_tree" | "whiteboard"
  /** The kind of entity it shows, when it shows one. */
  readonly profileId: string | null
  /** Settings of the client that shows it. */
  readonly config: Readonly<Record<string, unknown>>
  /** Free data of the client. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export type Webhook = {
  readonly id: string
  /** The person who owns it. */
  readonly userId: string
  /** The workspace; null: the person's own space. */
  readonly workspaceId: string | null
  /** The number of writes, starting at 1. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly url: string
  /** The types of events that are sent. */
  readonly eventTypes: ReadonlyArray<string>
  /** Whether events are sent to it. */
  readonly active: boolean
  /** How often a failed call is tried again. */
  readonly retryConfig: {
    /** The maximum number of retries. */
    readonly maxRetries: number
  }
  /** When it was last called. */
  readonly lastTriggeredAt: string | null
}

export type WebhookChange = {
  readonly id: string
  readonly name?: string | undefined
  readonly url?: string | undefined
  /** The types of events that are sent. */
  readonly eventTypes?: ReadonlyArray<string> | undefined
  /** Whether events are sent to it. */
  readonly active?: boolean | undefined
  /** How often a failed call is tried again. */
  readonly retryConfig?: {
    /** The maximum number of retries. */
    readonly maxRetries: number
  } | undefined
}

export type WebhookDraft = {
  readonly workspaceId?: string | null | undefined
  readonly name: string
  readonly url: string
  /** The types of events that are sent. */
  readonly eventTypes: ReadonlyArray<string>
  /** Left out, the pod makes one. */
  readonly secret?: string | undefined
  readonly active?: boolean | undefined
  readonly retryConfig?: {
    /** The maximum number of retries. */
    readonly maxRetries: number
  } | undefined
}

export type Workspace = {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** What the caller may do there. */
  readonly role: "owner" | "admin" | "editor" | "viewer"
  /** What the workspace is for. */
  readonly workspaceType: string | null
  /** How many entities it holds. */
  readonly entityCount: number
  /** Projects of the workspace, and projects that contain something from it; only those that the caller can reach. */
  readonly usedByProjectIds: ReadonlyArray<string>
  /** The roles that each source plays: free-form, by the name of the source. */
  readonly sourceRoles: Readonly<Record<string, unknown>>
  /** The default source of each role. */
  readonly defaultSources: Readonly<Record<string, unknown>>
  /** Whether it is ready, still being made, or failed. */
  readonly provisioningStatus: "provisioning" | "ready" | "failed"
  /** The step that failed, while the status is `failed`. */
  readonly failedStep?: string | undefined
  /** Why that step failed. */
  readonly failedStepError?: string | undefined
  readonly createdAt: string
  readonly updatedAt: string
}

export type WorkspacePolicy = {
  /** Whether agents' writes wait for a person. */
  readonly governanceMode: "standard" | "agent-owned"
  /** What agents may do without asking; `null`: not set. */
  readonly autoApproveFor: ReadonlyArray<string> | null
  /** The agent whose own workspace it is. */
  readonly linkedAgentId: string | null
}

/** What a refusal carries. Which of the fields are there depends on its `code` and its `reason`. */
export type ErrorData = {
  readonly code: TRPC_ERROR_CODE_KEY
  readonly httpStatus: number
  /** Absent where the request failed before its procedures were known. */
  readonly path?: string | undefined
  readonly details?: unknown
  readonly reason?: "INTERNAL_SERVER_ERROR" | "no_auth" | "invalid_format" | "key_revoked" | "expired" | "AGENTS_ONLY" | "AGENT_FORBIDDEN" | "APPROVAL_DENIED" | "APPROVAL_NEEDED" | "CAPABILITY_MISSING" | "GRANT_DENIED" | "GRANT_TOO_WIDE" | "IDENTITY_FORBIDDEN" | "KEY_ONLY" | "ORIGIN_FORBIDDEN" | "OWNER_ONLY" | "PEOPLE_ONLY" | "PROFILE_OF_EVERY_POD" | "RULE_REFUSED" | "SCOPE_MISSING" | "SESSION_ONLY" | "SHARING_FORBIDDEN" | "SOURCE_FORBIDDEN" | "WORKSPACE_FORBIDDEN" | "ALREADY_CLAIMED" | "ALREADY_MADE" | "ALREADY_MEMBER" | "ALREADY_THERE" | "AUTHORITY_GONE" | "CONTENT_CHANGED" | "DEFAULT_TAKEN" | "EMAIL_TAKEN" | "FACET_TAKEN" | "IDEMPOTENT_ANSWER_NOT_KEPT" | "INVITATION_INVALID" | "INVITATION_NOT_OPEN" | "KEY_EXISTS" | "KEY_ROTATED" | "KEY_TAKEN" | "LINKED_ALREADY" | "NOT_PROPOSED" | "OWNER_STAYS" | "PROFILE_IN_USE" | "PROPOSAL_CONFLICT" | "PROPOSAL_SETTLED" | "REVERT_CONFLICT" | "REVISION_CONFLICT" | "SAME_NAME" | "SESSION_EXISTS" | "SETUP_LINK_INVALID" | "SLUG_TAKEN" | "TARGET_GONE" | "THREAD_EXISTS" | "VERSION_CONFLICT" | "WORKSPACE_IN_USE" | (string & {}) | "GRANT_DOOR_UNSUPPORTED" | undefined
  readonly errorId?: string | undefined
  readonly keyIdPrefix?: string | undefined
  readonly required?: ReadonlyArray<string> | undefined
  readonly granted?: ReadonlyArray<string> | undefined
  readonly decisionId?: (string & {}) | undefined
  readonly status?: "denied" | undefined
  readonly clause?: "when" | "where" | "then" | undefined
  readonly brandWorkspaceId?: string | null | undefined
  readonly projectId?: string | null | undefined
  readonly openTo?: ReadonlyArray<string> | undefined
}

/** The shape of every error that the pod answers. */
export interface ErrorShape {
  readonly code: TRPC_ERROR_CODE_NUMBER
  /** For people. Where an input was wrong: the faults as JSON, which `data.details` has too. */
  readonly message: string
  readonly data: ErrorData
}

interface RootTypes {
  ctx: object
  meta: object
  errorShape: ErrorShape
  transformer: false
}

/** Every procedure, by its path. On `/api/hub/trpc` a key calls them, on `/trpc` a sign-in session. */
export type AppRouter = TRPCBuiltRouter<
  RootTypes,
  {
    entities: {
      /** List the entities the caller may read, newest first. */
      getEntities: TRPCQueryProcedure<{
        input: void | undefined | {
          /** A kind: the slug of a profile. */
          readonly profileSlug?: string | undefined
          /** A kind: the slug of a profile. */
          readonly type?: string | undefined
          /** A workspace that the caller belongs to; null means the person's own space. */
          readonly workspaceId?: string | undefined
          /** A project. */
          readonly projectId?: string | undefined
          /** A kind: the slug of a profile. */
          readonly facetSlug?: string | undefined
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
          /** The secret key. It appears only in this answer. */
          readonly key: string
          /** The first characters of the secret. */
          readonly keyPrefix: string
          /** The name that its owner gave it. */
          readonly keyName: string
          /** The surfaces that it may call. */
          readonly scope: ReadonlyArray<string>
          /** When it expires; null: never. */
          readonly expiresAt: string | null
          readonly summary: string
          readonly status: "created" | "rotated"
          /** A note for people about how to store it. */
          readonly message: string
        }
        meta: object
      }>
      /** List your keys and those of your agents, newest first. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          readonly limit?: number | undefined
          readonly offset?: number | undefined
        }
        output: ReadonlyArray<Key>
        meta: object
      }>
      /** Revoke a key; after this answer, nothing can be written with it any more. */
      revoke: TRPCMutationProcedure<{
        input: {
          /** The id of the key. It is not secret. */
          readonly keyId: string
          /** The reason, for people. */
          readonly reason?: string | undefined
        }
        output: {
          readonly status: "revoked"
          /** The id of the key. It is not secret. */
          readonly keyId: string
          /** When it was revoked; null: not revoked. */
          readonly revokedAt: string | null
        }
        meta: object
      }>
      /** Replace a key with a new one that has the same grant, scopes and expiry. */
      rotate: TRPCMutationProcedure<{
        input: {
          readonly keyId: string
          readonly overlapSeconds?: number | undefined
        }
        output: {
          readonly id: string
          /** The secret key. It appears only in this answer. */
          readonly key: string
          /** The first characters of the secret. */
          readonly keyPrefix: string
          /** The name that its owner gave it. */
          readonly keyName: string
          /** The surfaces that it may call. */
          readonly scope: ReadonlyArray<string>
          /** When it expires; null: never. */
          readonly expiresAt: string | null
          readonly summary: string
          readonly status: "created" | "rotated"
          /** A note for people about how to store it. */
          readonly message: string
        }
        meta: object
      }>
      /** List the service and system keys of the pod. Only for the owner of the pod. */
      listSystemKeys: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<Key>
        meta: object
      }>
    }
    connections: {
      /** List the connections to your pod: your keys and those of your agents and apps, each with what it may do. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          readonly limit?: number | undefined
          readonly offset?: number | undefined
        }
        output: ReadonlyArray<Connection>
        meta: object
      }>
      /** End a connection; after this answer, nothing can be written with its key any more. */
      revoke: TRPCMutationProcedure<{
        input: {
          /** The id of the key. It is not secret. */
          readonly keyId: string
          /** The reason, for people. */
          readonly reason?: string | undefined
        }
        output: {
          readonly status: "revoked"
          /** The id of the key. It is not secret. */
          readonly keyId: string
          /** When it was revoked; null: not revoked. */
          readonly revokedAt: string | null
        }
        meta: object
      }>
    }
    svc: {
      /** Who the credential acts for, and its scopes. */
      me: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: Me
        meta: object
      }>
    }
    agents: {
      /** Add an agent that acts for you. It can read what you read; it can write only after you allow it. */
      create: TRPCMutationProcedure<{
        input: {
          readonly name: string
          readonly capabilities?: ReadonlyArray<string> | undefined
        }
        output: Agent
        meta: object
      }>
      /** Set what one of your agents may write, whether you approve it first, and whether it is suspended. */
      update: TRPCMutationProcedure<{
        input: void | undefined | {
          /** The agent. Required unless agentUserId is sent. */
          readonly agentId?: string | undefined
          readonly name?: string | undefined
          /** What the agent may write. */
          readonly capabilities?: ReadonlyArray<string> | undefined
          /** Whether its writes wait for a person. */
          readonly writesRequireProposal?: boolean | undefined
          /** `true` ends whatever runs with its keys, which open nothing until it is `false` again. */
          readonly isSuspended?: boolean | undefined
          /** Another name for agentId. */
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
    workspaces: {
      /** List the caller's workspaces. */
      list: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<Workspace>
        meta: object
      }>
    }
    events: {
      /** Append an event to your own log, or to that of a workspace. */
      log: TRPCMutationProcedure<{
        input: {
          readonly type: string
          readonly data?: Readonly<Record<string, unknown>> | undefined
          readonly subjectId?: string | undefined
          readonly source?: "api" | "automation" | "sync" | "migration" | "system" | "intelligence" | undefined
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
          readonly type?: string | undefined
          /** `true`: only events that have metadata. */
          readonly hasMetadata?: boolean | undefined
          /** Where it comes from. */
          readonly source?: "api" | "automation" | "sync" | "migration" | "system" | "intelligence" | undefined
        }
        output: ReadonlyArray<Event>
        meta: object
      }>
      /** Read one event. */
      get: TRPCQueryProcedure<{
        input: {
          /** The event, by id. */
          readonly eventId: string
        }
        output: Event
        meta: object
      }>
    }
    profiles: {
      /** List the kinds and roles of the caller's spaces and of every pod; detail full gives all of each. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** A workspace that the caller belongs to; null means the person's own space. */
          readonly workspaceId?: string | undefined
          /** A kind of entity, or a role that entities play. */
          readonly profileKind?: "kind" | "role" | undefined
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
      /** List the definitions of properties in the caller's spaces, of one profile when profileId names it. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** A workspace that the caller belongs to; null means the person's own space. */
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
      /** List proposals about what the caller may read, latest first. */
      listProposals: TRPCQueryProcedure<{
        input: void | undefined | {
          /** The caller's own id. The id of another user is refused. */
          readonly userId?: string | undefined
          /** A workspace that the caller belongs to; null means the person's own space. */
          readonly workspaceId?: string | undefined
          /** The focus session that the record belongs to. */
          readonly sessionId?: string | undefined
          readonly status?: "pending" | "approved" | "rejected" | "auto_approved" | "reverted" | "approval_failed" | "withdrawn" | "expired" | "all" | undefined
          /** How much of each proposal: everything, or without its content. */
          readonly view?: "full" | "basic" | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ProposalPage
        meta: object
      }>
      /** List proposals about what the caller may read, latest first. The same as listProposals. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** The caller's own id. The id of another user is refused. */
          readonly userId?: string | undefined
          /** A workspace that the caller belongs to; null means the person's own space. */
          readonly workspaceId?: string | undefined
          /** The focus session that the record belongs to. */
          readonly sessionId?: string | undefined
          readonly status?: "pending" | "approved" | "rejected" | "auto_approved" | "reverted" | "approval_failed" | "withdrawn" | "expired" | "all" | undefined
          /** How much of each proposal: everything, or without its content. */
          readonly view?: "full" | "basic" | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ProposalPage
        meta: object
      }>
      /** Read one proposal with every difference it would make. */
      get: TRPCQueryProcedure<{
        input: {
          /** The id of the proposal. */
          readonly proposalId: string
        }
        output: ProposalDetail
        meta: object
      }>
      /** Replace the content of a pending proposal. */
      updateProposal: TRPCMutationProcedure<{
        input: {
          /** The id of the proposal. */
          readonly proposalId: string
          /** Replaces the whole content. */
          readonly data: Readonly<Record<string, unknown>>
          /** A new summary. Only a person may set it; for an agent the pod writes the summary. */
          readonly summary?: string | undefined
          /** The revision you read. Fails if the proposal was edited since. */
          readonly expectedRevision?: number | undefined
        }
        output: Proposal | Proposed
        meta: object
      }>
      /** Approve the content you saw. People only. */
      approve: TRPCMutationProcedure<{
        input: {
          /** The id of the proposal. */
          readonly proposalId: string
          /** The revision you read. Fails if the proposal was edited since. */
          readonly expectedRevision?: number | undefined
          /** The contentHash you read. Fails if the content is another one. */
          readonly contentHash?: string | undefined
        }
        output: Proposal | Proposed
        meta: object
      }>
      /** Reject a proposal with a reason, or withdraw your own. */
      reject: TRPCMutationProcedure<{
        input: {
          /** The id of the proposal. */
          readonly proposalId: string
          /** The reason, for people. */
          readonly reason?: string | undefined
          /** Why it is rejected, for programs. */
          readonly reasonCode?: "incorrect" | "incomplete" | "not_wanted" | "duplicate" | "unsafe" | "other" | undefined
        }
        output: Proposal | Proposed
        meta: object
      }>
      /** Revert an approved proposal exactly. People only. */
      revert: TRPCMutationProcedure<{
        input: {
          /** The id of the proposal. */
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
          /** A workspace that the caller belongs to; null means the person's own space. */
          readonly workspaceId?: string | undefined
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
          /** The run it is about. */
          readonly runId: string
        }
        output: AutomationRun
        meta: object
      }>
    }
    commands: {
      /** List the commands the caller may read, latest change first. */
      listCommands: TRPCQueryProcedure<{
        input: void | undefined | {
          /** A workspace that the caller belongs to; null means the person's own space. */
          readonly workspaceId?: string | undefined
          /** The word that starts it. */
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
          /** The command, by id. */
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
          /** The document, by id. */
          readonly documentId: string
        }
        output: Document
        meta: object
      }>
    }
    views: {
      /** List the views the caller may read, latest change first. */
      listViews: TRPCQueryProcedure<{
        input: void | undefined | {
          /** A workspace that the caller belongs to; null means the person's own space. */
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
    relations: {
      /** List the relations of a workspace or an entity that the caller may read, the newest first. */
      listRelations: TRPCQueryProcedure<{
        input: void | undefined | {
          readonly entityId?: string | undefined
          readonly type?: string | undefined
          /** A workspace that the caller belongs to; null means the person's own space. */
          readonly workspaceId?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Relation>
        meta: object
      }>
      /** List the relations in the caller's own space, the newest first. */
      listRelationsPodWide: TRPCQueryProcedure<{
        input: void | undefined | {
          readonly entityId?: string | undefined
          readonly type?: string | undefined
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Relation>
        meta: object
      }>
      /** List the types of relations: those of every pod, and those defined in the caller's spaces. */
      listTypes: TRPCQueryProcedure<{
        input: void | undefined | {
          /** A workspace that the caller belongs to; null means the person's own space. */
          readonly workspaceId?: string | undefined
        }
        output: ReadonlyArray<RelationType>
        meta: object
      }>
    }
    relationDefs: {
      /** List the types of relations that are defined in the caller's spaces, newest first. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** A workspace that the caller belongs to; null means the person's own space. */
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
      /** List which kinds of entity may be related, by which defined type and in which direction. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** A kind: the slug of a profile. */
          readonly profileSlug?: string | undefined
          /** A workspace that the caller belongs to; null means the person's own space. */
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
      /** Set what every agent in a workspace may do without asking. For its owners and admins. */
      setPolicy: TRPCMutationProcedure<{
        input: {
          /** A workspace that the caller belongs to; null means the person's own space. */
          readonly workspaceId: string
          /** Whether agents' writes wait for a person. */
          readonly governanceMode?: "standard" | "agent-owned" | undefined
          /** What agents may do without asking. */
          readonly autoApproveFor?: ReadonlyArray<string> | null | undefined
        }
        output: WorkspacePolicy
        meta: object
      }>
    }
    governanceRules: {
      /** List the rules of a workspace, or those for your own agents everywhere. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          /** A workspace that the caller belongs to; null means the person's own space. */
          readonly workspaceId?: string | undefined
        }
        output: ReadonlyArray<GovernanceRule>
        meta: object
      }>
      /** List every rule that you can see. */
      listAll: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: ReadonlyArray<GovernanceRule>
        meta: object
      }>
      /** Let agents do something without asking, or require a person's approval for it. */
      create: TRPCMutationProcedure<{
        input: GovernanceRuleDraft
        output: GovernanceRule
        meta: object
      }>
      /** Revoke a rule. */
      revoke: TRPCMutationProcedure<{
        input: {
          /** The rule it is about. */
          readonly ruleId: string
        }
        output: {
          readonly status: "revoked"
          /** The rule it is about. */
          readonly ruleId: string
        }
        meta: object
      }>
    }
    grants: {
      /** See what a key with this grant would read and which doors it would open, before you make it. */
      preview: TRPCQueryProcedure<{
        input: GrantPreviewInput
        output: GrantPreview
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
      /** Create an access role: a grant with a name, for creating keys. */
      create: TRPCMutationProcedure<{
        input: AccessRoleDraft
        output: AccessRole
        meta: object
      }>
      /** Change an access role; keys that were created from it keep their grant. */
      update: TRPCMutationProcedure<{
        input: AccessRoleChange
        output: AccessRole
        meta: object
      }>
      /** Delete an access role; its keys stay valid. */
      delete: TRPCMutationProcedure<{
        input: {
          /** The access role. */
          readonly roleId: string
        }
        output: Removed
        meta: object
      }>
    }
    webhooks: {
      /** List your webhooks, newest first; a narrowed key lists those that were made with it. */
      list: TRPCQueryProcedure<{
        input: void | undefined | {
          readonly limit?: number | undefined
          readonly offset?: number | undefined
          readonly cursor?: string | undefined
        }
        output: ReadonlyArray<Webhook>
        meta: object
      }>
      /** Create a webhook: an address and the types of events. The secret is shown once. People only. */
      create: TRPCMutationProcedure<{
        input: WebhookDraft
        output: {
          /** The webhook. */
          readonly subscription: Webhook
          /** Shown this once: keep it. */
          readonly secret: string
        } | Proposed
        meta: object
      }>
      /** Change a webhook. People only. */
      update: TRPCMutationProcedure<{
        input: WebhookChange
        output: Webhook | Proposed
        meta: object
      }>
      /** Delete a webhook. People only. */
      delete: TRPCMutationProcedure<{
        input: {
          readonly id: string
        }
        output: Removed | Proposed
        meta: object
      }>
    }
    health: {
      /** Whether the pod answers. */
      alive: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: {
          readonly status: "alive"
          /** When it happened. */
          readonly timestamp: string
        }
        meta: object
      }>
      /** Whether the pod can serve. */
      ready: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: {
          readonly status: "ready"
          /** When it happened. */
          readonly timestamp: string
          /** The checks and their results. */
          readonly checks: {
            /** Whether the database answers. */
            readonly database: "healthy"
          }
        }
        meta: object
      }>
      /** How many jobs wait, run and failed, and for how long the oldest has waited. */
      metrics: TRPCQueryProcedure<{
        input: void | undefined | Record<string, never>
        output: {
          /** When it was counted. */
          readonly timestamp: string
          /** The queues that hold jobs, by name. Jobs that nobody could do are in `dead-letter`. */
          readonly jobs: ReadonlyArray<{
            readonly queue: string
            /** Jobs that wait for their time or for a free place. */
            readonly waiting: number
            /** Jobs that some pod works on. */
            readonly running: number
            /** Jobs that were done within the last hours. */
            readonly completed: number
            /** Jobs that were called off within the last hours. */
            readonly cancelled: number
            /** Jobs whose last attempt failed within the last hours. */
            readonly failed: number
            /** For how many seconds the oldest waiting job could have been done already; null: none waits past its time. */
            readonly oldestSeconds: number | null
          }>
        }
        meta: object
      }>
    }
  }
>
