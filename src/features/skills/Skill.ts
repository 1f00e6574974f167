/** A skill: a prompt with parameters, which the language model of the pod carries out. */
import { Schema } from "effect"
import { described, example, JsonObject, JsonObjectInput, WorkspaceId } from "../../doors/Fields.ts"
import { offsetQuery, limitQuery, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { createDetails, recordType, updateDetails } from "../records/RecordType.ts"

const promptMost = 20_000 // the most characters of a prompt
export const timeoutMost = 300 // seconds
const timeoutDefault = 60

const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))
const Description = Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000)))
const Prompt = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(promptMost))
const Model = Schema.NullOr(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200)))
const TimeoutSeconds = Schema.Int.pipe(Schema.between(1, timeoutMost))

/**
 * Who can run a skill. `user`: only its creator, and nobody else can learn that it exists. `workspace`: all members of
 * its workspace. `pod`: all agents and keys of the person in whose personal space it is.
 */
const SkillScope = Schema.Literal("pod", "workspace", "user").annotations({
  identifier: "SkillScope",
  description:
    "Who may run the skill. `user`: its creator; `workspace`: everybody in its workspace; `pod`: all agents and keys of its person."
})

const meaning = {
  prompt: "What the model should do. `{{name}}` stands for the parameter of this name.",
  parameters: "JSON schema of the input.",
  model: "Name of the model that the skill needs; null: any model.",
  timeoutSeconds: "Longest time of a run, in seconds.",
  isActive: "Whether the skill can be run."
}

export const Skill = recordType("skill", {
  identifier: "Skill",
  subject: "command",
  table: "skills",
  visibility: { field: "scope", own: "user" },
  fields: {
    name: Name,
    description: Description,
    prompt: described(meaning.prompt, Prompt),
    parameters: described(meaning.parameters, JsonObject),
    model: described(meaning.model, Model),
    timeoutSeconds: described(meaning.timeoutSeconds, TimeoutSeconds),
    isActive: described(meaning.isActive, Schema.Boolean),
    scope: SkillScope
  }
})
export type Skill = typeof Skill.schema.Type

export const SkillDraft = example(
  Schema.Struct({
    workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
    name: Name,
    description: Schema.optionalWith(Description, { default: () => null }),
    prompt: described(meaning.prompt, Prompt),
    parameters: described(
      meaning.parameters,
      Schema.optionalWith(JsonObjectInput, { default: () => ({ type: "object" }) })
    ),
    model: described(meaning.model, Schema.optionalWith(Model, { default: () => null })),
    timeoutSeconds: described(
      meaning.timeoutSeconds,
      Schema.optionalWith(TimeoutSeconds, { default: () => timeoutDefault })
    ),
    isActive: described(meaning.isActive, Schema.optionalWith(Schema.Boolean, { default: () => true })),
    scope: Schema.optional(SkillScope),
    ...createDetails
  }).annotations({ identifier: "SkillDraft" }),
  {
    name: "Summary",
    prompt: "Summarise {{text}} in one sentence.",
    parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] }
  }
)

export const SkillChange = example(
  Schema.Struct({
    name: Schema.optional(Name),
    description: Schema.optional(Description),
    prompt: described(meaning.prompt, Schema.optional(Prompt)),
    parameters: described(meaning.parameters, Schema.optional(JsonObjectInput)),
    model: described(meaning.model, Schema.optional(Model)),
    timeoutSeconds: described(meaning.timeoutSeconds, Schema.optional(TimeoutSeconds)),
    isActive: described(meaning.isActive, Schema.optional(Schema.Boolean)),
    scope: Schema.optional(SkillScope),
    ...updateDetails
  }).annotations({ identifier: "SkillChange" }),
  { isActive: false }
)

export const SkillQuery = Schema.Struct({ workspaceId: Schema.optional(WorkspaceId), ...pageQuery(50, 200) })
export const ExternalSkillQuery = Schema.Struct({ limit: limitQuery(100, 200), offset: offsetQuery })

/** A skill without its prompt, for programs that only run skills. */
export const ExternalSkill = Schema.Struct({
  id: Id,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  scope: SkillScope,
  parameters: described(meaning.parameters, JsonObject),
  executionMode: described(
    "Always `synchronous`: the call returns when the run has ended.",
    Schema.Literal("synchronous")
  ),
  timeoutSeconds: described(meaning.timeoutSeconds, Schema.Int)
}).annotations({ identifier: "ExternalSkill" })

export const SkillInput = example(
  Schema.Struct({
    input: described("The parameters of the skill.", Schema.optionalWith(JsonObjectInput, { default: () => ({}) }))
  }).annotations({ identifier: "SkillInput" }),
  { input: { text: "The crane on the quay was inspected in March." } }
)

export const SkillResult = Schema.Struct({
  success: Schema.Literal(true),
  result: described("What the model wrote.", Schema.String),
  executionTimeMs: described("Duration of the run, in milliseconds.", Schema.Int)
}).annotations({ identifier: "SkillResult" })
export type SkillResult = typeof SkillResult.Type
