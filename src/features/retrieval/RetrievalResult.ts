/** The schemas of the answers of `search`, `ask` and `answer` (specification §4.1). */
import { Schema } from "effect"
import { described, WorkspaceId } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { Entity } from "../entities/Entity.ts"
import { substrates } from "./Routing.ts"

export const SubstrateName = Schema.Literal(...substrates).annotations({ identifier: "Substrate" })

/** One record in an answer. The optional fields depend on the substrate in which the record was found. */
export const RetrievedItem = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  snippet: described("Passage of the text that fits the question best.", Schema.String),
  marks: described(
    "Start and end of each matched word in the snippet, in UTF-16 units.",
    Schema.Array(
      Schema.Struct({
        from: described("Where the matched word begins in the snippet.", Schema.Number),
        to: described("Position after the matched word.", Schema.Number)
      })
    )
  ),
  score: described(
    "Score of the item: higher is better. Scores of different substrates cannot be compared.",
    Schema.Number
  ),
  substrate: described("Substrate (group of records) in which the pod found the item.", SubstrateName),
  why: described("Why the search found the item.", Schema.String),
  type: described("Type of the record: `entity`, `document`, `knowledge` or `memory`.", Schema.String),
  profileSlug: described("Entity kind (profile slug).", Schema.optional(Schema.String)),
  workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
  documentId: described("Id of the document with the matching text.", Schema.optional(Id)),
  key: described("Key of a knowledge entry.", Schema.optional(Schema.String)),
  sessionId: described(
    "Id of the conversation that the memory comes from.",
    Schema.optional(Schema.NullOr(Schema.String))
  ),
  updatedAt: Schema.optional(Schema.DateTimeUtc)
}).annotations({ identifier: "RetrievedItem" })
export type RetrievedItem = typeof RetrievedItem.Type

export const Understanding = Schema.Struct({
  profileTypes: described("Entity kinds (profile slugs) that the question mentions.", Schema.Array(Schema.String)),
  propertyHints: described(
    "Always empty: the pod recognises no properties in a question.",
    Schema.Array(Schema.String)
  ),
  temporal: described("Whether the question is about a time.", Schema.Boolean),
  confidence: described("How clearly the words indicate the substrate, from 0 to 1.", Schema.Number),
  text: described("Words that the pod searched for, without filters.", Schema.String),
  phrases: described("Phrases in quotes.", Schema.Array(Schema.String)),
  excluded: described("Words that the question excludes.", Schema.Array(Schema.String)),
  filters: described(
    "The filters in the question, each with its values. `makers` has the values of the filter `by:`, as ids of people and agents.",
    Schema.Record({ key: Schema.String, value: Schema.Unknown })
  ),
  corrected: described(
    "Misspelt words, each with the word that the search used instead.",
    Schema.Array(
      Schema.Struct({
        from: described("Misspelt word of the question.", Schema.String),
        to: described("Word that the pod searched for instead.", Schema.String)
      })
    )
  )
}).annotations({ identifier: "Understanding" })
export type Understanding = typeof Understanding.Type

const Ranked = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  score: Schema.Number,
  rank: Schema.Number
}).annotations({ identifier: "RankedItem" })

const Spaces = Schema.NullOr(
  Schema.Struct({
    matches: described(
      "Number of matches in each workspace, by kind.",
      Schema.Array(
        Schema.Struct({
          workspaceId: WorkspaceId,
          name: Schema.String,
          purpose: described("Description of the workspace.", Schema.String),
          kinds: described(
            "Number of matches of each entity kind or other record type.",
            Schema.Array(Schema.Struct({ slug: Schema.String, count: Schema.Number }))
          )
        })
      )
    )
  }).annotations({
    identifier: "SpaceMatches",
    description: "Numbers of matches in workspaces that the search did not cover."
  })
)
export type Spaces = typeof Spaces.Type

const degradedParts = described(
  "Parts of the search that failed or are incomplete, such as `semantic` or `semantic:index-full`.",
  Schema.Array(Schema.String)
)

export const RetrievalResult = Schema.Struct({
  query: Schema.String,
  routedTo: described("Substrates (groups of records) that the pod searched.", Schema.Array(SubstrateName)),
  intent: described("Substrate (group of records) that the words of the question indicate.", SubstrateName),
  primary: described("Substrate (group of records) with the best answer.", SubstrateName),
  answers: described(
    "Found items of each substrate (group of records) that the pod searched. The substrate in `primary` comes first.",
    Schema.Array(
      Schema.Struct({
        substrate: described("Substrate (group of records) of the source.", SubstrateName),
        items: described("Found items, best first.", Schema.Array(RetrievedItem)),
        status: Schema.Literal("ok", "error")
      })
    )
  ),
  degraded: degradedParts,
  understanding: described("How the pod understood the question.", Understanding),
  verdict: described(
    "Whether the best items contain the words of the question; the answer itself is not checked.",
    Schema.Literal("confident", "ambiguous", "empty")
  ),
  pending: described(
    "Proposals that match the question and wait for a person.",
    Schema.optional(
      Schema.Struct({
        notice: described("What the proposals mean for the answer, in words.", Schema.String),
        matches: described(
          "Proposals, best match first.",
          Schema.Array(
            Schema.Struct({
              proposalId: Schema.String,
              proposalType: described("Kind of the change, such as `entity.create`.", Schema.String),
              summary: Schema.String,
              entityTitle: described("Title of the record that the proposal would write.", Schema.String),
              profileSlug: described("Entity kind (profile slug) of the record.", Schema.String),
              reviewPath: described("Path of the page where a person approves or rejects the proposal.", Schema.String),
              reviewUrl: described("URL of the page in `reviewPath`.", Schema.String),
              score: Schema.Number
            })
          )
        )
      })
    )
  ),
  spaces: Schema.optional(Spaces),
  comparison: described(
    "Two rankings: one by matching words (`baseline`), and the full one (`horizon`).",
    Schema.optional(
      Schema.Struct({
        baseline: described("Ranking by matching words only.", Schema.Array(Ranked)),
        horizon: described("Full ranking, which the answer uses.", Schema.Array(Ranked)),
        diff: described(
          "Differences between the two rankings.",
          Schema.Struct({
            overlapAtN: described("Share of the items that are in both rankings, from 0 to 1.", Schema.Number),
            moved: described(
              "Items that have different ranks in the two rankings.",
              Schema.Array(
                Schema.Struct({
                  id: Schema.String,
                  title: Schema.String,
                  baselineRank: described(
                    "Rank in `baseline`; null if the item is not there.",
                    Schema.NullOr(Schema.Number)
                  ),
                  horizonRank: described(
                    "Rank in `horizon`; null if the item is not there.",
                    Schema.NullOr(Schema.Number)
                  )
                })
              )
            )
          })
        )
      })
    )
  )
}).annotations({ identifier: "RetrievalResult" })
export type RetrievalResult = typeof RetrievalResult.Type

/** The answer of a deprecated endpoint. It contains complete entities. */
export const RetrievedEntities = Schema.Struct({
  entities: described("Entities, best first.", Schema.Array(Entity)),
  understanding: described("How the pod understood the question.", Understanding),
  source: described("How the pod found the entities.", Schema.Literal("hybrid")),
  verdict: RetrievalResult.fields.verdict
}).annotations({ identifier: "RetrievedEntities" })
export type RetrievedEntities = typeof RetrievedEntities.Type

/** The answer of the operation `recall`, which has only the entities. */
export const RecalledEntities = Schema.Struct({
  entities: RetrievedEntities.fields.entities,
  source: RetrievedEntities.fields.source
}).annotations({ identifier: "RecalledEntities" })
export type RecalledEntities = typeof RecalledEntities.Type

export const AnswerResult = Schema.Struct({
  answer: described(
    "Answer of the model. Each sentence names its sources, such as `[1]`.",
    Schema.NullOr(Schema.String)
  ),
  sources: described(
    "Sources that the answer cites; `[1]` is the first. Without an answer: all items that the pod found.",
    Schema.Array(
      Schema.Struct({
        substrate: described("Substrate (group of records) of the source.", SubstrateName),
        id: Schema.String,
        title: Schema.String
      }).annotations({
        identifier: "CitedSource"
      })
    )
  ),
  routedTo: described("Substrates (groups of records) that the pod searched.", Schema.Array(SubstrateName)),
  degraded: degradedParts,
  spaces: Schema.optional(Spaces),
  error: described("Why the answer is missing, in words; absent if nothing failed.", Schema.optional(Schema.String)),
  failure: described(
    "Why the language model gave no answer.",
    Schema.optional(
      Schema.Struct({
        code: described(
          "Code of the failure, such as `rate_limited`, `timeout`, `invalid_response`; `not_entitled` if the pod has no language model.",
          Schema.String
        ),
        message: Schema.String,
        retryable: described("Whether a later call with the same question can succeed.", Schema.Boolean)
      })
    )
  )
}).annotations({ identifier: "AnswerResult" })
export type AnswerResult = typeof AnswerResult.Type
