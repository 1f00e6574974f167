/** The known name that a misspelt one was probably meant to be. */

const comparedMost = 64 // characters; no name of the pod is that long, and the work grows with the square

/** Case and the signs between words are how one client writes what another writes differently. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[_\-\s]/g, "")

/** Levenshtein distance: how many letters have to be put in, left out or exchanged. */
const distance = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const exchanged = row[j - 1] + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(exchanged, row[j] + 1, next[j - 1] + 1))
    }
    row = next
  }
  return row[right.length]
}

/** The nearest of the known names; undefined when none is near: a third of the letters at most, and three. */
export const nearName = <K>(name: string, known: Iterable<K>, nameOf: (candidate: K) => string): K | undefined => {
  if (name.length > comparedMost) return undefined
  const asked = plain(name)
  let nearest: K | undefined
  let least = Math.min(3, Math.floor(asked.length / 3)) + 1
  for (const candidate of known) {
    const apart = distance(asked, plain(nameOf(candidate)))
    if (apart >= least) continue
    least = apart
    nearest = candidate
  }
  return nearest
}
