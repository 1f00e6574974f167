/** A fact that matches a question, as code that builds an answer gets it, and the words that both have. */
import type { DateTime } from "effect"
import { analyse } from "../search/text/Analyser.ts"
import type { KeptFact, Trust } from "./MemoryFact.ts"

/** A fact that matches a question, in a short form. */
export interface RecallHit {
  readonly id: string
  readonly fact: string
  readonly score: number
  readonly level: KeptFact["level"]
  readonly trust: Trust
  readonly confidence: number
  readonly sessionId: string | null
  readonly saidAt: DateTime.Utc | null
  readonly createdAt: DateTime.Utc
}

export const hitOf = ({ fact, score }: { readonly fact: KeptFact; readonly score: number }): RecallHit => ({
  id: fact.id,
  fact: fact.fact,
  score,
  level: fact.level,
  trust: fact.trust,
  confidence: fact.confidence,
  sessionId: fact.sessionId,
  saidAt: fact.saidAt,
  createdAt: fact.createdAt
})

/**
 * Returns the words of the question that also occur in the text, possibly with another ending. Each word is listed
 * once, in the form that it has in the question.
 */
export const sharedWords = (question: string, text: string): ReadonlyArray<string> => {
  const terms = new Set(analyse(text))
  const words = question.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...new Set(words)].filter((word) => analyse(word).some((term) => terms.has(term)))
}
