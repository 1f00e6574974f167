/** Mentions of people in a text: `@` and the name of a person. */

export interface NamedPerson {
  readonly id: string
  readonly name: string
}

const mentionsMost = 1000 // the most `@` that are checked in a text; the mentions after them are ignored, because a text with so many is meant for nobody in particular
const nameMost = 100 // characters
const wordBefore = /[\p{L}\p{N}_.+-]$/u // a character that makes the `@` after it part of an e-mail address and not a mention
const wordAfter = /^[\p{L}\p{N}_]/u

/** The forms in which a text may write a name: as it is, and without its spaces. */
const formsOf = (name: string): ReadonlyArray<string> => {
  const plain = name.normalize("NFC").trim().replaceAll(/\s+/gu, " ").toLowerCase().slice(0, nameMost)
  return plain === "" ? [] : [...new Set([plain, plain.replaceAll(" ", "")])]
}

/**
 * The ids of the people whom a text mentions. Letter case does not count. Where one name begins with another one, the longest
 * name counts. People with the same name are all mentioned. Only the first thousand `@` are looked at.
 */
export const mentionedIn = (text: string, people: ReadonlyArray<NamedPerson>): ReadonlySet<string> => {
  const byForm = new Map<string, Array<string>>()
  for (const { id, name } of people) {
    for (const form of formsOf(name)) byForm.set(form, [...(byForm.get(form) ?? []), id])
  }
  const lengths = [...new Set([...byForm.keys()].map(({ length }) => length))].toSorted((one, other) => other - one)
  const found = new Set<string>()
  const folded = text.normalize("NFC").toLowerCase()
  let at = folded.indexOf("@")
  for (let seen = 0; at !== -1 && seen < mentionsMost; seen++) {
    const after = folded.slice(at + 1, at + 2 + nameMost)
    if (!wordBefore.test(folded.slice(Math.max(0, at - 2), at))) {
      const length = lengths.find((each) => byForm.has(after.slice(0, each)) && !wordAfter.test(after.slice(each)))
      if (length !== undefined) for (const id of byForm.get(after.slice(0, length)) ?? []) found.add(id)
    }
    at = folded.indexOf("@", at + 1)
  }
  return found
}
