/**
 * The answers of two operations. One operation sets up a workspace with a template, and the other reads the
 * configuration of the pod.
 */
import { Schema } from "effect"
import { described, example, JsonObject, WorkspaceId } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

export const AdoptionDraft = example(
  Schema.Struct({
    workspaceId: WorkspaceId,
    templateSlug: described(
      "Slug of the template; `GET /pod/config` lists the templates.",
      Schema.String.pipe(Schema.minLength(1), Schema.maxLength(64))
    )
  }).annotations({ identifier: "AdoptionDraft" }),
  { workspaceId: "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f", templateSlug: "meeting-notes" }
)
export type AdoptionDraft = typeof AdoptionDraft.Type

export const AdoptedItem = Schema.Struct({
  type: Schema.Literal("profile", "property", "view", "command"),
  name: Schema.String,
  outcome: described(
    "`created`; `kept`: the record existed; `proposed`: a person has to approve the record; `waiting`: the profile of the record does not exist yet.",
    Schema.Literal("created", "kept", "proposed", "waiting")
  ),
  id: described("Id of the record or of the proposal.", Schema.optionalWith(Id, { exact: true }))
}).annotations({ identifier: "AdoptedItem" })
export type AdoptedItem = typeof AdoptedItem.Type

export const AdoptionResult = Schema.Struct({
  workspaceId: WorkspaceId,
  templateSlug: Schema.String,
  complete: described("Whether the workspace now has every part of the template.", Schema.Boolean),
  items: described("What happened to each part of the template.", Schema.Array(AdoptedItem))
}).annotations({ identifier: "Adopted" })
export type AdoptionResult = typeof AdoptionResult.Type

export const PodConfig = Schema.Struct({
  name: Schema.String,
  version: described("Version of the pod.", Schema.String),
  surfaces: described(
    "How many operations each surface (REST, tRPC, MCP) has.",
    Schema.Record({ key: Schema.String, value: Schema.Number })
  ),
  limits: described("Limits that apply to every caller.", Schema.Record({ key: Schema.String, value: Schema.Number })),
  options: described("Which optional parts of the pod are switched on.", JsonObject),
  templates: described(
    "Templates with which `POST /pod/adopt` can set up a workspace.",
    Schema.Array(
      Schema.Struct({
        slug: Schema.String,
        name: Schema.String,
        description: Schema.String,
        profiles: described("Entity kinds (profile slugs) that the template adds.", Schema.Array(Schema.String)),
        views: described("Views that the template adds.", Schema.Array(Schema.String)),
        commands: described("Trigger words of the commands that the template adds.", Schema.Array(Schema.String))
      })
    )
  )
}).annotations({ identifier: "PodConfig" })
export type PodConfig = typeof PodConfig.Type
