/** A view: the way in which people see a collection, such as a table, a board or a page of widgets. */
import { Schema } from "effect"
import {
  example,
  described,
  WorkspaceId,
  CallerId,
  JsonObject,
  JsonObjectInput,
  optionalOrNull
} from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"

const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))
export const ViewType = Schema.Literal(
  "table",
  "list",
  "grid",
  "gallery",
  "kanban",
  "matrix",
  "masonry",
  "calendar",
  "flow",
  "bento",
  "branch_tree",
  "whiteboard"
)

export const View = recordType("view", {
  identifier: "View",
  subject: "view",
  table: "views",
  fields: {
    name: Name,
    type: ViewType,
    profileId: described("Id of the profile whose entities the view shows, if any.", Schema.NullOr(Id)),
    config: described("Settings of the client.", JsonObject),
    metadata: described("Data that only clients use.", JsonObject)
  }
})
export type View = typeof View.schema.Type

export const ViewDraft = example(
  Schema.Struct({
    workspaceId: optionalOrNull(WorkspaceId),
    userId: optionalOrNull(CallerId),
    name: Name,
    type: ViewType,
    profileId: described("Id of the profile.", Schema.optionalWith(Schema.NullOr(Id), { default: () => null })),
    config: described("Settings of the client.", Schema.optionalWith(JsonObjectInput, { default: () => ({}) })),
    metadata: described("Data that only clients use.", Schema.optionalWith(JsonObjectInput, { default: () => ({}) })),
    reasoning: updateDetails.reasoning,
    sessionId: updateDetails.sessionId
  }).annotations({ identifier: "ViewDraft" }),
  { name: "Board", type: "kanban", config: { groupBy: "status" } }
)

export const ViewChange = example(
  Schema.Struct({
    userId: optionalOrNull(CallerId),
    name: Schema.optional(Name),
    type: Schema.optional(ViewType),
    profileId: described("Id of the profile.", optionalOrNull(Id)),
    config: described("Settings of the client.", Schema.optional(JsonObjectInput)),
    metadata: described("Data that only clients use.", Schema.optional(JsonObjectInput)),
    ...updateDetails
  }).annotations({ identifier: "ViewChange" }),
  { name: "Board of the week" }
)

const widgetsMax = 500 // the most widgets on one page

export const ViewArrangement = example(
  Schema.Struct({
    widgets: described("Widgets of the view, in order.", Schema.Array(JsonObject).pipe(Schema.maxItems(widgetsMax))),
    ...updateDetails
  }).annotations({ identifier: "ViewArrangement" }),
  { widgets: [{ kind: "list", width: 2 }] }
)

const filters = {
  workspaceId: Schema.optional(WorkspaceId),
  type: Schema.optional(ViewType.annotations({ description: "The type of the wanted views." })),
  profileId: described("Id of the profile.", Schema.optional(Id))
}

export const ViewQuery = Schema.Struct({ ...filters, ...pageQuery(50, 200) })
export const ViewInput = Schema.Struct({ ...filters, ...pageInput(50, 200) })
