/** What search, ask and answer take and give (specification §4.1). */
import { Schema } from "effect"
import { described, example, limitQuery, ProjectId, WorkspaceId } from "../../doors/Fields.ts"
import { Entity } from "../entities/Entity.ts"
import { substrates } from "./Routing.ts"

const questionMax = 4000 // characters; longer texts are no questions
export const questionText = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(questionMax))
const limitMax = 100
const Limit = Schema.Int.pipe(Schema.between(1, limitMax))

const place = {
  workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
  projectId: Schema.optional(Schema.NullOr(ProjectId)),
  limit: described("How many items each block has at most; 10 when left out.", Schema.optional(Limit))
}

export const RetrievalRequest = example(
  Schema.Struct({
    query: described(
      'The question. "Quotes" ask for a phrase, a minus leaves a word out; type:, project:, in:, before: and after: filter.',
      questionText
    ),
    ...place,
    compare: described("Also rank by the words alone, and show what moved.", Schema.optional(Schema.Boolean)),
    parseOnly: described("Only show how the question is understood.", Schema.optional(Schema.Boolean))
  }).annotations({ identifier: "RetrievalRequest" }),
  { query: "how do we renew a contract?", limit: 5 }
)
export type RetrievalRequest = typeof RetrievalRequest.Type

export const EntityQuestion = example(
  Schema.Struct({
    query: described("The question.", questionText),
    workspaceId: place.workspaceId,
    limit: place.limit
  }).annotations({
    identifier: "EntityQuestion"
  }),
  { query: "harbour contract", limit: 5 }
)
export type EntityQuestion = typeof EntityQuestion.Type

export const AnswerRequest = example(
  Schema.Struct({
    query: described("Another name for `question`.", Schema.optional(questionText)),
    question: described(
      "The question, in words; it wins over `query`. One of them is needed.",
      Schema.optional(questionText)
    ),
    ...place
  }).annotations({ identifier: "AnswerRequest" }),
  { question: "When does the contract with the harbour end?" }
)
export type AnswerRequest = typeof AnswerRequest.Type

const listedDefault = 10

/** `q` wins over `query`; one of them is needed. */
export const KnowledgeListingQuery = Schema.Struct({
  q: described("What to look for.", Schema.optional(questionText)),
  query: described("Another name for `q`.", Schema.optional(questionText)),
  workspaceId: Schema.optional(WorkspaceId),
  limit: limitQuery(listedDefault, limitMax)
})
export type KnowledgeListingQuery = typeof KnowledgeListingQuery.Type

export const SubstrateName = Schema.Literal(...substrates).annotations({ identifier: "Substrate" })

/** One find. Its further fields depend on the substrate. */
export const RetrievedItem = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  snippet: described("The part of its text that fits best.", Schema.String),
  marks: described(
    "Where matched words stand in the snippet: from and to, in UTF-16 units.",
    Schema.Array(Schema.Struct({ from: Schema.Number, to: Schema.Number }))
  ),
  score: described("Higher is better; comparable within one block.", Schema.Number),
  substrate: described("Which substrate found it.", SubstrateName),
  why: described("Why it was found.", Schema.String),
  type: described("The type of the record: `entity`, `document`, `knowledge` or `memory`.", Schema.String),
  profileSlug: described("The kind of an entity.", Schema.optional(Schema.String)),
  workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
  documentId: described("The document whose text matched.", Schema.optional(Schema.UUID)),
  key: described("The key of a knowledge entry.", Schema.optional(Schema.String)),
  sessionId: described("The conversation that a memory comes from.", Schema.optional(Schema.NullOr(Schema.String))),
  updatedAt: Schema.optional(Schema.DateTimeUtc)
}).annotations({ identifier: "RetrievedItem" })
export type RetrievedItem = typeof RetrievedItem.Type

export const Understanding = Schema.Struct({
  profileTypes: described("The kinds that the question names.", Schema.Array(Schema.String)),
  propertyHints: described("Properties that the question names; none are recognised yet.", Schema.Array(Schema.String)),
  temporal: described("Whether the question is about a time.", Schema.Boolean),
  confidence: described("How clearly the words point at the intent, 0 to 1.", Schema.Number),
  text: described("What was searched for, without filters.", Schema.String),
  phrases: described("The phrases in quotes.", Schema.Array(Schema.String)),
  excluded: described("The words that were left out.", Schema.Array(Schema.String)),
  filters: described("The filters, by name.", Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  corrected: described(
    "Misspelt words, with the word that was searched for instead.",
    Schema.Array(Schema.Struct({ from: Schema.String, to: Schema.String }))
  )
}).annotations({ identifier: "Understanding" })
export type Understanding = typeof Understanding.Type

const Ranked = Schema.Struct({ id: Schema.String, title: Schema.String, score: Schema.Number, rank: Schema.Number })

const Spaces = Schema.NullOr(
  Schema.Struct({
    matches: Schema.Array(
      Schema.Struct({
        workspaceId: WorkspaceId,
        name: Schema.String,
        purpose: Schema.String,
        kinds: Schema.Array(Schema.Struct({ slug: Schema.String, count: Schema.Number }))
      })
    )
  })
).annotations({ description: "Other workspaces of the caller that hold matches." })
export type Spaces = typeof Spaces.Type

const degraded = described(
  "What could not answer, such as `semantic`, or `semantic:index-loading` while an index is read.",
  Schema.Array(Schema.String)
)

export const RetrievalResult = Schema.Struct({
  query: described("The question, as it was sent.", Schema.String),
  routedTo: described("The substrates that were asked.", Schema.Array(SubstrateName)),
  intent: described("The substrate that the words of the question point at.", SubstrateName),
  primary: described("The substrate that answers best.", SubstrateName),
  answers: described(
    "The items of each substrate that was asked, the primary one first.",
    Schema.Array(
      Schema.Struct({
        substrate: SubstrateName,
        items: Schema.Array(RetrievedItem),
        status: Schema.Literal("ok", "error")
      })
    )
  ),
  degraded,
  understanding: described("How the question was read.", Understanding),
  verdict: described(
    "Whether the words of the question are dealt with in the best items; not whether the answer is there.",
    Schema.Literal("confident", "ambiguous", "empty")
  ),
  pending: described(
    "Proposals that wait for a person and match.",
    Schema.optional(
      Schema.Struct({
        notice: Schema.String,
        matches: Schema.Array(
          Schema.Struct({
            proposalId: Schema.String,
            proposalType: Schema.String,
            summary: Schema.String,
            entityTitle: Schema.String,
            profileSlug: Schema.String,
            reviewUrl: Schema.String,
            score: Schema.Number
          })
        )
      })
    )
  ),
  spaces: Schema.optional(Spaces),
  comparison: described(
    "The ranking by the words alone (baseline) beside the whole one (horizon).",
    Schema.optional(
      Schema.Struct({
        baseline: Schema.Array(Ranked),
        horizon: Schema.Array(Ranked),
        diff: Schema.Struct({
          overlapAtN: Schema.Number,
          moved: Schema.Array(
            Schema.Struct({
              id: Schema.String,
              title: Schema.String,
              baselineRank: Schema.NullOr(Schema.Number),
              horizonRank: Schema.NullOr(Schema.Number)
            })
          )
        })
      })
    )
  )
}).annotations({ identifier: "RetrievalResult" })
export type RetrievalResult = typeof RetrievalResult.Type

/** The answer of an older route: whole entities. */
export const RetrievedEntities = Schema.Struct({
  entities: described("The entities, best first.", Schema.Array(Entity)),
  understanding: described("How the question was read.", Understanding),
  source: described("How they were found.", Schema.Literal("hybrid")),
  verdict: RetrievalResult.fields.verdict
}).annotations({ identifier: "RetrievedEntities" })
export type RetrievedEntities = typeof RetrievedEntities.Type

export const AnswerResult = Schema.Struct({
  answer: described(
    "Each sentence cites the sources that the model was given, such as [1].",
    Schema.NullOr(Schema.String)
  ),
  sources: described(
    "What the answer cites: [1] is the first. All that was found, if there is no answer.",
    Schema.Array(Schema.Struct({ substrate: SubstrateName, id: Schema.String, title: Schema.String }))
  ),
  routedTo: described("The substrates that were asked.", Schema.Array(SubstrateName)),
  degraded,
  spaces: Schema.optional(Spaces),
  error: described("Why there is no answer, in words; absent if nothing failed.", Schema.optional(Schema.String)),
  failure: described(
    "Why the language model gave no answer.",
    Schema.optional(
      Schema.Struct({
        code: described(
          "Such as `rate_limited`, `timeout`, `invalid_response`; `not_entitled` if the pod has no language model.",
          Schema.String
        ),
        message: Schema.String,
        retryable: described("Whether the same question may be answered later.", Schema.Boolean)
      })
    )
  )
}).annotations({ identifier: "AnswerResult" })
export type AnswerResult = typeof AnswerResult.Type
