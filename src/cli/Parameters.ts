/** The options and arguments of a command, as its help and its completions show them. */
import type * as Command from "@effect/cli/Command"
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import * as HelpDoc from "@effect/cli/HelpDoc"
import { parserConfig, plainHelp } from "./Parsing.ts"

/**
 * Sentences that `@effect/cli` adds about the type of a parameter. This code removes them, because the usage line
 * already shows the type.
 */
const typeWords =
  /A user-defined piece of text\.|A true or false value\.|An integer\.|This (?:setting|option|argument) is optional\.|This (?:option|argument) (?:may|must) be repeated [\w ]+\.|One of the following: (?:[\w-]+, )*[\w-]+(?= )/g

/**
 * Returns the name of a parameter without the marks that `@effect/cli` adds. Examples of names with marks: `(-n,
 * --limit integer)`, `<question> 1+`, `<verify <file>>...`.
 */
const plainName = (name: string): string =>
  name
    .replace(/^\((.*)\)$/, "$1")
    .replace(/ 1\+$/, "")
    .replace(/^<(\w+ <\w+>)>(?:\.\.\.)?$/, "$1")

const definitionsIn = (doc: HelpDoc.HelpDoc): ReadonlyArray<readonly [string, string]> => {
  switch (doc._tag) {
    case "Sequence":
      return [...definitionsIn(doc.left), ...definitionsIn(doc.right)]
    case "DescriptionList":
      return doc.definitions.map(([name, about]) => [
        plainName(plainHelp(HelpDoc.p(name))),
        plainHelp(about).replaceAll(/\s+/g, " ").replaceAll(typeWords, "").trim()
      ])
    case "Empty":
    case "Header":
    case "Paragraph":
    case "Enumeration":
      return []
  }
}

type AnyCommand<Services> = Command.Command<string, Services, unknown, unknown>

/** Lists the names and meanings of the arguments and options. */
export const parametersOf = <Services>({
  descriptor
}: AnyCommand<Services>): ReadonlyArray<readonly [string, string]> =>
  definitionsIn(CommandDescriptor.getHelp(descriptor, parserConfig))

export interface Flag {
  /** The short name and the long name, such as `-n` and `--limit`. */
  readonly names: ReadonlyArray<string>
  readonly doc: string
  readonly takesValue: boolean
  /** The values that the option allows. Empty if the option accepts any value. */
  readonly values: ReadonlyArray<string>
}

/** Lists the options of a command. */
export const flagsOf = <Services>(command: AnyCommand<Services>): ReadonlyArray<Flag> =>
  parametersOf(command).flatMap(([text, doc]) => {
    const [, listed = "", type = ""] = /^((?:--?[\w-]+(?:, )?)+)(.*)$/.exec(text) ?? []
    if (listed === "") return []
    const values = type.includes("|") ? type.split("|").map((value) => value.trim()) : []
    return [{ names: listed.split(", "), doc, takesValue: type.trim() !== "", values }]
  })
