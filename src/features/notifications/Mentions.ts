/** Finds mentions of people in a text: `@` and the name of a person. */

export interface NamedPerson {
  readonly id: string
  readonly name: string
}

// the maximum number of `@` in a text that the pod checks
const mentionsMax = 1000
// the maximum number of characters of a name that the pod compares with the text
const nameMax = 100
// if one of these characters is before an `@`, the `@` is part of an e-mail address
const wordBefore = /[\p{L}\p{N}_.+-]$/u
const wordAfter = /^[\p{L}\p{N}_]/u

/** Returns the two forms in which a text can contain a name: with the spaces of the name, and without them. */
const formsOf = (name: string): ReadonlyArray<string> => {
  const plain = name.normalize("NFC").trim().replaceAll(/\s+/gu, " ").toLowerCase().slice(0, nameMax)
  return plain === "" ? [] : [...new Set([plain, plain.replaceAll(" ", "")])]
}

/**
 * Returns the ids of the people that a text mentions. Ignores letter case. If several names match at one place, the
 * text mentions the longest name. If several people have this name, the text mentions all of them. Checks only the
 * first thousand `@` of a text.
 */
export const mentionedPeople = (text: string, people: ReadonlyArray<NamedPerson>): ReadonlySet<string> => {
  const byForm = new Map<string, Array<string>>()
  for (const { id, name } of people) {
    for (const form of formsOf(name)) byForm.set(form, [...(byForm.get(form) ?? []), id])
  }
  const lengths = [...new Set([...byForm.keys()].map(({ length }) => length))].toSorted((one, other) => other - one)
  const found = new Set<string>()
  const folded = text.normalize("NFC").toLowerCase()
  let at = folded.indexOf("@")
  for (let seen = 0; at !== -1 && seen < mentionsMax; seen++) {
    const after = folded.slice(at + 1, at + 2 + nameMax)
    if (!wordBefore.test(folded.slice(Math.max(0, at - 2), at))) {
      const length = lengths.find((each) => byForm.has(after.slice(0, each)) && !wordAfter.test(after.slice(each)))
      if (length !== undefined) for (const id of byForm.get(after.slice(0, length)) ?? []) found.add(id)
    }
    at = folded.indexOf("@", at + 1)
  }
  return found
}
