/**
 * A command: an action that a person starts by its name, often after a slash. A command is private, or shared in its
 * space.
 */
import { Schema } from "effect"
import { described, WorkspaceId, ClientSettings, ClientSettingsInput } from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { changeOf, draftOf } from "../records/RecordInputs.ts"
import { recordType } from "../records/RecordType.ts"

const TriggerSlug = Schema.String.pipe(Schema.pattern(/^[a-z0-9][a-z0-9_-]{0,63}$/))
/** With the value `user`, only the person who made the command can read the command or learn that it exists. */
const Sharing = Schema.Literal("space", "user").annotations({
  identifier: "CommandSharing",
  description: "Who may use the command: everybody in the space, or only its creator."
})

export const Command = recordType("command", {
  identifier: "Command",
  subject: "command",
  table: "commands",
  visibility: { field: "sharing", own: "user" },
  references: { skillId: { targetType: "skill" } },
  fields: {
    name: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))),
    description: writable(Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000))), { default: null }),
    triggerSlug: writable(Schema.NullOr(TriggerSlug), { meaning: "Word that starts the command.", default: null }),
    skillId: writable(Schema.NullOr(Id), {
      meaning: "Id of the skill that carries out the command.",
      default: null
    }),
    config: writable(ClientSettings, { input: ClientSettingsInput, default: {} }),
    sharing: writable(Sharing, { default: "space" })
  }
})
export type Command = typeof Command.schema.Type

export const CommandDraft = draftOf(Command, { name: "Weekly report", triggerSlug: "report", sharing: "user" })
export const CommandChange = changeOf(Command, { description: "Writes the report of the week." })

const filters = {
  workspaceId: Schema.optional(WorkspaceId),
  triggerSlug: described("Word that starts the command.", Schema.optional(TriggerSlug))
}

export const CommandQuery = Schema.Struct({ ...filters, ...pageQuery("commands", 50, 200) })
export const CommandInput = Schema.Struct({ ...filters, ...pageInput("commands", 50, 200) })
