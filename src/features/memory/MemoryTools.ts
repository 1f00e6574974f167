/** The MCP tools of memory. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/Declare.ts"
import { everyKind, writes } from "../../doors/Door.ts"
import { CallerId, Timestamp, TimestampInput } from "../../doors/Fields.ts"
import { MemoryFact, text, textMost, Trust } from "./MemoryFact.ts"

export const categories = ["working_style", "communication", "focus", "preferences", "habits", "technical"] as const

/** A fact in the form that a model needs. It has the text, its trust and the time when it was said. */
export const LeanFact = Schema.Struct({
  id: Schema.UUID,
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
        fact: text(1, textMost),
        userId: Schema.optional(CallerId),
        confidence: Schema.optionalWith(Schema.Number.pipe(Schema.between(0, 1)), { default: () => 0.8 }),
        category: Schema.optional(Schema.Literal(...categories)),
        userStated: Schema.optionalWith(Schema.Boolean, { default: () => false })
      }),
      {
        fact: "One sentence that is understood without the conversation.",
        userId: "Your own id or your person's; you can leave it out.",
        confidence: "How sure you are, from 0 to 1.",
        category: "What the fact is about.",
        userStated: "Whether the person said it. What you concluded yourself waits for the person's approval."
      }
    ),
    success: MemoryFact,
    door: writes("mcp.write", "memory", ["create"]),
    summary:
      "Remember a fact about your person for later conversations. One that is known already is counted, and an older one that it contradicts is superseded."
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
        query: "What you want to know, in the words that may have been used.",
        limit: "How many facts at most.",
        tokenBudget: "About how many tokens the answer may take; long facts are cut.",
        asOf: "Recall what held at this time.",
        trust: "Only facts by a person, by agents, or from imports."
      }
    ),
    success: Schema.Struct({
      facts: Schema.Array(LeanFact),
      /** The number of facts that were found and did not fit. */
      leftOut: Schema.Number
    }),
    door: everyKind("mcp.read", ["memory"]),
    summary: "Recall what is remembered about your person, best first, within a token budget."
  })
] as const
