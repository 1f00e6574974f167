/** Finds the known name that a client probably meant when it misspelt a name. */

// the maximum number of compared characters, because the time grows with the square of the length
const comparedMax = 64

/** Makes all letters small and removes separators, because clients write the same name in different styles. */
const normalizeName = (name: string) => name.toLowerCase().replaceAll(/[_\-\s]/g, "")

/**
 * Returns the number of edits that change one name into the other. An edit inserts, deletes or replaces a letter, or
 * swaps it with the next letter (optimal string alignment).
 */
const distance = (left: string, right: string): number => {
  let former: ReadonlyArray<number> = []
  let row = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const exchanged = row[j - 1] + (left[i - 1] === right[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      const swapped = isSwapped ? former[j - 2] + 1 : Infinity
      next.push(Math.min(exchanged, swapped, row[j] + 1, next[j - 1] + 1))
    }
    former = row
    row = next
  }
  return row[right.length]
}

/**
 * Returns the most similar known name. Returns undefined if every known name differs in more than three letters, or in
 * more than a third of the letters of `name`.
 */
export const nearName = <K>(name: string, known: Iterable<K>, nameOf: (candidate: K) => string): K | undefined => {
  if (name.length > comparedMax) return undefined
  const plainName = normalizeName(name)
  let nearest: K | undefined
  let smallest = Math.min(3, Math.floor(plainName.length / 3)) + 1
  for (const candidate of known) {
    const apart = distance(plainName, normalizeName(nameOf(candidate)))
    if (apart >= smallest) continue
    smallest = apart
    nearest = candidate
  }
  return nearest
}
