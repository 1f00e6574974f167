/** Chooses the one record or name that a text means, of those that the caller can see. Suggests similar names. */
import { Effect } from "effect"
import { nearNames } from "../shared/nearName.ts"
import type { Fields } from "./AnswerFields.ts"
import { badUsage, CliFailure, notFound } from "./CliFailure.ts"
import { cell } from "./Output.ts"

// the least number of characters that can be the beginning of an id, because a shorter text could be a word
const idBegins = 6

interface Named {
  readonly idOf: (row: Fields) => string
  readonly nameOf: (row: Fields) => string
  readonly noun: string
  /** The command that lists these records, for the hint of the failure. */
  readonly list: string
  /** If several rows have the name, only these rows count. If none of them is preferred, all rows count. */
  readonly isPreferred?: (row: Fields) => boolean
}

/** The form in which names are compared: without a difference of case, of the number of spaces, or of Unicode forms. */
const comparedName = (name: string) => name.normalize("NFKC").trim().replaceAll(/\s+/g, " ").toLowerCase()

// the largest number of names in a message
const shownMax = 5
const suggestedMax = 3
// the least number of characters of a text that is searched within longer names
const partMin = 3

/** Returns the names that a person probably meant: similar names, and names that contain the text. */
const suggestedNames = (names: ReadonlyArray<string>, text: string): ReadonlyArray<string> => {
  const part = comparedName(text)
  const longer = part.length < partMin ? [] : names.filter((name) => comparedName(name).includes(part))
  const similar = nearNames(text, names, (name) => name, suggestedMax)
  return [...new Set([...similar, ...longer])].slice(0, suggestedMax)
}

// such a name needs no quotation marks in a sentence or on a command line
const isOneWord = /^[\w.:/-]+$/

/** Returns the sentence `Did you mean "Acme" or "Acme demo"?` with a space at its end. Returns an empty text if no name is similar. */
export const didYouMean = (names: ReadonlyArray<string>, text: string): string => {
  const suggested = suggestedNames(names, text).map((name) => (isOneWord.test(name) ? name : JSON.stringify(name)))
  const last = suggested.at(-1)
  if (last === undefined) return ""
  return `Did you mean ${suggested.length === 1 ? last : `${suggested.slice(0, -1).join(", ")} or ${last}`}? `
}

/**
 * Returns the one row that a text means. The text is the id or the name of the row, its name in another case, or the
 * beginning of its id; the first of these ways that finds a row decides. Fails if no way finds a row, or if the way
 * finds several rows.
 */
export const chosenRow = (
  rows: ReadonlyArray<Fields>,
  text: string,
  { idOf, isPreferred, list, nameOf, noun }: Named
): Effect.Effect<Fields, CliFailure> => {
  const isSameName = (row: Fields) => comparedName(nameOf(row)) === comparedName(text)
  const ways: ReadonlyArray<(row: Fields) => boolean> = [
    (row) => idOf(row) === text || nameOf(row) === text,
    isSameName,
    (row) => text.length >= idBegins && idOf(row).startsWith(text.toLowerCase())
  ]
  const every = ways.map((way) => rows.filter(way)).find((found) => found.length > 0) ?? []
  const preferred = isPreferred === undefined ? [] : every.filter(isPreferred)
  const found = every.length > 1 && preferred.length > 0 ? preferred : every
  const [row] = found
  if (row === undefined) {
    const suggestion = didYouMean(rows.map(nameOf), text)
    return Effect.fail(
      notFound(`There is no ${noun} ${JSON.stringify(text)}.`, `${suggestion}To see all, run \`${list}\`.`)
    )
  }
  if (found.length === 1) return Effect.succeed(row)
  const shown = found.slice(0, shownMax).map((each) => `${cell(nameOf(each), 80)} (${idOf(each)})`)
  const others = found.length > shownMax ? `, and ${found.length - shownMax} more` : ""
  return Effect.fail(
    new CliFailure({
      exit: "badUsage",
      code: "AMBIGUOUS",
      message: `${found.length} ${noun}s match ${JSON.stringify(text)}: ${shown.join(", ")}${others}.`,
      hint: "Give the whole id of one of them."
    })
  )
}

interface NameWords {
  readonly noun: string
  /** The end of the hint: how to see all names. */
  readonly seeAll: string
}

/** Returns the one name that a text means: the same name, or the only name that differs just in case and spaces. */
const nameMeant = <Name extends string>(names: ReadonlyArray<Name>, text: string): Name | undefined => {
  const alike = names.filter((name) => comparedName(name) === comparedName(text))
  return names.find((name) => name === text) ?? (alike.length === 1 ? alike[0] : undefined)
}

const orFail =
  (failWith: typeof badUsage) =>
  <Name extends string>(
    names: ReadonlyArray<Name>,
    text: string,
    { noun, seeAll }: NameWords
  ): Effect.Effect<Name, CliFailure> =>
    Effect.mapError(Effect.fromNullable(nameMeant(names, text)), () =>
      failWith(`There is no ${noun} ${JSON.stringify(text)}.`, `${didYouMean(names, text)}${seeAll}`)
    )

/** Returns the one name of a fixed list that a text means. Another text is a wrong use of the command. */
export const chosenWord = orFail(badUsage)

/** Returns the one name that a text means, of names that a person has chosen. */
export const chosenName = orFail(notFound)
