/**
 * Decides whether two facts say the same. The facts must pass every check. The result is only yes or no, and not a
 * degree of similarity.
 */
import { plainWords } from "./FactWords.ts"

// The minimum number of letters of a word that can have a typing error. In a shorter word, a different letter makes a
// different word.
const lettersMin = 4
// The minimum number of letters of a word in which the check accepts a replaced letter. In a shorter word, a replaced
// letter makes a different word, as in “black” and “blank”.
const replacedLettersMin = 6

/**
 * Returns true if the two words differ by one letter that was added, left out, replaced, or swapped with the next
 * letter.
 */
const isOneEdit = (one: string, other: string): boolean => {
  if (Math.abs(one.length - other.length) > 1) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const [a, b] = [one.slice(at), other.slice(at)]
  return (
    (a.slice(1) === b.slice(1) && one.length >= replacedLettersMin) ||
    a.slice(1) === b ||
    a === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  )
}

const hasDigit = /\p{N}/u
const numberWords =
  "zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million first second third once twice half"
const days =
  "monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday tonight morning noon evening night"
const monthNames = "january february march april may june july august september october november december"
const opposites =
  "no not never none nobody nothing nor without neither before after more less with over under always like love live"

const numbers = new Set(numberWords.split(" "))

/**
 * Words that must be equal in both texts. A different number, day or opposite changes what a fact says. So the check
 * never treats a difference in such a word as a typing error.
 */
const exact = new Set(`${numberWords} ${days} ${monthNames} ${opposites}`.split(" "))

export const isNumber = (word: string): boolean => hasDigit.test(word) || numbers.has(word)

/** Returns the words that have a capital letter in the text: names, and the first word of a sentence. */
const capitalised = (text: string): ReadonlySet<string> =>
  new Set((text.match(/\p{Lu}[\p{L}\p{M}]*/gu) ?? []).flatMap((word) => plainWords(word)))

/** Returns true for a word that must be the same in both texts. */
const isExact = (word: string) => word.length < lettersMin || isNumber(word) || exact.has(word)

/**
 * Returns a key to find near duplicates. Two texts that `areNearDuplicates` accepts always have equal keys. Other texts
 * seldom have equal keys. The key has the words in alphabetical order. If a typing error is possible in a word, the key
 * has only the first letter of the word.
 */
export const duplicateKey = (text: string): string => {
  const words = plainWords(text)
  if (words.length === 0) return `same ${text}`
  return `same ${words
    .map((word) => (isExact(word) ? word : word[0]))
    .toSorted()
    .join(" ")}`
}

type IsSameWord = (one: string, other: string) => boolean

const sameWordIn = (one: string, other: string): IsSameWord => {
  const names = new Set([...capitalised(one), ...capitalised(other)])
  const isFixed = (word: string) => isExact(word) || names.has(word)
  return (a, b) => a === b || (a[0] === b[0] && !isFixed(a) && !isFixed(b) && isOneEdit(a, b))
}

const areSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>, isSame: IsSameWord) =>
  one.length === other.length && one.every((word, at) => isSame(word, other[at]))

const sentencesOf = (text: string) =>
  text
    .split(/[.!;\n]+(?=\s|$)/)
    .map(plainWords)
    .filter((words) => words.length > 0)

/** Returns true if both texts have the same sentences, in any order. */
const areSwapped = (one: string, other: string, isSame: IsSameWord): boolean => {
  const remaining = [...sentencesOf(other)]
  const sentences = sentencesOf(one)
  return (
    sentences.length === remaining.length &&
    sentences.every((sentence) => {
      const found = remaining.findIndex((each) => areSame(sentence, each, isSame))
      if (found >= 0) remaining.splice(found, 1)
      return found >= 0
    })
  )
}

/**
 * The maximum number of characters of a text that the check compares word by word. If a text is twice as long, a
 * comparison takes more than twice as long.
 */
const comparedMax = 2000

/**
 * Returns true if two texts differ only in letter case, punctuation, fillers, contractions, typing errors and the order
 * of sentences. If a number, a day, a name, a negation or a short word (such as a preposition) differs, the facts are
 * different.
 */
export const areNearDuplicates = (one: string, other: string): boolean => {
  if (Math.max(one.length, other.length) > comparedMax) return one === other
  const words = plainWords(one)
  if (words.length === 0) return one === other
  const otherWords = plainWords(other)
  // The order of the sentences does not change the number of words. So duplicates have equally many words.
  if (words.length !== otherWords.length) return false
  const isSame = sameWordIn(one, other)
  return areSame(words, otherWords, isSame) || areSwapped(one, other, isSame)
}
