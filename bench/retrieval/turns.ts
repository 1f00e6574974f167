/** Measures how long one search blocks the event loop. The index contains many generated entities. */
import { mergeRankings, type MergedRanking } from "../../src/features/search/AskSpaces.ts"
import { askEach } from "../../src/features/search/AskedSpace.ts"
import type { Steps } from "../../src/platform/InSlices.ts"
import type { PostingIndex } from "../../src/features/search/postings/PostingIndex.ts"
import { questionOf } from "../../src/features/search/text/Question.ts"
import { randomFrom } from "../../test/support/random.ts"
import { indexOf, putText, type Text } from "./inProcess.ts"
import { padded } from "./table.ts"

// After this many milliseconds, `inSlices` lets other work run.
const sliceMs = 8
// The generated texts have this many different words.
const wordCount = 60_000
const letters = "aeioubcdfghklmnprstvw"

/** Makes a word of six to ten letters. The same number always gives the same word. */
const wordOf = (number: number): string => {
  const upTo = randomFrom(number + 1)
  return Array.from({ length: 6 + upTo(5) }, () => letters[upTo(letters.length)]).join("")
}

/**
 * Generates texts of 11 to 59 words. Each text has the words "report" and "meeting". Half of the texts also have the
 * words "budget" and "office".
 */
export const generated = function* (count: number): Generator<Text> {
  const words = Array.from({ length: wordCount }, (_, at) => wordOf(at))
  const upTo = randomFrom(5)
  const common = () => words[Math.floor(wordCount * (upTo(1_000_000) / 1_000_000) ** 4)]
  for (let at = 0; at < count; at++) {
    yield {
      id: `01900000-0000-7000-8000-${String(at).padStart(12, "0")}`,
      title: "report",
      text: `meeting ${at % 2 === 0 ? "budget office " : ""}${Array.from({ length: at % 3 === 0 ? 56 : 10 }, common).join(" ")}`
    }
  }
}

const questions: ReadonlyArray<readonly [kind: string, query: string]> = [
  ["a rare word", wordOf(50_000)],
  ["a common word", "report"],
  ["two common words", "report meeting"],
  ["a rare word, without a common word", `${wordOf(300)} -report`],
  ["a common word, without another", "report -budget"],
  ["a phrase of common words", '"budget office"'],
  ["two phrases", '"meeting budget office" "report"'],
  ["a misspelt word", `${wordOf(300)}s`.replace(/^(.)(.)/, "$2$1")],
  ["ten misspelt words", Array.from({ length: 10 }, (_, at) => `${wordOf(400 + at)}q`).join(" ")],
  ["seven words, with feedback", Array.from({ length: 7 }, (_, at) => wordOf(at * 50)).join(" ")]
]

const spaceId = "space"

const search = function* (index: PostingIndex, query: string): Steps<MergedRanking> {
  const question = questionOf(query)
  const bounds = { spaces: [spaceId], kinds: null, objects: null, projects: null }
  const asked = yield* askEach([{ spaceId, language: "english", index, vectors: null }], {
    question,
    readable: [{ type: "entity", bounds }],
    ids: new Map(),
    readsFacetsIn: () => true
  })
  return yield* mergeRankings(asked, question, { limit: 80, byWordsAlone: false })
}

/**
 * Runs the steps. Measures as if a pause followed after each 8 ms of work, as in `inSlices`. Returns the milliseconds
 * of the longest work without a pause, and of the whole run.
 */
const timed = (steps: Steps<unknown>): { readonly longest: number; readonly whole: number } => {
  const begun = performance.now()
  let [since, longest] = [begun, 0]
  for (;;) {
    const { done } = steps.next()
    const now = performance.now()
    longest = Math.max(longest, now - since)
    if (done === true) return { longest, whole: now - begun }
    if (now - since >= sliceMs) since = performance.now()
  }
}

const rounds = 5

const median = (values: ReadonlyArray<number>): string =>
  (values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0).toFixed(1)

/** Measures each question twice: directly after a write, and without a write. Returns a table with the medians. */
export const turns = (count: number): string => {
  const index = indexOf(generated(count))
  const rows = questions.map(([kind, query]) => {
    const times = Array.from({ length: rounds }, (_, round) => {
      putText(index, { id: `changed ${round}`, title: "report", text: `meeting budget office ${wordOf(round)}` })
      return timed(search(index, query))
    })
    const again = Array.from({ length: rounds }, () => timed(search(index, query)))
    return [
      kind,
      ...[times, again].flatMap((each) => [
        median(each.map(({ longest }) => longest)),
        median(each.map(({ whole }) => whole))
      ])
    ]
  })
  return [
    `${count.toLocaleString("en")} generated entities in process, ${index.vocabulary.length.toLocaleString("en")} words`,
    "",
    padded([
      ["a search for", "longest turn after a write, ms", "whole, ms", "longest turn again, ms", "whole, ms"],
      ...rows
    ])
  ].join("\n")
}
