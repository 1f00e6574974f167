/** Shortens recalled facts so that they fit into a number of tokens. */
import type { RecallHit } from "./Memory.ts"
import type { LeanFact } from "./MemoryTools.ts"
import { shortened } from "../../platform/StoredText.ts"

// the usual estimate for English text; the pod does not know the tokenizer of the model
const charactersPerToken = 4
const charactersBeside = 140 // the estimated number of characters that a fact needs in addition to its text
const charactersMax = 600 // the maximum number of characters of the text of one fact; the pod shortens a longer text
const charactersLeast = 80 // the minimum number of characters of a shortened text; a shorter text would say too little

const cut = (text: string, most: number) => (text.length <= most ? text : `${shortened(text, most - 1)}…`)

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
    if (fact.length > room && room < charactersLeast) break
    const text = cut(fact, room)
    remaining -= text.length + charactersBeside
    facts.push({ id, fact: text, trust, saidAt: saidAt ?? createdAt, ...(sessionId === null ? {} : { sessionId }) })
  }
  return { facts, leftOut: hits.length - facts.length }
}
