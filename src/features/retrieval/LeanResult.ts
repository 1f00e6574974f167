/** Makes answers of retrieval for models: without nulls and offsets, and within the budget of tokens. */
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
const more = described("How many further items the answer leaves out because of the budget.", Schema.Number)
const degraded = described("Parts of the search that could not answer.", Schema.optional(Schema.Array(Schema.String)))

export const AnsweredQuestion = Schema.Struct({
  verdict,
  primary: described("Substrate (group of records) with the best answer.", SubstrateName),
  items: Schema.Array(LeanItem),
  more,
  corrected: described(
    "Misspelt words, each with the word that the search used instead.",
    Schema.optional(Schema.Array(Schema.Struct({ from: Schema.String, to: Schema.String })))
  ),
  pending: described(
    "Proposals that match the question and wait for a person.",
    Schema.optional(Schema.Array(Schema.Struct({ proposalId: Schema.String, summary: Schema.String })))
  ),
  degraded
}).annotations({ identifier: "AnsweredQuestion" })

export const AnsweredFind = Schema.Struct({ verdict, items: Schema.Array(LeanItem), more, degraded }).annotations({
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
const headCharacters = 300 // estimated characters of an answer without its items

/** The first items that fit into the budget. At least one item, because an answer without items is of no use. */
const within = (items: ReadonlyArray<LeanItem>, budget: number) => {
  let left = budget * charactersOfToken - headCharacters
  const fitting = items.findIndex((item) => (left -= JSON.stringify(item).length) < 0)
  const shown = fitting === -1 ? items : items.slice(0, Math.max(1, fitting))
  return { items: shown, more: items.length - shown.length }
}

const given = (degraded: ReadonlyArray<string>) => (degraded.length === 0 ? {} : { degraded })

/** The items of all blocks in the order of the answer, each item once. */
const itemsOf = ({ answers }: RetrievalResult): ReadonlyArray<LeanItem> => {
  const seen = new Set<string>()
  return answers
    .flatMap(({ items }) => items)
    .filter(({ id }) => !seen.has(id) && seen.add(id))
    .map(lean)
}

export const leanAnswer = (result: RetrievalResult, budget: number): typeof AnsweredQuestion.Type => {
  const { degraded, pending, primary, understanding, verdict: how } = result
  return {
    verdict: how,
    primary,
    ...within(itemsOf(result), budget),
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
    ...within(itemsOf({ ...result, answers: semantic }), budget),
    ...given(result.degraded)
  }
}
