/** A track: a line of work that people follow over time. */
import { Schema } from "effect"
import { described, WorkspaceId, ProjectId, ClientSettings, ClientSettingsInput } from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { changeOf, draftOf } from "../records/RecordInputs.ts"
import { recordType } from "../records/RecordType.ts"

const Status = Schema.Literal("active", "paused", "completed", "archived").annotations({ identifier: "TrackStatus" })

export const Track = recordType("track", {
  identifier: "Track",
  subject: "track",
  table: "tracks",
  references: { projectId: { targetType: "project", isFiling: true } },
  fields: {
    name: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))),
    description: writable(Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000))), { default: null }),
    status: writable(Status, { default: "active" }),
    projectId: writable(described("Id of the project that the track belongs to.", Schema.NullOr(Id)), {
      input: Schema.NullOr(ProjectId),
      default: null
    }),
    settings: writable(ClientSettings, { input: ClientSettingsInput, default: {} })
  }
})
export type Track = typeof Track.schema.Type

export const TrackDraft = draftOf(Track, {
  name: "Move to the new harbour",
  description: "What is left until we move."
})
export const TrackChange = changeOf(Track, { status: "completed" })

const filters = {
  workspaceId: Schema.optional(WorkspaceId),
  projectId: Schema.optional(ProjectId),
  status: Schema.optional(Status)
}

export const TrackQuery = Schema.Struct({ ...filters, ...pageQuery("tracks", 50, 200) })
export const TrackInput = Schema.Struct({ ...filters, ...pageInput("tracks", 50, 200) })
