/** A workspace: a space that several people share, with a role each. */
import { Data, Schema } from "effect"
import {
  example,
  PersonId,
  AgentId,
  WorkspaceId,
  described,
  Json,
  JsonObject,
  namingAgent,
  Timestamp
} from "../../doors/Fields.ts"
import { NewKindSlug } from "../grants/KindSlug.ts"
import type { WorkspacePolicy } from "../gate/Policy.ts"
import { PublicProjection } from "./WorkspaceSettings.ts"

export const Role = Schema.Literal("owner", "admin", "editor", "viewer").annotations({ identifier: "WorkspaceRole" })
export type Role = typeof Role.Type

export const WorkspaceType = Schema.Literal("personal", "agent", "project", "operational")

export const ProvisioningStatus = Schema.Literal("provisioning", "ready", "failed")
export type ProvisioningStatus = typeof ProvisioningStatus.Type

const listed = {
  id: Schema.UUID,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  role: described("What the member may do there.", Role),
  workspaceType: described("What the workspace is for.", Schema.NullOr(Schema.String)),
  entityCount: described("How many entities it holds.", Schema.Number),
  usedByProjectIds: described(
    "Projects that live there or in which something from there is filed, as far as the caller reaches them.",
    Schema.Array(Schema.UUID)
  ),
  sourceRoles: described(
    "What others bring to the workspace, and where it looks first: free-form, by name.",
    JsonObject
  ),
  defaultSources: described("The default source of each role.", JsonObject),
  provisioningStatus: described("How far its making has come.", ProvisioningStatus),
  failedStep: described("While the status is `failed`: at which step, and why.", Schema.optional(Schema.String)),
  failedStepError: described("What went wrong in its making.", Schema.optional(Schema.String)),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const Workspace = Schema.Struct(listed).annotations({ identifier: "Workspace" })
export type Workspace = typeof Workspace.Type

export const Member = Schema.Struct({
  userId: PersonId,
  name: Schema.String,
  kind: Schema.Literal("person", "agent", "service"),
  role: described("What the member may do there.", Role),
  joinedAt: Timestamp
}).annotations({ identifier: "Member" })
export type Member = typeof Member.Type

export const WorkspaceDetail = Schema.Struct({
  ...listed,
  version: described("The number of writes, starting at 1.", Schema.Number),
  publicProjection: described("`null`: nobody said, and nothing of it is public.", Schema.NullOr(PublicProjection)),
  members: described("Who belongs to it.", Schema.Array(Member))
}).annotations({ identifier: "WorkspaceDetail" })
export type WorkspaceDetail = typeof WorkspaceDetail.Type

const named = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))

/** A kind of entity that a definition brings along. */
export const DefinedProfile = Schema.Struct(
  {
    slug: NewKindSlug,
    displayName: named
  },
  { key: Schema.String, value: Json }
)
export type DefinedProfile = typeof DefinedProfile.Type

/** The body of `POST /workspaces/from-definition`; whatever else it holds is the definition. */
export const WorkspaceDefinition = example(
  Schema.Struct(
    {
      proposalId: described("The proposal: the write that waits for a person.", Schema.optional(named)),
      workspaceName: described("What the workspace is to be called.", Schema.optional(named)),
      templateId: described("What it was made from.", Schema.optional(named)),
      templateName: described("The name of what it was made from.", Schema.optional(named)),
      workspaceType: described("What the workspace is for.", Schema.optional(WorkspaceType)),
      ownerUserId: described("Whose it is.", Schema.optional(Schema.String)),
      profiles: described(
        "The kinds it holds.",
        Schema.optional(Schema.Array(DefinedProfile).pipe(Schema.maxItems(100)))
      )
    },
    { key: Schema.String, value: Json }
  ).annotations({ identifier: "WorkspaceDefinition" }),
  { workspaceName: "Research" }
)
export type WorkspaceDefinition = typeof WorkspaceDefinition.Type

/** The body of `POST /workspaces/provision-agent`. */
export const AgentWorkspace = example(
  namingAgent("agentUserId", {
    agentUserId: AgentId,
    workspaceName: described("What the workspace is to be called.", Schema.optional(named)),
    idempotencyKey: described("Makes a repetition answer the same.", Schema.optional(named))
  }).annotations({ identifier: "AgentWorkspace" }),
  { agentUserId: "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f" }
)
export type AgentWorkspace = typeof AgentWorkspace.Type

export const MadeWorkspace = Schema.Struct({
  workspaceId: WorkspaceId,
  created: described("Whether it was made by this call.", Schema.Boolean)
})
export type MadeWorkspace = typeof MadeWorkspace.Type

export interface NewWorkspace {
  readonly id: string
  readonly name: string
  readonly workspaceType: string | null
  readonly templateId: string | null
  /** The same one again answers the workspace that is there already; so does the same `provisionKey`. */
  readonly proposalId: string | null
  readonly definition: Readonly<Record<string, unknown>>
  readonly provisionKey?: string | null
  /** How agents are governed there from its first moment on; said once, and from then on by people. */
  readonly governance?: WorkspacePolicy | null
  /** `ready` where nothing is left to be done after it was made. */
  readonly provisioningStatus?: ProvisioningStatus
}

/** There is no such workspace for this caller. */
export class WorkspaceNotFound extends Data.TaggedError("WorkspaceNotFound")<{ readonly id: string }> {}
/** Somebody changed it since the version the change was made from. */
export class WorkspaceChanged extends Data.TaggedError("WorkspaceChanged")<{ readonly version: number }> {}
