/**
 * Sets how the library `@effect/cli` reads a command line. Also turns the help texts of the library into plain text
 * without colours.
 */
import * as CliConfig from "@effect/cli/CliConfig"
import * as HelpDoc from "@effect/cli/HelpDoc"

/**
 * Names are case-sensitive. The library `@effect/cli` must not correct a wrong name, because `CommandTree.ts` explains
 * wrong names.
 */
export const parserConfig: CliConfig.CliConfig = CliConfig.make({
  isCaseSensitive: true,
  autoCorrectLimit: 0,
  showBuiltIns: false
})

const escape = String.fromCharCode(27)
export const withoutAnsi = (text: string): string => text.replaceAll(new RegExp(`${escape}\\[[0-9;]*m`, "g"), "")

/** Returns the text of a help document, without colours. */
export const plainHelp = (doc: HelpDoc.HelpDoc): string => withoutAnsi(HelpDoc.toAnsiText(doc)).trim()
