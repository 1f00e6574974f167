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

/** The length of every embedding. */
export const dimensions = 1536

export const levels = ["fact", "turn", "summary", "session", "write"] as const
export const Level = Schema.Literal(...levels)
export type Level = typeof Level.Type

/** The trust of a fact, from the lowest to the highest. */
export const trusts = ["import", "agent", "person"] as const
export const Trust = Schema.Literal(...trusts)
export type Trust = typeof Trust.Type

export const textMost = 100_000 // characters of one fact
export const turnsMost = 200 // one statement writes them
export const entriesMost = 50 // specification §8
export const idsMost = 1000

export const text = (least: number, most: number) =>
  Schema.String.pipe(
    Schema.filter((given) => isStorable(given) || "Text must not contain U+0000 or half a surrogate pair."),
    Schema.minLength(least),
    Schema.maxLength(most)
  )

export const MemoryFact = Schema.Struct({
  id: Schema.UUID,
  userId: described("The person whose fact it is.", Schema.UUID),
  fact: described("What is remembered, in its wrapper.", Schema.String),
  confidence: described("From 0 to 1.", Schema.Number),
  sourceEntityId: described("The entity that it was taken from.", Schema.NullOr(Schema.UUID)),
  sourceMessageId: described("The message that it was taken from.", Schema.NullOr(Schema.UUID)),
  createdAt: described("When the pod recorded it.", Timestamp),
  updatedAt: Timestamp,
  level: described("What it is: a fact, a turn of a conversation, a summary, a session or a written entry.", Level),
  trust: described("Who wrote it; the most trusted one if several did.", Trust),
  actorId: described("Who wrote it first: the person or an agent.", Schema.UUID),
  count: described("How many writes said the same.", Schema.Number),
  sessionId: described("The session it was said in.", Schema.NullOr(Schema.String)),
  turn: described("Its place in the session, from 0.", Schema.NullOr(Schema.Number)),
  role: described("Who said a turn, such as `user` or `assistant`.", Schema.NullOr(Schema.String)),
  saidAt: described("When it was said.", Schema.NullOr(Timestamp)),
  target: described("What the written entry named as its target.", Schema.NullOr(Schema.String)),
  validFrom: described("Since when it holds.", Timestamp),
  validTo: described("When it was superseded or forgotten; null while it holds.", Schema.NullOr(Timestamp)),
  supersededBy: described("The fact in its place.", Schema.NullOr(Schema.UUID)),
  endReason: described("Why it does not hold any more.", Schema.NullOr(Schema.String))
}).annotations({ identifier: "MemoryFact" })
export type MemoryFact = typeof MemoryFact.Type

/** A fact with the id of the first fact of its chain, and with the hash that makes two facts the same. */
export interface KeptFact extends MemoryFact {
  readonly lineage: string
  readonly sameHash: string
  /** The number of the last write that changed the fact. */
  readonly seq: number
}

/** What one write did to a fact. */
export const FactRevision = Schema.Struct({
  factId: described("The fact that was written.", Schema.UUID),
  what: described(
    "Added; said again; said again and taken back; ended; or taken up again.",
    Schema.Literal("add", "fold", "unfold", "end", "restore")
  ),
  fact: described("The wording of that write.", Schema.String),
  trust: described("Who wrote it.", Trust),
  actorId: described("Who wrote it: the person or an agent.", Schema.UUID),
  reason: described("Why a fact was ended or taken up again.", Schema.NullOr(Schema.String)),
  supersededBy: described("The fact in its place.", Schema.NullOr(Schema.UUID)),
  sourceEntityId: described("The entity that it was taken from.", Schema.NullOr(Schema.UUID)),
  sourceMessageId: described("The message that it was taken from.", Schema.NullOr(Schema.UUID)),
  eventId: described("The event of the write.", Schema.UUID),
  at: Timestamp
}).annotations({ identifier: "FactRevision" })
export type FactRevision = typeof FactRevision.Type

const Confidence = Schema.Number.pipe(Schema.between(0, 1)).annotations({ description: "From 0 to 1." })
const confidence = (fallback: number) =>
  described("From 0 to 1.", Schema.optionalWith(Confidence, { default: () => fallback }))

const numberMost = 1e18 // its square, summed over all dimensions, stays finite
const isEmbedding = (numbers: ReadonlyArray<number>) =>
  numbers.length === dimensions && numbers.every((each) => Math.abs(each) <= numberMost)

export const Embedding = Schema.Array(Schema.Number)
  .pipe(
    Schema.filter(isEmbedding, {
      message: () => `Send ${dimensions} numbers from -1e18 to 1e18.`,
      jsonSchema: { description: `${dimensions} numbers.` }
    })
  )
  .annotations({
    identifier: "Embedding",
    arbitrary: () => (fc) => fc.array(fc.integer({ min: -9, max: 9 }), { minLength: dimensions, maxLength: dimensions })
  })

const SessionName = text(1, 255).annotations({ description: "The session, by the name that the client gave it." })
export const Target = text(1, 512)
const FactText = text(1, textMost).annotations({ description: "What to remember." })

const userId = Schema.optional(Schema.NullOr(CallerId))
const imported = described(
  "Whether it comes from another system; its trust is then import.",
  Schema.optionalWith(Schema.Boolean, { default: () => false })
)
const sources = {
  embedding: described("A zero vector is none.", Schema.optional(Embedding)),
  sourceEntityId: described(
    "The entity that it was taken from.",
    Schema.optionalWith(Schema.NullOr(Schema.UUID), { default: () => null })
  ),
  sourceMessageId: described(
    "The message that it was taken from.",
    Schema.optionalWith(Schema.NullOr(Schema.UUID), { default: () => null })
  )
}
const saidAt = described(
  "When it was said.",
  Schema.optionalWith(Schema.NullOr(TimestampInput), { default: () => null })
)

export const FactDraft = example(
  Schema.Struct({
    fact: FactText,
    userId,
    confidence: confidence(0.8),
    ...sources,
    saidAt,
    validFrom: described("Since when it holds; left out: since now.", saidAt),
    imported
  }).annotations({ identifier: "FactDraft" }),
  { fact: "The staging database moves on Friday." }
)
export type FactDraft = typeof FactDraft.Type

export const Role = Schema.Literal("user", "assistant", "system")

export const TurnsDraft = example(
  Schema.Struct({
    sessionId: SessionName,
    turns: described(
      "The turns in their order.",
      Schema.Array(Schema.Struct({ role: Role, content: FactText, saidAt })).pipe(
        Schema.minItems(1),
        Schema.maxItems(turnsMost)
      )
    ),
    userId,
    summary: Schema.optional(Schema.NullOr(FactText)),
    confidence: described("Left out: 0.8, and 0.9 for the summary.", Schema.optional(Confidence)),
    ...sources,
    saidAt: described("When the turns were said that do not say it themselves.", saidAt),
    imported
  }).annotations({ identifier: "TurnsDraft" }),
  { sessionId: "2026-03-02", turns: [{ role: "user", content: "The release is on Thursday." }] }
)
export type TurnsDraft = typeof TurnsDraft.Type

export const SessionDraft = example(
  Schema.Struct({
    sessionId: SessionName,
    summary: FactText,
    userId,
    turnCount: described("How many turns it had.", Schema.optional(Schema.Int.pipe(Schema.greaterThan(0)))),
    tags: described(
      "Words to find it by.",
      Schema.optionalWith(Schema.Array(text(0, 200)).pipe(Schema.maxItems(50)), { default: () => [] })
    ),
    metadata: described("Anything else about the session.", Schema.optional(JsonObjectInput)),
    confidence: confidence(0.95),
    saidAt,
    imported
  }).annotations({ identifier: "SessionDraft" }),
  { sessionId: "2026-03-02", summary: "Planned the release." }
)
export type SessionDraft = typeof SessionDraft.Type

export const WritesDraft = example(
  Schema.Struct({
    entries: described(
      "What to remember, update and forget.",
      Schema.Array(
        Schema.Struct({
          action: Schema.Literal("remember", "update", "forget"),
          target: described("A name for what it is about, or the id of a fact to update or forget.", Target),
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

const searchMost = 100 // specification §8
const limit = described(
  "The most facts to return.",
  Schema.optionalWith(Schema.Int.pipe(Schema.between(1, searchMost)), { default: () => 10 })
)

const question = text(0, 2000)
const narrowing = {
  asOf: described("The facts that held at this time; left out: now.", Schema.optional(TimestampInput)),
  trust: described("Only facts of this trust.", Schema.optional(Trust)),
  level: described("Only facts of this level.", Schema.optional(Level)),
  sessionId: described("Only facts of this session.", Schema.optional(SessionName))
}

export const MemoryQuery = Schema.Struct({
  userId: Schema.optional(CallerId),
  query: Schema.optional(question),
  q: described("Another name for query.", Schema.optional(question)),
  ...narrowing,
  ...pageQuery(10, searchMost)
})
export type MemoryQuery = typeof MemoryQuery.Type

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
    query: described("Every fact with all of these words.", Schema.optional(text(1, 2000))),
    ids: described(
      "The facts to forget.",
      Schema.optional(Schema.Array(Schema.UUID).pipe(Schema.minItems(1), Schema.maxItems(idsMost)))
    )
  })
    .pipe(
      Schema.filter(({ ids, query }) => (ids === undefined) !== (query === undefined) || "Send either query or ids.")
    )
    .annotations({ identifier: "ForgetDraft" }),
  { query: "old office" }
)
export type ForgetDraft = typeof ForgetDraft.Type

export const HistoryQuery = Schema.Struct(pageQuery(50, 200))

export const Written = Schema.Struct({
  success: Schema.Boolean,
  facts: described("The facts it was about, in their order.", Schema.Array(MemoryFact)),
  count: Schema.Number
}).annotations({ identifier: "WrittenFacts" })
export type Written = typeof Written.Type

/** The filters of a read, without its words. */
export interface Narrowing {
  readonly asOf?: MemoryQuery["asOf"]
  readonly trust?: Trust | undefined
  readonly level?: Level | undefined
  readonly sessionId?: string | undefined
}
