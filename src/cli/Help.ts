/**
 * The help of the command line, and the description of a command for programs. Also finds the command that the first
 * words of a command line name.
 */
import { wrapText } from "./Table.ts"
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import * as Usage from "@effect/cli/Usage"
import { Either } from "effect"
import { nearName } from "../shared/nearName.ts"
import { version } from "../Version.ts"
import { badUsage, type CliFailure, cliExitTable } from "./CliFailure.ts"
import type { Group, Leaf, Node } from "./CommandTree.ts"
import { globalFlags } from "./Globals.ts"
import type { Paint } from "./Output.ts"
import { parametersOf } from "./Parameters.ts"
import { plainHelp } from "./Parsing.ts"

/** Commands for the first minutes with a pod. The help of the program begins with them. */
export const firstExamples: ReadonlyArray<readonly [string, string]> = [
  ["pod start", "run the server until Ctrl-C"],
  ["pod setup-link", "a link to become the owner of a new pod"],
  ["pod login", "sign in, for all later commands"],
  ['pod keys create --name "Claude Code" --expires 90d', "a key for a program; it is shown once"],
  ["pod connect claude-code", "how to connect a client"],
  ["pod proposals list", "changes by agents that wait for you"],
  ['pod search "where is the spare key?"', "ask what the pod knows"]
]

export interface CommandMatch {
  readonly path: ReadonlyArray<string>
  readonly node: Node
  readonly rest: ReadonlyArray<string>
}

/**
 * Finds the command that the first words name. If a word names no command, the error shows the words before it and
 * suggests a similar name.
 */
export const findCommand = (root: Group, words: ReadonlyArray<string>): Either.Either<CommandMatch, CliFailure> => {
  let node: Node = root
  let at = 0
  while (node.kind === "group" && at < words.length) {
    const word = words[at]
    const next: Node | undefined = node.children.find(({ name }) => name === word)
    const path = ["pod", ...words.slice(0, at)].join(" ")
    if (next === undefined) {
      const kind = word.startsWith("-") ? "flag" : "command"
      const suggestion = nearName(word, node.children, ({ name }) => name)?.name
      const hint = suggestion === undefined ? `See ${path} --help.` : `Did you mean ${path} ${suggestion}?`
      return Either.left(badUsage(`${path} has no ${kind} ${JSON.stringify(word.split("=")[0])}.`, hint))
    }
    node = next
    at++
  }
  return Either.right({ path: words.slice(0, at), node, rest: words.slice(at) })
}

/** The colours and the width that the help uses. If the output is not a terminal, the width has no limit. */
export interface Screen {
  readonly paint: Paint
  readonly columns: number
}

// the least width in columns for a text beside a name; a text with less room goes below its name
const besideWidthMin = 30

const nameWidthMax = 50

const padLines = (
  lines: ReadonlyArray<readonly [string, string]>,
  { columns, paint }: Screen
): ReadonlyArray<string> => {
  const width = Math.min(nameWidthMax, Math.max(...lines.map(([label]) => label.length)))
  const isBeside = columns - width - 4 >= besideWidthMin
  const indent = isBeside ? width + 4 : 6
  return lines.flatMap(([label, text]) => {
    const [first = "", ...others] = wrapText(text, columns - indent - 1)
    const more = others.map((line) => `${" ".repeat(indent)}${paint.dim(line)}`)
    return isBeside && label.length <= width
      ? [`  ${label.padEnd(width)}  ${paint.dim(first)}`, ...more]
      : [`  ${label}`, `${" ".repeat(indent)}${paint.dim(first)}`, ...more]
  })
}

const globalLines = (): ReadonlyArray<readonly [string, string]> =>
  Object.entries(globalFlags).map(([name, { doc, value }]) => [value === undefined ? name : `${name} ${value}`, doc])

const exitLines = (): ReadonlyArray<readonly [string, string]> =>
  Object.values(cliExitTable).map(({ code, meaning }) => [String(code), meaning])

/** Returns the first sentence of a summary, for a list of commands. The help of the command has the rest. */
const firstSentence = (summary: string): string => /^.*?\.(?= |$)/.exec(summary)?.[0] ?? summary

const rootHelp = (root: Group, screen: Screen): string =>
  [
    `Pod ${version}: one server that keeps a team's knowledge.`,
    "",
    screen.paint.bold("Examples"),
    ...padLines(firstExamples, screen),
    "",
    screen.paint.bold("Commands"),
    ...padLines(
      root.children.map(({ name, summary }) => [name, firstSentence(summary)]),
      screen
    ),
    "",
    screen.paint.bold("Flags of every command"),
    ...padLines(globalLines(), screen),
    "",
    screen.paint.bold("Exit codes"),
    ...padLines(exitLines(), screen),
    "",
    "Help of a command: pod keys create --help.",
    "Settings of the server: pod config list."
  ].join("\n")

/** Makes the usage line of a command: its options and arguments in one line. */
export const usageOf = (path: ReadonlyArray<string>, { command }: Leaf): string => {
  const text = plainHelp(Usage.getHelp(CommandDescriptor.getUsage(command.descriptor)))
  return ["pod", ...path.slice(0, -1), text]
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\[\(([^)]*)\)\]/g, "[$1]")
    .replaceAll(/ (--[\w-]+ \w+\.\.\.)/g, " [$1]") // an option that can be repeated is optional too, so it gets brackets
    .replace(/<(\w+ <\w+>)>\.\.\./, "[$1]")
}

const noBreakSpace = "\u00A0"

/** Breaks a usage line between its options, never inside of one. */
const usageLines = (usage: string, width: number): ReadonlyArray<string> =>
  wrapText(
    usage.replaceAll(/\[[^\]]*\]/g, (option) => option.replaceAll(" ", noBreakSpace)),
    width - 6
  ).map((line, at) => `${at === 0 ? "  " : "      "}${line.replaceAll(noBreakSpace, " ")}`)

const leafHelp = (path: ReadonlyArray<string>, found: Leaf, screen: Screen): string => {
  const parameters = parametersOf(found.command)
  return [
    ...wrapText(found.summary, screen.columns - 1),
    ...(found.asking === undefined ? [] : ["", ...wrapText(found.asking, screen.columns - 1)]),
    "",
    screen.paint.bold("Examples"),
    ...found.examples.map((example) => `  ${example}`),
    "",
    screen.paint.bold("Usage"),
    ...usageLines(usageOf(path, found), screen.columns - 1),
    ...(parameters.length === 0 ? [] : ["", ...padLines(parameters, screen)]),
    "",
    ...wrapText(`Flags of every command: ${Object.keys(globalFlags).join(", ")}.`, screen.columns - 1)
  ].join("\n")
}

/** The first example of each command of a group. */
const examplesOf = ({ children }: Group): ReadonlyArray<string> =>
  children.flatMap((child) => (child.kind === "leaf" ? child.examples.slice(0, 1) : examplesOf(child)))

const groupHelp = (path: ReadonlyArray<string>, found: Group, screen: Screen): string =>
  [
    ...wrapText(found.summary, screen.columns - 1),
    "",
    screen.paint.bold("Examples"),
    ...examplesOf(found).map((example) => `  ${example}`),
    "",
    screen.paint.bold("Commands"),
    ...padLines(
      found.children.map(({ name, summary }) => [`pod ${[...path, name].join(" ")}`, firstSentence(summary)]),
      screen
    )
  ].join("\n")

export const helpOf = ({ node, path }: CommandMatch, screen: Screen): string =>
  node.kind === "leaf"
    ? leafHelp(path, node, screen)
    : path.length === 0
      ? rootHelp(node, screen)
      : groupHelp(path, node, screen)

/** Makes the description of a command for programs: everything that a program needs to call it. */
export const describe = ({ node, path }: CommandMatch): unknown =>
  node.kind === "group"
    ? {
        command: ["pod", ...path].join(" "),
        summary: node.summary,
        examples: path.length === 0 ? firstExamples.map(([example]) => example) : examplesOf(node),
        commands: node.children.map(({ name, summary }) => ({ name, summary }))
      }
    : {
        command: ["pod", ...path].join(" "),
        summary: node.summary,
        ...(node.asking === undefined ? {} : { asking: node.asking }),
        usage: usageOf(path, node),
        examples: node.examples,
        parameters: parametersOf(node.command).map(([name, doc]) => ({ name, doc })),
        flags: globalLines().map(([name, doc]) => ({ name, doc })),
        exitCodes: Object.fromEntries(exitLines())
      }
