/** The MCP tools of memory: `svc_remember_fact` stores a fact, and `svc_recall` finds facts for a question. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { everyKind, writes } from "../../doors/Door.ts"
import { CallerId, Timestamp, TimestampInput } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { IdempotencyKeyInput, idempotencyKeyText } from "../../doors/RepeatableTool.ts"
import { MemoryFact, text, textMax, Trust } from "./MemoryFact.ts"

export const categories = ["working_style", "communication", "focus", "preferences", "habits", "technical"] as const

/** A fact in the form that a model needs: the text, the level of trust, and the time when the person said the fact. */
export const LeanFact = Schema.Struct({
  id: Id,
  fact: Schema.String,
  trust: Trust,
  saidAt: Timestamp,
  sessionId: Schema.optional(Schema.String)
}).annotations({ identifier: "LeanFact" })
export type LeanFact = typeof LeanFact.Type

export const MemoryTools = [
  tool("svc_remember_fact", {
    title: "Remember a fact",
    input: describeArguments(
      Schema.Struct({
        fact: text(1, textMax),
        userId: Schema.optional(CallerId),
        confidence: Schema.optionalWith(Schema.Number.pipe(Schema.between(0, 1)), { default: () => 0.8 }),
        category: Schema.optional(Schema.Literal(...categories)),
        userStated: Schema.optionalWith(Schema.Boolean, { default: () => false }),
        idempotencyKey: IdempotencyKeyInput
      }),
      {
        fact: "One sentence that readers understand without the conversation.",
        userId: "Your own id, or the id of the person that you act for.",
        confidence: "How certain you are, from 0 to 1.",
        category: "What the fact is about.",
        userStated:
          "`true` if the person said the fact. A fact that you concluded yourself waits for the approval of the person.",
        idempotencyKey: idempotencyKeyText
      }
    ),
    success: MemoryFact,
    door: writes("mcp.write", "memory", ["create"]),
    summary:
      "Remember a fact about the person that you act for. Later conversations can recall the fact. If the pod already has the fact, the pod increases the `count` of the fact. If the new fact contradicts an older fact, the pod marks the older fact as superseded."
  }),
  tool("svc_recall", {
    title: "Recall facts",
    input: describeArguments(
      Schema.Struct({
        query: text(1, 2000),
        limit: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 100)), { default: () => 10 }),
        tokenBudget: Schema.optionalWith(Schema.Int.pipe(Schema.between(50, 20_000)), { default: () => 800 }),
        asOf: Schema.optional(TimestampInput),
        trust: Schema.optional(Trust)
      }),
      {
        query: "The question, in words that the fact might contain.",
        limit: "The largest number of facts to return.",
        tokenBudget: "The largest size of the answer in tokens (approximate); the pod cuts long facts.",
        asOf: "The time at which the facts were true. Default: now.",
        trust: "Who wrote the facts: a person, agents, or imports."
      }
    ),
    success: Schema.Struct({
      facts: Schema.Array(LeanFact),
      /** The number of matching facts that did not fit into the maximum number of tokens. */
      leftOut: Schema.Number
    }),
    door: everyKind("mcp.read", ["memory"]),
    summary: "Recall facts about the person that you act for, best first, within a token budget."
  })
] as const
