/** How the library `@effect/cli` reads a command line, and its texts without colours. */
import * as CliConfig from "@effect/cli/CliConfig"
import * as HelpDoc from "@effect/cli/HelpDoc"

/** Upper and lower case differ. The library must not correct a wrong name: the tree of commands explains it. */
export const parsing: CliConfig.CliConfig = CliConfig.make({
  isCaseSensitive: true,
  autoCorrectLimit: 0,
  showBuiltIns: false
})

const escape = String.fromCharCode(27)
export const withoutAnsi = (text: string): string => text.replaceAll(new RegExp(`${escape}\\[[0-9;]*m`, "g"), "")

/** The text of a help document, without colours. */
export const plainHelp = (doc: HelpDoc.HelpDoc): string => withoutAnsi(HelpDoc.toAnsiText(doc)).trim()
