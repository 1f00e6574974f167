/**
 * Decides whether two projects have almost the same name. The functions have no side effects, and the order of the two
 * names does not matter.
 */

/**
 * Returns the words of a name in the form for comparisons: lower case, without accents, punctuation and small words.
 */
const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !smallWords.has(word))

const smallWords = new Set(["a", "an", "the", "of", "for", "and", "project", "projects"])

const numbersOf = (words: ReadonlyArray<string>) => words.flatMap((word) => word.match(/\p{N}+/gu) ?? []).join(" ")

// The maximum number of characters that the code compares, because comparing long names takes too long.
const lengthMax = 80

/**
 * Returns the number of steps that turn one of the texts into the other text. Each step inserts, deletes or replaces
 * one letter, or swaps two neighbouring letters.
 */
const distance = (one: string, other: string): number => {
  let [before, last] = [new Array<number>(), Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const swapped =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1] ? before[j - 2] + 1 : Infinity
      row.push(Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1), swapped))
    }
    ;[before, last] = [last, row]
  }
  return last[other.length]
}

/**
 * Returns true if two names are similar. Names are similar if they have the same words in any order, or if they differ
 * only by typing errors in at most one letter in eight. Names with different numbers, such as “Phase 1” and “Phase 2”,
 * are never similar. A name without words is compared as a whole.
 */
export const isNearName = (one: string, other: string): boolean => {
  const [these, those] = [wordsOf(one), wordsOf(other)]
  if (these.length === 0 || those.length === 0) return one.trim() === other.trim()
  if (numbersOf(these.toSorted()) !== numbersOf(those.toSorted())) return false
  const [first, second] = [these.toSorted().join(" "), those.toSorted().join(" ")]
  if (first === second || these.join("") === those.join("")) return true
  const [short, long] = [these.join(" "), those.join(" ")].toSorted((a, b) => a.length - b.length)
  if (long.length > lengthMax || long.length - short.length > long.length / 8) return false
  return distance(short, long) <= Math.floor(long.length / 8)
}
