/** Shortens recalled facts so that they fit into a budget of tokens. */
import type { RecallHit } from "./Memory.ts"
import type { LeanFact } from "./MemoryTools.ts"
import { shortened } from "../../platform/StoredText.ts"

// the usual estimate for English text, because the pod does not know the tokenizer of the model
const charactersPerToken = 4
const charactersBeside = 140 // estimated characters of all fields of a fact except its text
const charactersMost = 600 // the maximum number of characters of the text of one fact; a longer text is shortened
const charactersLeast = 80 // a text is not shortened to fewer characters, because the rest would say too little

const cut = (text: string, most: number) => (text.length <= most ? text : `${shortened(text, most - 1)}…`)

/**
 * Returns the best facts that fit into the token budget, with long texts shortened, and the number of facts that do not
 * fit.
 */
export const leanFacts = (
  hits: ReadonlyArray<RecallHit>,
  tokenBudget: number
): { readonly facts: ReadonlyArray<LeanFact>; readonly leftOut: number } => {
  let remaining = tokenBudget * charactersPerToken
  const facts: Array<LeanFact> = []
  for (const { createdAt, fact, id, saidAt, sessionId, trust } of hits) {
    const room = Math.min(charactersMost, remaining - charactersBeside)
    if (fact.length > room && room < charactersLeast) break
    const text = cut(fact, room)
    remaining -= text.length + charactersBeside
    facts.push({ id, fact: text, trust, saidAt: saidAt ?? createdAt, ...(sessionId === null ? {} : { sessionId }) })
  }
  return { facts, leftOut: hits.length - facts.length }
}
