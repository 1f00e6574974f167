/**
 * Sorts the words after the name of a command into options and arguments. The parser of `@effect/cli` does not find an
 * option after an argument that begins with a dash, and takes a wrong flag as an argument or as a value.
 */
import type { Flag } from "./Parameters.ts"

export interface SortedWords {
  /** The options with their values, as the person wrote them. */
  readonly options: ReadonlyArray<string>
  readonly args: ReadonlyArray<string>
}

/** Something that is wrong with the words: a word that is no flag of the command, or a flag without its value. */
export type WordFault =
  | { readonly kind: "unknown"; readonly flag: string }
  | { readonly kind: "noValue"; readonly flag: string; readonly following: string | undefined }

// A word such as `-`, `-5` or `-roof`, or a text with spaces, is an argument. In a search, `-roof` excludes a word.
const looksLikeFlag = (word: string): boolean => /^(?:--[a-z][\w-]*|-[a-z])(?:=|$)/i.test(word)

/** Returns the name of the flag in a word such as `--limit` or `--limit=5`. */
const flagName = (word: string): string => word.split("=", 1)[0] ?? word

/** Sorts the words. Every word after `--` is an argument. */
export const sortWords = (words: ReadonlyArray<string>, flags: ReadonlyArray<Flag>): SortedWords | WordFault => {
  const options: Array<string> = []
  const args: Array<string> = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === "--") return { options, args: [...args, ...words.slice(at + 1)] }
    if (!looksLikeFlag(word)) {
      args.push(word)
      continue
    }
    const name = flagName(word)
    const flag = flags.find(({ names }) => names.includes(name))
    if (flag === undefined) return { kind: "unknown", flag: name }
    options.push(word)
    if (!flag.takesValue || word.includes("=")) continue
    const value = words[at + 1]
    // A value can begin with one dash, such as the permission `-x`, but two dashes are a flag in the place of the value.
    const isFlag = (one: string) =>
      one === "--" ||
      (one.startsWith("--") && looksLikeFlag(one)) ||
      flags.some(({ names }) => names.includes(flagName(one)))
    if (value === undefined || isFlag(value)) return { kind: "noValue", flag: name, following: value }
    options.push(value)
    at++
  }
  return { options, args }
}
