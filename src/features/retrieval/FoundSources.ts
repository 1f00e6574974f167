/** Selects the sources for an answer: the best items that retrieval found, as many as fit into a prompt. */
import type { AnswerSource } from "./AnswerPrompt.ts"
import type { ResultWithTexts } from "./Retrieval.ts"
import type { AnswerResult } from "./RetrievalResult.ts"
import { shortenText } from "../../platform/StoredText.ts"

const sourcesMax = 8
// the maximum number of characters of all sources of a prompt, about 3,000 tokens
const charactersMax = 12_000
// the maximum number of characters of the title of a source
const titleMax = 300

export type FoundSource = AnswerSource & { readonly substrate: AnswerResult["sources"][number]["substrate"] }

/** Converts a source to the form that the API returns. */
export const shownSource = ({ id, substrate, title }: FoundSource): AnswerResult["sources"][number] => ({
  substrate,
  id,
  title
})

/**
 * Selects the sources for a prompt: first the best item of each block, then the second best item of each block, and so
 * on. Takes each record only once. Shortens a text that is longer than the remaining space. One source gets at most
 * half of the space, so that the prompt has space for other sources.
 */
export const sourcesOf = ({ result: { answers }, texts }: ResultWithTexts): ReadonlyArray<FoundSource> => {
  const longest = Math.max(0, ...answers.map(({ items }) => items.length))
  const ranked = Array.from({ length: longest }, (_, rank) =>
    answers.flatMap(({ items }) => items.at(rank) ?? [])
  ).flat()
  const found = new Map<string, FoundSource>()
  let room = charactersMax
  for (const { id, snippet, substrate, title } of ranked) {
    if (found.size >= sourcesMax || room <= 0) break
    if (found.has(id)) continue
    const text = shortenText(texts.get(id) ?? snippet, Math.min(room, charactersMax / 2))
    room -= text.length
    found.set(id, { id, substrate, title: shortenText(title, titleMax), text })
  }
  return [...found.values()]
}
