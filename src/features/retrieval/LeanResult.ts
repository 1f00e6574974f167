/**
 * Shortens the answers of retrieval for models. A short answer has no nulls and no offsets, and fits into the maximum
 * number of tokens.
 */
import { Schema } from "effect"
import { described } from "../../doors/Fields.ts"
import { RetrievalResult, type RetrievedItem, SubstrateName } from "./RetrievalResult.ts"

const LeanItem = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  snippet: described("Passage of the text that fits the question best.", Schema.String),
  type: described("Type of the record: `entity`, `document`, `knowledge` or `memory`.", Schema.String),
  profileSlug: described("Entity kind (profile slug).", Schema.optional(Schema.String)),
  documentId: described("Id of the document with the matching text.", Schema.optional(Schema.String)),
  substrate: SubstrateName,
  why: described("Why the search found the item.", Schema.String)
}).annotations({ identifier: "LeanItem" })
type LeanItem = typeof LeanItem.Type

const verdict = RetrievalResult.fields.verdict
const omittedCount = described("How many further items the answer leaves out because of the budget.", Schema.Number)
const degradedParts = described(
  "Parts of the search that failed or are incomplete.",
  Schema.optional(Schema.Array(Schema.String))
)

const MovedItem = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  baselineRank: described(
    "Rank in the ranking by words alone; null if the item is not in this ranking.",
    Schema.NullOr(Schema.Number)
  ),
  horizonRank: described(
    "Rank in the full ranking; null if the item is not in this ranking.",
    Schema.NullOr(Schema.Number)
  )
})

const LeanComparison = Schema.Struct({
  overlapAtN: described("Share of the items that are in both rankings, from 0 to 1.", Schema.Number),
  moved: described("Items whose rank differs between the rankings.", Schema.Array(MovedItem)),
  more: described("How many further moved items the answer leaves out because of the budget.", Schema.Number)
})
type LeanComparison = typeof LeanComparison.Type

export const AnsweredQuestion = Schema.Struct({
  verdict,
  primary: described("Substrate (group of records) with the best answer.", SubstrateName),
  items: Schema.Array(LeanItem),
  more: omittedCount,
  corrected: described(
    "Misspelt words, each with the word that the search used instead.",
    Schema.optional(Schema.Array(Schema.Struct({ from: Schema.String, to: Schema.String })))
  ),
  pending: described(
    "Proposals that match the question and wait for a person.",
    Schema.optional(Schema.Array(Schema.Struct({ proposalId: Schema.String, summary: Schema.String })))
  ),
  comparison: described(
    "Ranking only by the words, beside the full ranking; only for a question with `compare`.",
    Schema.optional(LeanComparison)
  ),
  degraded: degradedParts
}).annotations({ identifier: "AnsweredQuestion" })

export const AnsweredFind = Schema.Struct({
  verdict,
  items: Schema.Array(LeanItem),
  more: omittedCount,
  degraded: degradedParts
}).annotations({
  identifier: "AnsweredFind"
})

const lean = ({ documentId, id, profileSlug, snippet, substrate, title, type, why }: RetrievedItem): LeanItem => ({
  id,
  title,
  snippet,
  type,
  ...(profileSlug === undefined ? {} : { profileSlug }),
  ...(documentId === undefined ? {} : { documentId }),
  substrate,
  why
})

const charactersOfToken = 4
// the estimated number of characters of an answer without its items
const headCharacters = 300

/** Returns the first values whose JSON texts together have at most this number of characters. */
const fitToCharacters = <A>(values: ReadonlyArray<A>, characters: number): ReadonlyArray<A> => {
  let remaining = characters
  const first = values.findIndex((value) => (remaining -= JSON.stringify(value).length) < 0)
  return first === -1 ? values : values.slice(0, first)
}

/**
 * Returns the first items that fit into the number of characters. Returns at least one item, because an answer without
 * items is useless. `more` is the number of items that do not fit.
 */
const itemsWithin = (items: ReadonlyArray<LeanItem>, characters: number) => {
  const shown = items.slice(0, Math.max(1, fitToCharacters(items, characters).length))
  return { items: shown, more: items.length - shown.length }
}

/**
 * Shortens a comparison of two rankings. Leaves out the rankings themselves, because the answer already contains the
 * items. Keeps only the items whose rank differs.
 */
const leanComparison = (comparison: RetrievalResult["comparison"], characters: number): LeanComparison | undefined => {
  if (comparison === undefined) return undefined
  const { moved, overlapAtN } = comparison.diff
  const shown = fitToCharacters(moved, characters)
  return { overlapAtN, moved: shown, more: moved.length - shown.length }
}

const given = (degraded: ReadonlyArray<string>) => (degraded.length === 0 ? {} : { degraded })

/** Collects the items of all blocks in the order of the answer. Each item occurs only once. */
const itemsOf = ({ answers }: RetrievalResult): ReadonlyArray<LeanItem> => {
  const seen = new Set<string>()
  return answers
    .flatMap(({ items }) => items)
    .filter(({ id }) => !seen.has(id) && seen.add(id))
    .map(lean)
}

export const leanAnswer = (result: RetrievalResult, budget: number): typeof AnsweredQuestion.Type => {
  const { degraded, pending, primary, understanding, verdict: how } = result
  const characters = budget * charactersOfToken - headCharacters
  const comparison = leanComparison(result.comparison, characters / 2)
  return {
    verdict: how,
    primary,
    ...itemsWithin(itemsOf(result), characters - (comparison === undefined ? 0 : JSON.stringify(comparison).length)),
    ...(comparison === undefined ? {} : { comparison }),
    ...(understanding.corrected.length === 0 ? {} : { corrected: understanding.corrected }),
    ...(pending === undefined
      ? {}
      : { pending: pending.matches.map(({ proposalId, summary }) => ({ proposalId, summary })) }),
    ...given(degraded)
  }
}

export const leanFind = (result: RetrievalResult, budget: number): typeof AnsweredFind.Type => {
  const semantic = result.answers.filter(({ substrate }) => substrate === "semantic")
  return {
    verdict: result.verdict,
    ...itemsWithin(itemsOf({ ...result, answers: semantic }), budget * charactersOfToken - headCharacters),
    ...given(result.degraded)
  }
}
