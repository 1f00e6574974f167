/** A memory fact is something that a person's programs store for that person (specification §2.5). */
import { Schema } from "effect"
import { described, isStorable, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { isUuid } from "../../platform/Ids.ts"

/** How many numbers an embedding from a client has. */
export const dimensions = 1536

export const levels = ["fact", "turn", "summary", "session", "write"] as const
export const Level = Schema.Literal(...levels)
export type Level = typeof Level.Type

/** The levels of trust in a fact, from lowest to highest. Each level is named after the source of the fact. */
export const trustLevels = ["import", "agent", "person"] as const
export const Trust = Schema.Literal(...trustLevels)
export type Trust = typeof Trust.Type

// the maximum number of characters of one fact
export const textMax = 100_000
// the maximum number of turns in one request, because one statement writes all of them
export const turnsMax = 200
// the maximum number of entries in one request (specification §8)
export const entriesMax = 50
export const idsMax = 1000

export const text = (min: number, max: number) =>
  Schema.String.pipe(
    Schema.filter((value) => isStorable(value) || "Text must not contain U+0000 or half a surrogate pair."),
    Schema.minLength(min),
    Schema.maxLength(max)
  )

const sourceMeaning = "Id of the fact's source: a UUID for a record of the pod, any other text for another system."

/**
 * The id of the source of a fact, as the client sends it. If the id is a UUID, it is an id of the pod. The pod then
 * converts the id to lower case.
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
  fact: described("Text of the fact. A prefix shows the level of the fact.", Schema.String),
  confidence: described("How certain the fact is, 0 to 1.", Schema.Number),
  sourceEntityId: Schema.NullOr(Schema.String),
  sourceMessageId: Schema.NullOr(Schema.String),
  createdAt: described("Time when the pod stored the fact.", Timestamp),
  updatedAt: Timestamp,
  level: described(
    "What the stored text is: a fact, a turn of a conversation, a summary, a whole conversation (`session`), or an entry of `POST /memory/writes` (`write`).",
    Level
  ),
  trust: described("Who wrote the fact; of several writers, the most trusted one.", Trust),
  actorId: described("Id of the first writer of the fact: the person or an agent.", Id),
  count: described("How many writes contained this fact.", Schema.Number),
  sessionId: described("Name of the conversation in which the fact was said.", Schema.NullOr(Schema.String)),
  turn: described("Position of the turn in its conversation, starting at 0.", Schema.NullOr(Schema.Number)),
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
 * A fact in the store, with the internal fields. `lineage` is the id of the first fact in the chain of replacements to
 * which this fact belongs. `sameHash` is equal for facts that say the same.
 */
export interface KeptFact extends MemoryFact {
  readonly lineage: string
  readonly sameHash: string
  /** The number of the last write that changed the fact. */
  readonly seq: number
}

/** One change of a fact by one write. */
export const FactRevision = Schema.Struct({
  factId: Id,
  what: described(
    "`add`: the fact was stored; `fold`: the same fact was stored again; `unfold`: a `fold` was undone; `end`: the fact ended; `restore`: the fact was restored.",
    Schema.Literal("add", "fold", "unfold", "end", "restore")
  ),
  fact: described("Text of the fact in this write.", Schema.String),
  trust: described("Who wrote the fact: a person, an agent or an import.", Trust),
  actorId: described("Id of the writer: the person or an agent.", Id),
  reason: described("Why the fact ended or was restored.", Schema.NullOr(Schema.String)),
  supersededBy: described("Id of the fact that replaces this fact.", Schema.NullOr(Id)),
  sourceEntityId: Schema.NullOr(Schema.String),
  sourceMessageId: Schema.NullOr(Schema.String),
  eventId: described("Id of the event that recorded the write.", Id),
  at: Timestamp
}).annotations({ identifier: "FactRevision" })
export type FactRevision = typeof FactRevision.Type

// the largest number in an embedding; larger numbers could make the sum of squares infinite
const numberMax = 1e18
const isEmbedding = (numbers: ReadonlyArray<number>) =>
  numbers.length === dimensions && numbers.every((each) => Math.abs(each) <= numberMax)

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

export const SessionName = text(1, 255).annotations({ description: "Name that the client gave the conversation." })
export const WrittenFact = Schema.Struct({
  success: Schema.Boolean,
  facts: described("Written facts, then ended facts, if the caller may read them.", Schema.Array(MemoryFact)),
  count: described("Number of facts that the request wrote or ended.", Schema.Number)
}).annotations({ identifier: "WrittenFacts" })
export type WrittenFact = typeof WrittenFact.Type
