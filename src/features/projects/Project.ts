/** A project: a goal, and the entities that are filed in the project. The entities can be in any space. */
import { Schema } from "effect"
import {
  described,
  optionalOrNull,
  WorkspaceId,
  CallerId,
  ClientData,
  ClientDataInput,
  ClientSettings,
  ClientSettingsInput
} from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { changeOf, inputOf, inWorkspace } from "../records/RecordInputs.ts"
import { createDetails, recordType } from "../records/RecordType.ts"

const Status = Schema.Literal("active", "archived", "completed").annotations({ identifier: "ProjectStatus" })

export const Project = recordType("project", {
  identifier: "Project",
  subject: "project",
  table: "projects",
  order: "created",
  fields: {
    name: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255), Schema.pattern(/\S/))),
    description: writable(Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000))), { default: null }),
    status: writable(Status, { default: "active" }),
    settings: writable(ClientSettings, { input: ClientSettingsInput, default: {} }),
    metadata: writable(ClientData, { input: ClientDataInput, default: {} })
  }
})
export type Project = typeof Project.schema.Type

/** The type of the edge from an entity to the project in which it is filed. */
export const membershipType = "belongs_to_project"

// the minimum number of entities that an agent must name as evidence for a new project
export const evidenceMin = 5

const entityIds = Schema.Array(Id).pipe(Schema.maxItems(100))

export const ProjectDraft = inputOf(
  "ProjectDraft",
  {
    userId: optionalOrNull(CallerId),
    agentUserId: described("Id of the calling agent; any other id is refused.", optionalOrNull(Schema.String)),
    ...inWorkspace,
    ...Project.draft,
    evidenceEntityIds: described(
      "Ids of entities that are evidence for the project. An agent must send them.",
      Schema.optional(entityIds)
    ),
    forceCreate: described(
      "Whether to create the project even if another project has almost the same name.",
      Schema.optionalWith(Schema.Boolean, { default: () => false })
    ),
    ...createDetails
  },
  { name: "Harbour", description: "Everything about the new harbour." }
)
export type ProjectDraft = typeof ProjectDraft.Type

export const ProjectChange = changeOf(Project, { description: "Everything about the new quay." })

/** Input fields that only the rules for new projects use. The pod does not store these fields in the project. */
export const projectRuleInput = { evidenceEntityIds: entityIds, forceCreate: Schema.Boolean }

const filters = { workspaceId: Schema.optional(WorkspaceId), status: Schema.optional(Status) }

export const ProjectQuery = Schema.Struct({ ...filters, ...pageQuery("projects", 50, 100) })
export const ProjectInput = Schema.Struct({ ...filters, ...pageInput("projects", 50, 100) })

/** The body of `POST /projects/{id}/entities`. */
export const ProjectFiling = Schema.Struct({
  entityIds: entityIds.pipe(Schema.minItems(1)),
  ...createDetails
}).annotations({ identifier: "ProjectFiling" })

/** An output: something that was made in a project. */
export const ProjectOutput = Schema.Struct({
  type: Schema.Literal("entity", "document"),
  id: Id,
  title: Schema.String,
  updatedAt: Schema.DateTimeUtc.annotations({ jsonSchema: { type: "string", format: "date-time" } })
}).annotations({ identifier: "ProjectOutput" })
export type ProjectOutput = typeof ProjectOutput.Type
