/** The inputs and answers of the endpoints that set up agents, services and the first owner. */
import { Schema } from "effect"
import { AgentId, described, example, Json, Timestamp, WorkspaceId } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { GrantRequest, NewPermission } from "../grants/Grant.ts"
import { PodName } from "./PodName.ts"
import { AgentType, IssuerStatus } from "./SetupIssuer.ts"

const shortText = (max: number) => Schema.String.pipe(Schema.maxLength(max))
const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100))

/**
 * The properties of a new agent. The pod also accepts other fields and ignores them, because older clients send more
 * fields.
 */
const AgentDefinition = Schema.Struct(
  {
    name: described("Name for a new agent. Default: the type of the agent.", Schema.optional(Name)),
    capabilities: described(
      "What a new agent may write, as permissions. Default: everything, after approval by a person.",
      Schema.optional(Schema.Array(NewPermission).pipe(Schema.maxItems(64)))
    )
  },
  { key: Schema.String, value: Json }
).annotations({
  identifier: "AgentDefinition",
  description: "Name and rights of the agent. The pod ignores further fields."
})

export const AgentSetupDraft = example(
  Schema.Struct({
    agentType: described(
      "Type of the agent. A person has one agent of each type.",
      Schema.optionalWith(AgentType, { default: () => "openclaw" })
    ),
    workspaceId: described("Workspace that the agent joins as editor.", Schema.optional(WorkspaceId)),
    definition: Schema.optional(AgentDefinition)
  }).annotations({ identifier: "AgentSetupDraft" }),
  { agentType: "openclaw", definition: { name: "Research helper" } }
)
export type AgentSetupDraft = typeof AgentSetupDraft.Type

const secretKey = described("Key of the agent or service. Only this answer shows the key.", Schema.String)
const KeyId = described("Id of the key. The id is not secret.", Id)

export const AgentSetup = Schema.Struct({
  agentUserId: AgentId,
  workspaceId: Schema.NullOr(WorkspaceId),
  hubApiKey: secretKey,
  keyId: KeyId,
  registration: described(
    "Details of the agent and of its new key.",
    Schema.Struct({
      agentType: Schema.String,
      name: Schema.String,
      ownerUserId: described("Id of the person that the agent acts for.", Id),
      isNew: described("Whether this call made the agent.", Schema.Boolean),
      revokedKeys: described("Number of earlier keys of the agent that this call revoked.", Schema.Int),
      expiresAt: described("Time when the key expires; null means never.", Schema.NullOr(Timestamp))
    })
  )
}).annotations({ identifier: "AgentSetup" })
export type AgentSetup = typeof AgentSetup.Type

/**
 * The scopes that a service key is allowed to have. They do not include the scopes for setup and for administration.
 */
export const serviceScopes = [
  "hub-protocol.read",
  "hub-protocol.write",
  "mcp.read",
  "mcp.write",
  "skills.invoke",
  "chat.stream",
  "read:entities",
  "write:entities",
  "ai:analyze",
  "realtime:observe"
] as const

export const ServiceSetupDraft = example(
  Schema.Struct({
    workspaceId: described("Workspace that the key is limited to.", WorkspaceId),
    name: Schema.optionalWith(Name, { default: () => "service" }),
    scope: described(
      "Scopes of the key.",
      Schema.optionalWith(
        Schema.Array(Schema.Literal(...serviceScopes)).pipe(Schema.minItems(1), Schema.maxItems(16)),
        {
          default: () => ["hub-protocol.read" as const]
        }
      )
    ),
    grant: described("Permissions and limits of the key.", Schema.optional(GrantRequest)),
    expiresInDays: described(
      "How many days the key is valid. Default: 90. Null means that the key never expires.",
      Schema.optional(Schema.NullOr(Schema.Int.pipe(Schema.between(1, 36_500))))
    )
  }).annotations({ identifier: "ServiceSetupDraft" }),
  { workspaceId: "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f", name: "Nightly export" }
)
export type ServiceSetupDraft = typeof ServiceSetupDraft.Type

export const ServiceSetup = Schema.Struct({
  workspaceId: WorkspaceId,
  hubApiKey: secretKey,
  keyId: KeyId,
  scope: described("Scopes of the key.", Schema.Array(Schema.String)),
  expiresAt: described("Time when the key expires; null means never.", Schema.NullOr(Timestamp))
}).annotations({ identifier: "ServiceSetup" })
export type ServiceSetup = typeof ServiceSetup.Type

/** The answer while the owner has not decided on the issuer of the assertion yet. */
export const IssuerWaiting = Schema.Struct({
  code: Schema.Literal("ISSUER_PENDING_APPROVAL"),
  pendingId: described("Id for `GET /setup/agent/pending/{id}`.", Id),
  issuerUrl: Schema.String,
  adminUrl: described("Page where the owner decides on outside services (issuers).", Schema.String),
  message: Schema.String
}).annotations({ identifier: "IssuerWaiting" })
export type IssuerWaiting = typeof IssuerWaiting.Type

export const IssuerProgress = Schema.Struct({
  status: IssuerStatus,
  issuerUrl: Schema.String,
  adminUrl: described("Page where the owner decides on outside services (issuers).", Schema.String)
}).annotations({ identifier: "IssuerProgress" })

export const SetupStatus = example(
  Schema.Struct({
    hasAdmin: described("Whether the pod has an owner.", Schema.Boolean),
    needsSetup: described("Whether somebody still has to become the owner.", Schema.Boolean),
    workspaceCount: described("Number of workspaces; absent once the pod has an owner.", Schema.optional(Schema.Int)),
    podName: described(
      "Name that the owner gave the pod; absent if the pod has no name.",
      Schema.optional(Schema.String)
    )
  }).annotations({ identifier: "SetupStatus" }),
  { hasAdmin: true, needsSetup: false, podName: "Harbour office" }
)

export const PodNameDraft = example(
  Schema.Struct({
    name: described("Name of the pod; null removes the name.", Schema.NullOr(PodName))
  }).annotations({ identifier: "PodNameDraft" }),
  { name: "Harbour office" }
)

export const FirstAdminDraft = example(
  Schema.Struct({
    email: shortText(320),
    password: described("Password of the owner: 12 to 128 characters.", shortText(1024)),
    name: Schema.optionalWith(shortText(100), { default: () => "" }),
    podName: described("Name for the pod. Default: the pod has no name.", Schema.optional(PodName)),
    magicToken: described(
      "Token of the setup link. A request with the provisioning token does not need this token.",
      Schema.optional(shortText(200))
    )
  }).annotations({ identifier: "FirstAdminDraft" }),
  {
    email: "you@example.com",
    password: "correct horse battery staple",
    name: "You",
    magicToken: "the-part-of-the-setup-link-after-the-hash"
  }
)
export type FirstAdminDraft = typeof FirstAdminDraft.Type

export const MagicLink = Schema.Struct({
  token: described("Token with which somebody becomes the owner. It works once, within 30 minutes.", Schema.String),
  url: described("Page that accepts the token.", Schema.String)
}).annotations({ identifier: "MagicLink" })
