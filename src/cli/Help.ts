/** The help of the command line, the description of a command for programs, and the search for a command by its words. */
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Usage from "@effect/cli/Usage"
import { Either } from "effect"
import { nearName } from "../doors/NearName.ts"
import { version } from "../Version.ts"
import { badUsage, type CliFailure, cliExitTable } from "./CliFailure.ts"
import { type Group, type Leaf, type Node, parsing, plainHelp } from "./CommandTree.ts"
import { globalFlags } from "./Globals.ts"
import type { Paint } from "./Output.ts"

/** Command lines for the first minutes, which the help of the program begins with. */
export const firstExamples: ReadonlyArray<readonly [string, string]> = [
  ["pod start", "run the server until Ctrl-C"],
  ["pod setup-link", "a link to become the owner of a new pod"],
  ["pod login", "sign in, for all later commands"],
  ['pod keys create --name "Claude Code" --expires 90d', "a key for a program; it is shown once"],
  ["pod connect claude-code", "how to connect a client"],
  ["pod proposals list", "what agents want to do and waits for you"],
  ['pod search "where is the spare key?"', "ask what the pod knows"]
]

export interface Found {
  readonly path: ReadonlyArray<string>
  readonly node: Node
  readonly rest: ReadonlyArray<string>
}

/** Finds the command that the first words name. A word that names none is explained at its own level. */
export const findCommand = (root: Group, words: ReadonlyArray<string>): Either.Either<Found, CliFailure> => {
  let node: Node = root
  let at = 0
  while (node.kind === "group" && at < words.length) {
    const word = words[at]
    const next: Node | undefined = node.children.find(({ name }) => name === word)
    const path = ["pod", ...words.slice(0, at)].join(" ")
    if (next === undefined) {
      const kind = word.startsWith("-") ? "flag" : "command"
      const near = nearName(word, node.children, ({ name }) => name)?.name
      const hint = near === undefined ? `See ${path} --help.` : `Did you mean ${path} ${near}?`
      return Either.left(badUsage(`${path} has no ${kind} ${JSON.stringify(word.split("=")[0])}.`, hint))
    }
    node = next
    at++
  }
  return Either.right({ path: words.slice(0, at), node, rest: words.slice(at) })
}

const padded = (lines: ReadonlyArray<readonly [string, string]>, paint: Paint): ReadonlyArray<string> => {
  const width = Math.min(46, Math.max(...lines.map(([left]) => left.length)))
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${paint.dim(right)}`)
}

const globalLines = (): ReadonlyArray<readonly [string, string]> =>
  Object.entries(globalFlags).map(([name, { doc, value }]) => [value === undefined ? name : `${name} ${value}`, doc])

const exitLines = (): ReadonlyArray<readonly [string, string]> =>
  Object.values(cliExitTable).map(({ code, meaning }) => [String(code), meaning])

const rootHelp = (root: Group, paint: Paint): string =>
  [
    `Pod ${version}: one server that keeps a team's knowledge.`,
    "",
    paint.bold("Examples"),
    ...padded(firstExamples, paint),
    "",
    paint.bold("Commands"),
    ...padded(
      root.children.map(({ name, summary }) => [name, summary]),
      paint
    ),
    "",
    paint.bold("Flags of every command"),
    ...padded(globalLines(), paint),
    "",
    paint.bold("Exit codes"),
    ...padded(exitLines(), paint),
    "",
    "Help of a command: pod keys create --help. Settings of the server: pod config list."
  ].join("\n")

/** How a command is called: its options and arguments in one line. */
export const usageOf = (path: ReadonlyArray<string>, { command }: Leaf): string => {
  const text = plainHelp(Usage.getHelp(CommandDescriptor.getUsage(command.descriptor)))
  return ["pod", ...path.slice(0, -1), text].join(" ").replaceAll(/\s+/g, " ")
}

const bodyOf = ({ command }: Leaf): HelpDoc.HelpDoc => CommandDescriptor.getHelp(command.descriptor, parsing)

/** The library's text about the type of a parameter. The usage line shows the type already. */
const typeWords =
  /A user-defined piece of text\.|A true or false value\.|An integer\.|This (?:setting|option|argument) is optional\.|This (?:option|argument) (?:may|must) be repeated [\w ]+\./g

/** The names and meanings of the arguments and options. */
const definitionsIn = (doc: HelpDoc.HelpDoc): ReadonlyArray<readonly [string, string]> => {
  switch (doc._tag) {
    case "Sequence":
      return [...definitionsIn(doc.left), ...definitionsIn(doc.right)]
    case "DescriptionList":
      return doc.definitions.map(([name, about]) => [
        plainHelp(HelpDoc.p(name)),
        plainHelp(about).replaceAll(/\s+/g, " ").replaceAll(typeWords, "").trim()
      ])
    case "Empty":
    case "Header":
    case "Paragraph":
    case "Enumeration":
      return []
  }
}

export const parametersOf = (found: Leaf): ReadonlyArray<readonly [string, string]> => definitionsIn(bodyOf(found))

const leafHelp = (path: ReadonlyArray<string>, found: Leaf, paint: Paint): string => {
  const parameters = parametersOf(found)
  return [
    found.summary,
    "",
    paint.bold("Examples"),
    ...found.examples.map((example) => `  ${example}`),
    "",
    paint.bold("Usage"),
    `  ${usageOf(path, found)}`,
    ...(parameters.length === 0 ? [] : ["", ...padded(parameters, paint)]),
    "",
    `Flags of every command: ${Object.keys(globalFlags).join(", ")}.`
  ].join("\n")
}

const groupHelp = (path: ReadonlyArray<string>, found: Group, paint: Paint): string =>
  [
    found.summary,
    "",
    paint.bold("Commands"),
    ...padded(
      found.children.map(({ name, summary }) => [`pod ${[...path, name].join(" ")}`, summary]),
      paint
    )
  ].join("\n")

export const helpOf = ({ node, path }: Found, paint: Paint): string =>
  node.kind === "leaf"
    ? leafHelp(path, node, paint)
    : path.length === 0
      ? rootHelp(node, paint)
      : groupHelp(path, node, paint)

/** What a program needs to call the command. */
export const describe = ({ node, path }: Found): unknown =>
  node.kind === "group"
    ? {
        command: ["pod", ...path].join(" "),
        summary: node.summary,
        commands: node.children.map(({ name, summary }) => ({ name, summary }))
      }
    : {
        command: ["pod", ...path].join(" "),
        summary: node.summary,
        usage: usageOf(path, node),
        examples: node.examples,
        parameters: parametersOf(node).map(([name, doc]) => ({ name, doc })),
        flags: globalLines().map(([name, doc]) => ({ name, doc })),
        exitCodes: Object.fromEntries(exitLines())
      }
