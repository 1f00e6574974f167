/**
 * Reads the texts of the candidates of a search, best first, and selects those that contain the phrases of the
 * question.
 */
import { Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { inSlices, type Steps } from "../../platform/InSlices.ts"
import type { Candidate } from "./AskSpaces.ts"
import type { IndexedPassage } from "./postings/IndexedObject.ts"
import type { PassageText } from "./SearchStore.ts"
import { borderOf, crossesBorder } from "./text/Border.ts"
import { holdsPhrase, type Question, sequenceOf } from "./text/Question.ts"

// The number of hits that the search reads in addition to the number of wanted items. The search needs more hits than
// items, because several passages of one object (or of its entity) become one item.
export const extraHits = 20

/** The text of a passage. Undefined if the call is not allowed to read the text. */
export type TextOf = (place: Pick<IndexedPassage, "object" | "start">) => PassageText | undefined

/**
 * Returns the id of the object that an answer shows for a candidate. For a document, this is the id of its entity if
 * the caller sees the entity.
 */
export const shownId = ({ owner, passage }: Candidate): string => (owner ?? passage).object.id

interface HoldingOptions {
  /** The maximum number of items in the answer. */
  readonly items: number
  /** Reads the texts of passages at the given places. */
  readonly shown: (
    places: ReadonlyArray<Pick<IndexedPassage, "object" | "start" | "length">>
  ) => Effect.Effect<TextOf, never, Reach>
}

/**
 * Selects the candidates that contain every phrase, best first, until there are enough items for the answer. Each round
 * reads as many texts as all earlier rounds together. So the search reads few texts if the best candidates contain the
 * phrases.
 */
export const holdingPhrases = Effect.fnUntraced(function* (
  candidates: ReadonlyArray<Candidate>,
  { phrases }: Question,
  { items, shown }: HoldingOptions
) {
  const holding: Array<Candidate> = []
  const found = new Set<string>()
  let next = items + extraHits
  for (let from = 0; from < candidates.length && found.size < items; from = next, next *= 2) {
    for (const each of yield* withEveryPhrase(candidates.slice(from, next), phrases, shown)) {
      holding.push(each)
      found.add(shownId(each))
    }
  }
  return holding
})

/**
 * Selects the candidates that contain every phrase. A phrase can be in the title or in the passage. It can also begin
 * in one passage and end in the next passage.
 */
const withEveryPhrase = Effect.fnUntraced(function* (
  candidates: ReadonlyArray<Candidate>,
  phrases: ReadonlyArray<string>,
  shown: HoldingOptions["shown"]
) {
  const textOf = yield* shown(candidates.map(({ passage }) => passage))
  const checked = yield* inSlices(checkCandidates(candidates, phrases, textOf))
  const borderText = yield* shown(checked.flatMap(({ borders }) => borders))
  return checked.flatMap(({ borders, candidate, missing }) => {
    const isAtBorder = (phrase: string) =>
      borders.some((each) => crossesBorder(each, borderText(each)?.text ?? "", phrase, candidate.language))
    return missing.every(isAtBorder) ? [candidate] : []
  })
})

/**
 * Returns the parts of a text around the two borders of a passage: its border to the previous passage, and its border
 * to the next passage. Each part is long enough to contain any of the phrases.
 */
const bordersOf = ({ after, before, passage }: Candidate, phrases: ReadonlyArray<string>) => [
  ...(before === null ? [] : [{ object: passage.object, ...borderOf(before, passage, phrases) }]),
  ...(after === null ? [] : [{ object: passage.object, ...borderOf(passage, after, phrases) }])
]

/**
 * A candidate. `missing` has the phrases that are neither in the title nor in the passage. Each of them can be at one
 * of the `borders` of the passage.
 */
interface CheckedCandidate {
  readonly candidate: Candidate
  readonly missing: ReadonlyArray<string>
  readonly borders: ReturnType<typeof bordersOf>
}

/**
 * Looks for the phrases in the title and in the passage of each candidate. The search can pause after each candidate.
 */
const checkCandidates = function* (
  candidates: ReadonlyArray<Candidate>,
  phrases: ReadonlyArray<string>,
  textOf: TextOf
): Steps<ReadonlyArray<CheckedCandidate>> {
  const checked: Array<CheckedCandidate> = []
  for (const candidate of candidates) {
    const { language, passage } = candidate
    const text = textOf(passage)
    const texts = [text?.title ?? "", text?.text ?? ""].map((each) => sequenceOf(each, language))
    const missing = phrases.filter((phrase) => {
      const sequence = sequenceOf(phrase, language)
      return !texts.some((words) => holdsPhrase(words, sequence))
    })
    checked.push({ candidate, missing, borders: missing.length === 0 ? [] : bordersOf(candidate, missing) })
    yield
  }
  return checked
}
