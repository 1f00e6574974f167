/** Makes the completion scripts for bash, zsh and fish from the tree of commands. */
import type { Group, Node } from "./CommandTree.ts"
import { globalFlags } from "./Globals.ts"
import { type Flag, flagsOf } from "./Parameters.ts"

export const shells = ["bash", "zsh", "fish"] as const
export type Shell = (typeof shells)[number]

const globals: ReadonlyArray<Flag> = Object.entries(globalFlags).map(([name, { doc, value }]) => ({
  names: name === "--output" ? [name, "-o"] : [name],
  doc,
  takesValue: value !== undefined,
  values: value?.includes("|") === true ? value.split("|") : []
}))

interface Place {
  /** The words that name the command or group, with a space before each word. Empty for the program itself. */
  readonly path: string
  /** The words that can follow: the commands of a group, or the values of an argument. */
  readonly words: ReadonlyArray<string>
  readonly flags: ReadonlyArray<Flag>
}

const placesOf = (node: Node, path: string): ReadonlyArray<Place> =>
  node.kind === "leaf"
    ? [{ path, words: node.values ?? [], flags: flagsOf(node.command) }]
    : [
        { path, words: node.children.map(({ name }) => name), flags: [] },
        ...node.children.flatMap((child) => placesOf(child, `${path} ${child.name}`))
      ]

const namesIn = (flags: ReadonlyArray<Flag>): ReadonlyArray<string> => flags.flatMap(({ names }) => names)
const sorted = (names: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(names)].sort()

/**
 * Returns the lines of a script that find the command to which the word at the cursor belongs. The scripts for bash and
 * zsh share these lines. `at` returns the shell expression for the word with a given number.
 */
const walk = (places: ReadonlyArray<Place>, first: number, until: string, at: string): ReadonlyArray<string> => {
  const withValue = sorted(
    namesIn([...globals, ...places.flatMap(({ flags }) => flags)].filter(({ takesValue }) => takesValue))
  )
  return [
    '  local place="" word="" previous="" isValue=""',
    "  local i",
    `  for ((i = ${first}; i < ${until}; i++)); do`,
    `    word="${at}"`,
    '    previous="$word"',
    '    if [[ -n "$isValue" ]]; then isValue=""; continue; fi',
    '    case "$word" in',
    `      ${withValue.join("|")}) isValue=1 ;;`,
    "      -*) ;;",
    '      *) case "$place $word" in',
    `        ${places
      .filter(({ path }) => path !== "")
      .map(({ path }) => `"${path}"`)
      .join("|")}) place="$place $word" ;;`,
    "      esac ;;",
    "    esac",
    "  done",
    '  local list="" flags=""',
    '  if [[ -n "$isValue" ]]; then',
    '    case "$place:$previous" in',
    ...[...places, { path: "*", words: [], flags: globals }].flatMap(({ flags, path }) =>
      flags
        .filter(({ values }) => values.length > 0)
        .flatMap(({ names, values }) =>
          names.map((name) => `      ${path === "*" ? "*" : `"${path}"`}:${name}) list="${values.join(" ")}" ;;`)
        )
    ),
    "    esac",
    "  else",
    '    case "$place" in',
    ...places.map(
      ({ flags, path, words }) => `      "${path}") list="${words.join(" ")}" flags="${namesIn(flags).join(" ")}" ;;`
    ),
    "    esac",
    `    if [[ "$current" == -* ]]; then list="$flags ${sorted(namesIn(globals)).join(" ")}"; fi`,
    "  fi"
  ]
}

const bash = (places: ReadonlyArray<Place>): ReadonlyArray<string> => [
  "_pod() {",
  '  local current="${COMP_WORDS[COMP_CWORD]}"',
  ...walk(places, 1, "COMP_CWORD", "${COMP_WORDS[i]}"),
  '  COMPREPLY=($(compgen -W "$list" -- "$current"))',
  "}",
  "complete -o default -F _pod pod"
]

const zsh = (places: ReadonlyArray<Place>): ReadonlyArray<string> => [
  "#compdef pod",
  "_pod() {",
  '  local current="${words[CURRENT]}"',
  ...walk(places, 2, "CURRENT", "${words[i]}"),
  '  if [[ -z "${list// /}" ]]; then _files; else compadd -- ${=list}; fi',
  "}",
  "compdef _pod pod"
]

const fishText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

const fishFlag = (condition: string, { doc, names, takesValue, values }: Flag): string =>
  [
    "complete -c pod",
    ...(condition === "" ? [] : [`-n ${fishText(condition)}`]),
    ...names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)),
    ...(takesValue ? [values.length === 0 ? "-r" : `-x -a ${fishText(values.join(" "))}`] : []),
    `-d ${fishText(doc)}`
  ].join(" ")

const fish = (places: ReadonlyArray<Place>): ReadonlyArray<string> => [
  "function __pod_place",
  "  set -l place ''",
  "  for word in (commandline -opc)[2..-1]",
  '    switch "$place $word"',
  `      case ${places
    .filter(({ path }) => path !== "")
    .map(({ path }) => fishText(path))
    .join(" ")}`,
  '        set place "$place $word"',
  "    end",
  "  end",
  '  test "$place" = "$argv[1]"',
  "end",
  ...places.flatMap(({ flags, path, words }) => {
    const condition = `__pod_place "${path}"`
    return [
      ...(words.length === 0 ? [] : [`complete -c pod -f -n ${fishText(condition)} -a ${fishText(words.join(" "))}`]),
      ...flags.map((flag) => fishFlag(condition, flag))
    ]
  }),
  ...globals.map((flag) => fishFlag("", flag))
]

/** Returns the completion script for a shell, with all commands and flags of the tree. */
export const completionScript = (shell: Shell, root: Group): string =>
  ({ bash, zsh, fish })[shell](placesOf(root, "")).join("\n")
