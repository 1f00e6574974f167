/** The schemas of the requests of `search`, `ask` and `answer` (specification §4.1). */
import { Schema } from "effect"
import { described, example, ProjectId, WorkspaceId } from "../../doors/Fields.ts"
import { limitQuery } from "../../doors/PageFields.ts"
import { ProfileSlug } from "../profiles/ProfileSlug.ts"

// the maximum number of characters of a question
export const questionMax = 4000
export const questionText = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(questionMax))
const limitMax = 100
const Limit = Schema.Int.pipe(Schema.between(1, limitMax)).annotations({
  identifier: "GroupLimit",
  description: "Largest number of items of each substrate (group of records). Default: 10."
})

const place = {
  workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
  projectId: Schema.optional(Schema.NullOr(ProjectId)),
  limit: Schema.optional(Limit)
}

export const RetrievalRequest = example(
  Schema.Struct({
    query: described(
      "Question. Quotes mark a phrase; a minus before a word or a filter excludes what matches it. Filters: `type:`, `project:`, `in:` (a workspace), `by:` (an id or `me`), `before:`, `after:`.",
      questionText
    ),
    ...place,
    compare: described(
      "Whether to make a second ranking by words alone, and to show how the two rankings differ.",
      Schema.optional(Schema.Boolean)
    ),
    parseOnly: described("Whether to show only how the pod understands the question.", Schema.optional(Schema.Boolean))
  }).annotations({ identifier: "RetrievalRequest" }),
  { query: "how do we renew a contract?", limit: 5 }
)
export type RetrievalRequest = typeof RetrievalRequest.Type

export const EntityQuestion = example(
  Schema.Struct({
    query: questionText,
    workspaceId: place.workspaceId,
    limit: place.limit
  }).annotations({
    identifier: "EntityQuestion"
  }),
  { query: "harbour contract", limit: 5 }
)
export type EntityQuestion = typeof EntityQuestion.Type

export const EntityRecall = example(
  Schema.Struct({
    query: questionText,
    profileSlug: described(
      "Entity kind (profile slug): the answer has only entities of this kind.",
      Schema.optional(ProfileSlug)
    ),
    workspaceId: place.workspaceId,
    limit: place.limit
  }).annotations({ identifier: "EntityRecall" }),
  { query: "harbour contract", profileSlug: "note", limit: 5 }
)
export type EntityRecall = typeof EntityRecall.Type

export const AnswerRequest = example(
  Schema.Struct({
    query: described("Another name for `question`.", Schema.optional(questionText)),
    question: described(
      "Question, in words; this field has priority over `query`. One of the two fields is required.",
      Schema.optional(questionText)
    ),
    ...place
  }).annotations({ identifier: "AnswerRequest" }),
  { question: "When does the contract with the harbour end?" }
)
export type AnswerRequest = typeof AnswerRequest.Type

const listedDefault = 10

/** The query of the deprecated search of knowledge. It must have `q` or `query`. If it has both, the pod uses `q`. */
export const KnowledgeListingQuery = Schema.Struct({
  q: described("Words to search for.", Schema.optional(questionText)),
  query: described("Another name for `q`.", Schema.optional(questionText)),
  workspaceId: Schema.optional(WorkspaceId),
  limit: limitQuery(listedDefault, limitMax)
})
export type KnowledgeListingQuery = typeof KnowledgeListingQuery.Type
