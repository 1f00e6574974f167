/** People, and the agents that act for them. */
import { Data, Schema } from "effect"
import { described, namingAgent, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import type { Membership, PodRole } from "../../doors/Principal.ts"
import { isPersonName, personNameMax } from "../../platform/PodNameText.ts"
import { NewPermission } from "../grants/Grant.ts"

/**
 * The access of a credential: the holder, the person behind the holder, and everything that limits the
 * credential. `epoch` is the version of these limits.
 */
export interface Access {
  readonly holder: {
    readonly id: string
    readonly kind: "person" | "agent" | "service"
    readonly capabilities: ReadonlyArray<string>
  }
  readonly name: string
  readonly email: string | null
  readonly personId: string
  readonly podRole: PodRole
  readonly isSuspended: boolean
  readonly epoch: number
  /** The memberships of the person. The membership in the person's own space comes first. */
  readonly memberships: ReadonlyArray<Membership>
}

/** The caller, in the form that `/users/me` returns. For the key of an agent, `id` is the id of the agent's person. */
export const Me = Schema.Struct({
  id: Id,
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  podRole: described(
    "Role of the person in the pod. An administrator may invite and suspend people.",
    Schema.Literal("owner", "administrator", "member")
  ),
  scopes: described("Scopes: which operations the credential may call.", Schema.Array(Schema.String)),
  agentId: described("Id of the agent whose key makes the call; null for a person.", Schema.NullOr(Id))
}).annotations({ identifier: "Me" })
export type Me = typeof Me.Type

export const Agent = Schema.Struct({
  id: Id,
  name: Schema.String,
  linkedUserId: described("Id of the person that the agent acts for.", Id),
  capabilities: described(
    "Capabilities of the agent: what the agent may write. With an empty list, the agent may only read.",
    Schema.Array(Schema.String)
  ),
  writesRequireProposal: described(
    "Whether the writes of the agent wait for a person's approval, unless a governance rule or the workspace says otherwise.",
    Schema.Boolean
  ),
  isSuspended: described("Whether the agent is suspended. No key of a suspended agent works.", Schema.Boolean),
  agentType: described(
    "Type under which `POST /setup/agent` made the agent; null for an agent that a person made.",
    Schema.NullOr(Schema.String)
  ),
  createdAt: Timestamp
}).annotations({ identifier: "Agent" })
export type Agent = typeof Agent.Type

const AgentName = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100))
/** The permissions of an agent, in the form that grants use. An agent without capabilities can only read. */
const Capabilities = Schema.Array(NewPermission).pipe(Schema.maxItems(64))

export const AgentDraft = Schema.Struct({
  name: AgentName,
  capabilities: described(
    "Capabilities of the agent: what the agent may write.",
    Schema.optionalWith(Capabilities, { default: () => [] })
  )
})
export type AgentDraft = typeof AgentDraft.Type

/** A new agent. `agentType` is present only if a program sets up the agent. */
export type NewAgent = AgentDraft & { readonly agentType?: string | undefined }

export const AgentChange = namingAgent("agentId", {
  agentId: described("Id of the agent to change.", Id),
  name: Schema.optional(AgentName),
  capabilities: described("Capabilities of the agent: what the agent may write.", Schema.optional(Capabilities)),
  writesRequireProposal: described(
    "Whether the writes of the agent wait for a person.",
    Schema.optional(Schema.Boolean)
  ),
  isSuspended: described(
    "`true` suspends the agent: its running calls end, and its keys do not work until the value is `false` again.",
    Schema.optional(Schema.Boolean)
  )
})
export type AgentChange = typeof AgentChange.Type

/** A person who is not stored yet. The pod has checked the details of the person and hashed the password. */
export interface NewPerson {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly passwordHash: string
}

/** The new name of a person. Spaces around the name do not count. */
export const PersonName = Schema.Trim.pipe(
  Schema.filter(isPersonName, {
    message: () => `Use 1 to ${personNameMax} characters in one line, without invisible characters.`,
    jsonSchema: { type: "string", minLength: 1, maxLength: personNameMax }
  })
)

/** A person of the pod, in the form that the owner and the administrators of the pod see. */
export const PodPerson = Schema.Struct({
  id: Id,
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  isOwner: described("Whether this person owns the pod.", Schema.Boolean),
  isAdministrator: described(
    "Whether this person is an administrator of the pod, who may invite and suspend people.",
    Schema.Boolean
  ),
  isSuspended: described(
    "Whether the person is suspended: their sessions and keys, and the keys of their agents, do not work.",
    Schema.Boolean
  ),
  createdAt: Timestamp
}).annotations({ identifier: "PodPerson" })
export type PodPerson = typeof PodPerson.Type

export class EmailTaken extends Data.TaggedError("EmailTaken")<{}> {}
export class UserUnknown extends Data.TaggedError("UserUnknown")<{ readonly userId: string }> {}
/**
 * The failure if the pod already has an owner. `isByThisLink` is true if the owner became the owner with the setup link
 * of this request.
 */
export class AlreadyClaimed extends Data.TaggedError("AlreadyClaimed")<{ readonly isByThisLink: boolean }> {}
/** The failure if the setup link is unknown or has expired. */
export class SetupLinkInvalid extends Data.TaggedError("SetupLinkInvalid")<{ readonly isExpired: boolean }> {}

export const setupLinkMinutes = 30
/** The state of a setup link. Undefined for a link that the pod does not know. */
export type SetupLinkState = "open" | "used" | "expired" | undefined
