/** A workspace: a space that several people share, with a role each. */
import { Data, Schema } from "effect"
import { Json, Timestamp } from "../../doors/Fields.ts"

export const Role = Schema.Literal("owner", "admin", "editor", "viewer").annotations({ identifier: "WorkspaceRole" })
export type Role = typeof Role.Type

export const WorkspaceType = Schema.Literal("personal", "agent", "project", "operational")

const listed = {
  id: Schema.UUID,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  role: Role,
  workspaceType: Schema.NullOr(Schema.String),
  entityCount: Schema.Number,
  usedByProjectIds: Schema.Array(Schema.String),
  provisioningStatus: Schema.String,
  failedStep: Schema.optional(Schema.String),
  failedStepError: Schema.optional(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const Workspace = Schema.Struct(listed).annotations({ identifier: "Workspace" })
export type Workspace = typeof Workspace.Type

export const Member = Schema.Struct({
  userId: Schema.UUID,
  name: Schema.String,
  kind: Schema.Literal("person", "agent", "service"),
  role: Role,
  joinedAt: Timestamp
}).annotations({ identifier: "Member" })
export type Member = typeof Member.Type

export const WorkspaceDetail = Schema.Struct({ ...listed, members: Schema.Array(Member) }).annotations({
  identifier: "WorkspaceDetail"
})
export type WorkspaceDetail = typeof WorkspaceDetail.Type

const named = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))

/** The body of `POST /workspaces/from-definition`; whatever else it holds is the definition. */
export const WorkspaceDefinition = Schema.Struct(
  {
    proposalId: Schema.optional(named),
    workspaceName: Schema.optional(named),
    templateId: Schema.optional(named),
    templateName: Schema.optional(named),
    workspaceType: Schema.optional(WorkspaceType),
    ownerUserId: Schema.optional(Schema.String)
  },
  { key: Schema.String, value: Json }
).annotations({ identifier: "WorkspaceDefinition" })
export type WorkspaceDefinition = typeof WorkspaceDefinition.Type

export interface NewWorkspace {
  readonly id: string
  readonly name: string
  readonly workspaceType: string | null
  readonly templateId: string | null
  /** The same one again answers the workspace that is there already. */
  readonly proposalId: string | null
  readonly definition: Readonly<Record<string, unknown>>
}

/** There is no such workspace for this caller. */
export class WorkspaceNotFound extends Data.TaggedError("WorkspaceNotFound")<{ readonly id: string }> {}
