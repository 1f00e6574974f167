/** A memory fact is something that a person's programs store for that person (specification §2.5). */
import { Schema } from "effect"
import {
  CallerId,
  described,
  example,
  isStorable,
  JsonObjectInput,
  pageQuery,
  Timestamp,
  TimestampInput
} from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { isUuid } from "../../platform/Ids.ts"

/** How many numbers an embedding from a client has. */
export const dimensions = 1536

export const levels = ["fact", "turn", "summary", "session", "write"] as const
export const Level = Schema.Literal(...levels)
export type Level = typeof Level.Type

/** The levels of trust in a fact, named by its source, from lowest to highest. */
export const trusts = ["import", "agent", "person"] as const
export const Trust = Schema.Literal(...trusts)
export type Trust = typeof Trust.Type

export const textMost = 100_000 // characters of one fact
export const turnsMost = 200 // the most turns in one request; one statement writes all of them
export const entriesMost = 50 // the most entries in one request (specification §8)
export const idsMost = 1000

export const text = (least: number, most: number) =>
  Schema.String.pipe(
    Schema.filter((given) => isStorable(given) || "Text must not contain U+0000 or half a surrogate pair."),
    Schema.minLength(least),
    Schema.maxLength(most)
  )

const sourceMeaning = "A UUID is the id of a record of the pod; any other text is an id of another system."

/**
 * The id of the source of a fact in an input. The pod looks up only a UUID, and stores it in lower case like its own
 * ids.
 */
export const SourceId = Schema.transform(text(1, 200), Schema.String, {
  strict: true,
  decode: (sent) => (isUuid(sent) ? sent.toLowerCase() : sent),
  encode: (id) => id
}).annotations({
  identifier: "SourceId",
  jsonSchema: { type: "string", minLength: 1, maxLength: 200, description: sourceMeaning }
})

export const MemoryFact = Schema.Struct({
  id: Id,
  userId: described("Id of the person who owns the fact.", Id),
  fact: described("Text of the fact. A prefix shows its level.", Schema.String),
  confidence: described("How certain the fact is, 0 to 1.", Schema.Number),
  sourceEntityId: described("Id of the source entity.", Schema.NullOr(Schema.String)),
  sourceMessageId: described("Id of the source message.", Schema.NullOr(Schema.String)),
  createdAt: described("Time when the pod stored the fact.", Timestamp),
  updatedAt: Timestamp,
  level: described("Level: a fact, a turn of a conversation, a summary, a session or a written entry.", Level),
  trust: described("Who wrote the fact; if several did, the most trusted one.", Trust),
  actorId: described("Id of the first writer of the fact: the person or an agent.", Id),
  count: described("How many writes contained this fact.", Schema.Number),
  sessionId: described("Name of the session in which the fact was said.", Schema.NullOr(Schema.String)),
  turn: described("Position of the turn in the session, starting at 0.", Schema.NullOr(Schema.Number)),
  role: described("Who said the turn, such as `user` or `assistant`.", Schema.NullOr(Schema.String)),
  saidAt: described("Time when the fact was said.", Schema.NullOr(Timestamp)),
  target: described("Name of the fact's topic, if any.", Schema.NullOr(Schema.String)),
  validFrom: described("Time from which the fact is true.", Timestamp),
  validTo: described(
    "Time when the fact was superseded or forgotten; null for a current fact.",
    Schema.NullOr(Timestamp)
  ),
  supersededBy: described("Id of the fact that replaces this fact.", Schema.NullOr(Id)),
  endReason: described("Why the fact is no longer true.", Schema.NullOr(Schema.String))
}).annotations({ identifier: "MemoryFact" })
export type MemoryFact = typeof MemoryFact.Type

/**
 * A fact as the store has it, with internal fields. `lineage` is the id of the first fact in its chain of replacements.
 * `sameHash` is equal for facts that say the same.
 */
export interface KeptFact extends MemoryFact {
  readonly lineage: string
  readonly sameHash: string
  /** The number of the last write that changed the fact. */
  readonly seq: number
}

/** One change of a fact by one write. */
export const FactRevision = Schema.Struct({
  factId: described("Id of the written fact.", Id),
  what: described(
    "`add`: a new fact; `fold`: a repetition; `unfold`: a repetition was undone; `end`: the fact ended; `restore`: the fact was restored.",
    Schema.Literal("add", "fold", "unfold", "end", "restore")
  ),
  fact: described("Text of the fact in this write.", Schema.String),
  trust: described("Who wrote the fact: a person, an agent or an import.", Trust),
  actorId: described("Id of the writer: the person or an agent.", Id),
  reason: described("Why the fact ended or was restored.", Schema.NullOr(Schema.String)),
  supersededBy: described("Id of the fact that replaces this fact.", Schema.NullOr(Id)),
  sourceEntityId: described("Id of the source entity.", Schema.NullOr(Schema.String)),
  sourceMessageId: described("Id of the source message.", Schema.NullOr(Schema.String)),
  eventId: described("Id of the event that recorded the write.", Id),
  at: Timestamp
}).annotations({ identifier: "FactRevision" })
export type FactRevision = typeof FactRevision.Type

const Confidence = Schema.Number.pipe(Schema.between(0, 1)).annotations({
  description: "How certain the fact is, 0 to 1."
})
const confidence = (fallback: number) =>
  described("How certain the fact is, 0 to 1.", Schema.optionalWith(Confidence, { default: () => fallback }))

const numberMost = 1e18 // the largest number in an embedding, so that the sum of the squares is still finite
const isEmbedding = (numbers: ReadonlyArray<number>) =>
  numbers.length === dimensions && numbers.every((each) => Math.abs(each) <= numberMost)

export const Embedding = Schema.Array(Schema.Number)
  .pipe(
    Schema.filter(isEmbedding, {
      message: () => `Send ${dimensions} numbers from -1e18 to 1e18.`,
      jsonSchema: { description: `An embedding: a list of ${dimensions} numbers.` }
    })
  )
  .annotations({
    identifier: "Embedding",
    arbitrary: () => (fc) => fc.array(fc.integer({ min: -9, max: 9 }), { minLength: dimensions, maxLength: dimensions })
  })

const SessionName = text(1, 255).annotations({ description: "The name that the client gave the session." })
export const Target = text(1, 512)
const FactText = text(1, textMost).annotations({ description: "The text to remember." })

const userId = Schema.optional(Schema.NullOr(CallerId))
const imported = described(
  "Whether the fact comes from another system.",
  Schema.optionalWith(Schema.Boolean, { default: () => false })
)
const sources = {
  embedding: described("Embedding of the text; a vector of zeros means no embedding.", Schema.optional(Embedding)),
  sourceEntityId: described(
    "Id of the source entity.",
    Schema.optionalWith(Schema.NullOr(SourceId), { default: () => null })
  ),
  sourceMessageId: described(
    "Id of the source message.",
    Schema.optionalWith(Schema.NullOr(SourceId), { default: () => null })
  )
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
    imported
  }).annotations({ identifier: "FactDraft" }),
  { fact: "The staging database moves on Friday." }
)
export type FactDraft = typeof FactDraft.Type

export const TurnRole = Schema.Literal("user", "assistant", "system")

export const TurnsDraft = example(
  Schema.Struct({
    sessionId: SessionName,
    turns: described(
      "Turns of the conversation, in order.",
      Schema.Array(Schema.Struct({ role: TurnRole, content: FactText, saidAt })).pipe(
        Schema.minItems(1),
        Schema.maxItems(turnsMost)
      )
    ),
    userId,
    summary: Schema.optional(Schema.NullOr(FactText)),
    confidence: described(
      "How certain the facts are, from 0 to 1. Default: 0.8, and 0.9 for the summary.",
      Schema.optional(Confidence)
    ),
    ...sources,
    saidAt: described("Time for turns without a `saidAt` of their own.", saidAt),
    imported
  }).annotations({ identifier: "TurnsDraft" }),
  { sessionId: "2026-03-02", turns: [{ role: "user", content: "The release is on Thursday." }] }
)
export type TurnsDraft = typeof TurnsDraft.Type

export const MemorySessionDraft = example(
  Schema.Struct({
    sessionId: SessionName,
    summary: FactText,
    userId,
    turnCount: described("Number of turns of the session.", Schema.optional(Schema.Int.pipe(Schema.greaterThan(0)))),
    tags: described(
      "Words by which people find the session.",
      Schema.optionalWith(Schema.Array(text(0, 200)).pipe(Schema.maxItems(50)), { default: () => [] })
    ),
    metadata: described("Further data about the session.", Schema.optional(JsonObjectInput)),
    confidence: confidence(0.95),
    saidAt,
    imported
  }).annotations({ identifier: "SessionDraft" }),
  { sessionId: "2026-03-02", summary: "Planned the release." }
)
export type MemorySessionDraft = typeof MemorySessionDraft.Type

export const WritesDraft = example(
  Schema.Struct({
    entries: described(
      "Entries: what to remember, update or forget.",
      Schema.Array(
        Schema.Struct({
          action: Schema.Literal("remember", "update", "forget"),
          target: described("Name of the topic, or the id of a fact to update or forget.", Target),
          content: text(0, textMost)
        })
      ).pipe(Schema.minItems(1), Schema.maxItems(entriesMost))
    ),
    userId,
    confidence: confidence(0.9),
    imported
  }).annotations({ identifier: "WritesDraft" }),
  { entries: [{ action: "remember", target: "team", content: "Ana leads the migration." }] }
)
export type WritesDraft = typeof WritesDraft.Type

const searchMost = 100 // the most facts in one answer (specification §8)
const limit = described(
  "Largest number of facts to return.",
  Schema.optionalWith(Schema.Int.pipe(Schema.between(1, searchMost)), { default: () => 10 })
)

const question = text(0, 2000)
const narrowing = {
  asOf: described("Find the facts that were true at this time. Default: now.", Schema.optional(TimestampInput)),
  trust: described("Who wrote the wanted facts.", Schema.optional(Trust)),
  level: described("Level of the wanted facts.", Schema.optional(Level)),
  sessionId: described("Name of a session: only its facts are found.", Schema.optional(SessionName))
}

export const MemoryQuery = Schema.Struct({
  userId: Schema.optional(CallerId),
  query: described("Words to search for.", Schema.optional(question)),
  q: described("Another name for `query`.", Schema.optional(question)),
  ...narrowing,
  ...pageQuery(10, searchMost)
})
export type MemoryQuery = typeof MemoryQuery.Type

export const RecallQuery = Schema.Struct({
  q: described("Question or task that the facts should help with.", text(1, 2000)),
  limit: pageQuery(10, searchMost).limit,
  ...narrowing
})
export type RecallQuery = typeof RecallQuery.Type

/** A fact that was found for a question, with its score and the matching words. */
export const RecalledFact = Schema.Struct({
  fact: described("The fact.", MemoryFact),
  score: described("Score of the fact for this question; a higher score comes first.", Schema.Number),
  words: described(
    "Words of the question that the fact contains in some form. If the list is empty, the fact was found by its meaning or by the turns next to it.",
    Schema.Array(Schema.String)
  )
}).annotations({ identifier: "RecalledFact" })
export type RecalledFact = typeof RecalledFact.Type

export const SimilarQuery = example(
  Schema.Struct({ userId: CallerId, embedding: Embedding, limit, ...narrowing }).annotations({
    identifier: "SimilarFacts"
  }),
  {
    userId: "01890a5d-ac96-774b-bcce-b302099a8057",
    embedding: Array.from({ length: dimensions }, () => 0)
  }
)
export type SimilarQuery = typeof SimilarQuery.Type

export const ForgetDraft = example(
  Schema.Struct({
    userId,
    query: described("The pod forgets every fact that contains all these words.", Schema.optional(text(1, 2000))),
    ids: described(
      "Ids of the facts to forget.",
      Schema.optional(Schema.Array(Id).pipe(Schema.minItems(1), Schema.maxItems(idsMost)))
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

export const HistoryQuery = Schema.Struct(pageQuery(50, 200))

export const Written = Schema.Struct({
  success: Schema.Boolean,
  facts: described("Facts that the request wrote or changed, in order.", Schema.Array(MemoryFact)),
  count: Schema.Number
}).annotations({ identifier: "WrittenFacts" })
export type Written = typeof Written.Type

/** The filters of a list or search of facts. The words of the question are not included. */
export interface Narrowing {
  readonly asOf?: MemoryQuery["asOf"]
  readonly trust?: Trust | undefined
  readonly level?: Level | undefined
  readonly sessionId?: string | undefined
}
