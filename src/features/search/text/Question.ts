/** Reads a question: its words, phrases in quotes, excluded words, and filters such as `type:note`. */
import { isUuid } from "../../../platform/Ids.ts"
import { tokensOf } from "./Analyser.ts"
import type { Language } from "./Language.ts"
import { plainForm } from "./PlainText.ts"

/**
 * The values of each filter in a question. A record matches a filter with several values if it matches one of the
 * values.
 */
export interface FilterValues {
  /**
   * The values of `type:` and `kind:`. A value is the slug of a profile or facet, or the type `document` or `knowledge`.
   */
  readonly types: ReadonlyArray<string>
  /** The values of `project:`: ids or names of projects. */
  readonly projects: ReadonlyArray<string>
  /** The values of `in:`: ids or names of workspaces. */
  readonly workspaces: ReadonlyArray<string>
  /** The values of `by:`. They are ids of people or agents that made records. The value `me` means the caller. */
  readonly makers: ReadonlyArray<string>
}

/**
 * The filters of a question. A record must match every filter. For one filter, it is enough that the record matches one
 * of the values.
 */
export interface Filters extends FilterValues {
  /**
   * The filters that have a minus in the question. The search leaves out a record that matches any value of these
   * filters.
   */
  readonly without: FilterValues
  /**
   * The times of `before:` and `after:`, in milliseconds since 1970. A record with exactly the time of `after:`
   * matches. A record with exactly the time of `before:` does not match. So `-before:` means the same as `after:`, and
   * `-after:` means the same as `before:`.
   */
  readonly before: number | undefined
  readonly after: number | undefined
}

export interface Question {
  /** The words and phrases for which the search looks, without the filters and the excluded words. */
  readonly text: string
  /** The phrases in quotes, as the caller wrote them. */
  readonly phrases: ReadonlyArray<string>
  /** The words and phrases that the question excludes, as the caller wrote them. */
  readonly excluded: ReadonlyArray<string>
  readonly filters: Filters
}

/**
 * Matches one part of a question: a filter, a phrase or a word. If the part has a minus, the search leaves out records
 * that match the part.
 */
const parts = /(-?)(?:(type|kind|project|in|by|before|after):(?:"([^"]*)"|(\S+))|"([^"]*)"|(\S+))/giu

const dateOf = (written: string): number | undefined => {
  if (!/^\d{4}(-\d{2}(-\d{2})?)?$/.test(written)) return undefined
  const at = Date.parse(written.length === 4 ? `${written}-01-01` : written)
  return Number.isNaN(at) ? undefined : at
}

// The maximum number of phrases. The search treats the words of further phrases as single words.
const phrasesMax = 16

const noValues = (): Record<keyof FilterValues, Array<string>> => ({
  types: [],
  projects: [],
  workspaces: [],
  makers: []
})

/**
 * Translates a filter into a property of `FilterValues` and a value. Returns undefined if the text only looks like a
 * filter.
 */
const namedBy = (
  filter: string,
  value: string,
  callerId: string | undefined
): readonly [name: keyof FilterValues, value: string] | undefined => {
  switch (filter) {
    case "type":
    case "kind":
      return ["types", value.toLowerCase()]
    case "project":
      return ["projects", value]
    case "in":
      return ["workspaces", value]
    case "by": {
      const id = value.toLowerCase() === "me" ? callerId : value.toLowerCase()
      return id !== undefined && isUuid(id) ? ["makers", id] : undefined
    }
    default:
      return undefined
  }
}

/**
 * Reads a question. A part that only looks like a filter, such as `before:lunch`, becomes a word. `callerId` is the id
 * of the person or agent for which `by:me` stands.
 */
export const questionOf = (text: string, callerId?: string): Question => {
  const words: Array<string> = []
  const phrases: Array<string> = []
  const excluded: Array<string> = []
  const values = noValues()
  const without = noValues()
  let before: number | undefined
  let after: number | undefined
  for (const [whole, minus, name, quoted, bare, phrase, word] of text.normalize("NFC").matchAll(parts)) {
    const value = (quoted ?? bare ?? "").trim()
    const filter = value === "" ? "" : (name?.toLowerCase() ?? "")
    const isLeftOut = minus !== ""
    const named = namedBy(filter, value, callerId)
    const at = filter === "before" || filter === "after" ? dateOf(value) : undefined
    if (named !== undefined) (isLeftOut ? without : values)[named[0]].push(named[1])
    else if (at !== undefined && (filter === "before") !== isLeftOut) before = Math.min(before ?? at, at)
    else if (at !== undefined) after = Math.max(after ?? at, at)
    else if (isLeftOut && (phrase ?? word) !== undefined) excluded.push(phrase ?? word)
    else if (phrase !== undefined) phrases.push(phrase)
    else words.push(whole)
  }
  return {
    text: [...words, ...phrases].join(" ").trim(),
    phrases: [...new Set(phrases.filter((phrase) => phrase.trim() !== ""))].slice(0, phrasesMax),
    excluded: [...new Set(excluded)],
    filters: { ...values, without, before, after }
  }
}

export const hasFilters = ({ filters: { after, before, without, ...values } }: Question): boolean =>
  after !== undefined ||
  before !== undefined ||
  [...Object.values(values), ...Object.values(without)].some((each: ReadonlyArray<string>) => each.length > 0)

/** Returns the words of a phrase in their order, including function words. */
export const sequenceOf = (phrase: string, language: Language): ReadonlyArray<string> =>
  tokensOf(phrase, language).map(({ terms: [first] }) => first)

/**
 * Makes the border table of the Knuth-Morris-Pratt search, with one number for each word of the phrase. The number for
 * the k-th word is the largest n below k with this property: the first n words of the phrase equal the n words that end
 * with the k-th word.
 */
const bordersOf = (phrase: ReadonlyArray<string>): ReadonlyArray<number> => {
  const borders = [0]
  let length = 0
  for (const word of phrase.slice(1)) {
    while (length > 0 && word !== phrase[length]) length = borders[length - 1]
    if (word === phrase[length]) length++
    borders.push(length)
  }
  return borders
}

/**
 * Returns true if a text contains the words of a phrase one after another. Reads each word of the text only once
 * (Knuth, Morris and Pratt 1977). A simpler search would start again at each word, and would take seconds if the phrase
 * repeats a word.
 */
export const holdsPhrase = (words: ReadonlyArray<string>, phrase: ReadonlyArray<string>): boolean => {
  if (phrase.length === 0) return true
  const borders = bordersOf(phrase)
  let length = 0
  for (const word of words) {
    while (length > 0 && word !== phrase[length]) length = borders[length - 1]
    if (word === phrase[length]) length++
    if (length === phrase.length) return true
  }
  return false
}

/**
 * A word of a question: the term of the word in the index, the spelling in the question, and how often the question
 * contains the word.
 */
export interface AskedWord {
  readonly word: string
  readonly written: string
  readonly times: number
}

/**
 * Returns each different word of a text once, except function words. The words are in the order in which they first
 * appear.
 */
export const askedWords = (text: string, language: Language): ReadonlyArray<AskedWord> => {
  const found = new Map<string, { readonly written: string; times: number }>()
  for (const { end, isStopWord, start, terms } of tokensOf(text, language)) {
    if (isStopWord) continue
    for (const word of terms) {
      const known = found.get(word)
      if (known === undefined) found.set(word, { written: plainForm(text.slice(start, end)), times: 1 })
      else known.times++
    }
  }
  return Array.from(found, ([word, { times, written }]) => ({ word, written, times }))
}
