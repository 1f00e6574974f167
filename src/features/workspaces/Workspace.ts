/** A workspace is a space that several people share. Each of these people has a role in the workspace. */
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
import { Id } from "../../doors/Id.ts"
import { MembershipRole } from "../../doors/Principal.ts"
import { NewKindSlug } from "../grants/KindSlug.ts"
import type { WorkspacePolicy } from "../gate/Policy.ts"
import { PublicProjection, SearchLanguage } from "./WorkspaceSettings.ts"

export const WorkspaceType = Schema.Literal("personal", "agent", "project", "operational")

export const ProvisioningStatus = Schema.Literal("provisioning", "ready", "failed")
export type ProvisioningStatus = typeof ProvisioningStatus.Type

const alwaysNull = Schema.Null.annotations({
  identifier: "AlwaysNull",
  description: "Always null."
})
const alwaysEmpty = example(described("Always empty.", Schema.Array(Schema.String)), [])

const listItemFields = {
  id: Id,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  role: described("Membership role of the caller in the workspace.", MembershipRole),
  joinedAt: Timestamp,
  accessKind: described("How the caller has access: always as a member of the workspace.", Schema.Literal("member")),
  workspaceVisibility: described("Who may read the workspace: always only its members.", Schema.Literal("members")),
  workspaceType: described("Purpose of the workspace.", Schema.NullOr(Schema.String)),
  workspaceSubtype: alwaysNull,
  onboarding: alwaysNull,
  workspaceCapabilities: alwaysEmpty,
  appId: alwaysNull,
  packageSlug: alwaysNull,
  packageVersion: alwaysNull,
  installedPacks: alwaysEmpty,
  systemSlug: alwaysNull,
  templateId: described(
    "Template from which the workspace was created; null means none.",
    Schema.NullOr(Schema.String)
  ),
  entityCount: described("Number of entities in the workspace. The pod stops counting at 10,000.", Schema.Number),
  usedByProjectIds: described(
    "Ids of the projects in the workspace, and of projects with content from the workspace. At most 200, and only projects that the caller may read.",
    Schema.Array(Id)
  ),
  isUsedByMore: described(
    "True if `usedByProjectIds` does not list all projects that use the workspace.",
    Schema.optional(Schema.Boolean)
  ),
  sourceRoles: described(
    "Roles that each source plays, by the name of the source; the roles are free text.",
    JsonObject
  ),
  defaultSources: described("Default data source of each role.", JsonObject),
  provisioningStatus: described(
    "Whether the workspace is ready, is still being created, or failed.",
    ProvisioningStatus
  ),
  failedStep: described("Step that failed, while the status is `failed`.", Schema.optional(Schema.String)),
  failedStepError: described("Why the step in `failedStep` failed.", Schema.optional(Schema.String)),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const Workspace = Schema.Struct(listItemFields).annotations({ identifier: "Workspace" })
export type Workspace = typeof Workspace.Type

/**
 * Fields for older clients. Each field has the same value for every workspace that a caller can read. For example, only
 * members can read a workspace, and the pod has no packages of applications.
 */
export const forOlderClients = {
  accessKind: "member",
  workspaceVisibility: "members",
  workspaceSubtype: null,
  onboarding: null,
  workspaceCapabilities: [],
  appId: null,
  packageSlug: null,
  packageVersion: null,
  installedPacks: [],
  systemSlug: null
} as const satisfies Partial<Workspace>

export const Member = Schema.Struct({
  userId: PersonId,
  name: Schema.String,
  kind: Schema.Literal("person", "agent", "service"),
  role: MembershipRole,
  joinedAt: Timestamp
}).annotations({ identifier: "Member" })
export type Member = typeof Member.Type

export const WorkspaceDetail = Schema.Struct({
  ...listItemFields,
  version: described("Version, from 1.", Schema.Number),
  publicProjection: described(
    "Public part of the workspace; null means that nothing is public.",
    Schema.NullOr(PublicProjection)
  ),
  searchLanguage: SearchLanguage,
  members: described("Members: people and agents.", Schema.Array(Member))
}).annotations({ identifier: "WorkspaceDetail" })
export type WorkspaceDetail = typeof WorkspaceDetail.Type

const nameText = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))

/** A kind of entity that the definition of a new workspace adds to this workspace. */
export const DefinedProfile = Schema.Struct(
  {
    slug: NewKindSlug,
    displayName: nameText
  },
  { key: Schema.String, value: Json }
)
export type DefinedProfile = typeof DefinedProfile.Type

/** The profiles in the definition of a workspace, in a request and in a proposal. */
export const definedProfilesMax = 100
export const DefinedProfiles = Schema.Array(DefinedProfile).pipe(Schema.maxItems(definedProfilesMax))

/** The body of `POST /workspaces/from-definition`. The pod stores all further fields of the body as the definition. */
export const WorkspaceDefinition = example(
  Schema.Struct(
    {
      proposalId: described(
        "A text of your choice: another call with the same text returns the same workspace.",
        Schema.optional(nameText)
      ),
      workspaceName: Schema.optional(nameText),
      templateId: described(
        "Name that the client gives its template; the pod only stores it.",
        Schema.optional(nameText)
      ),
      templateName: Schema.optional(nameText),
      workspaceType: described("Purpose of the workspace.", Schema.optional(WorkspaceType)),
      ownerUserId: described(
        "Ignored: the calling person, or the person of the calling agent, owns the workspace.",
        Schema.optional(Schema.String)
      ),
      profiles: described("Entity kinds (profile slugs) to add to the workspace.", Schema.optional(DefinedProfiles))
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
    workspaceName: Schema.optional(nameText),
    idempotencyKey: described(
      "A text of your choice: another call with the same text returns the same workspace.",
      Schema.optional(nameText)
    )
  }).annotations({ identifier: "AgentWorkspace" }),
  { agentUserId: "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f" }
)
export type AgentWorkspace = typeof AgentWorkspace.Type

export const CreatedWorkspace = Schema.Struct({
  workspaceId: WorkspaceId,
  created: described("Whether this call created the workspace.", Schema.Boolean)
}).annotations({ identifier: "CreatedWorkspace" })
export type CreatedWorkspace = typeof CreatedWorkspace.Type

export interface NewWorkspace {
  readonly id: string
  readonly name: string
  readonly workspaceType: string | null
  readonly templateId: string | null
  /**
   * An id that the client chose for its request. If a workspace with this `proposalId` exists, the request returns that
   * workspace. Null if the client sent no `proposalId`. `provisionKey` has the same effect.
   */
  readonly proposalId: string | null
  readonly definition: Readonly<Record<string, unknown>>
  readonly provisionKey?: string | null
  /**
   * The policy of the new workspace for agents. After the creation, only people can change this policy. If this field
   * is null or absent, the workspace gets the default policy of the pod.
   */
  readonly governance?: WorkspacePolicy | null
  /** The value is `ready` if the creation of the workspace has no further steps. */
  readonly provisioningStatus?: ProvisioningStatus
}

/** The failure if the caller cannot find the workspace, because it is missing or the caller cannot access it. */
export class WorkspaceNotFound extends Data.TaggedError("WorkspaceNotFound")<{ readonly id: string }> {}
/**
 * An earlier request with the same `proposalId` or `provisionKey` created a workspace that the caller can no longer
 * read. The workspace was archived, or the person left it.
 */
export class EarlierWorkspaceGone extends Data.TaggedError("EarlierWorkspaceGone")<{}> {}
/** The workspace does not have the expected version any more. */
export class WorkspaceChanged extends Data.TaggedError("WorkspaceChanged")<{ readonly version: number }> {}
