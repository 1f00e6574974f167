/** Finds the known name that a client probably meant when it misspelt a name. */
import { editDistance } from "./editDistance.ts"

// the maximum number of compared characters, because the time grows with the square of the length
const comparedMax = 64

/** Makes all letters small and removes separators, because clients write the same name in different styles. */
const normalizeName = (name: string) => name.toLowerCase().replaceAll(/[_\-\s]/g, "")

/** The largest number of letters in which a known name can differ: three, and at most a third of the letters of `name`. */
const distanceMax = (plainName: string) => Math.min(3, Math.floor(plainName.length / 3))

/**
 * Returns the most similar known name. Returns undefined if every known name differs in more than three letters, or in
 * more than a third of the letters of `name`.
 */
export const nearName = <K>(name: string, known: Iterable<K>, nameOf: (candidate: K) => string): K | undefined =>
  nearNames(name, known, nameOf, 1)[0]

/** Returns the most similar known names, at most `max`, the most similar first. Names of equal similarity keep their order. */
export const nearNames = <K>(
  name: string,
  known: Iterable<K>,
  nameOf: (candidate: K) => string,
  max: number
): ReadonlyArray<K> => {
  if (name.length > comparedMax) return []
  const plainName = normalizeName(name)
  return [...known]
    .map((candidate) => ({ candidate, apart: editDistance(plainName, normalizeName(nameOf(candidate))) }))
    .filter(({ apart }) => apart <= distanceMax(plainName))
    .sort((one, other) => one.apart - other.apart)
    .slice(0, max)
    .map(({ candidate }) => candidate)
}
