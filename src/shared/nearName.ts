/** Finds the known name that a client probably meant when it misspelt a name. */
import { editDistance } from "./editDistance.ts"

// the maximum number of compared characters, because the time grows with the square of the length
const comparedMax = 64

/** Makes all letters small and removes separators, because clients write the same name in different styles. */
const normalizeName = (name: string) => name.toLowerCase().replaceAll(/[_\-\s]/g, "")

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
    const apart = editDistance(plainName, normalizeName(nameOf(candidate)))
    if (apart >= smallest) continue
    smallest = apart
    nearest = candidate
  }
  return nearest
}
