/** Reads what a person or an agent asks: words, quoted phrases, words to leave out, and filters such as `type:note`. */
import { isUuid } from "../../../platform/Ids.ts"
import { tokensOf } from "./Analyser.ts"
import type { Language } from "./Language.ts"
import { plain } from "./PlainText.ts"

/** What the filters of a question name. Of several values of one filter, a record needs to have one. */
export interface FilterValues {
  /** `type:` or `kind:`: slugs of profiles or roles. */
  readonly types: ReadonlyArray<string>
  /** `project:`: ids or names. */
  readonly projects: ReadonlyArray<string>
  /** `in:`: ids or names of workspaces. */
  readonly workspaces: ReadonlyArray<string>
  /** `by:`: ids of the people and agents who made a record; `me` is the caller. */
  readonly makers: ReadonlyArray<string>
}

/** The filters of a question: records that have none of the values are left out. */
export interface Filters extends FilterValues {
  /** Filters with a minus: records that have one of these values are left out. */
  readonly without: FilterValues
  /**
   * `before:` and `after:`, in milliseconds since 1970. `before` is not included, `after` is; so each with a minus is the other
   * one.
   */
  readonly before: number | undefined
  readonly after: number | undefined
}

export interface Question {
  /** What is left without filters, for people and for routing. */
  readonly text: string
  /** Each phrase as written. */
  readonly phrases: ReadonlyArray<string>
  /** Words to leave out, as written. */
  readonly excluded: ReadonlyArray<string>
  readonly filters: Filters
}

/** What one part of a question can be: a filter, a phrase, a word. A minus before it leaves it out. */
const parts = /(-?)(?:(type|kind|project|in|by|before|after):(?:"([^"]*)"|(\S+))|"([^"]*)"|(\S+))/giu

const dateOf = (written: string): number | undefined => {
  if (!/^\d{4}(-\d{2}(-\d{2})?)?$/.test(written)) return undefined
  const at = Date.parse(written.length === 4 ? `${written}-01-01` : written)
  return Number.isNaN(at) ? undefined : at
}

const phrasesMost = 16 // different ones; further ones are words like others

const noValues = () => ({
  types: [] as Array<string>,
  projects: [] as Array<string>,
  workspaces: [] as Array<string>,
  makers: [] as Array<string>
})

/** What a filter names, as it is compared; undefined for a text that only looks like one. */
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
 * A part that looks like a filter and is none, such as `before:lunch`, is a word like others. `callerId`: the person or agent
 * whom `by:me` means.
 */
export const questionOf = (asked: string, callerId?: string): Question => {
  const words: Array<string> = []
  const phrases: Array<string> = []
  const excluded: Array<string> = []
  const values = noValues()
  const without = noValues()
  let before: number | undefined
  let after: number | undefined
  for (const [whole, minus, name, quoted, bare, phrase, word] of asked.normalize("NFC").matchAll(parts)) {
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
    phrases: [...new Set(phrases.filter((phrase) => phrase.trim() !== ""))].slice(0, phrasesMost),
    excluded: [...new Set(excluded)],
    filters: { ...values, without, before, after }
  }
}

/** Whether a question leaves records out by what they are, and not by their words. */
export const hasFilters = ({ filters: { after, before, without, ...values } }: Question): boolean =>
  after !== undefined ||
  before !== undefined ||
  [...Object.values(values), ...Object.values(without)].some((each: ReadonlyArray<string>) => each.length > 0)

/** The words of a phrase as they follow one another, function words included. */
export const sequenceOf = (phrase: string, language: Language): ReadonlyArray<string> =>
  tokensOf(phrase, language).map(({ terms: [first] }) => first)

/** For each place of a phrase: how many words before it, and with it, are also the first words of the phrase. */
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
 * Whether the words of a phrase stand one after the other among those of a text. Each word of the text is read once (Knuth,
 * Morris and Pratt 1977): trying every place takes seconds for a phrase that repeats a word.
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

/** A word of a question: how the index has it, how it was written, and how often it stands there. */
export interface AskedWord {
  readonly word: string
  readonly written: string
  readonly times: number
}

/** The words of a text, each once, in the order of their first appearance; function words are left out. */
export const askedWords = (text: string, language: Language): ReadonlyArray<AskedWord> => {
  const found = new Map<string, { readonly written: string; times: number }>()
  for (const { end, isStopWord, start, terms } of tokensOf(text, language)) {
    if (isStopWord) continue
    for (const word of terms) {
      const known = found.get(word)
      if (known === undefined) found.set(word, { written: plain(text.slice(start, end)), times: 1 })
      else known.times++
    }
  }
  return Array.from(found, ([word, { times, written }]) => ({ word, written, times }))
}
