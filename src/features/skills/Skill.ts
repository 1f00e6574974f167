/** A skill: a prompt with parameters. The language model of the pod follows the prompt. */
import { Schema } from "effect"
import { described, example, JsonObject, JsonObjectInput, objectInput, WorkspaceId } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { changeOf, draftOf } from "../records/RecordInputs.ts"
import { recordType } from "../records/RecordType.ts"

// the maximum number of characters of a prompt
const promptMax = 20_000
// the maximum time in seconds for a run of a skill
export const timeoutMax = 300

const Prompt = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(promptMax)).annotations({
  identifier: "SkillPrompt",
  description: "What the model should do. `{{name}}` stands for the parameter of this name."
})
const Model = Schema.NullOr(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200))).annotations({
  identifier: "SkillModel",
  description: "Name of the model that the skill needs; null means any model."
})

/**
 * Who can run a skill. `user`: only the creator of the skill can run it, and nobody else can learn that it exists.
 * `workspace`: all members of the workspace of the skill can run it. `pod`: the skill is in a person's own space, and
 * this person and all agents and keys of this person can run it.
 */
const SkillScope = Schema.Literal("pod", "workspace", "user").annotations({
  identifier: "SkillScope",
  description:
    "Who may run the skill. `user`: its creator; `workspace`: everybody in its workspace; `pod`: all agents and keys of its creator."
})

const Parameters = JsonObject.annotations({ identifier: "SkillParameters", description: "JSON schema of the input." })
const Timeout = Schema.Int.pipe(Schema.between(1, timeoutMax)).annotations({
  identifier: "SkillTimeout",
  description: "Longest time of a run, in seconds."
})

export const Skill = recordType("skill", {
  identifier: "Skill",
  subject: "command",
  table: "skills",
  visibility: { field: "scope", own: "user" },
  fields: {
    name: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))),
    description: writable(Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000))), { default: null }),
    prompt: writable(Prompt),
    parameters: writable(Parameters, { input: objectInput(Parameters), default: { type: "object" } }),
    model: writable(Model, { default: null }),
    timeoutSeconds: writable(Timeout, { default: 60 }),
    isActive: writable(Schema.Boolean, { meaning: "Whether the skill can be run.", default: true }),
    scope: writable(SkillScope, { draft: Schema.optional(SkillScope) })
  }
})
export type Skill = typeof Skill.schema.Type

export const SkillDraft = draftOf(Skill, {
  name: "Summary",
  prompt: "Summarise {{text}} in one sentence.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] }
})
export const SkillChange = changeOf(Skill, { isActive: false })

export const SkillQuery = Schema.Struct({ workspaceId: Schema.optional(WorkspaceId), ...pageQuery("skills", 50, 200) })
export const ExternalSkillQuery = Schema.Struct(pageQuery("runnableSkills", 100, 200))

/** A skill without its prompt, for programs that only run skills. */
export const ExternalSkill = Schema.Struct({
  id: Id,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  scope: SkillScope,
  parameters: Skill.stored.parameters,
  executionMode: described(
    "Always `synchronous`: the call returns when the run has ended.",
    Schema.Literal("synchronous")
  ),
  timeoutSeconds: Skill.stored.timeoutSeconds
}).annotations({ identifier: "ExternalSkill" })

export const SkillInput = example(
  Schema.Struct({
    input: described(
      "Values of the parameters of the skill, by name.",
      Schema.optionalWith(JsonObjectInput, { default: () => ({}) })
    )
  }).annotations({ identifier: "SkillInput" }),
  { input: { text: "The crane on the quay was inspected in March." } }
)

export const SkillResult = Schema.Struct({
  success: Schema.Literal(true),
  result: described("What the model wrote.", Schema.String),
  executionTimeMs: described("Duration of the run, in milliseconds.", Schema.Int)
}).annotations({ identifier: "SkillResult" })
export type SkillResult = typeof SkillResult.Type
