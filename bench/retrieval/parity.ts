/**
 * Checks that hidden documents do not change an answer. Each answer must equal the answer of an index that contains
 * only the visible documents.
 */
import { randomFrom, shuffled } from "../../test/support/random.ts"
import type { Collection } from "./collection.ts"
import { ask, indexOf } from "./inProcess.ts"
import { padded } from "./table.ts"

const shares = [1, 0.5, 0.1, 0.01, 0.001]
const most = 100

/** Writes an answer as a text. Each number has all its digits, so equal texts mean equal numbers. */
const written = ({ candidates, corrected, evidence }: ReturnType<typeof ask>): string =>
  JSON.stringify([candidates.map(({ name, score }) => [name, score]), corrected, evidence])

export const parity = ({ documents, questions }: Collection): string => {
  const texts = documents.map(({ number, text, title }) => ({ id: String(number).padStart(6, "0"), title, text }))
  const whole = indexOf(texts)
  const random = randomFrom(1)
  const rows = shares.map((share) => {
    const count = Math.max(1, Math.round(share * texts.length))
    const shown = shuffled(texts, random).slice(0, count)
    const alone = indexOf(shown)
    const visible = new Set(shown.map(({ id }) => id))
    const equal = questions.filter(
      ({ text }) =>
        written(ask(whole, { query: text, visible, limit: most })) ===
        written(ask(alone, { query: text, visible: null, limit: most }))
    )
    return [`${share * 100} %`, `${count}`, `${equal.length} of ${questions.length}`]
  })
  const head = ["visible", "documents", "questions with the same ids, scores, corrections and evidence, bit for bit"]
  return padded([head, ...rows])
}
