/** A command: an action that a person starts by name, such as with a slash. It is private, or shared in its space. */
import { Schema } from "effect"
import { example, described, WorkspaceId, JsonObject, JsonObjectInput } from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"

const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))
const Description = Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000)))
const TriggerSlug = Schema.String.pipe(Schema.pattern(/^[a-z0-9][a-z0-9_-]{0,63}$/))
const NullableSlug = Schema.NullOr(TriggerSlug)
/** With `user`, only the person who made the command can read it or learn that it exists. */
const Sharing = Schema.Literal("space", "user")

export const Command = recordType("command", {
  identifier: "Command",
  subject: "command",
  table: "commands",
  visibility: { field: "sharing", own: "user" },
  fields: {
    name: Name,
    description: Description,
    triggerSlug: described("Word that starts the command.", NullableSlug),
    skillId: described("Id of the skill that carries out the command.", Schema.NullOr(Id)),
    config: described("Settings for clients.", JsonObject),
    sharing: described("Who may use it: everybody in the space, or only its creator.", Sharing)
  }
})
export type Command = typeof Command.schema.Type

export const CommandDraft = example(
  Schema.Struct({
    workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
    name: Name,
    description: Schema.optionalWith(Description, { default: () => null }),
    triggerSlug: described("Word that starts the command.", Schema.optionalWith(NullableSlug, { default: () => null })),
    skillId: described(
      "Id of the skill that the command calls.",
      Schema.optionalWith(Schema.NullOr(Id), { default: () => null })
    ),
    config: described("Settings for clients.", Schema.optionalWith(JsonObjectInput, { default: () => ({}) })),
    sharing: described(
      "Who may use it: everybody in the space, or only its creator.",
      Schema.optionalWith(Sharing, { default: () => "space" as const })
    ),
    reasoning: updateDetails.reasoning,
    sessionId: updateDetails.sessionId
  }).annotations({ identifier: "CommandDraft" }),
  { name: "Weekly report", triggerSlug: "report", sharing: "user" }
)

export const CommandChange = example(
  Schema.Struct({
    name: Schema.optional(Name),
    description: Schema.optional(Description),
    triggerSlug: described("Word that starts the command.", Schema.optional(NullableSlug)),
    skillId: described("Id of the skill that the command calls.", Schema.optional(Schema.NullOr(Id))),
    config: described("Settings for clients.", Schema.optional(JsonObjectInput)),
    sharing: described("Who may use it: everybody in the space, or only its creator.", Schema.optional(Sharing)),
    ...updateDetails
  }).annotations({ identifier: "CommandChange" }),
  { description: "Writes the report of the week." }
)

const filters = {
  workspaceId: Schema.optional(WorkspaceId),
  triggerSlug: described("Word that starts the command.", Schema.optional(TriggerSlug))
}

export const CommandQuery = Schema.Struct({ ...filters, ...pageQuery(50, 200) })
export const CommandInput = Schema.Struct({ ...filters, ...pageInput(50, 200) })
