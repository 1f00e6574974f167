/**
 * Finds the cues of a text: the phrases that classify the text. It reads the words once, and compares each word only
 * with the phrases that can begin with this word.
 */
import { type CueFamily, cueGroups } from "./Cues.ts"
import { closedClasses, modalVerbs, notBeforeOrders, openClasses } from "./CueWords.ts"

/** A word of a text, with its position. `isFirst` tells whether the word is the first word of its clause. */
export interface Word {
  readonly raw: string
  readonly lower: string
  readonly start: number
  readonly end: number
  readonly isFirst: boolean
}

export interface CueHit {
  readonly family: CueFamily
  readonly weight: number
  readonly cue: string
  readonly start: number
  readonly end: number
}

type Test = (word: Word) => boolean
type Slot = { readonly test: Test } | { readonly max: number }
interface Phrase {
  readonly family: CueFamily
  readonly weight: number
  readonly isOrder: boolean
  readonly hasGap: boolean
  /** The parts of the phrase after its first word. */
  readonly rest: ReadonlyArray<Slot>
}
interface GappedHit extends CueHit {
  readonly hasGap: boolean
}

// A sign belongs to a word if a letter or digit follows the sign immediately, as in `9:00`, `anna@acme.com` and
// `doesn't`.
const wordForm = /[#@]?[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_]|['’.@:+-](?=[\p{L}\p{N}]))*/gu
const clauseEnd = /[.,;:!?\n()]/

export const wordsOf = (text: string): ReadonlyArray<Word> => {
  let last = 0
  return Array.from(text.matchAll(wordForm), ({ 0: raw, index }): Word => {
    const isFirst = last === 0 || clauseEnd.test(text.slice(last, index))
    last = index + raw.length
    return { raw, lower: raw.toLowerCase().replaceAll("’", "'"), start: index, end: last, isFirst }
  })
}

const slotOf = (text: string): Slot => {
  if (text.startsWith("..")) return { max: Number(text.slice(2)) }
  const open = openClasses[text.slice(1, -1)]
  if (text.startsWith("<") && open !== undefined) return { test: ({ raw, lower }) => open(raw, lower) }
  const known = new Set(beginnings(text))
  return { test: ({ lower }) => known.has(lower) }
}

/**
 * Returns the words that match a part (slot) of a phrase. If the slot is a class of words without a list (see
 * `openClasses`), returns the text of the slot, such as `<number>`.
 */
const beginnings = (text: string): ReadonlyArray<string> =>
  text.startsWith("<") ? (closedClasses[text.slice(1, -1)] ?? [text]) : text.split("|")

/** Returns all forms of a phrase: with and without each optional slot. */
const expandSlots = (slots: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const at = slots.findIndex((slot) => slot.startsWith("?"))
  if (at < 0) return [slots]
  const [before, after] = [slots.slice(0, at), slots.slice(at + 1)]
  return [...expandSlots([...before, slots[at].slice(1), ...after]), ...expandSlots([...before, ...after])]
}

const phrases: ReadonlyMap<string, ReadonlyArray<Phrase>> = (() => {
  const byBeginning = new Map<string, Array<Phrase>>()
  for (const { family, weight, isOrder = false, phrases: texts } of cueGroups) {
    for (const [first, ...rest] of texts.flatMap((text) => expandSlots(text.split(" ")))) {
      const hasGap = rest.some((slot) => slot.startsWith(".."))
      const phrase = { family, weight, isOrder, hasGap, rest: rest.map(slotOf) }
      for (const word of beginnings(first)) byBeginning.set(word, [...(byBeginning.get(word) ?? []), phrase])
    }
  }
  return byBeginning
})()
const openBeginnings = Object.entries(openClasses).filter(([name]) => phrases.has(`<${name}>`))

/**
 * Returns the position in the text where the phrase ends, if the parts (slots) of the phrase match the words after word
 * `at`. Otherwise returns -1. A phrase stays within one clause. A gap (`..n` in the phrase) matches as few words as
 * possible.
 */
const endOf = (words: ReadonlyArray<Word>, at: number, slots: ReadonlyArray<Slot>, from = 0): number => {
  if (from === slots.length) return words[at].end
  const slot = slots[from]
  if ("max" in slot) {
    for (let skipped = 0; skipped <= slot.max; skipped++) {
      const end = endOf(words, at + skipped, slots, from + 1)
      if (end >= 0) return end
      if (words[at + skipped + 1]?.isFirst ?? true) return -1
    }
    return -1
  }
  const next = words[at + 1]
  return next !== undefined && !next.isFirst && slot.test(next) ? endOf(words, at + 1, slots, from + 1) : -1
}

const foundAt = (text: string, words: ReadonlyArray<Word>, at: number): ReadonlyArray<GappedHit> => {
  const word = words[at]
  const before = words[at - 1]?.lower ?? ""
  const isAsked = before === "you" && modalVerbs.has(words[at - 2]?.lower ?? "")
  const isOrder = word.isFirst || isAsked || !notBeforeOrders.has(before)
  const keys = [word.lower, ...openBeginnings.flatMap(([name, is]) => (is(word.raw, word.lower) ? [`<${name}>`] : []))]
  return keys
    .flatMap((key) => phrases.get(key) ?? [])
    .flatMap(({ family, weight, hasGap, rest, ...phrase }) => {
      const end = phrase.isOrder && !isOrder ? -1 : endOf(words, at, rest)
      return end < 0 ? [] : [{ family, weight, hasGap, start: word.start, end, cue: text.slice(word.start, end) }]
    })
}

/**
 * Leaves out a cue that is only a part of a longer cue. For example, `once a` is not a trigger in `once a week`. A cue
 * inside a gap (`..n`) of another cue stays, unless both cues have the same family. A cue of the family `structure`
 * removes every cue inside it.
 */
const longest = (found: ReadonlyArray<GappedHit>): ReadonlyArray<GappedHit> => {
  const inOrder = found.toSorted((one, other) => one.start - other.start || other.end - one.end)
  const reach = new Map<CueFamily | "whole", number>()
  return inOrder.filter(({ family, hasGap, end }) => {
    if (end <= Math.max(reach.get(family) ?? 0, reach.get("whole") ?? 0)) return false
    reach.set(family, end)
    if (!hasGap || family === "structure") reach.set("whole", Math.max(end, reach.get("whole") ?? 0))
    return true
  })
}

/**
 * Makes the function that tells whether a cue is in a conditional part of the text. A conditional part begins with a
 * trigger or a question, and ends at the end of the clause. The words in a conditional part do not state facts.
 */
const conditional = (words: ReadonlyArray<Word>, found: ReadonlyArray<GappedHit>): ((hit: GappedHit) => boolean) => {
  const starts = new Set(
    found.flatMap(({ family, start }) => (family === "trigger" || family === "question" ? [start] : []))
  )
  const inside = new Set<number>()
  let isInside = false
  for (const { start, isFirst } of words) {
    isInside = starts.has(start) || (isInside && !isFirst)
    if (isInside) inside.add(start)
  }
  return ({ start }) => inside.has(start)
}

/**
 * Returns the known cues in a text, in the order of the text. The running time depends only on the length of the text.
 */
export const cuesOf = (text: string, words: ReadonlyArray<Word> = wordsOf(text)): ReadonlyArray<CueHit> => {
  const found = longest(words.flatMap((_, at) => foundAt(text, words, at)))
  const isConditional = conditional(words, found)
  return found.filter((hit) => hit.family !== "fact" || !isConditional(hit))
}

const namesMaxWords = 6 // the maximum number of words of a name that the pod searches for in a text

/**
 * Finds the first place where a text contains one of these names. The text "send email" contains the name `send_email`,
 * and the text "tasks" contains the name `task`.
 */
export const mentionOf = (
  text: string,
  words: ReadonlyArray<Word>,
  names: ReadonlyArray<string>
): { readonly cue: string; readonly start: number } | null => {
  const known = new Set(
    names.flatMap((name) => {
      const plain = (name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(" ")
      return plain === "" ? [] : [plain, `${plain}s`]
    })
  )
  if (known.size === 0) return null
  const plainWords = words.map(({ lower }) => lower.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim())
  for (const [at, { start, end }] of words.entries()) {
    let phrase = ""
    let until = end
    for (let length = 0; length < namesMaxWords && at + length < words.length; length++) {
      phrase = length === 0 ? plainWords[at] : `${phrase} ${plainWords[at + length]}`
      until = words[at + length].end
      if (known.has(phrase)) return { cue: text.slice(start, until), start }
    }
  }
  return null
}
