/** The inputs of operations that remember, update and forget memory facts. */
import { Schema } from "effect"
import { CallerId, described, example, JsonObjectInput, TimestampInput } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { Embedding, SessionName, SourceId, entriesMax, idsMax, text, textMax, turnsMax } from "./MemoryFact.ts"

const Confidence = Schema.Number.pipe(Schema.between(0, 1)).annotations({
  description: "How certain the fact is, 0 to 1."
})
const confidence = (fallback: number) =>
  described("How certain the fact is, 0 to 1.", Schema.optionalWith(Confidence, { default: () => fallback }))

export const Target = text(1, 512)
const FactText = text(1, textMax).annotations({ description: "Text to remember." })

const userId = Schema.optional(Schema.NullOr(CallerId))
const importedField = described(
  "Whether the fact comes from another system.",
  Schema.optionalWith(Schema.Boolean, { default: () => false })
)
const sources = {
  embedding: described("Embedding of the text; a vector of zeros means no embedding.", Schema.optional(Embedding)),
  sourceEntityId: Schema.optionalWith(Schema.NullOr(SourceId), { default: () => null }),
  sourceMessageId: Schema.optionalWith(Schema.NullOr(SourceId), { default: () => null })
}
const saidAt = described(
  "Time when the fact was said.",
  Schema.optionalWith(Schema.NullOr(TimestampInput), { default: () => null })
)

export const FactDraft = example(
  Schema.Struct({
    fact: FactText,
    userId,
    confidence: confidence(0.8),
    ...sources,
    saidAt,
    validFrom: described("Time from which the fact is true. Default: now.", saidAt),
    imported: importedField
  }).annotations({ identifier: "FactDraft" }),
  { fact: "The staging database moves on Friday." }
)
export type FactDraft = typeof FactDraft.Type

export const TurnRole = Schema.Literal("user", "assistant", "system")

export const TurnsDraft = example(
  Schema.Struct({
    sessionId: SessionName,
    turns: described(
      "Turns of the conversation, oldest first.",
      Schema.Array(Schema.Struct({ role: TurnRole, content: FactText, saidAt })).pipe(
        Schema.minItems(1),
        Schema.maxItems(turnsMax)
      )
    ),
    userId,
    summary: Schema.optional(Schema.NullOr(FactText)),
    confidence: described(
      "How certain the facts are, from 0 to 1. Default: 0.8, and 0.9 for the summary.",
      Schema.optional(Confidence)
    ),
    ...sources,
    saidAt: described("Time of each turn that has no `saidAt` of its own.", saidAt),
    imported: importedField
  }).annotations({ identifier: "TurnsDraft" }),
  { sessionId: "2026-03-02", turns: [{ role: "user", content: "The release is on Thursday." }] }
)
export type TurnsDraft = typeof TurnsDraft.Type

export const MemorySessionDraft = example(
  Schema.Struct({
    sessionId: SessionName,
    summary: FactText,
    userId,
    turnCount: described(
      "Number of turns of the conversation.",
      Schema.optional(Schema.Int.pipe(Schema.greaterThan(0)))
    ),
    tags: described(
      "Words by which people find the conversation.",
      Schema.optionalWith(Schema.Array(text(0, 200)).pipe(Schema.maxItems(50)), { default: () => [] })
    ),
    metadata: described("Further data about the conversation.", Schema.optional(JsonObjectInput)),
    confidence: confidence(0.95),
    saidAt,
    imported: importedField
  }).annotations({ identifier: "MemorySessionDraft" }),
  { sessionId: "2026-03-02", summary: "Planned the release." }
)
export type MemorySessionDraft = typeof MemorySessionDraft.Type

export const WritesDraft = example(
  Schema.Struct({
    entries: described(
      "Entries: what to remember, update or forget.",
      Schema.Array(
        Schema.Struct({
          action: described("What to do with the fact.", Schema.Literal("remember", "update", "forget")),
          target: described("Name of the topic, or the id of a fact to update or forget.", Target),
          content: described("Text of the fact, for `remember` and `update`.", text(0, textMax))
        })
      ).pipe(Schema.minItems(1), Schema.maxItems(entriesMax))
    ),
    userId,
    confidence: confidence(0.9),
    imported: importedField
  }).annotations({ identifier: "WritesDraft" }),
  { entries: [{ action: "remember", target: "team", content: "Ana leads the migration." }] }
)
export type WritesDraft = typeof WritesDraft.Type

export const ForgetDraft = example(
  Schema.Struct({
    userId,
    query: described("The pod forgets every fact that contains all these words.", Schema.optional(text(1, 2000))),
    ids: described(
      "Ids of the facts to forget.",
      Schema.optional(Schema.Array(Id).pipe(Schema.minItems(1), Schema.maxItems(idsMax)))
    )
  })
    .pipe(
      Schema.filter(
        ({ ids, query }) => (ids === undefined) !== (query === undefined) || "Send either `query` or `ids`."
      )
    )
    .annotations({ identifier: "ForgetDraft" }),
  { query: "old office" }
)
export type ForgetDraft = typeof ForgetDraft.Type
