/** Shortens recalled facts so that they fit into a number of tokens. */
import type { RecallHit } from "./RecallHit.ts"
import type { LeanFact } from "./MemoryTools.ts"
import { shortenText } from "../../platform/StoredText.ts"

// the usual estimate for English text; the pod does not know the tokenizer of the model
const charactersPerToken = 4
// the estimated number of characters that a fact needs in addition to its text
const charactersBeside = 140
// the maximum number of characters of the text of one fact; the pod shortens a longer text
const charactersMax = 600
// the minimum number of characters of a shortened text; a shorter text would say too little
const charactersMin = 80

const cutWithEllipsis = (text: string, max: number) => (text.length <= max ? text : `${shortenText(text, max - 1)}…`)

/**
 * Returns the best facts that fit into the maximum number of tokens, and the number of facts that do not fit. Shortens
 * long texts.
 */
export const leanFacts = (
  hits: ReadonlyArray<RecallHit>,
  tokenBudget: number
): { readonly facts: ReadonlyArray<LeanFact>; readonly leftOut: number } => {
  let remaining = tokenBudget * charactersPerToken
  const facts: Array<LeanFact> = []
  for (const { createdAt, fact, id, saidAt, sessionId, trust } of hits) {
    const room = Math.min(charactersMax, remaining - charactersBeside)
    if (fact.length > room && room < charactersMin) break
    const text = cutWithEllipsis(fact, room)
    remaining -= text.length + charactersBeside
    facts.push({ id, fact: text, trust, saidAt: saidAt ?? createdAt, ...(sessionId === null ? {} : { sessionId }) })
  }
  return { facts, leftOut: hits.length - facts.length }
}
