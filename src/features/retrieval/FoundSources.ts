/** The sources of an answer: the best of what retrieval found, as many as a prompt can hold. */
import type { AnswerSource } from "./AnswerPrompt.ts"
import type { Gathered } from "./Retrieval.ts"
import type { AnswerResult } from "./RetrievalResult.ts"

const sourcesMost = 8
const charactersMost = 12_000 // characters of all sources of a prompt, about 3,000 tokens
const titleMost = 300 // characters of the title of a source

export type FoundSource = AnswerSource & { readonly substrate: AnswerResult["sources"][number]["substrate"] }

/** A source as answers name it. */
export const shownSource = ({ id, substrate, title }: FoundSource): AnswerResult["sources"][number] => ({
  substrate,
  id,
  title
})

/**
 * Selects the sources of a prompt: the best item of each block, then the second best of each block, and so on, each record once. Cuts
 * a source that does not fit into the remaining characters. A source gets at most half of the prompt, so that others fit too.
 */
export const sourcesOf = ({ result: { answers }, texts }: Gathered): ReadonlyArray<FoundSource> => {
  const longest = Math.max(0, ...answers.map(({ items }) => items.length))
  const ranked = Array.from({ length: longest }, (_, rank) =>
    answers.flatMap(({ items }) => items.at(rank) ?? [])
  ).flat()
  const found = new Map<string, FoundSource>()
  let room = charactersMost
  for (const { id, snippet, substrate, title } of ranked) {
    if (found.size >= sourcesMost || room <= 0) break
    if (found.has(id)) continue
    const text = (texts.get(id) ?? snippet).slice(0, Math.min(room, charactersMost / 2))
    room -= text.length
    found.set(id, { id, substrate, title: title.slice(0, titleMost).toWellFormed(), text })
  }
  return [...found.values()]
}
