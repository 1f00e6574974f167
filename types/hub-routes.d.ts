/**
 * The routes of REST as types, by method and path. Made from the declarations by scripts/hubRoutes.mjs: change those, not
 * this file. Times are texts in ISO 8601; ids are UUIDs as texts; the values of a query travel as texts.
 */
export type Activity = {
  readonly type: "entity_created" | "thread_updated"
  readonly timestamp: string
  /** Content of the activity; its fields depend on the type. */
  readonly data: Readonly<Record<string, unknown>>
}

export type Adopted = {
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string
  readonly templateSlug: string
  /** Whether the workspace now has every part of the template. */
  readonly complete: boolean
  /** What happened to each part of the template. */
  readonly items: ReadonlyArray<AdoptedItem>
}

export type AdoptedItem = {
  readonly type: "profile" | "property" | "view" | "command"
  readonly name: string
  /** `created`; `kept`: the record existed; `proposed`: a person has to approve the record; `waiting`: the profile of the record does not exist yet. */
  readonly outcome: "created" | "kept" | "proposed" | "waiting"
  /** Id of the record or of the proposal. */
  readonly id?: string | undefined
}

export type AdoptionDraft = {
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string
  /** Slug of the template; `GET /pod/config` lists the templates. */
  readonly templateSlug: string
}

/** Name and rights of the agent. The pod ignores further fields. */
export type AgentDefinition = {
  /** Name for a new agent. Default: the type of the agent. */
  readonly name?: string | undefined
  /** What a new agent may write, as permissions. Default: everything, after approval by a person. */
  readonly capabilities?: ReadonlyArray<string> | undefined
} & Readonly<Record<string, unknown>>

export type AgentRole = "viewer" | "editor" | "admin"

export type AgentSetup = {
  /** Id of an agent of the caller. */
  readonly agentUserId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Key of the agent or service. Only this answer shows the key. */
  readonly hubApiKey: string
  /** Id of the key. The id is not secret. */
  readonly keyId: string
  /** Details of the agent and of its new key. */
  readonly registration: {
    readonly agentType: string
    readonly name: string
    /** Id of the person that the agent acts for. */
    readonly ownerUserId: string
    /** Whether this call made the agent. */
    readonly isNew: boolean
    /** Number of earlier keys of the agent that this call revoked. */
    readonly revokedKeys: number
    /** Time when the key expires; null means never. */
    readonly expiresAt: string | null
  }
}

export type AgentSetupDraft = {
  /** Type of the agent. A person has one agent of each type. */
  readonly agentType?: string | undefined
  /** Workspace that the agent joins as editor. */
  readonly workspaceId?: string | undefined
  /** Name and rights of the agent. The pod ignores further fields. */
  readonly definition?: AgentDefinition | undefined
}

export type AgentWorkspace = {
  /** Id of the agent. Required unless `agentId` is sent. */
  readonly agentUserId?: string | undefined
  readonly workspaceName?: string | undefined
  /** A text of your choice: another call with the same text returns the same workspace. */
  readonly idempotencyKey?: string | undefined
  /** Another name for `agentUserId`. */
  readonly agentId?: string | undefined
}

export type Analysis = {
  readonly success: true
  /** Keywords of the analysed text. */
  readonly tags?: ReadonlyArray<string> | undefined
  readonly summary?: string | undefined
  /** Tasks that the text contains. */
  readonly tasks?: ReadonlyArray<string> | undefined
  /** Mood of the text. */
  readonly sentiment?: "positive" | "neutral" | "negative" | "mixed" | undefined
}

export type AnalysisRequest = {
  /** Text to analyse. */
  readonly content: string
  /** Which kinds of analysis to make. */
  readonly analysisTypes: ReadonlyArray<"tags" | "summary" | "tasks" | "sentiment">
}

export type AnswerRequest = {
  /** Another name for `question`. */
  readonly query?: string | undefined
  /** Question, in words; this field has priority over `query`. One of the two fields is required. */
  readonly question?: string | undefined
  readonly workspaceId?: string | null | undefined
  readonly projectId?: string | null | undefined
  /** Largest number of items of each substrate (group of records). Default: 10. */
  readonly limit?: number | undefined
}

export type AnswerResult = {
  /** Answer of the model. Each sentence names its sources, such as `[1]`. */
  readonly answer: string | null
  /** Sources that the answer cites; `[1]` is the first. Without an answer: all items that the pod found. */
  readonly sources: ReadonlyArray<CitedSource>
  /** Substrates (groups of records) that the pod searched. */
  readonly routedTo: ReadonlyArray<Substrate>
  /** Parts of the search that failed or are incomplete, such as `semantic` or `semantic:index-full`. */
  readonly degraded: ReadonlyArray<string>
  readonly spaces?: SpaceMatches | null | undefined
  /** Why the answer is missing, in words; absent if nothing failed. */
  readonly error?: string | undefined
  /** Why the language model gave no answer. */
  readonly failure?: {
    /** Code of the failure, such as `rate_limited`, `timeout`, `invalid_response`; `not_entitled` if the pod has no language model. */
    readonly code: string
    readonly message: string
    /** Whether a later call with the same question can succeed. */
    readonly retryable: boolean
  } | undefined
}

export type AppliedProjection = {
  readonly ok: true
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string
  /** Whether a part of the workspace is public. */
  readonly enabled: boolean
  /** Slugs of the entity kinds and roles whose entities are public. */
  readonly roles: ReadonlyArray<string>
  /** Names of the public properties; the name `title` stands for the title. Only these fields, the id and a public role of an entity are public. */
  readonly fields: ReadonlyArray<string>
}

export type Approval = {
  /** Revision that you read. If somebody has edited the proposal since, the call fails. */
  readonly expectedRevision?: number | undefined
  /** `contentHash` that you read; the call fails if the content has another hash. */
  readonly contentHash?: string | undefined
}

export type ApprovedProposal = {
  readonly success: true
  readonly proposalId: string
  /** Proposal after the call. */
  readonly proposal: Proposal
  /** Id of the main record that the approval wrote. */
  readonly primaryId: string
}

export type Artifact = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly kind: "view" | "cell" | "document" | "entity" | "url" | "automation" | "playbook"
  readonly title: string
  /** What the artifact refers to: an id or an address. */
  readonly refId: string | null
  /** Client's name for the place of the artifact. */
  readonly cellKey: string | null
  /** Data with which clients show the artifact. */
  readonly props: unknown
  /** What made the artifact, as the client says. */
  readonly originKind: "user" | "agent" | "deeplink" | "system"
  /** Id of the focus session that the record belongs to. */
  readonly sessionId: string | null
  /** State that clients set. The pod stores when the state became `kept` or `swept`. */
  readonly state: "working" | "kept" | "swept"
  /** Where clients show the artifact. */
  readonly placement: "desk" | "home" | "sidebar" | "library"
  /** Id of the creator: a person or an agent. */
  readonly actorId: string
  /** The time when `state` became `kept`; null before. */
  readonly keptAt: string | null
  /** The time when `state` became `swept`; null before. */
  readonly sweptAt: string | null
}

export type ArtifactChange = {
  /** State that clients set. The pod stores when the state became `kept` or `swept`. */
  readonly state?: ArtifactState | undefined
  /** Where clients show the artifact. */
  readonly placement?: ArtifactPlacement | undefined
  /** Id of the calling agent; any other id is refused. */
  readonly agentUserId?: string | null | undefined
  readonly reasoning?: string | null | undefined
}

export type ArtifactDraft = {
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Id of the caller; any other id is refused. */
  readonly userId: string
  readonly kind: "view" | "cell" | "document" | "entity" | "url" | "automation" | "playbook"
  readonly title: string
  /** What the artifact refers to: an id or an address. */
  readonly refId?: string | null | undefined
  /** Client's name for the place of the artifact. */
  readonly cellKey?: string | null | undefined
  /** Data with which clients show the artifact. */
  readonly props?: unknown
  /** What made the artifact, as the client says. */
  readonly originKind?: "user" | "agent" | "deeplink" | "system" | undefined
  readonly sessionId?: string | null | undefined
  /** Where clients show the artifact. */
  readonly placement?: ArtifactPlacement | undefined
  /** Id of the caller, or a text that is not an id. In both cases the pod stores the caller as creator. */
  readonly actorId?: string | null | undefined
  /** Id of the calling agent; any other id is refused. */
  readonly agentUserId?: string | null | undefined
  readonly reasoning?: string | null | undefined
}

/** Where clients show the artifact. */
export type ArtifactPlacement = "desk" | "home" | "sidebar" | "library"

/** State that clients set. The pod stores when the state became `kept` or `swept`. */
export type ArtifactState = "working" | "kept" | "swept"

export type AssertionDraft = {
  /** A JWT that a trusted issuer signed for this pod at most five minutes ago. */
  readonly assertion: string
}

export type Attachment = {
  readonly id: string
  readonly entityId: string
  /** Id of the person who owns the record. */
  readonly userId: string
  readonly fileName: string | null
  /** Media type of the picture. For a file, `mimeType`, `sizeBytes` and `sha256` are null. */
  readonly mimeType: string | null
  readonly sizeBytes: number | null
  /** SHA-256 of the picture in lower-case hexadecimal. */
  readonly sha256: string | null
  /** Id of the entity that stands for the file; null for a picture. */
  readonly fileEntityId: string | null
  readonly createdAt: string
}

export type AttachmentContent = {
  readonly id: string
  readonly entityId: string
  /** Id of the person who owns the record. */
  readonly userId: string
  readonly fileName: string | null
  /** Media type of the picture. For a file, `mimeType`, `sizeBytes` and `sha256` are null. */
  readonly mimeType: string | null
  readonly sizeBytes: number | null
  /** SHA-256 of the picture in lower-case hexadecimal. */
  readonly sha256: string | null
  /** Id of the entity that stands for the file; null for a picture. */
  readonly fileEntityId: string | null
  readonly createdAt: string
  /** Picture in base64; null for a file. */
  readonly data: string | null
}

export type AttachmentDraft = {
  /** Id of the caller; any other id is refused. */
  readonly userId?: string | undefined
  /** Picture in base64, with or without a data URL prefix. Send either this field or `fileEntityId`. */
  readonly data?: string | undefined
  readonly fileName?: string | null | undefined
  /** Ignored: the pod reads the type from the bytes of the picture. */
  readonly mimeType?: string | undefined
  /** Id of an entity that stands for a file and that the caller may read. */
  readonly fileEntityId?: string | undefined
}

export type Automation = {
  /** What starts the automation. */
  readonly trigger: {
    readonly kind: "event"
    /** Type of the event that starts the automation; `*` matches one part between dots. */
    readonly eventType: string
  } | {
    readonly kind: "schedule"
    /** Schedule of five cron fields, in UTC. */
    readonly cron: string
  }
  /** Conditions; all of them must be true. */
  readonly conditions: ReadonlyArray<{
    /** Field of the record, such as `properties.status`. */
    readonly path: string
    /** How the condition compares the field with the value. */
    readonly op: "is" | "is_not" | "contains" | "greater_than" | "less_than"
    /** Text, number or boolean with which the field is compared. */
    readonly value: string | number | boolean
  }>
  /** Steps of the automation, in the order in which the pod carries them out. */
  readonly steps: readonly [{
    readonly kind: "notify"
    /** Name of the person to notify; `me` is the owner of the rule. */
    readonly whom: string
    readonly text: string | null
  } | {
    readonly kind: "create"
    /** Kind of the new entity. */
    readonly profileSlug: string
    readonly title: string
  } | {
    readonly kind: "set"
    /** Field that the step sets. */
    readonly path: string
    /** New value of the field: a text, a number or a boolean. */
    readonly value: string | number | boolean
  } | {
    readonly kind: "tell"
    /** Name of the agent. */
    readonly agent: string
    readonly text: string
  } | {
    readonly kind: "post"
    readonly text: string
    /** Title of the channel. */
    readonly channel: string
  } | {
    readonly kind: "call_webhook"
    /** Name of the webhook. */
    readonly webhook: string
  }, ...ReadonlyArray<{
    readonly kind: "notify"
    /** Name of the person to notify; `me` is the owner of the rule. */
    readonly whom: string
    readonly text: string | null
  } | {
    readonly kind: "create"
    /** Kind of the new entity. */
    readonly profileSlug: string
    readonly title: string
  } | {
    readonly kind: "set"
    /** Field that the step sets. */
    readonly path: string
    /** New value of the field: a text, a number or a boolean. */
    readonly value: string | number | boolean
  } | {
    readonly kind: "tell"
    /** Name of the agent. */
    readonly agent: string
    readonly text: string
  } | {
    readonly kind: "post"
    readonly text: string
    /** Title of the channel. */
    readonly channel: string
  } | {
    readonly kind: "call_webhook"
    /** Name of the webhook. */
    readonly webhook: string
  }>]
}

export type AutomationRule = {
  readonly id: string
  readonly name: string
  /** Whether a person approved the rule. */
  readonly approved: boolean
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  readonly createdAt: string
  /** Content of the rule. */
  readonly rule: {
    /** What the rule is for, in the words of the person. */
    readonly intent: string
    /** Where the rule applies. */
    readonly scope: RuleScope
    /** Id of a skill, for clients; the pod only stores this id. */
    readonly factSkillId: string | null
    /** Ids of the automations that carry out the rule. */
    readonly automationIds: ReadonlyArray<string>
    /** Text of the rule, such as `WHEN … THEN …`; null if the client gave only the `intent`. */
    readonly sentence: RuleClauses | null
    /** Automation that the pod compiled from the sentence. */
    readonly automation: Automation | null
    /** Whether the rule is a draft; the pod does not apply drafts. */
    readonly draft: boolean
    /** When the rule ends; null means never. */
    readonly expiresAt: string | null
  }
  readonly status: "active" | "paused" | "expired" | "draft" | "proposed"
  /** Id of the proposal with which an agent asks for the rule. */
  readonly proposalId: string | null
}

export type AutomationRuleChange = {
  /** `false` pauses the rule; `true` lets it run again. */
  readonly active?: boolean | undefined
  /** What the rule is for, in plain words. */
  readonly intent?: string | undefined
  readonly sentence?: RuleSentence | null | undefined
  /** When the rule ends; null means never. */
  readonly expiresAt?: string | null | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type AutomationRuleDraft = {
  /** What the rule is for, in plain words. */
  readonly intent: string
  /** Where the rule applies. */
  readonly scope: RuleScope
  /** When the rule ends; null means never. */
  readonly expiresAt?: string | null | undefined
  /** Id of a skill, for clients; the pod only stores this id. */
  readonly factSkillId?: string | null | undefined
  /** Ids of the automations that carry out the rule. */
  readonly automationIds?: ReadonlyArray<string> | undefined
  readonly sentence?: RuleSentence | null | undefined
  readonly userId?: string | null | undefined
  /** Id of the calling agent; any other id is refused. */
  readonly agentUserId?: string | null | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
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

export type Branches = {
  /** Threads that branch off the thread. */
  readonly branches: ReadonlyArray<{
    readonly channelId: string
    /** Why the thread branches off its parent. */
    readonly branchPurpose: string | null
    readonly status: string | null
  }>
}

export type Brand = {
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
  /** Whether the brand is the default of its space. */
  readonly isDefault: boolean
  /** Ids of the projects that use the brand. */
  readonly projectIds: ReadonlyArray<string>
  /** Colours, fonts, sizes and voice of the brand. A change replaces all of them. */
  readonly tokens: BrandTokens
}

export type BrandChange = {
  readonly name?: string | undefined
  /** Whether the brand is the default of its space. */
  readonly isDefault?: boolean | undefined
  /** Ids of the projects that use the brand. */
  readonly projectIds?: ReadonlyArray<string> | undefined
  /** Colours, fonts, sizes and voice of the brand. A change replaces all of them. */
  readonly tokens?: BrandTokens | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type BrandDraft = {
  readonly workspaceId?: string | null | undefined
  readonly name: string
  /** Whether the brand is the default of its space. */
  readonly isDefault?: boolean | undefined
  /** Ids of the projects that use the brand. */
  readonly projectIds?: ReadonlyArray<string> | undefined
  /** Colours, fonts, sizes and voice of the brand. A change replaces all of them. */
  readonly tokens?: BrandTokens | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type BrandFormat = "json" | "css" | "frame-md"

export type BrandKit = {
  /** Format of the answer. */
  readonly format: "json" | "css" | "frame-md"
  /** Brand in the chosen format. */
  readonly content: string
  /** SHA-256 of the content, in hexadecimal. The same brand gives the same hash. */
  readonly hash: string
  /** Workspace of the brand; null means the personal space. */
  readonly brandWorkspaceId: string | null
  /** Id of the chosen brand. */
  readonly brandIdentityId: string
  /** Id of a project. */
  readonly projectId: string | null
  /** Why the pod chose this brand. */
  readonly resolvedVia: "project" | "default-flag" | "only-brand"
}

/** Colours, fonts, sizes and voice of the brand. A change replaces all of them. */
export type BrandTokens = {
  /** Colours by name. */
  readonly colors?: Readonly<Record<string, string>> | undefined
  /** Fonts by name. */
  readonly fonts?: Readonly<Record<string, {
    /** Name of the font family. */
    readonly family: string
    /** Font to use if the family is missing. */
    readonly fallback?: "serif" | "sans-serif" | "monospace" | "cursive" | "fantasy" | "system-ui" | undefined
    /** Weight of the font, such as 400. */
    readonly weight?: number | undefined
  }>> | undefined
  /** Sizes by name, as CSS lengths. */
  readonly sizes?: Readonly<Record<string, string>> | undefined
  /** Picture of the logo; null means none. */
  readonly logo?: {
    readonly url: string
    /** What the logo shows, in words. */
    readonly alt?: string | undefined
  } | null | undefined
  /** Tone of the brand's texts. */
  readonly voice?: {
    readonly summary?: string | undefined
    /** Short texts of the brand, one line each. */
    readonly tone?: ReadonlyArray<string> | undefined
    /** Short texts of the brand, one line each. */
    readonly does?: ReadonlyArray<string> | undefined
    /** Short texts of the brand, one line each. */
    readonly avoids?: ReadonlyArray<string> | undefined
  } | null | undefined
}

export type CalendarFeedState = {
  /** Whether you have a calendar feed. */
  readonly isActive: boolean
  /** Time when the URL of the feed was made; null without a feed. */
  readonly createdAt: string | null
}

export type CalendarFeedUrl = {
  /** URL of the feed, shown only in this answer. Anybody with the URL can read your records with dates. */
  readonly url: string
}

export type CentralityStatus = {
  /** Whether the pod has computed the ranking of entities. */
  readonly computed: boolean
  /** How many of the ranked entities the caller may read. */
  readonly rows: number
  readonly lastComputedAt: string | null
  /** When the pod computed the oldest part of the ranking. */
  readonly oldestComputedAt: string | null
  /** Entities with the highest scores, at most ten. */
  readonly top: ReadonlyArray<RankedEntity>
  /** Why the ranking is missing; absent when the ranking exists. */
  readonly note?: string | undefined
}

export type CentralityTrigger = {
  /** Whether the pod will soon compute the ranking. */
  readonly triggered: boolean
  /** Why the ranking is missing; absent when the ranking exists. */
  readonly note?: string | undefined
}

export type ChangedMembership = {
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string
  /** Id of the member: a person or an agent. */
  readonly userId: string
  readonly role: "owner" | "admin" | "editor" | "viewer"
}

export type ChangedNotifications = {
  readonly success: true
  readonly count: number
}

export type Channel = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly title: string | null
  readonly type: string
  /** Group of channel types, as the client names it. */
  readonly family: string | null
  /** Id of the object that the channel is about. */
  readonly contextObjectId: string | null
  /** Type of the object in `contextObjectId`. */
  readonly contextObjectType: string | null
  /** Id of the agent that answers in the channel. */
  readonly agentId: string | null
}

export type ChannelChange = {
  readonly title?: string | null | undefined
  readonly type?: string | undefined
  /** Group of channel types, as the client names it. */
  readonly family?: string | null | undefined
  /** Id of the object that the channel is about. */
  readonly contextObjectId?: string | null | undefined
  readonly contextObjectType?: string | null | undefined
  /** Id of the agent that answers in the channel. */
  readonly agentId?: string | null | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type ChannelDraft = {
  readonly workspaceId?: string | null | undefined
  readonly userId?: string | null | undefined
  readonly title?: string | null | undefined
  readonly type?: string | undefined
  /** Group of channel types, as the client names it. */
  readonly family?: string | null | undefined
  /** Id of the object that the channel is about. */
  readonly contextObjectId?: string | null | undefined
  readonly contextObjectType?: string | null | undefined
  /** Id of the agent that answers in the channel. */
  readonly agentId?: string | null | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type ChatChannel = {
  readonly id: string
  readonly type: "thread"
  readonly name: string | null
  /** Whether the channel is in the person's own space. */
  readonly isPersonal: boolean
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
}

export type ChatCompletion = {
  readonly id: string
  /** Time of the answer, in seconds since 1970. */
  readonly created: number
  /** Name of the model, as the request gave it. */
  readonly model: string
  readonly object: "chat.completion"
  /** A list with exactly one answer. */
  readonly choices: ReadonlyArray<{
    readonly index: number
    readonly message: {
      readonly role: "assistant"
      readonly content: string
      readonly refusal: null
    }
    readonly logprobs: null
    readonly finish_reason: "stop" | "length"
  }>
  /** Numbers of tokens that the provider counted; zeros if the provider did not count. */
  readonly usage: TokenUsage
  /** Records that the model received, numbered from 1. */
  readonly sources: ReadonlyArray<CitedSource>
  /** How many of the oldest messages the model did not receive because the conversation is too long; absent if none. */
  readonly leftOut?: number | undefined
  /** Id of the request in the pod's log. */
  readonly turnId: string
}

export type ChatTurn = {
  /** Who speaks. The pod ignores the messages of tools. */
  readonly role: "system" | "developer" | "user" | "assistant" | "tool" | "function"
  /** A text, or a list of parts. The pod reads only the parts with text. */
  readonly content?: string | ReadonlyArray<{
    readonly type: string
    readonly text?: string | undefined
  }> | null | undefined
}

export type ChatTurnAnswer = {
  /** Id of the thread with the conversation; null if the new thread waits for approval. */
  readonly channelId: string | null
  /** Id of the stored answer; null if the answer waits for approval. */
  readonly messageId: string | null
  readonly text: string
  /** Records that the model received, numbered from 1. */
  readonly sources: ReadonlyArray<CitedSource>
}

export type ChatTurnRequest = {
  /** What the person says. */
  readonly query: string
  /** Channel of the conversation. Default: the person's own channel. */
  readonly channelId?: string | null | undefined
  /** Workspace to search. In a channel of a workspace, the pod searches only the channel's workspace. */
  readonly workspaceId?: string | null | undefined
  /** Type of the assistant that answers. Each type has its own channel. */
  readonly agentType?: string | undefined
}

export type CitedSource = {
  /** Substrate (group of records) of the source. */
  readonly substrate: "semantic" | "structured" | "procedural" | "episodic"
  readonly id: string
  readonly title: string
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

export type CommandChange = {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  /** Word that starts the command. */
  readonly triggerSlug?: string | null | undefined
  /** Id of the skill that carries out the command. */
  readonly skillId?: string | null | undefined
  readonly config?: Readonly<Record<string, unknown>> | undefined
  /** Who may use the command: everybody in the space, or only its creator. */
  readonly sharing?: CommandSharing | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type CommandDraft = {
  readonly workspaceId?: string | null | undefined
  readonly name: string
  readonly description?: string | null | undefined
  /** Word that starts the command. */
  readonly triggerSlug?: string | null | undefined
  /** Id of the skill that carries out the command. */
  readonly skillId?: string | null | undefined
  readonly config?: Readonly<Record<string, unknown>> | undefined
  /** Who may use the command: everybody in the space, or only its creator. */
  readonly sharing?: CommandSharing | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

/** Who may use the command: everybody in the space, or only its creator. */
export type CommandSharing = "space" | "user"

export type CompletionRequest = {
  /** A name that `GET /v1/models` lists. */
  readonly model?: string | undefined
  /** The conversation, oldest first. The pod answers the last message, which must come from the user. */
  readonly messages: ReadonlyArray<ChatTurn>
  /** Whether to send the answer in chunks while the model writes it. */
  readonly stream?: boolean | null | undefined
  /** Whether the last chunk has the number of tokens used. */
  readonly stream_options?: {
    readonly include_usage?: boolean | undefined
  } | null | undefined
  /** How much the words of the answer can vary. */
  readonly temperature?: number | null | undefined
  /** Sum of the probabilities of the words that the model can choose. */
  readonly top_p?: number | null | undefined
  /** With the same number, the model tries to answer an equal request in the same way. */
  readonly seed?: number | null | undefined
  /** How much the model avoids words that it has used. */
  readonly presence_penalty?: number | null | undefined
  /** How much the model avoids words that it has used often. */
  readonly frequency_penalty?: number | null | undefined
  /** The answer ends before the first of these one to four texts. */
  readonly stop?: string | ReadonlyArray<string> | null | undefined
  /** Largest number of tokens in the answer. */
  readonly max_tokens?: number | null | undefined
  /** Newer name of `max_tokens`. */
  readonly max_completion_tokens?: number | null | undefined
  /** Number of answers; must be 1. */
  readonly n?: 1 | null | undefined
  /** Format of the answer; must be text. */
  readonly response_format?: {
    readonly type: "text"
  } | null | undefined
  /** Whether the model must call a tool. The pod never calls the tools of a request. */
  readonly tool_choice?: "auto" | "none" | null | undefined
  /** Older name of `tool_choice`. */
  readonly function_call?: "auto" | "none" | null | undefined
  /** Kinds of output; must be text. */
  readonly modalities?: ReadonlyArray<"text"> | null | undefined
  /** Whether the answer has the probabilities of its tokens; must be false. */
  readonly logprobs?: false | null | undefined
  /** Workspace to search. If absent, the pod uses the header `X-Svc-Workspace-Id`. */
  readonly workspaceId?: string | null | undefined
}

export type Connection = {
  readonly relationId: string
  /** Id of the entity at the other end of the relation. */
  readonly entityId: string
  readonly relationType: string
  /** Label of the relation, seen from the requested entity. */
  readonly label: string
  /** Direction of the relation, seen from the requested entity. */
  readonly direction: "outgoing" | "incoming"
  /** Entity at the other end of the relation. */
  readonly entity: {
    readonly id: string
    readonly title: string
    /** Entity kind (profile slug). */
    readonly profileSlug: string
    /** Short form of the text. */
    readonly preview: string | null
    /** Id of a workspace; null means the personal space. */
    readonly workspaceId: string | null
    readonly updatedAt: string
  }
}

export type Connections = {
  readonly connections: ReadonlyArray<Connection>
  /** How many connections the caller may read, listed or not. The pod stops counting at 10,000 in each direction. */
  readonly counts: {
    readonly total: number
    /** Number of connections of each type. */
    readonly byType: Readonly<Record<string, number>>
  }
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

export type ConnectorChange = {
  readonly name?: string | undefined
  /** Kind of the service, such as `github`. */
  readonly kind?: string | undefined
  /** Address that the pod calls to check the connector. */
  readonly baseUrl?: string | undefined
  /** Id of the vault entry with the credential. The entry must be for the host of `baseUrl`. */
  readonly credentialId?: ConnectorCredentialId | undefined
  readonly expectedVersion?: number | undefined
}

/** Id of the vault entry with the credential. The entry must be for the host of `baseUrl`. */
export type ConnectorCredentialId = string | null

export type ConnectorDraft = {
  readonly name: string
  /** Kind of the service, such as `github`. */
  readonly kind: string
  /** Address that the pod calls to check the connector. */
  readonly baseUrl: string
  /** Id of the vault entry with the credential. The entry must be for the host of `baseUrl`. */
  readonly credentialId?: ConnectorCredentialId | undefined
}

export type Conversation = {
  readonly id: string
  readonly title: string | null
  /** Type of the channel; `thread` for a thread. */
  readonly type: string
  /** Number of unread messages from others, at most 1000; of a channel, in its 1000 latest threads. */
  readonly unread: number
  /** Group of channel types, as the client names it. */
  readonly family: string | null
  readonly lastMessageAt: string | null
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
}

export type Conversations = {
  /** Channels and threads. */
  readonly channels: ReadonlyArray<Conversation>
}

export type CreatedWorkspace = {
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string
  /** Whether this call created the workspace. */
  readonly created: boolean
}

export type DecidedProposal = {
  readonly success: true
  readonly proposalId: string
  /** Proposal after the call. */
  readonly proposal: Proposal
}

export type Decision = {
  readonly decisionId: string
  /** `allow`: carry out the request; `deny`: refuse the request; `propose`: ask a person first. */
  readonly verdict: "allow" | "deny" | "propose"
  /** Group of access rules to which the deciding rule belongs. */
  readonly axis: "scope" | "credential" | "door" | "grant" | "workspace" | "role" | "capabilities" | "identity" | "policy" | "none"
  /** Rung (rule of the gate) that decided; before the gate: code of the refusal. */
  readonly rung: string
  /** Reason for the decision, in words. */
  readonly why: string
  /** Name of the called operation. */
  readonly operation: string | null
  /** Permission that the request needed. */
  readonly permission: string
  /** Smallest grant that would allow the refused request; null if no grant would. */
  readonly smallestGrant: {
    /** Permissions, such as `entity.note.create`; `*` means every permission. */
    readonly permissions: ReadonlyArray<string>
    /** Ids of the workspaces that the grant is limited to. */
    readonly workspaceIds?: ReadonlyArray<string> | undefined
    /** Ids of the entities that the grant is limited to. */
    readonly entityIds?: ReadonlyArray<string> | undefined
  } | null
  readonly proposalId: string | null
  readonly eventType: string
  /** Id of the object that the request was about. */
  readonly subjectId: string | null
  readonly at: string
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

export type DevApprovalDraft = {
  readonly title: string
  readonly description?: string | undefined
  /** Command line, if the action is a command. The pod never runs it. */
  readonly command?: string | undefined
  /** Further details of the action, as data. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly workspaceId?: string | null | undefined
  /** Id of the focus session that the record belongs to. */
  readonly sessionId?: string | undefined
  /** Reason for the action, for the person who decides. */
  readonly reasoning?: string | null | undefined
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

export type DigestEntity = {
  readonly id: string
  readonly title: string
  /** Entity kind (profile slug). */
  readonly profileSlug: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  readonly updatedAt: string
}

export type DigestWorkspace = {
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  readonly name: string
  readonly total: number
}

export type DiscoveredProfile = {
  readonly id: string
  readonly slug: string
  readonly displayName: string
  /** Where the profile exists: in every pod, in one workspace or in the personal space. */
  readonly scope: "system" | "workspace" | "user"
  /** Who may read the profile: everybody of the pod, the members of its workspace, or only its owner. */
  readonly visibility: "pod" | "workspace" | "private"
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  readonly description: string | null
  readonly icon: string | null
  /** `kind`: an entity kind; `role`: a role that entities can have in addition to their kind. */
  readonly profileKind: "kind" | "role"
  /** Entity kinds (profile slugs) that may play the role. */
  readonly applicableKinds: ReadonlyArray<string>
  /** Properties of the profile; absent if the request sets `summary`. */
  readonly properties?: ReadonlyArray<DiscoveredProperty> | undefined
  /** Why `properties` is not complete. */
  readonly schemaUnavailable?: {
    /** Why properties are missing, as a code. */
    readonly reason: string
    /** Id of the profile whose properties are missing. */
    readonly resolvedProfileId: string | null
    /** What to do next. */
    readonly hint: string
  } | undefined
  /** Profile that a write without a workspace uses. Present only if several profiles have this slug. */
  readonly slugWritesTo?: {
    /** Why a write uses the profile, as a code. */
    readonly reason: string
    readonly profileId: string
    /** What to do next. */
    readonly hint: string
  } | undefined
  /** Call that creates an entity of the profile. */
  readonly createCommand: string
  /** How many entities of the profile the caller may read. The pod counts at most 10,000 in each space. */
  readonly entityCount: number
}

export type DiscoveredProperty = {
  readonly slug: string
  readonly displayName: string
  readonly type: string
  /** Values that the property allows. */
  readonly options: ReadonlyArray<string>
  /** Whether the property must have a value. */
  readonly required: boolean
  /** Value of the property when a write gives no value. */
  readonly defaultValue: unknown
  /** Constraints on the values of the property. */
  readonly constraints: Readonly<Record<string, unknown>>
  /** Entity kind (profile slug) of the entities that the property refers to. */
  readonly targetProfileSlug: string | null
  /** Where the definition applies: a workspace or the personal space. */
  readonly schemaScope: "workspace" | "user"
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Position of the property in a list of all properties. */
  readonly displayOrder: number
  /** Hints for clients about display, such as the position in a list (`displayOrder`). */
  readonly uiHints: Readonly<Record<string, unknown>>
  /** How many of the latest entities have a value for the property; present only if the request has `fill=true`. */
  readonly fill?: PropertyFill | undefined
}

export type Discovery = {
  readonly relationTypes?: ReadonlyArray<RelationType> | undefined
  /** Why the relation types are missing. */
  readonly relationTypesError?: string | undefined
  /** Profiles (entity kinds and roles) that the caller may use. */
  readonly profiles: ReadonlyArray<DiscoveredProfile>
  /** Profiles by origin; present only if the request sets `groups`. */
  readonly groups?: ReadonlyArray<{
    /** Where the group's profiles exist. */
    readonly origin: "system" | "workspace" | "user"
    /** Id of a workspace; null means the personal space. */
    readonly workspaceId: string | null
    /** Ids of the profiles with this origin. */
    readonly profileIds: ReadonlyArray<string>
  }> | undefined
  /** Calls that are useful next. */
  readonly commands: Readonly<Record<string, string>>
  /** What to do next. */
  readonly hint: string
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

export type DocumentChange = {
  /** Number of the revision that you read and edited. */
  readonly baseRevision: number
  readonly title?: string | undefined
  /** Format of the content. For `pdf` and `docx`, the content is the text of the file. */
  readonly type?: DocumentType | undefined
  /** Id of the entity that the document belongs to. */
  readonly entityId?: string | null | undefined
  readonly projectId?: string | null | undefined
  readonly content?: string | null | undefined
  readonly userId?: string | null | undefined
  readonly agentUserId?: string | null | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type DocumentDraft = {
  readonly workspaceId?: string | null | undefined
  readonly title: string
  /** Format of the content. For `pdf` and `docx`, the content is the text of the file. */
  readonly type?: DocumentType | undefined
  /** Id of the entity that the document belongs to. */
  readonly entityId?: string | null | undefined
  readonly projectId?: string | null | undefined
  readonly content?: string | null | undefined
  /** Id of the message that the record comes from. */
  readonly sourceMessageId?: string | undefined
  /** Label of the focus session's output that this document is. */
  readonly expectedLabel?: string | undefined
  readonly userId?: string | null | undefined
  readonly agentUserId?: string | null | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type DocumentHead = {
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
  /** Same number as `version`. */
  readonly revision: number
}

export type DocumentProposal = {
  readonly documentId: string
  readonly userId?: string | null | undefined
  /** Who suggests the change: a person or an agent. */
  readonly proposalType: "ai_edit" | "user_suggestion" | "review_comment"
  /** Changes to the text, in any order. All positions are positions in the original text. */
  readonly changes: ReadonlyArray<TextChange>
  /** Whole text after the changes. */
  readonly proposedContent: string
  /** Text to which the changes apply. Default: the current text. */
  readonly originalContent?: string | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type DocumentRevision = {
  readonly documentId: string
  /** Number of the revision, starting at 1. */
  readonly revision: number
  readonly title: string
  /** Format of the content. For `pdf` and `docx`, the content is the text of the file. */
  readonly type: "text" | "markdown" | "code" | "html" | "pdf" | "docx"
  /** Id of the writer: a person or an agent. */
  readonly actorId: string
  /** Id of the event that recorded the write. */
  readonly eventId: string
  readonly at: string
  readonly content: string | null
}

export type DocumentRevisionHead = {
  readonly documentId: string
  /** Number of the revision, starting at 1. */
  readonly revision: number
  readonly title: string
  /** Format of the content. For `pdf` and `docx`, the content is the text of the file. */
  readonly type: "text" | "markdown" | "code" | "html" | "pdf" | "docx"
  /** Id of the writer: a person or an agent. */
  readonly actorId: string
  /** Id of the event that recorded the write. */
  readonly eventId: string
  readonly at: string
}

/** Format of the content. For `pdf` and `docx`, the content is the text of the file. */
export type DocumentType = "text" | "markdown" | "code" | "html" | "pdf" | "docx"

export type Done = {
  readonly success: boolean
}

export type EndedMembership = {
  readonly status: "removed"
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string
  /** Id of the member: a person or an agent. */
  readonly userId: string
}

export type Enrolled = {
  /** Workspaces where the agent is a member now. A membership that existed before keeps its role. */
  readonly enrolled: ReadonlyArray<string>
  /** Workspaces where the caller may not add members. */
  readonly skipped: ReadonlyArray<string>
}

export type Enrolment = {
  /** Id of the agent. Required unless `agentId` is sent. */
  readonly agentUserId?: string | undefined
  /** Id of the workspace. Default: every workspace in which the caller may add members. */
  readonly workspaceId?: string | undefined
  /** Membership role of the agent in the workspace. */
  readonly role?: AgentRole | undefined
  readonly reasoning?: string | null | undefined
  /** Another name for `agentUserId`. */
  readonly agentId?: string | undefined
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

export type EntityChange = {
  /** Id of the caller; any other id is refused. */
  readonly userId?: string | undefined
  /** Workspace that the entity must be in; null means the personal space. The change does not move the entity. */
  readonly workspaceId?: string | null | undefined
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  /** Short form of the text. */
  readonly preview?: string | null | undefined
  /** New values of properties; the pod merges them into the existing properties. */
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  /** Older name of `properties`. If both contain the same property, the pod uses the value in `properties`. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Words by which people find the entity. */
  readonly tags?: ReadonlyArray<string> | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  /** Names of the properties to remove. */
  readonly deleteProperties?: ReadonlyArray<string> | undefined
  /** Version that you read; if the entity has another version now, the answer is 409. */
  readonly version?: number | undefined
}

export type EntityDraft = {
  /** Id of the caller; any other id is refused. */
  readonly userId?: string | undefined
  readonly workspaceId?: string | null | undefined
  /** Id of a project. */
  readonly projectId?: string | undefined
  /** Entity kind (profile slug). */
  readonly profileSlug?: string | undefined
  /** Slug of an entity kind or a facet. */
  readonly type?: string | undefined
  /** Id of the profile. The pod uses this field only if the request has no `profileSlug`. */
  readonly profileId?: string | undefined
  readonly title: string
  readonly description?: string | null | undefined
  /** Text of a new document for the entity. */
  readonly content?: string | null | undefined
  /** Short form of the text. */
  readonly preview?: string | null | undefined
  /** Properties of the entity by slug. */
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  /** Words by which people find the entity. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Type of the client: `cli`, `extension`, `n8n` … */
  readonly source?: string | undefined
  /** Id of the message that the record comes from. */
  readonly sourceMessageId?: string | undefined
  /** Facets of the entity: its roles in addition to its kind. `profileSlug` is another name for `slug`. */
  readonly facets?: ReadonlyArray<{
    /** Slug of an entity kind or a facet. */
    readonly slug?: string | undefined
    /** Entity kind (profile slug). */
    readonly profileSlug?: string | undefined
    /** Properties of the entity by slug. */
    readonly properties?: Readonly<Record<string, unknown>> | undefined
  }> | undefined
  /** `true`: create the entity even if another has the same name or address. `false`: look for duplicates of every kind. Default: `false` for an upsert; a create looks only for duplicates of people and companies. */
  readonly forceCreate?: boolean | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type EntityQuestion = {
  readonly query: string
  readonly workspaceId?: string | null | undefined
  /** Largest number of items of each substrate (group of records). Default: 10. */
  readonly limit?: number | undefined
}

export type EntityRecall = {
  readonly query: string
  /** Entity kind (profile slug): the answer has only entities of this kind. */
  readonly profileSlug?: string | undefined
  readonly workspaceId?: string | null | undefined
  /** Largest number of items of each substrate (group of records). Default: 10. */
  readonly limit?: number | undefined
}

export type EntityResolution = {
  /** Entities of the same kind that might be duplicates of the new entity. */
  readonly existingSameProfile: IdentityCandidate | null
  /** Entities to which the pod linked the new entity. */
  readonly autoConnected: ReadonlyArray<IdentityCandidate>
  /** Entities that might be related to the new entity. */
  readonly suggestions: ReadonlyArray<IdentityCandidate>
}

/** Whether the profile applies in one workspace or in the whole pod. */
export type EntityScope = "pod" | "workspace"

export type EntityWritten = {
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
  /** `created`, or `updated` if the entity existed before. */
  readonly status: "created" | "updated"
  /** Workspace of the entity; null means the personal space. */
  readonly effectiveWorkspaceId: string | null
  /** Result of the write. */
  readonly writeReceipt: {
    /** `applied`: the pod carried out the write. */
    readonly state: "applied"
  }
  /** Existing entities that might be the same as the new entity, or related to it. Only after a create. */
  readonly resolution?: EntityResolution | undefined
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

export type ExternalSkill = {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** Who may run the skill. `user`: its creator; `workspace`: everybody in its workspace; `pod`: all agents and keys of its creator. */
  readonly scope: "pod" | "workspace" | "user"
  /** JSON schema of the input. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Always `synchronous`: the call returns when the run has ended. */
  readonly executionMode: "synchronous"
  /** Longest time of a run, in seconds. */
  readonly timeoutSeconds: number
}

export type Facet = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly entityId: string
  /** Slug of an entity kind or a facet. */
  readonly slug: string
  /** Values of the facet's properties, by slug. */
  readonly properties: Readonly<Record<string, unknown>>
}

export type FacetDraft = {
  /** Id of the caller; any other id is refused. */
  readonly userId?: string | undefined
  /** Slug of an entity kind or a facet. */
  readonly slug?: string | undefined
  /** Another name for `slug`. */
  readonly profileSlug?: string | undefined
  /** New properties of the facet; the pod merges them into the existing properties of the facet. */
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type FactDraft = {
  /** Text to remember. */
  readonly fact: string
  readonly userId?: string | null | undefined
  /** How certain the fact is, 0 to 1. */
  readonly confidence?: number | undefined
  /** Embedding of the text; a vector of zeros means no embedding. */
  readonly embedding?: ReadonlyArray<number> | undefined
  readonly sourceEntityId?: string | null | undefined
  readonly sourceMessageId?: string | null | undefined
  /** Time when the fact was said. */
  readonly saidAt?: string | null | undefined
  /** Time from which the fact is true. Default: now. */
  readonly validFrom?: string | null | undefined
  /** Whether the fact comes from another system. */
  readonly imported?: boolean | undefined
}

export type FactRevision = {
  readonly factId: string
  /** `add`: the fact was stored; `fold`: the same fact was stored again; `unfold`: a `fold` was undone; `end`: the fact ended; `restore`: the fact was restored. */
  readonly what: "add" | "fold" | "unfold" | "end" | "restore"
  /** Text of the fact in this write. */
  readonly fact: string
  /** Who wrote the fact: a person, an agent or an import. */
  readonly trust: "import" | "agent" | "person"
  /** Id of the writer: the person or an agent. */
  readonly actorId: string
  /** Why the fact ended or was restored. */
  readonly reason: string | null
  /** Id of the fact that replaces this fact. */
  readonly supersededBy: string | null
  readonly sourceEntityId: string | null
  readonly sourceMessageId: string | null
  /** Id of the event that recorded the write. */
  readonly eventId: string
  readonly at: string
}

export type FiledProposal = {
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
  readonly id: string
  readonly status: "pending"
  /** Id of the focus session that the record belongs to. */
  readonly sessionId: string | null
}

export type FirstAdminDraft = {
  readonly email: string
  /** Password of the owner: 12 to 128 characters. */
  readonly password: string
  readonly name?: string | undefined
  /** Name for the pod. Default: the pod has no name. */
  readonly podName?: string | undefined
  /** Token of the setup link. A request with the provisioning token does not need this token. */
  readonly magicToken?: string | undefined
}

export type FocusSession = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  /** Id that the client chose for the session; unique per person and space. */
  readonly correlationId: string | null
  readonly goal: string
  readonly status: "active" | "paused" | "closed"
  /** Id of a template, for clients; the pod only stores this id. */
  readonly templateId: string | null
  /** Outputs that the session should produce. */
  readonly expectedOutputs: ReadonlyArray<{
    readonly kind: string
    readonly label: string
    readonly icon?: string | undefined
  }>
  /** Id of the channel or thread about the session, in the same space. */
  readonly channelId: string | null
  /** Progress in percent, from 0 to 100. */
  readonly progress: number | null
  /** Ids of the person's agents that take part. */
  readonly agentIds: ReadonlyArray<string>
  readonly closedAt: string | null
  /** What the participants found out. */
  readonly contextReport: unknown
  /** What the participants plan to do. */
  readonly planReport: unknown
  /** What the participants did, step by step. */
  readonly executionLog: unknown
  /** How the participants checked the result. */
  readonly verificationReport: unknown
  readonly startedAt: string
}

export type FocusSessionChange = {
  readonly goal?: string | undefined
  readonly status?: FocusSessionStatus | undefined
  /** Progress in percent, from 0 to 100. */
  readonly progress?: number | null | undefined
  /** What the participants found out. */
  readonly contextReport?: unknown
  /** What the participants plan to do. */
  readonly planReport?: unknown
  /** What the participants did, step by step. */
  readonly executionLog?: unknown
  /** How the participants checked the result. */
  readonly verificationReport?: unknown
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type FocusSessionDraft = {
  readonly workspaceId?: string | null | undefined
  readonly userId?: string | null | undefined
  /** Id that the client chose for the session; unique per person and space. */
  readonly correlationId?: string | null | undefined
  readonly goal: string
  readonly status?: FocusSessionStatus | undefined
  /** Id of a template, for clients; the pod only stores this id. */
  readonly templateId?: string | null | undefined
  /** Outputs that the session should produce. */
  readonly expectedOutputs?: ReadonlyArray<{
    readonly kind: string
    readonly label: string
    readonly icon?: string | undefined
  }> | undefined
  /** Id of the channel or thread about the session, in the same space. */
  readonly channelId?: string | null | undefined
  /** Progress in percent, from 0 to 100. */
  readonly progress?: number | null | undefined
  /** Ids of the person's agents that take part. */
  readonly agentIds?: ReadonlyArray<string> | undefined
  /** What the participants found out. */
  readonly contextReport?: unknown
  /** What the participants plan to do. */
  readonly planReport?: unknown
  /** What the participants did, step by step. */
  readonly executionLog?: unknown
  /** How the participants checked the result. */
  readonly verificationReport?: unknown
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type FocusSessionStatus = "active" | "paused" | "closed"

export type ForgetDraft = {
  readonly userId?: string | null | undefined
  /** The pod forgets every fact that contains all these words. */
  readonly query?: string | undefined
  /** Ids of the facts to forget. */
  readonly ids?: ReadonlyArray<string> | undefined
}

export type Governance = {
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string
  /** Rights of the caller in the workspace. */
  readonly rbac: {
    readonly role: string
    /** Whether the membership role allows writes. */
    readonly writes: boolean
    /** Whether the membership role allows changes to rights and governance rules. */
    readonly manages: boolean
  }
  /** Always `standard`. */
  readonly governanceMode: "standard"
  /** What agents may do without a person's approval; null means that nothing is set. */
  readonly autoApproveFor: ReadonlyArray<string> | null
  /** Id of the agent that the workspace was created for. */
  readonly linkedAgentId: string | null
  /** Governance rules that apply in the workspace. */
  readonly agentOverrides: ReadonlyArray<{
    readonly ruleId: string
    /** Name of the agent. */
    readonly agentLabel: string | null
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
  }>
  /** Every rung (access rule), in the order in which the pod tries them. */
  readonly rungs: ReadonlyArray<string>
  /** Verdict on the write in the request. Other writes can get other verdicts. */
  readonly verdict?: {
    /** `allow`: carry out the request; `deny`: refuse the request; `propose`: ask a person first. */
    readonly verdict: "allow" | "deny" | "propose"
    /** The rung (access rule) that made this decision. */
    readonly rung: string
    /** Reason for the verdict, in words. */
    readonly reason?: string | undefined
    /** Code of the refusal; null without a refusal. */
    readonly code: string | null
    /** Permission that the write needs. */
    readonly permission: string
    /** Record type that the verdict is about; null if none. */
    readonly targetType: string | null
    /** Verdicts that certain records or record types get instead. */
    readonly orElse: ReadonlyArray<{
      /** When this verdict applies. */
      readonly when: string
      /** `allow`: carry out the request; `deny`: refuse the request; `propose`: ask a person first. */
      readonly verdict: "allow" | "deny" | "propose"
      /** The rung (access rule) that made this decision. */
      readonly rung: string
      /** Reason for the verdict, in words. */
      readonly reason?: string | undefined
      /** Code of the refusal; null without a refusal. */
      readonly code: string | null
    }>
  } | undefined
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

export type GraphEnvelope = {
  /** The object. If it was not found, only `kind` and `id` are set. */
  readonly object: GraphNode
  /** Connected objects that the caller may read. */
  readonly neighbors: ReadonlyArray<GraphNeighbor>
  /** How many connections the caller may read, listed or not. The pod counts at most 200 of each record type, and 10,000 relations in each direction. */
  readonly counts: {
    readonly total: number
    /** Number of connections for each type of neighbour. */
    readonly byKind: Readonly<Record<string, number>>
    /** Number of connections for each value of the field `via` in `neighbors`. */
    readonly byVia: Readonly<Record<string, number>>
  }
  /** False if the object is missing or the caller may not read it. */
  readonly found: boolean
  /** True if the object has more neighbours than `neighbors` lists. */
  readonly truncated: boolean
}

export type GraphKind = "entity" | "document" | "project" | "view" | "channel" | "thread" | "session" | "automation" | "command" | "skill" | "track" | "artifact"

export type GraphNeighbor = {
  readonly kind: "entity" | "document" | "project" | "view" | "channel" | "thread" | "session" | "automation" | "command" | "skill" | "track" | "artifact"
  readonly id: string
  readonly name: string | null
  /** Subtype of the object, such as the profile of an entity or the type of a view. */
  readonly subtype: string | null
  /** Subtype and, for an entity, the roles that the entity plays. */
  readonly subtypes: ReadonlyArray<string>
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** What connects the two objects: the type of a relation, or the name of a property or reference. */
  readonly edgeType: string
  /** Direction of the connection, seen from `object`. `structural`: one of the two objects is a part of the other. */
  readonly direction: "outgoing" | "incoming" | "structural"
  /** How the objects are connected, for example by a relation or a property. */
  readonly via: "relations" | "links" | "property" | "channel" | "session"
}

export type GraphNode = {
  readonly kind: "entity" | "document" | "project" | "view" | "channel" | "thread" | "session" | "automation" | "command" | "skill" | "track" | "artifact"
  readonly id: string
  readonly name: string | null
  /** Subtype of the object, such as the profile of an entity or the type of a view. */
  readonly subtype: string | null
  /** Subtype and, for an entity, the roles that the entity plays. */
  readonly subtypes: ReadonlyArray<string>
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
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

export type IdentityCandidate = {
  readonly entityId: string
  readonly title: string
  /** Entity kind (profile slug). */
  readonly profileSlug: string
  /** `strong`: an address or a handle is equal. `weak`: the kind and the name are equal. */
  readonly match: "strong" | "weak"
  /** What is equal, such as `email`; `title` means the name. */
  readonly on: ReadonlyArray<string>
}

export type Invitation = {
  readonly id: string
  /** Who the invitation is for, in the words of the inviter. */
  readonly note: string | null
  /** Workspace that the person joins in addition to the pod; null means none. */
  readonly workspaceId: string | null
  /** Membership role of the person in the workspace. */
  readonly role: "viewer" | "editor" | "admin" | null
  readonly createdAt: string
  readonly expiresAt: string
  /** Id of the person who made the invitation. */
  readonly invitedBy: string
  readonly status: "open" | "used" | "withdrawn" | "expired"
  /** When somebody accepted the invitation; null if nobody has. */
  readonly usedAt: string | null
  /** Id of the person who accepted the invitation. */
  readonly usedBy: string | null
  /** When the invitation was withdrawn; null if it was not withdrawn. */
  readonly withdrawnAt: string | null
}

export type InvitationDraft = {
  /** Who the invitation is for, in your words. */
  readonly note?: string | null | undefined
  /** Id of a workspace that the person joins too. You must be its owner or admin when the person accepts. Required if you are neither owner nor administrator of the pod. */
  readonly workspaceId?: string | null | undefined
  /** Membership role of the person in the workspace. Default: `editor`. */
  readonly role?: "viewer" | "editor" | "admin" | null | undefined
  /** How many days the link works. Default: 7. */
  readonly expiresInDays?: number | undefined
}

export type IssuerProgress = {
  readonly status: "pending" | "approved" | "rejected"
  readonly issuerUrl: string
  /** Page where the owner decides on outside services (issuers). */
  readonly adminUrl: string
}

export type IssuerStatus = "pending" | "approved" | "rejected"

export type IssuerWaiting = {
  readonly code: "ISSUER_PENDING_APPROVAL"
  /** Id for `GET /setup/agent/pending/{id}`. */
  readonly pendingId: string
  readonly issuerUrl: string
  /** Page where the owner decides on outside services (issuers). */
  readonly adminUrl: string
  readonly message: string
}

export type KeyStatus = {
  /** Id of the key. The id is not secret. */
  readonly keyId: string
  /** First eight characters of the key's id. */
  readonly keyIdPrefix: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** E-mail address of the key's owner. */
  readonly userEmail: string | null
  /** Name of the key's owner. */
  readonly userName: string | null
  readonly name: string | null
  /** Scopes of the key: which operations the key may call. */
  readonly scopes: ReadonlyArray<string>
  readonly createdAt: string
  /** Time when the key expires; null means never. */
  readonly expiresAt: string | null
  /** Time of the last use of the key; null means never. */
  readonly lastUsedAt: string | null
  /** Id of the key that this key replaced. */
  readonly parentKeyId: string | null
  /** Whether the key works now. */
  readonly isActive: boolean
  /** Type of the key: for a person, an agent, a service or the system. */
  readonly keyType: "user_pat" | "hub_inbound" | "service" | "system"
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Which MCP tools the key has; null means all. */
  readonly toolProfile: ToolProfile | null
  /** What the key may do, in one sentence. */
  readonly summary: string
}

export type KnowledgeDraft = {
  /** Key of the entry, unique in the space. */
  readonly key: string
  /** Value: any JSON. */
  readonly value?: unknown
  /** Group of the entry; null means none. */
  readonly namespace?: string | null | undefined
  readonly slug?: string | null | undefined
  readonly status?: string | undefined
  readonly workspaceId?: string | null | undefined
  /** Free text about the author. Default: the id of the caller. */
  readonly author?: string | null | undefined
}

export type KnowledgeEntry = {
  readonly id: string
  /** Key of the entry, unique in the space. */
  readonly key: string
  /** Value: any JSON. */
  readonly value: unknown
  /** Group of the entry; null means none. */
  readonly namespace: string | null
  readonly slug: string | null
  readonly status: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Free text about the author; the event of the write has the id of the actual author. */
  readonly author: string | null
  /** Version; each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}

export type KnowledgeReplacement = {
  /** Value of the entry. Default: the old value; for a new entry, the empty text. */
  readonly value?: unknown
  readonly status?: string | undefined
  /** Free text about the author. */
  readonly author?: string | null | undefined
  readonly workspaceId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type KnowledgeVersion = {
  /** Version, from 1. Each write adds one. */
  readonly version: number
  /** Value: any JSON. */
  readonly value: unknown
  /** Group of the entry; null means none. */
  readonly namespace: string | null
  readonly slug: string | null
  readonly status: string
  /** Free text about the author; `actorId` is the id of the actual author. */
  readonly author: string | null
  /** Id of the person or agent that wrote the value, or whose proposal a person approved. */
  readonly actorId: string
  /** Id of the event of the write; null for writes before the pod kept versions. */
  readonly eventId: string | null
  readonly at: string
}

export type LinkedUnread = {
  /** Linked channels and threads, from the 500 latest of each in a space, with their unread messages. */
  readonly linked: ReadonlyArray<{
    readonly channelId: string
    readonly title: string | null
    /** Type of the object in `contextObjectId`. */
    readonly contextObjectType: string | null
    /** Id of the object to which the conversation is linked. */
    readonly contextObjectId: string
    /** Number of unread messages from others, at most 1000; of a channel, in its 1000 latest threads. */
    readonly unread: number
  }>
  readonly total: number
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

export type MagicLink = {
  /** Token with which somebody becomes the owner. It works once, within 30 minutes. */
  readonly token: string
  /** Page that accepts the token. */
  readonly url: string
}

export type ManifestDoor = {
  /** Surface: REST, tRPC or MCP. */
  readonly surface: "rest" | "procedure" | "tool"
  readonly name: string
  /** HTTP method, such as GET or POST. */
  readonly method?: string | undefined
  /** Path or name of the operation. */
  readonly path?: string | undefined
  readonly kind: "query" | "mutation"
  /** What a caller needs to call the operation. */
  readonly door: string
  /** Permissions that the grant must have, such as `entity.note.create`; `*` means every permission. */
  readonly permissions: ReadonlyArray<string>
  readonly summary: string
}

export type MappedProfile = {
  readonly slug: string
  readonly name: string
  /** How many entities of the profile the caller may read. The pod counts at most 10,000 in each space. */
  readonly entityCount: number
}

export type MappedProject = {
  readonly id: string
  readonly name: string
  readonly status: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
}

export type MappedWorkspace = {
  readonly id: string
  readonly name: string
  /** Membership role of the person in the workspace. */
  readonly role: string
  /** How many entities of the workspace the caller may read. */
  readonly entityCount: number
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

export type Member = {
  /** Id of the person who owns the record. */
  readonly userId: string
  readonly name: string
  readonly kind: "person" | "agent" | "service"
  readonly role: "owner" | "admin" | "editor" | "viewer"
  readonly joinedAt: string
}

export type MembershipChange = {
  /** New membership role. An agent cannot be an owner. */
  readonly role: "owner" | "admin" | "editor" | "viewer"
}

export type MemoryFact = {
  readonly id: string
  /** Id of the person who owns the fact. */
  readonly userId: string
  /** Text of the fact. A prefix shows the level of the fact. */
  readonly fact: string
  /** How certain the fact is, 0 to 1. */
  readonly confidence: number
  readonly sourceEntityId: string | null
  readonly sourceMessageId: string | null
  /** Time when the pod stored the fact. */
  readonly createdAt: string
  readonly updatedAt: string
  /** What the stored text is: a fact, a turn of a conversation, a summary, a whole conversation (`session`), or an entry of `POST /memory/writes` (`write`). */
  readonly level: "fact" | "turn" | "summary" | "session" | "write"
  /** Who wrote the fact; of several writers, the most trusted one. */
  readonly trust: "import" | "agent" | "person"
  /** Id of the first writer of the fact: the person or an agent. */
  readonly actorId: string
  /** How many writes contained this fact. */
  readonly count: number
  /** Name of the conversation in which the fact was said. */
  readonly sessionId: string | null
  /** Position of the turn in its conversation, starting at 0. */
  readonly turn: number | null
  /** Who said the turn, such as `user` or `assistant`. */
  readonly role: string | null
  /** Time when the fact was said. */
  readonly saidAt: string | null
  /** Name of the fact's topic, if any. */
  readonly target: string | null
  /** Time from which the fact is true. */
  readonly validFrom: string
  /** Time when the fact was superseded or forgotten; null for a current fact. */
  readonly validTo: string | null
  /** Id of the fact that replaces this fact. */
  readonly supersededBy: string | null
  /** Why the fact is no longer true. */
  readonly endReason: string | null
}

export type MemorySessionDraft = {
  /** Name that the client gave the conversation. */
  readonly sessionId: string
  /** Text to remember. */
  readonly summary: string
  readonly userId?: string | null | undefined
  /** Number of turns of the conversation. */
  readonly turnCount?: number | undefined
  /** Words by which people find the conversation. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Further data about the conversation. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** How certain the fact is, 0 to 1. */
  readonly confidence?: number | undefined
  /** Time when the fact was said. */
  readonly saidAt?: string | null | undefined
  /** Whether the fact comes from another system. */
  readonly imported?: boolean | undefined
}

export type Message = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly threadId: string
  /** Who speaks: the user, the assistant or the system. */
  readonly role: "system" | "assistant" | "user"
  readonly content: string
  /** Id of the sender: the person or agent that holds the credential. */
  readonly authorId: string
  /** Id of the focus session that the record belongs to. */
  readonly sessionId: string | null
  /** Data that clients store. */
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly timestamp: string
}

export type MessageBatch = {
  readonly userId?: string | null | undefined
  /** Messages, oldest first. */
  readonly messages: ReadonlyArray<MessageDraft>
}

export type MessageDraft = {
  /** Who speaks: the user, the assistant or the system. */
  readonly role: "system" | "assistant" | "user"
  readonly content: string
  readonly sessionId?: string | null | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
  readonly userId?: string | null | undefined
  /** Ignored: the pod does not answer messages. */
  readonly autoRespond?: boolean | undefined
}

export type MessageSaid = {
  readonly success: true
  readonly messageId: string
}

export type MessagesSaid = {
  readonly messageIds: ReadonlyArray<string>
}

export type Model = {
  readonly id: string
  readonly object: "model"
  /** Always 0: the pod does not know the age of a model. */
  readonly created: number
  /** `pod` if the name begins with `svc/`, else `provider`. */
  readonly owned_by: string
}

/** Id of the vault entry with the key. The entry must be for the host of `url`. Null means no key. */
export type ModelCredentialId = string | null

/** `chat`: the model answers messages. `embedding`: the model makes vectors of texts, with which search compares meanings. */
export type ModelKind = "chat" | "embedding"

export type ModelList = {
  readonly object: "list"
  /** Every model that a completion can use. */
  readonly data: ReadonlyArray<Model>
}

export type ModelProvider = {
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
  /** `chat`: the model answers messages. `embedding`: the model makes vectors of texts, with which search compares meanings. */
  readonly kind: "chat" | "embedding"
  /** Base URL of an OpenAI-compatible service, without `/chat/completions` or `/embeddings`. */
  readonly url: string
  readonly model: string
  /** Id of the vault entry with the key. The entry must be for the host of `url`. Null means no key. */
  readonly credentialId: string | null
  /** Whether the pod uses this provider instead of the model in the pod's settings. */
  readonly isActive: boolean
}

export type ModelProviderChange = {
  readonly name?: string | undefined
  /** Base URL of an OpenAI-compatible service, without `/chat/completions` or `/embeddings`. */
  readonly url?: string | undefined
  readonly model?: string | undefined
  /** Id of the vault entry with the key. The entry must be for the host of `url`. Null means no key. */
  readonly credentialId?: ModelCredentialId | undefined
  readonly expectedVersion?: number | undefined
}

export type ModelProviderDraft = {
  readonly name: string
  /** `chat`: the model answers messages. `embedding`: the model makes vectors of texts, with which search compares meanings. */
  readonly kind?: ModelKind | undefined
  /** Base URL of an OpenAI-compatible service, without `/chat/completions` or `/embeddings`. */
  readonly url: string
  readonly model: string
  /** Id of the vault entry with the key. The entry must be for the host of `url`. Null means no key. */
  readonly credentialId?: ModelCredentialId | undefined
}

export type ModelProviderProbe = {
  /** Whether the service answered and accepted the key. */
  readonly isReady: boolean
  /** Code of the failure; null without a failure. */
  readonly code: string | null
  readonly message: string | null
}

export type NameMatches = {
  /** Objects with this name, newest first, at most 50. */
  readonly matches: ReadonlyArray<{
    readonly kind: GraphKind | "workspace" | "agent"
    readonly id: string
    readonly name: string | null
    /** Subtype of the object, such as the profile of an entity or the type of a view. */
    readonly subtype: string | null
    /** Id of a workspace; null means the personal space. */
    readonly workspaceId: string | null
  }>
  /** Whether exactly one object has this name. */
  readonly unique: boolean
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

export type ObjectTitle = {
  /** Id of the object, as in the request. */
  readonly id: string
  readonly type: "agent" | "automation" | "capability" | "channel" | "document" | "entity" | "playbook" | "project" | "proposal" | "run" | "session" | "skill" | "tool" | "view" | "workspace" | "unknown"
  readonly displayName: string | null
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
}

export type Orientation = {
  /** Who calls: the person, and the agent if an agent calls. */
  readonly identity: {
    readonly id: string
    readonly name: string
    /** Id of the calling agent; null if a person calls. */
    readonly agentId: string | null
    /** Scopes: which operations the credential may call. */
    readonly scopes: ReadonlyArray<string>
  }
  /** Workspaces that the caller may read. */
  readonly workspaces?: ReadonlyArray<MappedWorkspace> | undefined
  /** Projects that the caller may read, newest first. */
  readonly projects?: ReadonlyArray<MappedProject> | undefined
  /** Kinds and roles of entities, most used first. */
  readonly profiles?: ReadonlyArray<MappedProfile> | undefined
  /** Entities that changed last. */
  readonly news?: ReadonlyArray<DigestEntity> | undefined
  /** Proposals that wait for a person, latest first. */
  readonly waiting?: ReadonlyArray<WaitingProposal> | undefined
  /** For each list, how many items the answer leaves out. */
  readonly leftOut: Readonly<Record<string, number>>
  /** First steps for a new agent; present only if `detail` is `full`. */
  readonly onboarding?: ReadonlyArray<string> | undefined
}

export type ParsedRule = {
  /** What the text is: a fact, an action for certain events or times, or a request to act once. */
  readonly classification: RuleClassification
  /** Sentence of the rule, with its clauses. */
  readonly sentence: RuleClauses | null
  /** Automation that would carry out the rule. */
  readonly automation: Automation | null
  /** Clause that the pod could not read, and why. */
  readonly refused: {
    /** Clause that the pod could not read. */
    readonly clause: "when" | "where" | "then"
    /** Why the pod could not read the clause. */
    readonly why: string
  } | null
  /** What the rule is for, in plain words. */
  readonly intent: string
}

export type PodConfig = {
  readonly name: string
  /** Version of the pod. */
  readonly version: string
  /** How many operations each surface (REST, tRPC, MCP) has. */
  readonly surfaces: Readonly<Record<string, number>>
  /** Limits that apply to every caller. */
  readonly limits: Readonly<Record<string, number>>
  /** Which optional parts of the pod are switched on. */
  readonly options: Readonly<Record<string, unknown>>
  /** Templates with which `POST /pod/adopt` can set up a workspace. */
  readonly templates: ReadonlyArray<{
    readonly slug: string
    readonly name: string
    readonly description: string
    /** Entity kinds (profile slugs) that the template adds. */
    readonly profiles: ReadonlyArray<string>
    /** Views that the template adds. */
    readonly views: ReadonlyArray<string>
    /** Trigger words of the commands that the template adds. */
    readonly commands: ReadonlyArray<string>
  }>
}

export type PodNameDraft = {
  /** Name of the pod; null removes the name. */
  readonly name: string | null
}

export type PodPerson = {
  readonly id: string
  readonly name: string
  readonly email: string | null
  /** Whether this person owns the pod. */
  readonly isOwner: boolean
  /** Whether this person is an administrator of the pod, who may invite and suspend people. */
  readonly isAdministrator: boolean
  /** Whether the person is suspended: their sessions and keys, and the keys of their agents, do not work. */
  readonly isSuspended: boolean
  readonly createdAt: string
}

export type ProactivePost = {
  /** Id of the caller; any other id is refused. */
  readonly userId: string
  /** Workspace that the post is about. */
  readonly workspaceId: string
  /** Text of the post; Markdown is allowed. */
  readonly content: string
  /** Type of the post. */
  readonly proactiveType: "insight" | "suggestion" | "alert" | "nudge" | "morning_briefing" | "weekly_digest" | "health_check"
  /** Reason for the post. The person sees it. */
  readonly reasoning?: string | null | undefined
  /** Data that the client stores, at most 10,000 characters as JSON. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
}

export type ProactivePostAnswer = {
  /** Whether the pod wrote the message. */
  readonly posted: boolean
  /** Same as `posted`. */
  readonly delivered: boolean
  /** Id of the thread that contains the message. */
  readonly channelId: string | null
  readonly messageId: string | null
  /** Why the pod wrote no message; null if the pod wrote a message. */
  readonly reason: "rate_limited" | "quiet_hours" | "muted" | null
  /** Why the pod wrote no message, as a sentence for people. */
  readonly detail: string | null
}

export type Profile = {
  readonly id: string
  readonly slug: string
  readonly displayName: string
  /** Whether the profile applies in one workspace or in the whole pod. */
  readonly entityScope: "pod" | "workspace"
  readonly description: string | null
  readonly icon: string | null
  readonly parentProfileId: string | null
  /** `system`: every pod has the profile; `workspace`: one workspace; `user`: one personal space. */
  readonly scope: "system" | "workspace" | "user"
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Values of a new entity for properties that the request leaves out, by property slug. */
  readonly defaultValues: Readonly<Record<string, unknown>>
  /** Hints for clients about display, such as the position in a list (`displayOrder`). */
  readonly uiHints: Readonly<Record<string, unknown>>
  readonly color: string | null
  /** `kind`: an entity kind; `role`: a role that entities can have in addition to their kind. */
  readonly profileKind: "kind" | "role"
  /** For a role: slugs of the kinds that may play it. */
  readonly applicableKinds: ReadonlyArray<string>
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}

export type ProfileChange = {
  /** Id of the caller; any other id is refused. */
  readonly userId?: string | undefined
  readonly displayName?: string | undefined
  readonly description?: string | null | undefined
  readonly icon?: string | null | undefined
  readonly color?: string | null | undefined
  /** Whether the profile applies in one workspace or in the whole pod. */
  readonly entityScope?: EntityScope | undefined
  readonly parentProfileId?: string | null | undefined
  readonly defaultValues?: Readonly<Record<string, unknown>> | undefined
  readonly uiHints?: Readonly<Record<string, unknown>> | undefined
  /** For a role: slugs of the kinds that may play it. */
  readonly applicableKinds?: ReadonlyArray<string> | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type ProfileDraft = {
  /** Id of the caller; any other id is refused. */
  readonly userId?: string | undefined
  readonly workspaceId?: string | null | undefined
  readonly slug: string
  readonly displayName: string
  readonly description?: string | null | undefined
  readonly icon?: string | null | undefined
  readonly color?: string | null | undefined
  /** `kind`: an entity kind; `role`: a role that entities can have in addition to their kind. */
  readonly profileKind?: ProfileKind | undefined
  /** Whether the profile applies in one workspace or in the whole pod. */
  readonly entityScope?: EntityScope | undefined
  readonly parentProfileId?: string | null | undefined
  readonly defaultValues?: Readonly<Record<string, unknown>> | undefined
  readonly uiHints?: Readonly<Record<string, unknown>> | undefined
  /** For a role: slugs of the kinds that may play it. */
  readonly applicableKinds?: ReadonlyArray<string> | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

/** `kind`: an entity kind; `role`: a role that entities can have in addition to their kind. */
export type ProfileKind = "kind" | "role"

export type Project = {
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
  readonly status: "active" | "archived" | "completed"
  /** Settings that clients store. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Data that clients store. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export type ProjectChange = {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  readonly status?: ProjectStatus | undefined
  readonly settings?: Readonly<Record<string, unknown>> | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type ProjectDigest = {
  /** Id of a project. */
  readonly projectId: string
  readonly name: string
  readonly total: number
  /** Number of entities of each kind. The pod stops counting at 10,000. */
  readonly counts: Readonly<Record<string, number>>
  /** Entities that changed last, at most ten. */
  readonly keyEntities: ReadonlyArray<DigestEntity>
  readonly summary: string
  /** Number of entities in each workspace. */
  readonly byWorkspace: ReadonlyArray<DigestWorkspace>
}

export type ProjectDraft = {
  readonly userId?: string | null | undefined
  /** Id of the calling agent; any other id is refused. */
  readonly agentUserId?: string | null | undefined
  readonly workspaceId?: string | null | undefined
  readonly name: string
  readonly description?: string | null | undefined
  readonly status?: ProjectStatus | undefined
  readonly settings?: Readonly<Record<string, unknown>> | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Ids of entities that are evidence for the project. An agent must send them. */
  readonly evidenceEntityIds?: ReadonlyArray<string> | undefined
  /** Whether to create the project even if another project has almost the same name. */
  readonly forceCreate?: boolean | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type ProjectFiling = {
  readonly entityIds: ReadonlyArray<string>
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type ProjectOutput = {
  readonly type: "entity" | "document"
  readonly id: string
  readonly title: string
  readonly updatedAt: string
}

export type ProjectStatus = "active" | "archived" | "completed"

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

export type PropertyDefChange = {
  /** Id of the caller; any other id is refused. */
  readonly userId?: string | undefined
  readonly displayName?: string | null | undefined
  readonly constraints?: Readonly<Record<string, unknown>> | undefined
  readonly uiHints?: Readonly<Record<string, unknown>> | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type PropertyDefDraft = {
  /** Id of the caller; any other id is refused. */
  readonly userId?: string | undefined
  readonly workspaceId?: string | null | undefined
  readonly profileId: string
  readonly slug: string
  readonly displayName?: string | null | undefined
  /** Type of the property's values. */
  readonly valueType: "text" | "number" | "boolean" | "date" | "select" | "multi_select" | "relation" | "entity_id" | "array" | "url" | "email" | "phone" | "json" | "string"
  readonly constraints?: Readonly<Record<string, unknown>> | undefined
  readonly uiHints?: Readonly<Record<string, unknown>> | undefined
  /** `true` makes `workspaceId` required and has no other effect. */
  readonly overlay?: boolean | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type PropertyFill = {
  /** How many of the counted entities have a value for the property. */
  readonly filled: number
  /** Number of counted entities: the pod counts only the latest entities that the caller may read. */
  readonly sampleSize: number
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

export type ProposalDraft = {
  /** Type of the record that the proposal changes. */
  readonly targetType: string
  /** Id of the record; omit this field for a create. */
  readonly targetId?: string | undefined
  /** Kind of the change: `create`, `update`, `delete`, or `<subject>.<action>`. */
  readonly proposalType: string
  readonly workspaceId?: string | null | undefined
  /** Fields of the change; the names depend on the record type. */
  readonly data: Readonly<Record<string, unknown>>
  /** Reason for the change, for the person who decides. */
  readonly reasoning?: string | null | undefined
  /** Id of the focus session that the record belongs to. */
  readonly sessionId?: string | undefined
}

export type ProposalEdit = {
  /** New content, which replaces the whole old content. */
  readonly data: Readonly<Record<string, unknown>>
  /** New summary of the proposal. Only a person may send a summary; for an agent the pod writes the summary. */
  readonly summary?: string | undefined
  /** Revision that you read. If somebody has edited the proposal since, the call fails. */
  readonly expectedRevision?: number | undefined
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

export type ProviderId = "ollama" | "openrouter" | "anthropic" | "openai"

export type ProviderRouting = {
  /** Whether models run locally or at a provider. */
  readonly mode?: "local" | "provider" | "hybrid" | undefined
  /** Model provider for requests that name none. */
  readonly defaultProvider?: ProviderId | undefined
  /** Model provider if the default provider fails. */
  readonly fallbackProvider?: ProviderId | undefined
  /** Model providers. */
  readonly providers?: ReadonlyArray<RoutedProvider> | undefined
  /** A flag for clients; the pod only stores it. */
  readonly syncToService?: boolean | undefined
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

export type PublicProjection = {
  /** Whether a part of the workspace is public. */
  readonly enabled: boolean
  /** Slugs of the entity kinds and roles whose entities are public. */
  readonly roles: ReadonlyArray<string>
  /** Names of the public properties; the name `title` stands for the title. Only these fields, the id and a public role of an entity are public. */
  readonly fields: ReadonlyArray<string>
}

export type QuietHours = {
  /** Beginning of the quiet hours, as `HH:MM`. */
  readonly from: string
  /** End of the quiet hours, as `HH:MM`. An end that is earlier than `from` is on the next day. */
  readonly to: string
  /** IANA time zone, such as `Europe/Berlin`. */
  readonly timezone: string
}

export type RankedEntity = {
  readonly id: string
  readonly title: string
  /** Score of the entity; the sum of all scores is 1. */
  readonly score: number
}

export type RankedItem = {
  readonly id: string
  readonly title: string
  readonly score: number
  readonly rank: number
}

export type Reaction = {
  readonly kind: "automation" | "ai_feed" | "ai_react" | "notify" | "webhook" | "message_out"
  /** Name of what reacted to the event, such as the name of a webhook. */
  readonly label: string
  readonly status?: "success" | "pending" | "failed" | undefined
  /** HTTP status in the answer of a webhook's receiver. */
  readonly responseStatus?: string | undefined
  /** Why the reaction failed, or its result. */
  readonly detail?: string | undefined
}

export type ReactionEvent = {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  /** What happened, in one line. */
  readonly subject: string
  /** Id of the object. */
  readonly subjectId?: string | undefined
  /** First word of the event type. */
  readonly subjectType?: string | undefined
  /** Name of the object, if the caller may read it. */
  readonly subjectName?: string | undefined
  /** Name of the person or agent that acted. */
  readonly actor: string
  /** Whether an agent or an AI service acted. */
  readonly actorAI: boolean
  /** Id that all events of one request share. */
  readonly correlationId?: string | undefined
  /** Whether the event reports a failure. */
  readonly failed?: boolean | undefined
  /** Whether the event came from outside the pod. */
  readonly inbound?: boolean | undefined
  /** Whether the event waits for the decision of a person. */
  readonly pending?: boolean | undefined
  /** Id of the proposal that the event is about. */
  readonly proposalId?: string | undefined
  /** Reactions to the event. */
  readonly reactions: ReadonlyArray<Reaction>
}

export type ReadMarked = {
  readonly success: true
  readonly channelId: string
  /** Id of the last message that is marked as read; null if none. */
  readonly lastMessageId: string | null
}

export type RecalledEntities = {
  /** Entities, best first. */
  readonly entities: ReadonlyArray<Entity>
  /** How the pod found the entities. */
  readonly source: "hybrid"
}

export type RecalledFact = {
  /** The fact that was found. */
  readonly fact: MemoryFact
  /** Score of the fact for this question; a higher score comes first. */
  readonly score: number
  /** Words of the question that the fact contains in some form. If the list is empty, the meaning of the fact or a neighbouring turn fits the question. */
  readonly words: ReadonlyArray<string>
}

export type Rejection = {
  /** Why you reject or withdraw the proposal. */
  readonly reason?: string | undefined
  /** Code of the reason, for programs. */
  readonly reasonCode?: "incorrect" | "incomplete" | "not_wanted" | "duplicate" | "unsafe" | "other" | undefined
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

export type RelationDefChange = {
  readonly displayName?: string | undefined
  readonly description?: string | null | undefined
  /** Whether the relation has a direction. */
  readonly isDirectional?: boolean | undefined
  /** Label of the relation, seen from the target. */
  readonly inverseLabel?: string | null | undefined
  /** Entity kinds (profile slugs) that are allowed at this end of the relation; an empty list means all. */
  readonly sourceKinds?: ReadonlyArray<string> | undefined
  /** Entity kinds (profile slugs) that are allowed at this end of the relation; an empty list means all. */
  readonly targetKinds?: ReadonlyArray<string> | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type RelationDefDraft = {
  readonly workspaceId?: string | null | undefined
  readonly slug: string
  readonly displayName: string
  readonly description?: string | null | undefined
  /** Whether the relation has a direction. */
  readonly isDirectional?: boolean | undefined
  /** Label of the relation, seen from the target. */
  readonly inverseLabel?: string | null | undefined
  /** Entity kinds (profile slugs) that are allowed at this end of the relation; an empty list means all. */
  readonly sourceKinds?: ReadonlyArray<string> | undefined
  /** Entity kinds (profile slugs) that are allowed at this end of the relation; an empty list means all. */
  readonly targetKinds?: ReadonlyArray<string> | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type RelationDraft = {
  readonly userId?: string | null | undefined
  /** Id of the calling agent; any other id is refused. */
  readonly agentUserId?: string | null | undefined
  /** Workspace of the relation; null means the personal space. Default: the space of the source entity. */
  readonly workspaceId?: string | null | undefined
  /** Id of the entity that the relation starts from. */
  readonly sourceEntityId: string
  /** Id of the entity that the relation leads to; for `belongs_to_project`, of the project. */
  readonly targetEntityId: string
  readonly type: string
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Id of the message that the record comes from. */
  readonly sourceMessageId?: string | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
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

export type Resolved = {
  readonly type: "agent" | "automation" | "capability" | "channel" | "document" | "entity" | "playbook" | "project" | "proposal" | "run" | "session" | "skill" | "tool" | "view" | "workspace" | "unknown"
  /** Id of the object to open. It can differ from the id in the request. */
  readonly id: string
  readonly displayName: string | null
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  readonly updatedAt: string | null
  /** Entity kind (profile slug). */
  readonly profileSlug: string | null
  /** Whether a client can open an object of this type. */
  readonly openable: boolean
  /** Further parameters for opening the object. */
  readonly params: Readonly<Record<string, string>>
}

export type RetrievalRequest = {
  /** Question. Quotes mark a phrase; a minus before a word or a filter excludes what matches it. Filters: `type:`, `project:`, `in:` (a workspace), `by:` (an id or `me`), `before:`, `after:`. */
  readonly query: string
  readonly workspaceId?: string | null | undefined
  readonly projectId?: string | null | undefined
  /** Largest number of items of each substrate (group of records). Default: 10. */
  readonly limit?: number | undefined
  /** Whether to make a second ranking by words alone, and to show how the two rankings differ. */
  readonly compare?: boolean | undefined
  /** Whether to show only how the pod understands the question. */
  readonly parseOnly?: boolean | undefined
}

export type RetrievalResult = {
  readonly query: string
  /** Substrates (groups of records) that the pod searched. */
  readonly routedTo: ReadonlyArray<Substrate>
  /** Substrate (group of records) that the words of the question indicate. */
  readonly intent: "semantic" | "structured" | "procedural" | "episodic"
  /** Substrate (group of records) with the best answer. */
  readonly primary: "semantic" | "structured" | "procedural" | "episodic"
  /** Found items of each substrate (group of records) that the pod searched. The substrate in `primary` comes first. */
  readonly answers: ReadonlyArray<{
    /** Substrate (group of records) of the source. */
    readonly substrate: "semantic" | "structured" | "procedural" | "episodic"
    /** Found items, best first. */
    readonly items: ReadonlyArray<RetrievedItem>
    readonly status: "ok" | "error"
  }>
  /** Parts of the search that failed or are incomplete, such as `semantic` or `semantic:index-full`. */
  readonly degraded: ReadonlyArray<string>
  /** How the pod understood the question. */
  readonly understanding: Understanding
  /** Whether the best items contain the words of the question; the answer itself is not checked. */
  readonly verdict: "confident" | "ambiguous" | "empty"
  /** Proposals that match the question and wait for a person. */
  readonly pending?: {
    /** What the proposals mean for the answer, in words. */
    readonly notice: string
    /** Proposals, best match first. */
    readonly matches: ReadonlyArray<{
      readonly proposalId: string
      /** Kind of the change, such as `entity.create`. */
      readonly proposalType: string
      readonly summary: string
      /** Title of the record that the proposal would write. */
      readonly entityTitle: string
      /** Entity kind (profile slug) of the record. */
      readonly profileSlug: string
      /** Path of the page where a person approves or rejects the proposal. */
      readonly reviewPath: string
      /** URL of the page in `reviewPath`. */
      readonly reviewUrl: string
      readonly score: number
    }>
  } | undefined
  readonly spaces?: SpaceMatches | null | undefined
  /** Two rankings: one by matching words (`baseline`), and the full one (`horizon`). */
  readonly comparison?: {
    /** Ranking by matching words only. */
    readonly baseline: ReadonlyArray<RankedItem>
    /** Full ranking, which the answer uses. */
    readonly horizon: ReadonlyArray<RankedItem>
    /** Differences between the two rankings. */
    readonly diff: {
      /** Share of the items that are in both rankings, from 0 to 1. */
      readonly overlapAtN: number
      /** Items that have different ranks in the two rankings. */
      readonly moved: ReadonlyArray<{
        readonly id: string
        readonly title: string
        /** Rank in `baseline`; null if the item is not there. */
        readonly baselineRank: number | null
        /** Rank in `horizon`; null if the item is not there. */
        readonly horizonRank: number | null
      }>
    }
  } | undefined
}

export type RetrievedEntities = {
  /** Entities, best first. */
  readonly entities: ReadonlyArray<Entity>
  /** How the pod understood the question. */
  readonly understanding: Understanding
  /** How the pod found the entities. */
  readonly source: "hybrid"
  /** Whether the best items contain the words of the question; the answer itself is not checked. */
  readonly verdict: "confident" | "ambiguous" | "empty"
}

export type RetrievedItem = {
  readonly id: string
  readonly title: string
  /** Passage of the text that fits the question best. */
  readonly snippet: string
  /** Start and end of each matched word in the snippet, in UTF-16 units. */
  readonly marks: ReadonlyArray<{
    /** Where the matched word begins in the snippet. */
    readonly from: number
    /** Position after the matched word. */
    readonly to: number
  }>
  /** Score of the item: higher is better. Scores of different substrates cannot be compared. */
  readonly score: number
  /** Substrate (group of records) in which the pod found the item. */
  readonly substrate: "semantic" | "structured" | "procedural" | "episodic"
  /** Why the search found the item. */
  readonly why: string
  /** Type of the record: `entity`, `document`, `knowledge` or `memory`. */
  readonly type: string
  /** Entity kind (profile slug). */
  readonly profileSlug?: string | undefined
  readonly workspaceId?: string | null | undefined
  /** Id of the document with the matching text. */
  readonly documentId?: string | undefined
  /** Key of a knowledge entry. */
  readonly key?: string | undefined
  /** Id of the conversation that the memory comes from. */
  readonly sessionId?: string | null | undefined
  readonly updatedAt?: string | undefined
}

export type RevisionChoice = {
  /** Number of the revision, starting at 1. */
  readonly revision: number
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type RoutedProvider = {
  readonly id: "ollama" | "openrouter" | "anthropic" | "openai"
  /** Whether the provider is in use. */
  readonly enabled?: boolean | undefined
  /** Base URL of the provider. */
  readonly baseUrl?: string | undefined
  /** Model for requests that name no model. */
  readonly defaultModel?: string | undefined
}

export type RuleClassification = {
  /** Shapes that the text of the rule can have. */
  readonly shapes: ReadonlyArray<{
    /** One shape that the text of the rule can have. */
    readonly shape: "structure" | "fact" | "behaviour" | "extraction" | "notification" | "schedule" | "unknown"
    /** How certain the pod is that the text has the shape, from 0 to 1. */
    readonly confidence: number
    /** Words of the text that indicate the shape. */
    readonly cues: ReadonlyArray<string>
  }>
  /** The most likely shape of the text. */
  readonly primary: "structure" | "fact" | "behaviour" | "extraction" | "notification" | "schedule" | "unknown"
  /** Whether the action should happen only once. */
  readonly oneShot: boolean
  /** A question for the person, if the text is unclear. */
  readonly needsClarification?: {
    /** Why the text is unclear, as a sentence for people. */
    readonly reason: string
    readonly question: string
  } | undefined
}

export type RuleClassifyRequest = {
  readonly text: string
  /** Names of actions and entity kinds that the text might mention. They help the pod to understand the text. */
  readonly context?: {
    /** Capabilities of the agent: what the agent may write. */
    readonly capabilities?: ReadonlyArray<string> | undefined
    /** Entity kinds (profile slugs) of the workspace. */
    readonly profiles?: ReadonlyArray<string> | undefined
  } | undefined
}

export type RuleClauses = {
  /** Event or time that starts the rule. */
  readonly when: string
  /** Records that the rule acts on. */
  readonly where: string | null
  /** What the rule does. */
  readonly then: string
}

export type RuleParseRequest = {
  readonly text: string
  readonly workspaceId?: string | null | undefined
}

export type RuleScope = {
  readonly kind: "pod" | "workspace" | "user"
  readonly workspaceId?: string | null | undefined
  readonly projectId?: string | null | undefined
}

/** Sentence of the rule, with its clauses. */
export type RuleSentence = {
  /** Event or schedule that starts the rule. */
  readonly when: string
  /** Records that the rule acts on. */
  readonly where?: string | null | undefined
  /** What the rule does. */
  readonly then: string
} | string

/** Language of the texts of the workspace: the search compares word stems in this language. */
export type SearchLanguage = "english" | "german" | "french" | "spanish" | "simple"

export type ServiceSetup = {
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string
  /** Key of the agent or service. Only this answer shows the key. */
  readonly hubApiKey: string
  /** Id of the key. The id is not secret. */
  readonly keyId: string
  /** Scopes of the key. */
  readonly scope: ReadonlyArray<string>
  /** Time when the key expires; null means never. */
  readonly expiresAt: string | null
}

export type ServiceSetupDraft = {
  /** Workspace that the key is limited to. */
  readonly workspaceId: string
  readonly name?: string | undefined
  /** Scopes of the key. */
  readonly scope?: ReadonlyArray<"hub-protocol.read" | "hub-protocol.write" | "mcp.read" | "mcp.write" | "skills.invoke" | "chat.stream" | "read:entities" | "write:entities" | "ai:analyze" | "realtime:observe"> | undefined
  /** Permissions and limits of the key. */
  readonly grant?: GrantRequest | undefined
  /** How many days the key is valid. Default: 90. Null means that the key never expires. */
  readonly expiresInDays?: number | null | undefined
}

export type SetupIssuer = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  /** URL of the issuer: the `iss` of its assertions. */
  readonly issuerUrl: string
  readonly status: "pending" | "approved" | "rejected"
  /** Type of the agent that the issuer requested at first; null for a service key. */
  readonly agentType: string | null
}

export type SetupStatus = {
  /** Whether the pod has an owner. */
  readonly hasAdmin: boolean
  /** Whether somebody still has to become the owner. */
  readonly needsSetup: boolean
  /** Number of workspaces; absent once the pod has an owner. */
  readonly workspaceCount?: number | undefined
  /** Name that the owner gave the pod; absent if the pod has no name. */
  readonly podName?: string | undefined
}

export type SimilarFacts = {
  /** Id of the caller; any other id is refused. */
  readonly userId: string
  readonly embedding: ReadonlyArray<number>
  /** Largest number of facts to return. */
  readonly limit?: number | undefined
  /** Find the facts that were true at this time. Default: now. */
  readonly asOf?: string | undefined
  /** Only facts that this kind of writer wrote. */
  readonly trust?: "import" | "agent" | "person" | undefined
  /** Only facts of this level, such as `turn` or `summary`. */
  readonly level?: "fact" | "turn" | "summary" | "session" | "write" | undefined
  /** Only facts of the conversation with this name. */
  readonly sessionId?: string | undefined
}

export type Skill = {
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
  /** What the model should do. `{{name}}` stands for the parameter of this name. */
  readonly prompt: string
  /** JSON schema of the input. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Name of the model that the skill needs; null means any model. */
  readonly model: string | null
  /** Longest time of a run, in seconds. */
  readonly timeoutSeconds: number
  /** Whether the skill can be run. */
  readonly isActive: boolean
  /** Who may run the skill. `user`: its creator; `workspace`: everybody in its workspace; `pod`: all agents and keys of its creator. */
  readonly scope: "pod" | "workspace" | "user"
}

export type SkillChange = {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  /** What the model should do. `{{name}}` stands for the parameter of this name. */
  readonly prompt?: string | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  /** Name of the model that the skill needs; null means any model. */
  readonly model?: SkillModel | undefined
  /** Longest time of a run, in seconds. */
  readonly timeoutSeconds?: number | undefined
  /** Whether the skill can be run. */
  readonly isActive?: boolean | undefined
  /** Who may run the skill. `user`: its creator; `workspace`: everybody in its workspace; `pod`: all agents and keys of its creator. */
  readonly scope?: SkillScope | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type SkillDraft = {
  readonly workspaceId?: string | null | undefined
  readonly name: string
  readonly description?: string | null | undefined
  /** What the model should do. `{{name}}` stands for the parameter of this name. */
  readonly prompt: string
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  /** Name of the model that the skill needs; null means any model. */
  readonly model?: SkillModel | undefined
  /** Longest time of a run, in seconds. */
  readonly timeoutSeconds?: number | undefined
  /** Whether the skill can be run. */
  readonly isActive?: boolean | undefined
  /** Who may run the skill. `user`: its creator; `workspace`: everybody in its workspace; `pod`: all agents and keys of its creator. */
  readonly scope?: SkillScope | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type SkillInput = {
  /** Values of the parameters of the skill, by name. */
  readonly input?: Readonly<Record<string, unknown>> | undefined
}

/** Name of the model that the skill needs; null means any model. */
export type SkillModel = string | null

export type SkillResult = {
  readonly success: true
  /** What the model wrote. */
  readonly result: string
  /** Duration of the run, in milliseconds. */
  readonly executionTimeMs: number
}

/** Who may run the skill. `user`: its creator; `workspace`: everybody in its workspace; `pod`: all agents and keys of its creator. */
export type SkillScope = "pod" | "workspace" | "user"

export type SourceEdges = {
  readonly ok: true
  readonly status: "updated"
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string
  /** Roles of each data source. */
  readonly sourceRoles: Readonly<Record<string, unknown>>
  /** Default data source of each role. */
  readonly defaultSources: Readonly<Record<string, unknown>>
}

/** Numbers of matches in workspaces that the search did not cover. */
export type SpaceMatches = {
  /** Number of matches in each workspace, by kind. */
  readonly matches: ReadonlyArray<{
    /** Id of a workspace; null means the personal space. */
    readonly workspaceId: string
    readonly name: string
    /** Description of the workspace. */
    readonly purpose: string
    /** Number of matches of each entity kind or other record type. */
    readonly kinds: ReadonlyArray<{
      readonly slug: string
      readonly count: number
    }>
  }>
}

export type Substrate = "semantic" | "structured" | "procedural" | "episodic"

export type TextChange = {
  /** What the change does to the text. */
  readonly op: "insert" | "delete" | "replace"
  /** Position of the insertion, in characters from 0. */
  readonly position?: number | undefined
  /** Range of the text to delete or replace. */
  readonly range?: {
    /** Position of the first character of the range, from 0. */
    readonly start: number
    /** Position after the last character of the range. */
    readonly end: number
  } | undefined
  /** Text to insert, or the replacement. */
  readonly text?: string | undefined
}

export type Thread = {
  readonly id: string
  /** Id of the person who owns the record. */
  readonly userId: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Version, from 1. Each write adds one. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly title: string | null
  /** Id of the assigned agent: an agent of the person who assigned the thread. */
  readonly assignedAgentId: string | null
  /** Id of the parent channel or thread, in the same space. */
  readonly parentChannelId: string | null
  /** Why the thread branches off its parent. */
  readonly branchPurpose: string | null
  /** A summary of the thread so far. */
  readonly contextSummary: string | null
  readonly status: string | null
  /** Id of the object that the thread is about. */
  readonly contextObjectId: string | null
  /** Type of the object in `contextObjectId`. */
  readonly contextObjectType: string | null
  /** Source system of the thread. A space has one thread per `externalSource` and `externalId`. */
  readonly externalSource: string | null
  /** Id of the thread in its source system. */
  readonly externalId: string | null
}

export type ThreadBegun = {
  readonly id: string
  readonly title?: string | undefined
  /** Whether the thread existed before this call. */
  readonly reused?: boolean | undefined
}

export type ThreadChange = {
  /** Id of the caller's agent to which the thread is assigned. */
  readonly agentId?: string | null | undefined
  readonly title?: string | null | undefined
  /** Why the thread branches off its parent. */
  readonly branchPurpose?: string | null | undefined
  /** A summary of the thread so far. */
  readonly contextSummary?: string | null | undefined
  readonly status?: string | null | undefined
  /** Id of the object that the thread is about. */
  readonly contextObjectId?: string | null | undefined
  readonly contextObjectType?: string | null | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type ThreadDraft = {
  readonly workspaceId?: string | null | undefined
  readonly userId?: string | null | undefined
  /** Id of the caller's agent to which the thread is assigned. */
  readonly agentId?: string | null | undefined
  readonly title?: string | null | undefined
  /** Id of the parent channel or thread, in the same space. */
  readonly parentChannelId?: string | null | undefined
  /** Why the thread branches off its parent. */
  readonly branchPurpose?: string | null | undefined
  /** A summary of the thread so far. */
  readonly contextSummary?: string | null | undefined
  readonly status?: string | null | undefined
  /** Id of the object that the thread is about. */
  readonly contextObjectId?: string | null | undefined
  readonly contextObjectType?: string | null | undefined
  /** Source system of the thread. A space has one thread per `externalSource` and `externalId`. */
  readonly externalSource?: string | null | undefined
  /** Id of the thread in its source system. */
  readonly externalId?: string | null | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type TitleQuery = {
  /** Ids of objects of any type. */
  readonly ids: ReadonlyArray<string>
}

/** Numbers of tokens that the provider counted; zeros if the provider did not count. */
export type TokenUsage = {
  /** Number of tokens of the conversation and its sources. */
  readonly prompt_tokens: number
  /** Number of tokens of the answer. */
  readonly completion_tokens: number
  readonly total_tokens: number
}

export type ToolProfile = "entry" | "builder"

export type Track = {
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
  readonly status: "active" | "paused" | "completed" | "archived"
  /** Id of the project that the track belongs to. */
  readonly projectId: string | null
  /** Settings that clients store. */
  readonly settings: Readonly<Record<string, unknown>>
}

export type TrackChange = {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  readonly status?: TrackStatus | undefined
  readonly projectId?: string | null | undefined
  readonly settings?: Readonly<Record<string, unknown>> | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type TrackDraft = {
  readonly workspaceId?: string | null | undefined
  readonly name: string
  readonly description?: string | null | undefined
  readonly status?: TrackStatus | undefined
  readonly projectId?: string | null | undefined
  readonly settings?: Readonly<Record<string, unknown>> | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type TrackStatus = "active" | "paused" | "completed" | "archived"

export type TraversedEntity = {
  readonly entityId: string
  /** Number of relations from the start to the entity. */
  readonly depth: number
  readonly title: string | null
  /** Entity kind (profile slug). */
  readonly entityType: string | null
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  /** Id of the relation by which the search reached the entity. */
  readonly relationId: string
  /** Type of the relation by which the search reached the entity. */
  readonly relationType: string
  /** Whether the search followed the relation forwards or backwards. */
  readonly direction: "outgoing" | "incoming"
  /** Ids of the entities on the path, the start first. */
  readonly via: ReadonlyArray<string>
  /** Present only in the last row: true if the list leaves out entities because of the limit. */
  readonly truncated?: true | undefined
}

export type TurnsDraft = {
  /** Name that the client gave the conversation. */
  readonly sessionId: string
  /** Turns of the conversation, oldest first. */
  readonly turns: ReadonlyArray<{
    readonly role: "user" | "assistant" | "system"
    /** Text to remember. */
    readonly content: string
    /** Time when the fact was said. */
    readonly saidAt?: string | null | undefined
  }>
  readonly userId?: string | null | undefined
  readonly summary?: string | null | undefined
  /** How certain the facts are, from 0 to 1. Default: 0.8, and 0.9 for the summary. */
  readonly confidence?: number | undefined
  /** Embedding of the text; a vector of zeros means no embedding. */
  readonly embedding?: ReadonlyArray<number> | undefined
  readonly sourceEntityId?: string | null | undefined
  readonly sourceMessageId?: string | null | undefined
  /** Time of each turn that has no `saidAt` of its own. */
  readonly saidAt?: string | null | undefined
  /** Whether the fact comes from another system. */
  readonly imported?: boolean | undefined
}

export type Understanding = {
  /** Entity kinds (profile slugs) that the question mentions. */
  readonly profileTypes: ReadonlyArray<string>
  /** Always empty: the pod recognises no properties in a question. */
  readonly propertyHints: ReadonlyArray<string>
  /** Whether the question is about a time. */
  readonly temporal: boolean
  /** How clearly the words indicate the substrate, from 0 to 1. */
  readonly confidence: number
  /** Words that the pod searched for, without filters. */
  readonly text: string
  /** Phrases in quotes. */
  readonly phrases: ReadonlyArray<string>
  /** Words that the question excludes. */
  readonly excluded: ReadonlyArray<string>
  /** The filters in the question, each with its values. `makers` has the values of the filter `by:`, as ids of people and agents. */
  readonly filters: Readonly<Record<string, unknown>>
  /** Misspelt words, each with the word that the search used instead. */
  readonly corrected: ReadonlyArray<{
    /** Misspelt word of the question. */
    readonly from: string
    /** Word that the pod searched for instead. */
    readonly to: string
  }>
}

export type UnreadCount = {
  readonly count: number
  /** True if more notifications are unread than `count`, which is at most 200. */
  readonly hasMore: boolean
}

export type UserContext = {
  /** The `userId` from the path. The answer is always about the caller. */
  readonly userId: string
  /** Preferences of the person. */
  readonly preferences: Readonly<Record<string, unknown>>
  /** Latest activity of the caller, newest first. */
  readonly recentActivity: ReadonlyArray<Activity>
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

export type ViewArrangement = {
  /** Widgets of the view, in the order in which clients show them. */
  readonly widgets: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type ViewChange = {
  readonly userId?: string | null | undefined
  readonly name?: string | undefined
  readonly type?: ViewType | undefined
  /** Id of the profile whose entities the view shows. */
  readonly profileId?: string | null | undefined
  readonly config?: Readonly<Record<string, unknown>> | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  readonly expectedVersion?: number | undefined
}

export type ViewDraft = {
  readonly workspaceId?: string | null | undefined
  readonly userId?: string | null | undefined
  readonly name: string
  readonly type: "table" | "list" | "grid" | "gallery" | "kanban" | "matrix" | "masonry" | "calendar" | "flow" | "bento" | "branch_tree" | "whiteboard"
  /** Id of the profile whose entities the view shows. */
  readonly profileId?: string | null | undefined
  readonly config?: Readonly<Record<string, unknown>> | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export type ViewType = "table" | "list" | "grid" | "gallery" | "kanban" | "matrix" | "masonry" | "calendar" | "flow" | "bento" | "branch_tree" | "whiteboard"

export type WaitingProposal = {
  readonly id: string
  readonly summary: string
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string | null
  readonly createdAt: string
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

export type WorkflowEntity = {
  readonly success: true
  readonly entityId: string
  /** Id of the event of the write. Absent if an equal entity existed and the write changed nothing, or if you may not read the event. */
  readonly eventId?: string | undefined
  readonly message: string
}

export type WorkflowEntityDraft = {
  readonly type: "note" | "task" | "project"
  /** Title of the record. Default: the first line of the content. */
  readonly title?: string | undefined
  readonly content: string
  /** Words by which people find the record; not for a project. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Further properties of the record. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** `true`: create the record even if another has almost the same name. `false`: look for duplicates of every type. Default: look only for those of projects. */
  readonly forceCreate?: boolean | undefined
  readonly workspaceId?: string | null | undefined
}

export type WorkflowQuestion = {
  /** Question or words to search for. */
  readonly query: string
  /** Largest number of results. */
  readonly limit?: number | undefined
  /** Entity kind (profile slug), or `all`. */
  readonly type?: string | undefined
}

export type WorkflowResults = {
  /** Found entities, best match first. */
  readonly results: ReadonlyArray<{
    readonly entityId: string
    readonly title: string
    /** Entity kind (profile slug). */
    readonly type: string
    /** Passage of the text that fits the question best. */
    readonly preview: string
    /** Always null: entities have no file of their own. */
    readonly fileUrl: null
    /** How well the result matches; a higher score is better. */
    readonly relevanceScore: number
  }>
  readonly query: string
  readonly count: number
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

export type WorkspaceChange = {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  /** Language of the texts of the workspace: the search compares word stems in this language. */
  readonly searchLanguage?: SearchLanguage | undefined
  readonly reasoning?: string | null | undefined
}

export type WorkspaceDefinition = {
  /** A text of your choice: another call with the same text returns the same workspace. */
  readonly proposalId?: string | undefined
  readonly workspaceName?: string | undefined
  /** Name that the client gives its template; the pod only stores it. */
  readonly templateId?: string | undefined
  readonly templateName?: string | undefined
  /** Purpose of the workspace. */
  readonly workspaceType?: "personal" | "agent" | "project" | "operational" | undefined
  /** Ignored: the calling person, or the person of the calling agent, owns the workspace. */
  readonly ownerUserId?: string | undefined
  /** Entity kinds (profile slugs) to add to the workspace. */
  readonly profiles?: ReadonlyArray<{
    readonly slug: string
    readonly displayName: string
  } & Readonly<Record<string, unknown>>> | undefined
} & Readonly<Record<string, unknown>>

export type WorkspaceDetail = {
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
  /** Version, from 1. */
  readonly version: number
  /** Public part of the workspace; null means that nothing is public. */
  readonly publicProjection: PublicProjection | null
  /** Language of the texts of the workspace: the search compares word stems in this language. */
  readonly searchLanguage: "english" | "german" | "french" | "spanish" | "simple"
  /** Members: people and agents. */
  readonly members: ReadonlyArray<Member>
}

export type WorkspaceDigest = {
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string
  readonly name: string
  readonly total: number
  /** Number of entities of each kind. The pod stops counting at 10,000. */
  readonly counts: Readonly<Record<string, number>>
  /** Entities that changed last, at most ten. */
  readonly keyEntities: ReadonlyArray<DigestEntity>
  readonly summary: string
}

export type WorkspaceProviderRouting = {
  readonly ok: true
  /** Id of a workspace; null means the personal space. */
  readonly workspaceId: string
  /** Model providers of the workspace. */
  readonly eveProviderRouting: ProviderRouting | null
}

export type WritesDraft = {
  /** Entries: what to remember, update or forget. */
  readonly entries: ReadonlyArray<{
    /** What to do with the fact. */
    readonly action: "remember" | "update" | "forget"
    /** Name of the topic, or the id of a fact to update or forget. */
    readonly target: string
    /** Text of the fact, for `remember` and `update`. */
    readonly content: string
  }>
  readonly userId?: string | null | undefined
  /** How certain the fact is, 0 to 1. */
  readonly confidence?: number | undefined
  /** Whether the fact comes from another system. */
  readonly imported?: boolean | undefined
}

export type WrittenFacts = {
  readonly success: boolean
  /** Written facts, then ended facts, if the caller may read them. */
  readonly facts: ReadonlyArray<MemoryFact>
  /** Number of facts that the request wrote or ended. */
  readonly count: number
}

/** What each route takes (`params` of the path, `query`, `body`) and answers. */
export interface HubRoutes {
  /** Check that the pod answers, and read the hash of its database schema. */
  "GET /api/hub/health": {
    answer: {
      readonly status: string
      /** Name of this server. */
      readonly service: string
      /** Hash of the database schema; each migration changes it. */
      readonly schemaHash: string
    }
  }
  /** List every operation of the pod and what a caller needs for each. */
  "GET /api/hub/manifest": {
    answer: {
      /** Version of the format of this answer. */
      readonly version: string
      readonly description: string
      /** Links to more information, by topic. */
      readonly discoveryEndpoints: Readonly<Record<string, string>>
      /** Types of views that the pod stores. */
      readonly viewTypes: ReadonlyArray<{
        readonly type: string
        /** Whether a view can have this type. */
        readonly implemented: boolean
        /** What the type is for. */
        readonly when: string
        /** Fields of `config` that the view type uses. */
        readonly configKeys: ReadonlyArray<string>
      }>
      /** Kinds of widgets that a page can have. */
      readonly bentoBlockKinds: ReadonlyArray<string>
      /** Always empty. */
      readonly browserNativeCells: ReadonlyArray<string>
      /** Rules for clients, in words. */
      readonly rules: ReadonlyArray<string>
      /** All operations, each with what a caller needs for it. */
      readonly doors: ReadonlyArray<ManifestDoor>
    }
  }
  /** Read who the caller is (a person or an agent), and the scopes of the credential. */
  "GET /api/hub/users/me": {
    answer: Me
  }
  /** List the people of the pod in the order in which they joined. Only for the pod's owner and administrators. */
  "GET /api/hub/people": {
    query: {
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<PodPerson>
  }
  /** Suspend a person with all their keys and agents, or appoint an administrator. Only for the pod's owner and administrators. */
  "PATCH /api/hub/people/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: {
      /** `true` suspends the person: all calls of the person and of the person's agents stop at once. `false` ends the suspension. */
      readonly isSuspended?: boolean | undefined
      /** `true` makes the person an administrator, who may invite people and suspend members. Only the pod's owner may set this. */
      readonly isAdministrator?: boolean | undefined
    }
    answer: PodPerson
  }
  /** Change your name. Your keys and sessions stay valid. */
  "PATCH /api/hub/users/me": {
    body: {
      /** Your new name. Other people see it. */
      readonly name: string
    }
    answer: {
      readonly id: string
      readonly name: string
    }
  }
  /** Change your password. Send the current password too. The change ends your other sessions; your keys stay valid. */
  "POST /api/hub/users/me/password": {
    body: {
      readonly currentPassword: string
      /** 12 to 128 characters. */
      readonly newPassword: string
    }
    answer: {
      readonly success: true
      /** How many of your other sign-in sessions this call ended. */
      readonly endedSessions: number
      readonly message: string
    }
  }
  /** Set a new password for the owner; the current password is not needed. */
  "POST /api/hub/setup/owner-password": {
    body: {
      /** 12 to 128 characters. */
      readonly newPassword: string
    }
    answer: {
      readonly success: true
      readonly email: string | null
      /** How many sign-in sessions of the owner this call ended. */
      readonly endedSessions: number
    }
  }
  /** Make a backup of the whole pod. */
  "POST /api/hub/setup/backups": {
    body: {
      /** `true`: leave out the secrets. The restored pod then cannot use its keys, sessions and vault. */
      readonly withoutSecrets?: boolean | undefined
      /** Absolute path of a folder on the machine of the pod. Default: the folder in the settings. */
      readonly folder?: string | undefined
      /** How many backups to keep in the folder. Default: the number in the settings. */
      readonly keep?: number | undefined
    }
    answer: {
      /** Path of the backup file on the machine of the pod. */
      readonly path: string
      readonly sizeBytes: number
      /** Paths of the older backups that the pod deleted. */
      readonly deleted: ReadonlyArray<string>
    }
  }
  /** Remove your oldest sample workspace with everything in it. Only for the pod's owner. */
  "POST /api/hub/setup/sample-removal": {
    answer: {
      /** 1 if the call removed a sample workspace, 0 if you have none. */
      readonly removed: 0 | 1
      /** Number of sample workspaces that other people own and that you can read. The call does not remove them. */
      readonly kept: number
    }
  }
  /** Make a delivery of the sample data: two calls of a webhook that failed, and one that succeeded. */
  "POST /api/hub/setup/sample-delivery": {
    body: {
      /** Your webhook with an address in `.example` and no deliveries. */
      readonly webhookId: string
      /** Your event in your own sample workspace. */
      readonly eventId: string
    }
    answer: {
      /** Id of the delivery. */
      readonly deliveryId: string
    }
  }
  /** Invite a person with a one-time link, valid for 7 days by default. The pod's owner and administrators can invite new people. The owner and admins of a workspace can invite people of the pod to the workspace. */
  "POST /api/hub/invitations": {
    body: InvitationDraft
    answer: {
      /** The invitation, without its link. */
      readonly invitation: Invitation
      /** Token of the link. Only this answer shows it. */
      readonly token: string
      /** Path of the link: give the invited person the address of the pod followed by this path. */
      readonly joinPath: string
    }
  }
  /** List the invitations that you made, newest first, without their links. The pod's owner gets all invitations. */
  "GET /api/hub/invitations": {
    query: {
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Invitation>
  }
  /** Withdraw an open invitation, so that its link stops working. The pod's owner can withdraw every invitation, and other people only their own. */
  "DELETE /api/hub/invitations/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Invitation
  }
  /** Join a workspace with the one-time link of an invitation. For people who have an account on this pod. */
  "POST /api/hub/invitations/accept": {
    body: {
      /** Part of the invitation link after `#`. */
      readonly token: string
    }
    answer: {
      /** Id of the workspace that you joined. */
      readonly workspaceId: string
    }
  }
  /** Read the rights and the owner of the key that makes this call. Sessions cannot call this operation. */
  "GET /api/hub/auth/status": {
    answer: KeyStatus
  }
  /** List the workspaces of the caller, and the number of entities in the personal space. */
  "GET /api/hub/workspaces": {
    answer: {
      readonly workspaces: ReadonlyArray<Workspace>
      /** Number of entities in the personal space of the caller. */
      readonly podEntityCount: number
    }
  }
  /** Read one workspace with its members and their membership roles. */
  "GET /api/hub/workspaces/:workspaceId": {
    params: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId: string
    }
    answer: WorkspaceDetail
  }
  /** Change the name, description or language of a workspace. Only for its owners and admins. */
  "PATCH /api/hub/workspaces/:workspaceId": {
    params: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId: string
    }
    body: WorkspaceChange
    answer: WorkspaceDetail | Proposed
  }
  /** Create a workspace. Another call with the same `proposalId` returns the existing workspace. */
  "POST /api/hub/workspaces/from-definition": {
    body: WorkspaceDefinition
    answer: CreatedWorkspace | Proposed
  }
  /** Create a workspace for one of your agents; you own the workspace. Another call with the same `idempotencyKey` returns the same workspace. */
  "POST /api/hub/workspaces/provision-agent": {
    body: AgentWorkspace
    answer: CreatedWorkspace | Proposed
  }
  /** Continue the creation of a workspace from the step that failed. Only for its owners and admins. */
  "POST /api/hub/workspaces/:workspaceId/retry-provisioning": {
    params: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId: string
    }
    answer: WorkspaceDetail | Proposed
  }
  /** Add one of your agents to a workspace, or to all workspaces in which you may add members. */
  "POST /api/hub/workspaces/enroll-agent": {
    body: Enrolment
    answer: Enrolled | Proposed
  }
  /** Change the role of a member. Only for owners and admins of the workspace. Only an owner can make somebody an owner or change the role of an owner. */
  "PATCH /api/hub/workspaces/:workspaceId/members/:userId": {
    params: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId: string
      /** Id of the member: a person or an agent. */
      readonly userId: string
    }
    body: MembershipChange
    answer: ChangedMembership | Proposed
  }
  /** Remove a member from a workspace, with the agents of that person. Everyone may remove themselves. The last owner cannot be removed. */
  "DELETE /api/hub/workspaces/:workspaceId/members/:userId": {
    params: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId: string
      /** Id of the member: a person or an agent. */
      readonly userId: string
    }
    answer: EndedMembership | Proposed
  }
  /** Read which model providers a workspace uses. */
  "GET /api/hub/workspaces/:workspaceId/eve-provider-routing": {
    params: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId: string
    }
    answer: WorkspaceProviderRouting
  }
  /** Replace the model providers of a workspace; providers that you leave out are removed. Do not send secrets. */
  "PATCH /api/hub/workspaces/:workspaceId/eve-provider-routing": {
    params: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId: string
    }
    body: {
      /** Whether models run locally or at a provider. */
      readonly mode?: "local" | "provider" | "hybrid" | undefined
      /** Model provider for requests that name none. */
      readonly defaultProvider?: ProviderId | undefined
      /** Model provider if the default provider fails. */
      readonly fallbackProvider?: ProviderId | undefined
      /** Model providers. */
      readonly providers?: ReadonlyArray<RoutedProvider> | undefined
      /** A flag for clients; the pod only stores it. */
      readonly syncToService?: boolean | undefined
      readonly reasoning?: string | null | undefined
    }
    answer: WorkspaceProviderRouting | Proposed
  }
  /** Set for which purposes (roles, such as `inbox`) a workspace uses each data source, and the default source of each role. Sources and roles that you leave out stay as they are. */
  "PATCH /api/hub/workspaces/:workspaceId/source-edges": {
    params: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId: string
    }
    body: {
      /** Roles of each data source. */
      readonly sourceRoles?: Readonly<Record<string, unknown>> | undefined
      /** Default data source of each role. */
      readonly defaultSources?: Readonly<Record<string, unknown>> | undefined
      readonly reasoning?: string | null | undefined
    }
    answer: SourceEdges | Proposed
  }
  /** Set which roles and fields of a workspace are public. A key needs the right to read all entities and facets (roles) of the workspace. */
  "PATCH /api/hub/workspaces/:workspaceId/public-projection": {
    params: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId: string
    }
    body: {
      /** Whether a part of the workspace is public. */
      readonly enabled: boolean
      /** Slugs of the entity kinds and roles whose entities are public. */
      readonly roles: ReadonlyArray<string>
      /** Names of the public properties. */
      readonly fields?: ReadonlyArray<string> | undefined
      readonly reasoning?: string | null | undefined
    }
    answer: AppliedProjection | Proposed
  }
  /** Read a digest of a workspace: numbers of entities, the latest entities and a one-line summary. */
  "GET /api/hub/workspaces/:workspaceId/digest": {
    params: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId: string
    }
    answer: WorkspaceDigest
  }
  /** Read the latest activity of the caller. The pod ignores the `userId` in the path. */
  "GET /api/hub/users/:userId/context": {
    params: {
      /** Ignored: the credential identifies the caller. */
      readonly userId: string
    }
    answer: UserContext
  }
  /** Read the public entities of a workspace, with their public fields. */
  "GET /api/hub/public/projection": {
    query: {
      /** Id of the workspace. */
      readonly workspace: string
      /** Words to search for. */
      readonly q?: string | undefined
      /** List only entities with this role (slug). The pod ignores a role that is not public. */
      readonly role?: string | undefined
      readonly limit?: string | undefined
    }
    answer: PublicFeed
  }
  /** List the entities that the caller may read, newest first. With `q`, list only entities whose text contains the words in `q`; a key then needs the grant `*`. */
  "GET /api/hub/entities": {
    query: {
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
      /** Words to search for. */
      readonly q?: string | undefined
      /** Where to search: the personal space, workspaces, or both. */
      readonly scope?: "pod" | "workspace" | "all" | undefined
      /** Whether to search the personal space too. */
      readonly includePodWide?: "true" | "false" | "1" | "0" | undefined
      /** Order of the list; only one order exists. */
      readonly sort?: "updatedAt:desc" | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Entity>
  }
  /** List the entities that the caller may read. The pod ignores the `userId` in the path. */
  "GET /api/hub/users/:userId/entities": {
    params: {
      /** Ignored: the credential identifies the caller. */
      readonly userId: string
    }
    query: {
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
      /** Words to search for. */
      readonly q?: string | undefined
      /** Where to search: the personal space, workspaces, or both. */
      readonly scope?: "pod" | "workspace" | "all" | undefined
      /** Whether to search the personal space too. */
      readonly includePodWide?: "true" | "false" | "1" | "0" | undefined
      /** Order of the list; only one order exists. */
      readonly sort?: "updatedAt:desc" | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Entity>
  }
  /** Read one entity. */
  "GET /api/hub/entities/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Entity
  }
  /** Create an entity; without `workspaceId`, in the personal space. If a person or company has the same identity signal (such as e-mail), the pod changes that entity instead. */
  "POST /api/hub/entities": {
    body: EntityDraft
    answer: EntityWritten | Proposed
  }
  /** Change the entity that has the same kind and the same identity signal (such as e-mail), or create a new entity. If only the name is the same, the answer is 409. */
  "POST /api/hub/entities/upsert": {
    body: EntityDraft
    answer: EntityWritten | Proposed
  }
  /** Change an entity; properties that you leave out keep their values. If `version` is not the current version, the answer is 409. */
  "PATCH /api/hub/entities/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: EntityChange
    answer: EntityWritten | Proposed
  }
  /** Archive an entity: nobody can read it any more, but the pod keeps its history. */
  "DELETE /api/hub/entities/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: {
      readonly status: "deleted"
      readonly id: string
      readonly success: boolean
    } | Proposed
  }
  /** List the facets of an entity, with the properties of each facet. */
  "GET /api/hub/entities/:id/facets": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: ReadonlyArray<Facet>
  }
  /** Give a facet to an entity, or change the properties of a facet that the entity has. */
  "POST /api/hub/entities/:id/facets": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: FacetDraft
    answer: Facet | Proposed
  }
  /** Remove a facet from an entity. */
  "DELETE /api/hub/entities/:id/facets/:slug": {
    params: {
      readonly id: string
      /** Slug of an entity kind or a facet. */
      readonly slug: string
    }
    answer: Removed | Proposed
  }
  /** List the attachments of an entity, latest first, without the data of the pictures. */
  "GET /api/hub/entities/:id/attachments": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: ReadonlyArray<Attachment>
  }
  /** Read one attachment with its picture in base64. */
  "GET /api/hub/entities/:id/attachments/:attachmentId": {
    params: {
      readonly id: string
      /** Id of the attachment. */
      readonly attachmentId: string
    }
    answer: AttachmentContent
  }
  /** Attach a picture (PNG, JPEG, GIF or WebP, up to 10 MB) or a file to an entity. A file is an entity of its own. */
  "POST /api/hub/entities/:id/attachments": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: AttachmentDraft
    answer: Attachment | Proposed
  }
  /** Find the entities, documents, knowledge and memories that answer a question. */
  "POST /api/hub/knowledge/search": {
    body: RetrievalRequest
    answer: RetrievalResult
  }
  /** Do the same as `POST /knowledge/search`; agents use this path. */
  "POST /api/hub/knowledge/ask": {
    body: RetrievalRequest
    answer: RetrievalResult
  }
  /** Find entities by a question and return whole entities. Deprecated: use `POST /knowledge/search`. */
  "POST /api/hub/entities/retrieve": {
    body: EntityQuestion
    answer: RetrievedEntities
  }
  /** Find entities by a question and return whole entities, best first. With `profileSlug`, find only entities of this kind. */
  "POST /api/hub/entities/recall": {
    body: EntityRecall
    answer: RecalledEntities
  }
  /** Answer a question in sentences that cite sources; without a language model the answer has only the sources. */
  "POST /api/hub/knowledge/answer": {
    body: AnswerRequest
    answer: AnswerResult
  }
  /** List the knowledge entries that fit a query, best first. Deprecated: use `POST /knowledge/search`. */
  "GET /api/hub/knowledge/search": {
    query: {
      /** Words to search for. */
      readonly q?: string | undefined
      /** Another name for `q`. */
      readonly query?: string | undefined
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly limit?: string | undefined
    }
    answer: ReadonlyArray<KnowledgeEntry>
  }
  /** List the knowledge entries of a workspace or of your personal space, newest first. */
  "GET /api/hub/knowledge": {
    query: {
      /** List only the entries with this namespace. */
      readonly namespace?: string | undefined
      /** Only entries with this status. Default: all except `archived`. */
      readonly status?: string | undefined
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<KnowledgeEntry>
  }
  /** Store a value under a new key. If an active entry has this key, the answer is 409. If an archived entry has this key, the pod restores the entry with the new value. */
  "POST /api/hub/knowledge": {
    body: KnowledgeDraft
    answer: KnowledgeEntry | Proposed
  }
  /** Read one knowledge entry by its key, in a workspace or in your personal space. */
  "GET /api/hub/knowledge/:key": {
    params: {
      /** Key of the entry, unique in the space. */
      readonly key: string
    }
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
    }
    answer: KnowledgeEntry
  }
  /** List the versions of a knowledge entry with their authors, latest first. */
  "GET /api/hub/knowledge/:key/versions": {
    params: {
      /** Key of the entry, unique in the space. */
      readonly key: string
    }
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<KnowledgeVersion>
  }
  /** Store a value under a key, in place of the old value. If an archived entry has this key, the pod restores the entry with the new value. */
  "PUT /api/hub/knowledge/:key": {
    params: {
      /** Key of the entry, unique in the space. */
      readonly key: string
    }
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
    }
    body: KnowledgeReplacement
    answer: KnowledgeEntry | Proposed
  }
  /** Archive a knowledge entry; `success` is false if no entry has the key. */
  "DELETE /api/hub/knowledge/:key": {
    params: {
      /** Key of the entry, unique in the space. */
      readonly key: string
    }
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
    }
    answer: Done | Proposed
  }
  /** Find your facts by words, best first. Without words: list your facts, newest first. */
  "GET /api/hub/memory": {
    query: {
      /** Ignored: the credential identifies the caller. */
      readonly userId?: string | undefined
      /** Words to search for. */
      readonly query?: string | undefined
      /** Another name for `query`. */
      readonly q?: string | undefined
      /** Find the facts that were true at this time. Default: now. */
      readonly asOf?: string | undefined
      /** Only facts that this kind of writer wrote. */
      readonly trust?: "import" | "agent" | "person" | undefined
      /** Only facts of this level, such as `turn` or `summary`. */
      readonly level?: "fact" | "turn" | "summary" | "session" | "write" | undefined
      /** Only facts of the conversation with this name. */
      readonly sessionId?: string | undefined
      /** `true`: list only forgotten facts, which `POST /memory/:id/restore` restores. Not possible together with words or `asOf`. */
      readonly forgotten?: "true" | "false" | "1" | "0" | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<MemoryFact>
  }
  /** Remember a fact. If you already have the same fact, the pod increases its `count`. */
  "POST /api/hub/memory": {
    body: FactDraft
    answer: MemoryFact | Proposed
  }
  /** Find your facts for a question, best first, each with its score and the matching words of the question. */
  "GET /api/hub/memory/recall": {
    query: {
      /** Question or task that the facts should help with. */
      readonly q: string
      readonly limit?: string | undefined
      /** Find the facts that were true at this time. Default: now. */
      readonly asOf?: string | undefined
      /** Only facts that this kind of writer wrote. */
      readonly trust?: "import" | "agent" | "person" | undefined
      /** Only facts of this level, such as `turn` or `summary`. */
      readonly level?: "fact" | "turn" | "summary" | "session" | "write" | undefined
      /** Only facts of the conversation with this name. */
      readonly sessionId?: string | undefined
    }
    answer: ReadonlyArray<RecalledFact>
  }
  /** Find your facts whose embeddings are nearest to the given embedding. */
  "POST /api/hub/memory/search": {
    body: SimilarFacts
    answer: ReadonlyArray<MemoryFact>
  }
  /** Store each turn (message) of a conversation as a fact, and the summary too. A turn that is sent again increases the `count` of its fact. */
  "POST /api/hub/memory/turns": {
    body: TurnsDraft
    answer: WrittenFacts | Proposed
  }
  /** Remember a conversation as one fact. A later fact of the same conversation replaces this fact. */
  "POST /api/hub/memory/sessions": {
    body: MemorySessionDraft
    answer: WrittenFacts | Proposed
  }
  /** Remember, update and forget several facts together. The history keeps updated and forgotten facts. */
  "POST /api/hub/memory/writes": {
    body: WritesDraft
    answer: WrittenFacts | Proposed
  }
  /** List the facts that `POST /memory/forget` would forget with the same body. */
  "POST /api/hub/memory/forget/preview": {
    body: ForgetDraft
    answer: WrittenFacts
  }
  /** Forget the facts that contain all words of `query`, or that have one of the `ids`. */
  "POST /api/hub/memory/forget": {
    body: ForgetDraft
    answer: WrittenFacts | Proposed
  }
  /** List the changes of a fact, and of its earlier and later versions, latest first. */
  "GET /api/hub/memory/:id/history": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    query: {
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<FactRevision>
  }
  /** Restore a fact that was superseded or forgotten. */
  "POST /api/hub/memory/:id/restore": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: MemoryFact | Proposed
  }
  /** Forget a fact; `success` is false if you have no such fact. */
  "DELETE /api/hub/memory/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    query: {
      /** Id of the caller; any other id is refused. */
      readonly userId: string
    }
    answer: Done | Proposed
  }
  /** List the built-in entity kinds and roles, and those of the caller's spaces; `detail=full` returns all fields. */
  "GET /api/hub/profiles": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      /** `kind`: an entity kind; `role`: a role that entities can have in addition to their kind. */
      readonly profileKind?: ProfileKind | undefined
      /** Which fields of each profile to return: all fields (`full`), or only a few (`digest`). */
      readonly detail?: "digest" | "full" | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<ListedProfile>
  }
  /** Read one profile. */
  "GET /api/hub/profiles/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Profile
  }
  /** Create a profile in one space. A profile is an entity kind, or a role that entities of some kinds may play. */
  "POST /api/hub/profiles": {
    body: ProfileDraft
    answer: Profile | Proposed
  }
  /** Change a profile in a space of the caller. The built-in profiles cannot be changed. */
  "PATCH /api/hub/profiles/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: ProfileChange
    answer: Profile | Proposed
  }
  /** Archive a profile; existing entities of the profile stay. */
  "DELETE /api/hub/profiles/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** List property definitions in the spaces of the caller. With `profileId`, list only the definitions of this profile. */
  "GET /api/hub/property-defs": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly profileId?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<PropertyDef>
  }
  /** Define a property of a profile for the entities of one space. */
  "POST /api/hub/property-defs": {
    body: PropertyDefDraft
    answer: PropertyDef | Proposed
  }
  /** Change the rules of a property; existing values stay as they are. */
  "PATCH /api/hub/property-defs/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: PropertyDefChange
    answer: PropertyDef | Proposed
  }
  /** Archive a property definition; the property then accepts any value. */
  "DELETE /api/hub/property-defs/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** List proposals about records that the caller may read, latest first; only pending proposals unless you set `status`. */
  "GET /api/hub/proposals": {
    query: {
      /** Ignored: the credential identifies the caller. */
      readonly userId?: string | undefined
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      /** Id of the focus session that the record belongs to. */
      readonly sessionId?: string | undefined
      readonly status?: "pending" | "approved" | "rejected" | "auto_approved" | "reverted" | "approval_failed" | "withdrawn" | "expired" | "settled" | "all" | undefined
      /** How much of each proposal to return: everything, or everything except the content. */
      readonly view?: "full" | "basic" | undefined
      /** Only proposals of the person or agent with this id. */
      readonly actorId?: string | undefined
      /** Only proposals of this kind, such as `entity.update` or `join`. */
      readonly proposalType?: string | undefined
      /** `mine`: only proposals that you or your agents made. Default: all. */
      readonly whose?: "mine" | "all" | undefined
      readonly ids?: string | undefined
      readonly exceptIds?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ProposalPage
  }
  /** Read one proposal, by its id or the first characters of the id, with all differences from the current record. */
  "GET /api/hub/proposals/:id": {
    params: {
      readonly id: string
    }
    answer: ProposalDetail
  }
  /** Propose a change as an agent; a person approves or rejects the proposal. */
  "POST /api/hub/proposals": {
    body: ProposalDraft
    answer: FiledProposal | Proposed
  }
  /** As an agent, ask a person to approve an action outside the pod. The pod does not carry out the action. */
  "POST /api/hub/proposals/dev-approval": {
    body: DevApprovalDraft
    answer: FiledProposal | Proposed
  }
  /** Replace the content of a pending proposal. If a person edits the proposal, changes that others made to the record before this edit are no longer conflicts. */
  "PATCH /api/hub/proposals/:id": {
    params: {
      readonly id: string
    }
    body: ProposalEdit
    answer: Proposal | Proposed
  }
  /** Approve a proposal with the content that you saw. The pod applies this content once, in one transaction. Only people can approve. */
  "POST /api/hub/proposals/:id/approve": {
    params: {
      readonly id: string
    }
    body: Approval
    answer: ApprovedProposal | Proposed
  }
  /** Reject a proposal with a reason that its agent can read. An agent can withdraw its own proposal with this call. */
  "POST /api/hub/proposals/:id/reject": {
    params: {
      readonly id: string
    }
    body: Rejection
    answer: DecidedProposal | Proposed
  }
  /** Revert an approved proposal. If fields that the proposal wrote have changed since, the pod reverts nothing and names the fields. Only people can revert. */
  "POST /api/hub/proposals/:id/revert": {
    params: {
      readonly id: string
    }
    answer: {
      readonly success: true
      readonly proposalId: string
      /** Ids of the reverted records. */
      readonly reverted: {
        readonly entityIds?: ReadonlyArray<string> | undefined
        readonly relationIds?: ReadonlyArray<string> | undefined
        readonly documentIds?: ReadonlyArray<string> | undefined
        /** Ids of the reverted records except entities, relations and documents. */
        readonly recordIds?: ReadonlyArray<string> | undefined
      }
    } | Proposed
  }
  /** Read the governance rules of a workspace. With `agentUserId`, `subjectType` and `action`, the answer also says what the pod would decide about such a write. */
  "GET /api/hub/workspaces/:workspaceId/governance": {
    params: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId: string
    }
    query: {
      /** Id of an agent of the caller: the verdict is about a write of this agent. */
      readonly agentUserId?: string | undefined
      /** Subject of the write, such as `entity`. */
      readonly subjectType?: "entity" | "facet" | "relation" | "relation_def" | "profile" | "property_def" | "document" | "project" | "view" | "track" | "channel" | "messaging" | "session" | "command" | "brand" | "artifact" | "rule" | "automation" | "proposal" | "event" | "memory" | "workspace" | "member" | "agent" | "apiKey" | "role" | "webhook" | "notification" | "vault" | "connector" | "provider" | "calendar" | "preference" | undefined
      /** Action of the write, such as `create`. */
      readonly action?: "create" | "update" | "delete" | undefined
      /** Entity kind (profile slug). */
      readonly profileSlug?: string | undefined
      /** Type of the record that the write concerns. */
      readonly targetType?: string | undefined
      /** Name of the operation with which the agent would make the write. */
      readonly door?: string | undefined
      /** Another name for `agentUserId`. */
      readonly agentId?: string | undefined
    }
    answer: Governance
  }
  /** Read why the pod carried out or refused your request, or stored a proposal instead, and which grant would have allowed the request. */
  "GET /api/hub/auth/decisions/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Decision
  }
  /** List the tracks that the caller may read, latest change first. */
  "GET /api/hub/tracks": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      /** Id of a project. */
      readonly projectId?: string | undefined
      readonly status?: TrackStatus | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Track>
  }
  /** Read one track. */
  "GET /api/hub/tracks/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Track
  }
  /** Create a track. */
  "POST /api/hub/tracks": {
    body: TrackDraft
    answer: Track | Proposed
  }
  /** Change a track. */
  "PATCH /api/hub/tracks/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: TrackChange
    answer: Track | Proposed
  }
  /** Archive a track. */
  "DELETE /api/hub/tracks/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** List the documents that the caller may read, without their content, latest change first. */
  "GET /api/hub/documents": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      /** Id of the entity that the document belongs to. */
      readonly entityId?: string | undefined
      /** Id of a project. */
      readonly projectId?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<DocumentHead>
  }
  /** Read one document with its content. */
  "GET /api/hub/documents/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Document
  }
  /** Read the stored content of a document: Markdown as Markdown, every other type as plain text. */
  "GET /api/hub/documents/:id/raw": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: string
  }
  /** List the revisions of a document without their content, latest first. */
  "GET /api/hub/documents/:id/revisions": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    query: {
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<DocumentRevisionHead>
  }
  /** Read one revision of a document. */
  "GET /api/hub/documents/:id/revisions/:revision": {
    params: {
      readonly id: string
      /** Number of the revision, starting at 1. */
      readonly revision: string
    }
    answer: DocumentRevision
  }
  /** Create a document. */
  "POST /api/hub/documents": {
    body: DocumentDraft
    answer: Document | Proposed
  }
  /** Propose a new text for a document, with the changes that produce this text. A proposal of an agent waits for a person. */
  "POST /api/hub/documents/proposals": {
    body: DocumentProposal
    answer: Document | Proposed
  }
  /** Edit a document, starting from the revision that you read. The pod keeps later changes by others to fields that you do not edit. */
  "PATCH /api/hub/documents/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: DocumentChange
    answer: Document | Proposed
  }
  /** Restore an earlier revision: the pod stores the title and content of this revision as a new revision. */
  "POST /api/hub/documents/:id/restore-revision": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: RevisionChoice
    answer: Document | Proposed
  }
  /** Archive a document. */
  "DELETE /api/hub/documents/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** List the views that the caller may read, latest change first. */
  "GET /api/hub/views": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      /** Only views of this type. */
      readonly type?: "table" | "list" | "grid" | "gallery" | "kanban" | "matrix" | "masonry" | "calendar" | "flow" | "bento" | "branch_tree" | "whiteboard" | undefined
      readonly profileId?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<View>
  }
  /** Read one view. */
  "GET /api/hub/views/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: View
  }
  /** Create a view. */
  "POST /api/hub/views": {
    body: ViewDraft
    answer: View | Proposed
  }
  /** Change a view. */
  "PATCH /api/hub/views/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: ViewChange
    answer: View | Proposed
  }
  /** Replace all widgets of a view; the other settings of the view stay as they are. */
  "POST /api/hub/views/:id/arrange": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: ViewArrangement
    answer: View | Proposed
  }
  /** Archive a view. */
  "DELETE /api/hub/views/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** List the artifacts that the caller may read, newest first. */
  "GET /api/hub/artifacts": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly state?: "working" | "kept" | "swept" | "all" | undefined
      /** Where clients show the artifact. */
      readonly placement?: "desk" | "home" | "sidebar" | "library" | "all" | undefined
      /** Id of the focus session that the record belongs to. */
      readonly sessionId?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Artifact>
  }
  /** Add an artifact, and set where clients show it. */
  "POST /api/hub/artifacts": {
    body: ArtifactDraft
    answer: Artifact | Proposed
  }
  /** Change the state of an artifact (`working`, `kept` or `swept`), or move the artifact to another place. */
  "PATCH /api/hub/artifacts/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: ArtifactChange
    answer: Artifact | Proposed
  }
  /** Classify a text as a fact, an action for certain events or times, or a request to act once. The pod stores nothing. */
  "POST /api/hub/rules/classify": {
    body: RuleClassifyRequest
    answer: RuleClassification
  }
  /** Parse a text as an automation rule. The answer has the sentence and the automation of the rule, or says why the pod cannot read the text. The pod stores nothing. */
  "POST /api/hub/rules/parse": {
    body: RuleParseRequest
    answer: ParsedRule
  }
  /** List the automation rules that the caller may read, newest first. With `includeProposed`, also list rules that wait for approval. */
  "GET /api/hub/rules": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
      /** Whether to also list rules that wait for approval. */
      readonly includeProposed?: "true" | "false" | "1" | "0" | undefined
    }
    answer: {
      readonly rules: ReadonlyArray<AutomationRule>
    }
  }
  /** Create an automation rule. The pod compiles the sentence of the rule. If the pod cannot read a clause, it refuses the rule and names the clause. */
  "POST /api/hub/rules": {
    body: AutomationRuleDraft
    answer: {
      readonly status: "created"
      readonly ruleId: string
    } | Proposed
  }
  /** Change or pause an automation rule. Only the owner of the rule can change it. Other people who may write in the workspace can only pause the rule. */
  "PATCH /api/hub/rules/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: AutomationRuleChange
    answer: AutomationRule | Proposed
  }
  /** Delete an automation rule. It no longer runs. */
  "DELETE /api/hub/rules/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** List the commands that the caller may read, latest change first. */
  "GET /api/hub/commands": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      /** Word that starts the command. */
      readonly triggerSlug?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Command>
  }
  /** Read one command. */
  "GET /api/hub/commands/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Command
  }
  /** Create a command, for everybody in the space or only for yourself. */
  "POST /api/hub/commands": {
    body: CommandDraft
    answer: Command | Proposed
  }
  /** Change a command. Only the person who created the command may change who sees it. */
  "PATCH /api/hub/commands/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: CommandChange
    answer: Command | Proposed
  }
  /** Archive a command. */
  "DELETE /api/hub/commands/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** Read the brand of a project, a workspace or a personal space as JSON, CSS or Markdown. */
  "GET /api/hub/brand/kit": {
    query: {
      /** Format of the answer. */
      readonly format?: BrandFormat | undefined
      /** Id of a project. */
      readonly projectId?: string | undefined
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
    }
    answer: BrandKit
  }
  /** List the brands that the caller may read, newest first. */
  "GET /api/hub/brands": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Brand>
  }
  /** Read one brand. */
  "GET /api/hub/brands/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Brand
  }
  /** Create a brand. */
  "POST /api/hub/brands": {
    body: BrandDraft
    answer: Brand | Proposed
  }
  /** Change a brand. New `tokens` (colours, fonts, sizes, voice) replace all existing tokens. */
  "PATCH /api/hub/brands/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: BrandChange
    answer: Brand | Proposed
  }
  /** Archive a brand. */
  "DELETE /api/hub/brands/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** List the channels that the caller may read, latest change first. */
  "GET /api/hub/channels": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly type?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Channel>
  }
  /** Read one channel. */
  "GET /api/hub/channels/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Channel
  }
  /** Create a channel. */
  "POST /api/hub/channels": {
    body: ChannelDraft
    answer: Channel | Proposed
  }
  /** Change a channel. */
  "PATCH /api/hub/channels/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: ChannelChange
    answer: Channel | Proposed
  }
  /** Archive a channel. The threads of the channel stay. */
  "DELETE /api/hub/channels/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** List the threads that the caller may read, latest message or change first. */
  "GET /api/hub/threads": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      /** Only threads that branch off the channel or thread with this id. */
      readonly parentChannelId?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Thread>
  }
  /** Read one thread, without its messages. */
  "GET /api/hub/threads/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Thread
  }
  /** Create a thread, or return the thread of the space with the same `externalSource` and `externalId`. */
  "POST /api/hub/threads": {
    body: ThreadDraft
    answer: ThreadBegun | Proposed
  }
  /** Change a thread. The parent, `externalSource` and `externalId` of a thread never change. */
  "PATCH /api/hub/threads/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: ThreadChange
    answer: Thread | Proposed
  }
  /** List the threads that branch off a thread. */
  "GET /api/hub/threads/:id/branches": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    query: {
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: Branches
  }
  /** List the messages of a thread, latest first. */
  "GET /api/hub/threads/:id/messages": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    query: {
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Message>
  }
  /** Write a message in a thread. */
  "POST /api/hub/threads/:id/messages": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: MessageDraft
    answer: MessageSaid | Proposed
  }
  /** Write up to 100 messages in a thread: the pod stores all of them, in the order of the request, or none. */
  "POST /api/hub/threads/:id/messages.batch": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: MessageBatch
    answer: MessagesSaid | Proposed
  }
  /** List the channels and threads that the caller may read, with the number of unread messages. */
  "GET /api/hub/messaging/channels": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: Conversations
  }
  /** List the channels and threads that are linked to an object and have unread messages. */
  "GET /api/hub/messaging/linked-unread": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly limit?: string | undefined
    }
    answer: LinkedUnread
  }
  /** Mark a thread, or a channel with its threads, as read up to a given message. Default: the latest message. */
  "PUT /api/hub/messaging/channels/:id/read": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    query: {
      /** Id of the last message that the person has read. Default: the latest message. */
      readonly messageId?: string | undefined
    }
    answer: ReadMarked | Proposed
  }
  /** List your notifications, latest event first, except the dismissed ones. */
  "GET /api/hub/notifications": {
    query: {
      readonly kind?: NotificationKind | undefined
      /** Leave out the notifications of this kind. */
      readonly exceptKind?: NotificationKind | undefined
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      /** Whether to list only unread notifications. */
      readonly unread?: "true" | "false" | "1" | "0" | undefined
      /** Whether to list only dismissed notifications. */
      readonly dismissed?: "true" | "false" | "1" | "0" | undefined
      readonly limit?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Notification>
  }
  /** Count your unread notifications. Notifications that came in quiet hours count only after these hours. */
  "GET /api/hub/notifications/unread-count": {
    answer: UnreadCount
  }
  /** Mark one of your notifications as read. Only for people. */
  "POST /api/hub/notifications/:id/read": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Notification | Proposed
  }
  /** Dismiss one of your notifications: it is no longer listed. Only for people. */
  "POST /api/hub/notifications/:id/dismiss": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Notification | Proposed
  }
  /** Mark your unread notifications as read: all, or those of a kind or a workspace. Only for people. */
  "POST /api/hub/notifications/read-all": {
    body: NotificationSelection
    answer: ChangedNotifications | Proposed
  }
  /** Dismiss your notifications: all, or those of a kind or a workspace. Only for people. */
  "POST /api/hub/notifications/dismiss-all": {
    body: NotificationSelection
    answer: ChangedNotifications | Proposed
  }
  /** Read which notifications you want, and your quiet hours. */
  "GET /api/hub/notifications/preferences": {
    answer: NotificationPreferences
  }
  /** Set which notifications you want: kinds, quiet hours, muted workspaces. Only for people. */
  "PATCH /api/hub/notifications/preferences": {
    body: NotificationPreferencesChange
    answer: NotificationPreferences | Proposed
  }
  /** Send a message about a workspace to the person that you act for. Nobody else can read the message. A person gets at most 3 messages an hour and 10 a day about one workspace, and in quiet hours only alerts that they want. */
  "POST /api/hub/proactive/post": {
    body: ProactivePost
    answer: ProactivePostAnswer | Proposed
  }
  /** List the focus sessions of the caller in a workspace, latest start first. */
  "GET /api/hub/focus-sessions": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId: string
      readonly status?: FocusSessionStatus | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<FocusSession>
  }
  /** Read one focus session of the caller. */
  "GET /api/hub/focus-sessions/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: FocusSession
  }
  /** Create a focus session, or return the caller's session with the same `correlationId` in the space. */
  "POST /api/hub/focus-sessions": {
    body: FocusSessionDraft
    answer: FocusSession | Proposed
  }
  /** Change the goal, progress and reports of a focus session, or close the session. */
  "PATCH /api/hub/focus-sessions/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: FocusSessionChange
    answer: FocusSession | Proposed
  }
  /** List the projects that the caller may read, newest first. */
  "GET /api/hub/projects": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly status?: ProjectStatus | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Project>
  }
  /** Read one project. */
  "GET /api/hub/projects/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Project
  }
  /** Read a digest of a project from the entities that the caller may read: counts, the latest entities and a one-line summary. */
  "GET /api/hub/projects/:id/digest": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: ProjectDigest
  }
  /** List the outputs of a project (things that were made in the project), latest change first. */
  "GET /api/hub/projects/:id/outputs": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    query: {
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: {
      /** Outputs: things that were made in the project. */
      readonly outputs: ReadonlyArray<ProjectOutput>
    }
  }
  /** Create a project. An agent must send the ids of at least five entities as evidence for the project. */
  "POST /api/hub/projects": {
    body: ProjectDraft
    answer: Project | Proposed
  }
  /** Change a project. */
  "PATCH /api/hub/projects/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: ProjectChange
    answer: Project | Proposed
  }
  /** Archive a project; the entities of the project stay. */
  "DELETE /api/hub/projects/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** Add entities to a project. The grant of a key must cover `relation.create` too. */
  "POST /api/hub/projects/:id/entities": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: ProjectFiling
    answer: {
      /** Id of a project. */
      readonly projectId: string
      readonly entityIds: ReadonlyArray<string>
    } | Proposed
  }
  /** Remove an entity from a project. The grant of a key must cover `relation.delete` too. */
  "DELETE /api/hub/projects/:id/entities/:entityId": {
    params: {
      readonly id: string
      /** Id of the entity to remove from the project. */
      readonly entityId: string
    }
    answer: Removed | Proposed
  }
  /** List your events that caused reactions (such as calls of webhooks) or are reactions, newest first. */
  "GET /api/hub/subscriptions": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly kind?: "automation" | "ai_feed" | "ai_react" | "notify" | "webhook" | "message_out" | undefined
      /** Only events of this type. */
      readonly eventType?: string | undefined
      /** `internal`: only reactions inside the pod; `external`: only webhooks and messages that leave the pod. */
      readonly lens?: "all" | "internal" | "external" | undefined
      readonly limit?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: {
      /** Events, newest first. */
      readonly items: ReadonlyArray<ReactionEvent>
    }
  }
  /** Read one event and all reactions to it. */
  "GET /api/hub/subscriptions/:eventId/fanout": {
    params: {
      /** Id of the event. */
      readonly eventId: string
    }
    query: {
      /** `internal`: only reactions inside the pod; `external`: only webhooks and messages that leave the pod. */
      readonly lens?: "all" | "internal" | "external" | undefined
    }
    answer: ReactionEvent
  }
  /** List the relations between entities that the caller may read, newest first. */
  "GET /api/hub/relations": {
    query: {
      /** Ignored: the credential identifies the caller. */
      readonly userId?: string | undefined
      /** Id of an entity at either end of the relation. */
      readonly entityId?: string | undefined
      readonly type?: string | undefined
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Relation>
  }
  /** List the connections of an entity, with the number of connections of each type. */
  "GET /api/hub/entities/:id/connections": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    query: {
      readonly limit?: string | undefined
    }
    answer: Connections
  }
  /** Link two entities of one space. If the same link exists, the answer is the existing relation. */
  "POST /api/hub/relations": {
    body: RelationDraft
    answer: Relation | Proposed
  }
  /** Remove a relation; the two entities stay. */
  "DELETE /api/hub/relations/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** List the relation types that are defined in the spaces of the caller, newest first. */
  "GET /api/hub/relation-defs": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<RelationDef>
  }
  /** Define a relation type: its meaning and the entity kinds that it may connect. */
  "POST /api/hub/relation-defs": {
    body: RelationDefDraft
    answer: RelationDef | Proposed
  }
  /** Change the definition of a relation type; existing relations stay. */
  "PATCH /api/hub/relation-defs/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: RelationDefChange
    answer: RelationDef | Proposed
  }
  /** Remove the definition of a relation type; relations of the type stay. */
  "DELETE /api/hub/relation-defs/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** Check the services that the pod depends on; the status is 200 even if a service is down. */
  "GET /api/hub/health/dependencies": {
    query: {
      /** Id of a workspace: check the services of this workspace. Default: the services of the pod. */
      readonly workspaceId?: string | undefined
    }
    answer: HealthReport
  }
  /** Read the version, the limits, the optional parts and the templates of the pod. */
  "GET /api/hub/pod/config": {
    answer: PodConfig
  }
  /** Set up a workspace with a template; existing records stay as they are. */
  "POST /api/hub/pod/adopt": {
    body: AdoptionDraft
    answer: Adopted | Proposed
  }
  /** List the entity kinds and roles that the caller may use, each with its properties and its number of entities. */
  "GET /api/hub/discover": {
    query: {
      /** Ignored: the credential identifies the caller. Any text is allowed. */
      readonly userId: string
      /** Id of a workspace: the answer has only the profiles of this workspace and the built-in profiles. */
      readonly workspaceId?: string | undefined
      /** Whether to leave out the properties. */
      readonly summary?: "true" | "false" | "1" | "0" | undefined
      readonly profileSlugs?: string | undefined
      /** Order of the kinds and roles: most used first, or by name. */
      readonly sort?: "usage" | "name" | undefined
      /** Whether the answer also groups the profiles by origin. */
      readonly groups?: "origin" | undefined
      /** Whether to count how many of the latest entities have a value for each property. */
      readonly fill?: "true" | "false" | "1" | "0" | undefined
    }
    answer: Discovery
  }
  /** Read who you are, which workspaces you may use, what changed last and which proposals wait. */
  "GET /api/hub/orient": {
    query: {
      /** How much to return: `light` returns at most 4 kB; `full` lists more. */
      readonly detail?: "light" | "full" | undefined
      readonly scope?: string | undefined
      /** Id of a workspace: the answer is limited to this workspace. */
      readonly workspaceId?: string | undefined
      /** Id of a project: only changes of this project are listed. */
      readonly projectId?: string | undefined
    }
    answer: Orientation
  }
  /** List the entities that are a few relations away from an entity, nearest first. */
  "GET /api/hub/graph/traverse": {
    query: {
      /** Id of the entity to start from. */
      readonly startEntityId: string
      readonly maxDepth?: string | undefined
      readonly relationshipTypes?: string | undefined
      readonly limit?: string | undefined
    }
    answer: ReadonlyArray<TraversedEntity>
  }
  /** Read an object and the objects that are connected to it, with counts. */
  "GET /api/hub/graph/:type/:id": {
    params: {
      /** Type of the object. */
      readonly type: "entity" | "document" | "project" | "view" | "channel" | "thread" | "session" | "automation" | "command" | "skill" | "track" | "artifact"
      /** Id of the object. */
      readonly id: string
    }
    query: {
      readonly limit?: string | undefined
    }
    answer: GraphEnvelope
  }
  /** Read which object an id belongs to. The type is `unknown` if the object is missing or hidden from the caller. */
  "GET /api/hub/resolve/:id": {
    params: {
      /** Id of any object. */
      readonly id: string
    }
    answer: Resolved
  }
  /** Read the types and names of up to 100 objects by their ids. Ids of missing or hidden objects are left out of the answer. */
  "POST /api/hub/resolve/titles": {
    body: TitleQuery
    answer: ReadonlyArray<ObjectTitle>
  }
  /** Find the objects of a type by their whole name, newest first. */
  "GET /api/hub/resolve": {
    query: {
      /** Type of the object. */
      readonly kind: GraphKind | "workspace" | "agent"
      /** Whole name of the object; case and spaces do not matter. */
      readonly name: string
      /** Subtype, such as the profile of an entity: only objects of this subtype are found. */
      readonly subtype?: string | undefined
    }
    answer: NameMatches
  }
  /** Read the most connected entities, and when the pod computed their ranking. */
  "GET /api/hub/centrality/status": {
    answer: CentralityStatus
  }
  /** Compute the ranking of the most connected entities again; at most once a minute. */
  "POST /api/hub/centrality/recompute": {
    answer: CentralityTrigger
  }
  /** Check an assertion of a trusted issuer. No later call accepts it again. */
  "POST /api/hub/federation/oidc-config": {
    body: AssertionDraft
    answer: {
      readonly ok: true
    }
  }
  /** Read whether the pod has an owner, and the name of the pod. */
  "GET /api/hub/setup/status": {
    answer: SetupStatus
  }
  /** Give the pod a name, or remove its name. Only for the pod's owner and administrators. */
  "PUT /api/hub/setup/pod-name": {
    body: PodNameDraft
    answer: SetupStatus
  }
  /** Become the owner of a pod that has no owner. */
  "POST /api/hub/setup/first-admin": {
    body: FirstAdminDraft
    answer: {
      readonly success: true
    }
  }
  /** Make a setup link for the first owner. */
  "POST /api/hub/setup/magic-link": {
    answer: MagicLink
  }
  /** Set up an agent of a type, such as `n8n`, with a new key. The agent acts for the owner of the calling key, or for the pod's owner. Earlier keys of the agent stop working. */
  "POST /api/hub/setup/agent": {
    body: AgentSetupDraft
    answer: IssuerWaiting | AgentSetup
  }
  /** Read the owner's decision on an outside service (issuer). */
  "GET /api/hub/setup/agent/pending/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: IssuerProgress
  }
  /** Make a key for a service. The key is limited to one workspace. */
  "POST /api/hub/setup/service": {
    body: ServiceSetupDraft
    answer: IssuerWaiting | ServiceSetup
  }
  /** List the outside services (issuers) that asked to set up agents or services. Only for the pod's owner. */
  "GET /api/hub/setup/issuers": {
    query: {
      /** Only issuers with this status. */
      readonly status?: IssuerStatus | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<SetupIssuer>
  }
  /** Let an issuer set up agents and services in your name. Only for the pod's owner. */
  "POST /api/hub/setup/issuers/:id/approve": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: SetupIssuer
  }
  /** Refuse an issuer, even after an approval. Keys that the issuer already made stay valid. */
  "POST /api/hub/setup/issuers/:id/reject": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: SetupIssuer
  }
  /** List the skills that the caller may read, latest change first. */
  "GET /api/hub/skills": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Skill>
  }
  /** Read one skill. */
  "GET /api/hub/skills/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Skill
  }
  /** Add a skill. */
  "POST /api/hub/skills": {
    body: SkillDraft
    answer: Skill | Proposed
  }
  /** Change a skill. */
  "PATCH /api/hub/skills/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: SkillChange
    answer: Skill | Proposed
  }
  /** Archive a skill. */
  "DELETE /api/hub/skills/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** List your events, newest first. */
  "GET /api/hub/events": {
    query: {
      /** Only events whose metadata has this kind. */
      readonly metadataKind?: "ai" | "import" | "sync" | "automation" | "custom" | undefined
      readonly type?: string | undefined
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      /** First word of the event type. */
      readonly subjectType?: string | undefined
      readonly subjectId?: string | undefined
      /** Source of the event. */
      readonly source?: "api" | "automation" | "sync" | "migration" | "system" | "intelligence" | undefined
      /** Only the events of the request with this id. */
      readonly correlationId?: string | undefined
      /** Only the events that the event with this id caused. */
      readonly causationId?: string | undefined
      /** Earliest time of the events. Default: 7 days ago. */
      readonly fromDate?: string | undefined
      /** Only events of writes in the focus session with this id. */
      readonly sessionId?: string | undefined
      /** Only events that the person or agent with this id caused. */
      readonly actorId?: string | undefined
      /** Latest time of the events. */
      readonly until?: string | undefined
      /** `true`: return only events that have metadata. */
      readonly hasMetadata?: "true" | "false" | "1" | "0" | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Event>
  }
  /** Watch your events as server-sent events. */
  "GET /api/hub/events/stream": {
    query: {
      /** Only events whose metadata has this kind. */
      readonly metadataKind?: "ai" | "import" | "sync" | "automation" | "custom" | undefined
      readonly type?: string | undefined
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      /** First word of the event type. */
      readonly entityType?: string | undefined
      /** Id of the last event that you received. The header `Last-Event-ID` has priority. */
      readonly since?: string | undefined
    }
    answer: string
  }
  /** List your webhooks, newest first; a key without the grant `*` lists only the webhooks that were created with it. */
  "GET /api/hub/webhooks": {
    query: {
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Webhook>
  }
  /** List the latest deliveries of a webhook, newest first. */
  "GET /api/hub/webhooks/:id/deliveries": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    query: {
      /** Earliest time of the deliveries, by their `createdAt`. */
      readonly since?: string | undefined
      /** Latest time of the deliveries, by their `createdAt`. */
      readonly until?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<WebhookDelivery>
  }
  /** Read whether you have a calendar feed. The answer does not show its URL. */
  "GET /api/hub/calendar/feed": {
    answer: CalendarFeedState
  }
  /** Make the URL of your calendar feed. A former URL stops working at once. Only for people. */
  "POST /api/hub/calendar/feed": {
    answer: CalendarFeedUrl | Proposed
  }
  /** End your calendar feed: its URL stops working at once. Only for people. */
  "DELETE /api/hub/calendar/feed": {
    answer: CalendarFeedState | Proposed
  }
  /** Read a calendar feed (RFC 5545). */
  "GET /api/hub/calendar/feed/:file": {
    params: {
      /** Token of the feed, followed by `.ics`. */
      readonly file: string
    }
    answer: string
  }
  /** List your connectors, newest first. */
  "GET /api/hub/connectors": {
    query: {
      /** Only connectors of this kind. */
      readonly kind?: string | undefined
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<Connector>
  }
  /** Create a connector. */
  "POST /api/hub/connectors": {
    body: ConnectorDraft
    answer: Connector | Proposed
  }
  /** Change a connector. */
  "PATCH /api/hub/connectors/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: ConnectorChange
    answer: Connector | Proposed
  }
  /** Check a connector: the pod calls the service with the credential and stores the status, at most once in 5 seconds. */
  "POST /api/hub/connectors/:id/probe": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Connector | Proposed
  }
  /** Remove the credential from a connector. The vault keeps the credential. */
  "POST /api/hub/connectors/:id/disconnect": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Connector | Proposed
  }
  /** Delete a connector. */
  "DELETE /api/hub/connectors/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** List the configured providers, newest first, without their keys. */
  "GET /api/hub/providers": {
    query: {
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<ModelProvider>
  }
  /** Configure a provider. The pod uses the provider only after you activate it. */
  "POST /api/hub/providers": {
    body: ModelProviderDraft
    answer: ModelProvider | Proposed
  }
  /** Change a provider. If the provider is active, the pod uses the change within seconds. */
  "PATCH /api/hub/providers/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: ModelProviderChange
    answer: ModelProvider | Proposed
  }
  /** Check whether a provider answers and accepts the key. The check costs no tokens. */
  "POST /api/hub/providers/:id/probe": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: ModelProviderProbe | Proposed
  }
  /** Use this provider instead of the model in the pod's settings. After a change of the embedding model, search compares only words until the new model has read all texts. */
  "POST /api/hub/providers/:id/activate": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: ModelProvider | Proposed
  }
  /** Stop using a provider. The pod then uses the model in its settings again. */
  "POST /api/hub/providers/:id/deactivate": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: ModelProvider | Proposed
  }
  /** Delete a provider. */
  "DELETE /api/hub/providers/:id": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    answer: Removed | Proposed
  }
  /** Read whether the process answers. The pod does not ask the database. */
  "GET /livez": {
    answer: {
      readonly status: "alive"
      readonly timestamp: string
    }
  }
  /** Read whether the start has finished. If not, the answer is 503. */
  "GET /startupz": {
    answer: {
      readonly status: "started"
      readonly timestamp: string
    }
  }
  /** Read whether the pod can serve: its database accepts writes, its migrations are applied, and the pod is not stopping. If not, the answer is 503. */
  "GET /readyz": {
    answer: {
      readonly status: "ready"
      readonly timestamp: string
      /** Result of each check. */
      readonly checks: {
        /** Whether the database answers and accepts writes. */
        readonly database: "healthy"
      }
    }
  }
  /** Sign in with e-mail and password; the answer has a sign-in token. */
  "POST /auth/sign-in": {
    body: {
      readonly email: string
      readonly password: string
    }
    answer: {
      /** Session token: send it in the header `X-Session-Token`. */
      readonly token: string
      readonly expiresAt: string
      /** Person who signed in. */
      readonly user: {
        readonly id: string
        readonly name: string
        readonly email: string | null
      }
    }
  }
  /** End the sign-in session that makes this call. */
  "POST /auth/sign-out": {
    answer: Done
  }
  /** Ask whether a setup link still works, without using the link. */
  "POST /setup/check-link": {
    body: {
      /** Part of the setup link after `#`. */
      readonly token: string
    }
    answer: Done
  }
  /** Become the owner of the pod with the one-time setup link. */
  "POST /setup/claim": {
    body: {
      /** Part of the setup link after `#`. */
      readonly token: string
      readonly email: string
      /** 12 to 128 characters. */
      readonly password: string
      readonly name?: string | undefined
    }
    answer: Done
  }
  /** Read who an invitation is for, and whether its link still works, without using the link. */
  "POST /setup/check-invite": {
    body: {
      /** Part of the invitation link after `#`. */
      readonly token: string
    }
    answer: {
      readonly success: true
      /** Whether a new person can create an account with the link. */
      readonly createsAccount: boolean
      /** Whether a person of the pod can join a workspace with the link. */
      readonly joinsWorkspace: boolean
      /** Name of the person who made the invitation. */
      readonly invitedBy: string
      /** Name of the workspace that a person joins with the link; null if none. */
      readonly workspaceName: string | null
      /** Membership role that the person gets in the workspace. */
      readonly role: "viewer" | "editor" | "admin" | null
    }
  }
  /** Join the pod with the one-time link of an invitation. */
  "POST /setup/accept-invite": {
    body: {
      /** Part of the invitation link after `#`. */
      readonly token: string
      /** Your e-mail address, with which you sign in. */
      readonly email: string
      /** 12 to 128 characters. */
      readonly password: string
      readonly name?: string | undefined
    }
    answer: {
      readonly success: true
      /** Id of the new person. */
      readonly userId: string
      /** Workspace that the invitation named; null if it named none. */
      readonly workspace: {
        /** Id of the workspace. */
        readonly workspaceId: string
        /** Whether the person is a member of the workspace now: false if the inviter may no longer add members. */
        readonly joined: boolean
      } | null
      readonly message: string
    }
  }
  /** List the active skills that the key may run. */
  "GET /api/external/skills": {
    query: {
      readonly limit?: string | undefined
      readonly offset?: string | undefined
      readonly cursor?: string | undefined
    }
    answer: ReadonlyArray<ExternalSkill>
  }
  /** Run a skill with the pod's language model. */
  "POST /api/external/skills/:id/invoke": {
    params: {
      /** Id of the record. */
      readonly id: string
    }
    body: SkillInput
    answer: SkillResult
  }
  /** Add a note, a task or a project. */
  "POST /api/n8n/entities": {
    body: WorkflowEntityDraft
    answer: WorkflowEntity | Proposed
  }
  /** Find entities by a question. */
  "POST /api/n8n/search": {
    body: WorkflowQuestion
    answer: WorkflowResults
  }
  /** Analyse a text with the pod's language model. The pod stores nothing. */
  "POST /api/n8n/analyze": {
    body: AnalysisRequest
    answer: Analysis
  }
  /** Answer the last message of a conversation, using only records that the key may read. The answer comes as a whole or in chunks. */
  "POST /v1/chat/completions": {
    body: CompletionRequest
    answer: ChatCompletion
  }
  /** List the names of the models that a completion can use. */
  "GET /v1/models": {
    answer: ModelList
  }
  /** Read one model by its name. */
  "GET /v1/models/:name": {
    params: {
      /** Name of the model; write `/` as `%2F`. */
      readonly name: string
    }
    answer: Model
  }
  /** List the channels in which the caller may chat, latest message first. */
  "GET /api/external/chat/channels": {
    query: {
      /** Id of a workspace; null means the personal space. */
      readonly workspaceId?: string | undefined
      readonly limit?: string | undefined
    }
    answer: ReadonlyArray<ChatChannel>
  }
  /** Send a message to the pod, and get the answer in parts while the model writes it. */
  "POST /api/external/chat/stream": {
    body: ChatTurnRequest
    answer: ChatTurnAnswer | Proposed
  }
}
