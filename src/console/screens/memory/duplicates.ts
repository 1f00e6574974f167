/** Finds facts that have nearly the same words. */
import type { AnswerOf } from "../../api/hub.ts"

export type Fact = AnswerOf<"GET /api/hub/memory">[number]

/** The words of a text in lower case, without repetitions. */
export const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/**
 * The similarity of two sets of words: the number of common words divided by the number of all words. 0 means no common
 * word, and 1 means the same words.
 */
export const wordSimilarity = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  const common = [...one].filter((word) => other.has(word)).length
  const all = one.size + other.size - common
  return all === 0 ? 0 : common / all
}

export const similarityMin = 0.7

/**
 * Groups of similar facts, the largest group first. Each fact is similar to the first fact of its group. No fact is in
 * two groups.
 */
export const duplicateGroups = <F extends Pick<Fact, "id" | "fact">>(
  facts: ReadonlyArray<F>
): ReadonlyArray<ReadonlyArray<F>> => {
  const remaining = facts.map((fact) => ({ fact, words: wordsOf(fact.fact) }))
  const groups: Array<ReadonlyArray<F>> = []
  while (remaining.length > 0) {
    const first = remaining.shift()
    if (first === undefined) break
    const alike = remaining.filter(({ words }) => wordSimilarity(first.words, words) >= similarityMin)
    if (alike.length === 0) continue
    for (const each of alike) remaining.splice(remaining.indexOf(each), 1)
    groups.push([first.fact, ...alike.map(({ fact }) => fact)])
  }
  return groups.toSorted((one, other) => other.length - one.length)
}
