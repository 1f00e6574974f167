/** Finds long files, and the reasons why they are not split. */
import type { Files } from "./houseRules.ts"

/** A long file that is allowed, with the reason why it is not split. */
export interface LongFile {
  readonly file: string
  readonly why: string
}

const linesJudged = 300
export const linesMax = 600
export const lengthOf = (text: string) => text.replace(/\n$/, "").split("\n").length
/** True if the second line of the opening comment contains “one noun”. This line must say why the file is not split. */
const saysWhyItIsLong = (text: string) => /^(?:#!.*\n)?\/\*\*\n \* .*\n \* .*\bone noun\b/.test(text)

/**
 * Returns the long files that give no reason for their length, each with its length. A person decides whether such a
 * file is split or gets a reason: in `longForAReason`, or in the second line of its opening comment.
 */
export const longFiles = (
  files: Files,
  excused: ReadonlyArray<LongFile>
): ReadonlyArray<{ readonly file: string; readonly lines: number }> =>
  [...files]
    .filter(([file, text]) => /\.(?:ts|mjs)$/.test(file) && lengthOf(text) > linesJudged)
    .filter(([file, text]) => !saysWhyItIsLong(text) && !excused.some((one) => one.file === file))
    .map(([file, text]) => ({ file, lines: lengthOf(text) }))
