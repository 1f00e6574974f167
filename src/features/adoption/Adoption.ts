/** What adopting a template and the configuration of the pod answer. */
import { Schema } from "effect"
import { described, example, JsonObject, WorkspaceId } from "../../doors/Fields.ts"

export const AdoptionDraft = example(
  Schema.Struct({
    workspaceId: WorkspaceId,
    templateSlug: described(
      "The template; GET /pod/config lists them.",
      Schema.String.pipe(Schema.minLength(1), Schema.maxLength(64))
    )
  }).annotations({ identifier: "AdoptionDraft" }),
  { workspaceId: "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f", templateSlug: "meeting-notes" }
)
export type AdoptionDraft = typeof AdoptionDraft.Type

export const AdoptedItem = Schema.Struct({
  type: described("What it is.", Schema.Literal("profile", "property", "view", "command")),
  name: Schema.String,
  outcome: described(
    "created; kept: it was there; proposed: a person has to approve it; waiting: its profile is not there yet.",
    Schema.Literal("created", "kept", "proposed", "waiting")
  ),
  id: described("The record, or the proposal.", Schema.optionalWith(Schema.UUID, { exact: true }))
}).annotations({ identifier: "AdoptedItem" })
export type AdoptedItem = typeof AdoptedItem.Type

export const Adopted = Schema.Struct({
  workspaceId: WorkspaceId,
  templateSlug: described("The template.", Schema.String),
  complete: described("Whether everything of the template is there now.", Schema.Boolean),
  items: described("What came of each part.", Schema.Array(AdoptedItem))
}).annotations({ identifier: "Adopted" })
export type Adopted = typeof Adopted.Type

export const PodConfig = Schema.Struct({
  name: Schema.String,
  version: described("The version of the pod.", Schema.String),
  surfaces: described(
    "How many operations each surface opens.",
    Schema.Record({ key: Schema.String, value: Schema.Number })
  ),
  limits: described("Limits that hold for every caller.", Schema.Record({ key: Schema.String, value: Schema.Number })),
  options: described("What is on.", JsonObject),
  templates: described(
    "What POST /pod/adopt can set a workspace up with.",
    Schema.Array(
      Schema.Struct({
        slug: Schema.String,
        name: Schema.String,
        description: Schema.String,
        profiles: described("The kinds that it adds.", Schema.Array(Schema.String)),
        views: described("The views that it adds.", Schema.Array(Schema.String)),
        commands: described("The commands that it adds, by the word that starts them.", Schema.Array(Schema.String))
      })
    )
  )
}).annotations({ identifier: "PodConfig" })
export type PodConfig = typeof PodConfig.Type
