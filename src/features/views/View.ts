/** A view: a stored way to show entities, such as a table, a board or a page of widgets. */
import { Schema } from "effect"
import {
  example,
  described,
  WorkspaceId,
  CallerId,
  ClientData,
  ClientDataInput,
  ClientSettings,
  ClientSettingsInput,
  JsonObject,
  optionalOrNull
} from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { inputOf, inWorkspace } from "../records/RecordInputs.ts"
import { createDetails, recordType, updateDetails } from "../records/RecordType.ts"

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
).annotations({ identifier: "ViewType" })

export const View = recordType("view", {
  identifier: "View",
  subject: "view",
  table: "views",
  fields: {
    name: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))),
    type: writable(ViewType),
    profileId: writable(Schema.NullOr(Id), {
      meaning: "Id of the profile whose entities the view shows.",
      default: null
    }),
    config: writable(ClientSettings, { input: ClientSettingsInput, default: {} }),
    metadata: writable(ClientData, { input: ClientDataInput, default: {} })
  }
})
export type View = typeof View.schema.Type

const userId = optionalOrNull(CallerId)

export const ViewDraft = inputOf(
  "ViewDraft",
  { ...inWorkspace, userId, ...View.draft, ...createDetails },
  { name: "Board", type: "kanban", config: { groupBy: "status" } }
)
export const ViewChange = inputOf(
  "ViewChange",
  { userId, ...View.change, ...updateDetails },
  { name: "Board of the week" }
)

// the maximum number of widgets on one page
const widgetsMax = 500

export const ViewArrangement = example(
  Schema.Struct({
    widgets: described(
      "Widgets of the view, in the order in which clients show them.",
      Schema.Array(JsonObject).pipe(Schema.maxItems(widgetsMax))
    ),
    ...updateDetails
  }).annotations({ identifier: "ViewArrangement" }),
  { widgets: [{ kind: "list", width: 2 }] }
)

const filters = {
  workspaceId: Schema.optional(WorkspaceId),
  type: Schema.optional(ViewType.annotations({ description: "Only views of this type." })),
  profileId: Schema.optional(Id)
}

export const ViewQuery = Schema.Struct({ ...filters, ...pageQuery("views", 50, 200) })
export const ViewInput = Schema.Struct({ ...filters, ...pageInput("views", 50, 200) })
