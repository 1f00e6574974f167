/** Whether two projects are called almost the same: pure, and the same in every order. */

/** Lower case without accents, punctuation and small words; words in order. */
const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !smallWords.has(word))

const smallWords = new Set(["a", "an", "the", "of", "for", "and", "project", "projects"])

const numbersOf = (words: ReadonlyArray<string>) => words.flatMap((word) => word.match(/\p{N}+/gu) ?? []).join(" ")

const lengthMax = 80 // characters: the comparison takes the product of two lengths, for every project there is

/** How many letters have to be put in, left out, replaced or swapped with their neighbour to make one of the other. */
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
 * Almost the same: the same words in whatever order, or a slip of the pen apart (one letter in eight). Names that differ
 * in a number are different: “Phase 1” is not “Phase 2”. A name without words is compared as it stands.
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
