/** A view: how a collection is laid out for people, such as a table, a board or a page of widgets. */
import { Schema } from "effect"
import { JsonObject, JsonObjectInput, optionalOrNull, pageInput, pageQuery } from "../../doors/Fields.ts"
import { circumstances, recordType } from "../records/RecordType.ts"

const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))
const ViewType = Schema.Literal(
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
    /** The kind of entity it shows, when it shows one. */
    profileId: Schema.NullOr(Schema.UUID),
    config: JsonObject,
    metadata: JsonObject
  }
})
export type View = typeof View.schema.Type

export const ViewDraft = Schema.Struct({
  workspaceId: optionalOrNull(Schema.UUID),
  userId: optionalOrNull(Schema.String),
  name: Name,
  type: ViewType,
  profileId: Schema.optionalWith(Schema.NullOr(Schema.UUID), { default: () => null }),
  config: Schema.optionalWith(JsonObjectInput, { default: () => ({}) }),
  metadata: Schema.optionalWith(JsonObjectInput, { default: () => ({}) }),
  reasoning: circumstances.reasoning,
  sessionId: circumstances.sessionId
}).annotations({ identifier: "ViewDraft" })

export const ViewChange = Schema.Struct({
  userId: optionalOrNull(Schema.String),
  name: Schema.optional(Name),
  type: Schema.optional(ViewType),
  profileId: optionalOrNull(Schema.UUID),
  config: Schema.optional(JsonObjectInput),
  metadata: Schema.optional(JsonObjectInput),
  ...circumstances
}).annotations({ identifier: "ViewChange" })

const widgetsMost = 500 // on one page

export const Arrangement = Schema.Struct({
  widgets: Schema.Array(JsonObject).pipe(Schema.maxItems(widgetsMost)),
  ...circumstances
}).annotations({ identifier: "ViewArrangement" })

const filters = {
  workspaceId: Schema.optional(Schema.UUID),
  type: Schema.optional(ViewType.annotations({ description: "Only views of this type." })),
  profileId: Schema.optional(Schema.UUID)
}

export const ViewQuery = Schema.Struct({ ...filters, ...pageQuery(50, 200) })
export const ViewInput = Schema.Struct({ ...filters, ...pageInput(50, 200) })
