/** The inputs and the answers of operations that find memory facts. */
import { Schema } from "effect"
import { CallerId, described, example, flagQuery, IgnoredUserId, TimestampInput } from "../../doors/Fields.ts"
import { limitQuery, pageQuery } from "../../doors/PageFields.ts"
import { Embedding, Level, MemoryFact, SessionName, Trust, text } from "./MemoryFact.ts"

// the maximum number of facts in one answer (specification §8)
const searchMax = 100
const limit = described(
  "Largest number of facts to return.",
  Schema.optionalWith(Schema.Int.pipe(Schema.between(1, searchMax)), { default: () => 10 })
)

const question = text(0, 2000)
const filterFields = {
  asOf: described("Find the facts that were true at this time. Default: now.", Schema.optional(TimestampInput)),
  trust: described("Only facts that this kind of writer wrote.", Schema.optional(Trust)),
  level: described("Only facts of this level, such as `turn` or `summary`.", Schema.optional(Level)),
  sessionId: described("Only facts of the conversation with this name.", Schema.optional(SessionName))
}

export const MemoryQuery = Schema.Struct({
  userId: Schema.optional(IgnoredUserId),
  query: described("Words to search for.", Schema.optional(question)),
  q: described("Another name for `query`.", Schema.optional(question)),
  ...filterFields,
  forgotten: described(
    "`true`: list only forgotten facts, which `POST /memory/:id/restore` restores. Not possible together with words or `asOf`.",
    flagQuery(false)
  ),
  ...pageQuery("memory", 10, searchMax)
})
export type MemoryQuery = typeof MemoryQuery.Type

export const RecallQuery = Schema.Struct({
  q: described("Question or task that the facts should help with.", text(1, 2000)),
  limit: limitQuery(10, searchMax),
  ...filterFields
})
export type RecallQuery = typeof RecallQuery.Type

/** A fact that matches a question, with its score and the matching words. */
export const RecalledFact = Schema.Struct({
  fact: described("The fact that was found.", MemoryFact),
  score: described("Score of the fact for this question; a higher score comes first.", Schema.Number),
  words: described(
    "Words of the question that the fact contains in some form. If the list is empty, the meaning of the fact or a neighbouring turn fits the question.",
    Schema.Array(Schema.String)
  )
}).annotations({ identifier: "RecalledFact" })
export type RecalledFact = typeof RecalledFact.Type

export const SimilarQuery = example(
  Schema.Struct({ userId: CallerId, embedding: Embedding, limit, ...filterFields }).annotations({
    identifier: "SimilarFacts"
  }),
  {
    userId: "01890a5d-ac96-774b-bcce-b302099a8057",
    embedding: [0.12, -0.04, 0.31]
  }
)
export type SimilarQuery = typeof SimilarQuery.Type

export const HistoryQuery = Schema.Struct(pageQuery("factHistory", 50, 200))

/** The filters of a list or search of facts, without the words of the question. */
export interface FactFilters {
  readonly asOf?: MemoryQuery["asOf"]
  readonly trust?: Trust | undefined
  readonly level?: Level | undefined
  readonly sessionId?: string | undefined
}
