/** A track: a line of work that is followed over time. */
import { Schema } from "effect"
import { example, described, WorkspaceId, ProjectId, JsonObject, JsonObjectInput } from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { updateDetails, createDetails, recordType } from "../records/RecordType.ts"

const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))
const Status = Schema.Literal("active", "paused", "completed", "archived")
const Description = Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000)))

export const Track = recordType("track", {
  identifier: "Track",
  subject: "track",
  table: "tracks",
  references: { projectId: { targetType: "project", isFiling: true } },
  fields: {
    name: Name,
    description: Description,
    status: Status,
    projectId: described("Id of the project that the track belongs to, if any.", Schema.NullOr(Id)),
    settings: described("Settings of the track.", JsonObject)
  }
})
export type Track = typeof Track.schema.Type

export const TrackDraft = example(
  Schema.Struct({
    workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
    name: Name,
    description: Schema.optionalWith(Description, { default: () => null }),
    status: Schema.optionalWith(Status, { default: () => "active" as const }),
    projectId: Schema.optionalWith(Schema.NullOr(ProjectId), { default: () => null }),
    settings: described("Settings of the track.", Schema.optionalWith(JsonObjectInput, { default: () => ({}) })),
    ...createDetails
  }).annotations({ identifier: "TrackDraft" }),
  { name: "Move to the new harbour", description: "What is left until we move." }
)

export const TrackChange = example(
  Schema.Struct({
    name: Schema.optional(Name),
    description: Schema.optional(Description),
    status: Schema.optional(Status),
    projectId: Schema.optional(Schema.NullOr(ProjectId)),
    settings: described("Settings of the track.", Schema.optional(JsonObjectInput)),
    ...updateDetails
  }).annotations({ identifier: "TrackChange" }),
  { status: "completed" }
)

const filters = {
  workspaceId: Schema.optional(WorkspaceId),
  projectId: Schema.optional(ProjectId),
  status: Schema.optional(Status)
}

export const TrackQuery = Schema.Struct({ ...filters, ...pageQuery(50, 200) })
export const TrackInput = Schema.Struct({ ...filters, ...pageInput(50, 200) })
