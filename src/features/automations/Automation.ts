/**
 * An automation: the compiled form of a rule. The pod compiles the rule's sentence to an automation, and runs the
 * automation.
 */
import { Data, Schema } from "effect"
import { described } from "../../doors/Fields.ts"

const text = (max: number) => Schema.String.pipe(Schema.minLength(1), Schema.maxLength(max))

/** The parts (clauses) of a rule's sentence. A refusal names the clause that the pod cannot compile. */
export type Clause = "when" | "where" | "then"

/** The failure for a clause that the pod cannot compile. `why` continues the sentence "The WHEN clause …". */
export class ClauseRefused extends Data.TaggedError("ClauseRefused")<{
  readonly clause: Clause
  readonly why: string
}> {}

/** The maximum number of characters of each text in an automation. `when` is for the WHEN clause of the sentence. */
export const lengthsMax = { when: 200, eventType: 128, cron: 100, path: 128, name: 100, title: 255, text: 500 }

/**
 * The trigger of a rule: an event type, or a schedule as five cron fields in UTC. In an event type, `*` stands for any
 * one segment.
 */
export const Trigger = Schema.Union(
  Schema.Struct({
    kind: Schema.Literal("event"),
    eventType: described(
      "Type of the event that starts the automation; `*` matches one part between dots.",
      text(lengthsMax.eventType)
    )
  }),
  Schema.Struct({
    kind: Schema.Literal("schedule"),
    cron: described("Schedule of five cron fields, in UTC.", text(lengthsMax.cron))
  })
)
export type Trigger = typeof Trigger.Type

export const Value = Schema.Union(Schema.String.pipe(Schema.maxLength(lengthsMax.text)), Schema.Finite, Schema.Boolean)
export type Value = typeof Value.Type

/**
 * A condition on the record that the event is about. `path` leads to a field of the record, and dots separate its
 * segments, such as `address.city`.
 */
export const Condition = Schema.Struct({
  path: described("Field of the record, such as `properties.status`.", text(lengthsMax.path)),
  op: described(
    "How the condition compares the field with the value.",
    Schema.Literal("is", "is_not", "contains", "greater_than", "less_than")
  ),
  value: described("Text, number or boolean with which the field is compared.", Value)
})
export type Condition = typeof Condition.Type

/**
 * One step. `profileSlug` is the kind of entity to create. If a notification has no text, it shows the type of the
 * event. `channel` and `webhook` are the names of a channel and of a webhook.
 */
export const Step = Schema.Union(
  Schema.Struct({
    kind: Schema.Literal("notify"),
    whom: described("Name of the person to notify; `me` is the owner of the rule.", text(lengthsMax.name)),
    text: Schema.NullOr(text(lengthsMax.text))
  }),
  Schema.Struct({
    kind: Schema.Literal("create"),
    profileSlug: described("Kind of the new entity.", text(64)),
    title: text(lengthsMax.text)
  }),
  Schema.Struct({
    kind: Schema.Literal("set"),
    path: described("Field that the step sets.", text(lengthsMax.path)),
    value: described("New value of the field: a text, a number or a boolean.", Value)
  }),
  Schema.Struct({
    kind: Schema.Literal("tell"),
    agent: described("Name of the agent.", text(lengthsMax.name)),
    text: text(lengthsMax.text)
  }),
  Schema.Struct({
    kind: Schema.Literal("post"),
    text: text(lengthsMax.text),
    channel: described("Title of the channel.", text(lengthsMax.title))
  }),
  Schema.Struct({
    kind: Schema.Literal("call_webhook"),
    webhook: described("Name of the webhook.", text(lengthsMax.name))
  })
)
export type Step = typeof Step.Type

/** The trigger starts the automation. If every condition is true, the steps run in order. */
export const Automation = Schema.Struct({
  trigger: described("What starts the automation.", Trigger),
  conditions: described("Conditions; all of them must be true.", Schema.Array(Condition)),
  steps: described(
    "Steps of the automation, in the order in which the pod carries them out.",
    Schema.NonEmptyArray(Step)
  )
}).annotations({ identifier: "Automation" })
export type Automation = typeof Automation.Type
