/** The flags that every command accepts, at any place of the command line. */
import { Context, Duration, Either } from "effect"
import { badUsage, type CliFailure } from "./CliFailure.ts"

export const formats = ["table", "json", "ndjson", "env"] as const
export type Format = (typeof formats)[number]

export interface GlobalsShape {
  readonly output: Format
  readonly quiet: boolean
  readonly noInput: boolean
  readonly yes: boolean
  readonly url: string | undefined
  readonly profile: string | undefined
  readonly dataDir: string | undefined
  readonly timeoutMs: number
  /** True if the command fails when its write waits for approval. */
  readonly requireApplied: boolean
  readonly noColor: boolean
  readonly debug: boolean
  readonly describe: boolean
  /** True if the command asks for each of its options and arguments before it runs. */
  readonly wizard: boolean
  readonly help: boolean
  readonly version: boolean
}

export class Globals extends Context.Tag("pod/cli/Globals")<Globals, GlobalsShape>() {}

type Draft = { -readonly [Name in keyof GlobalsShape]: GlobalsShape[Name] }
type Refusal = Either.Either<void, CliFailure>

interface Flag {
  /** How the help shows the value of the flag; undefined for a flag without a value. */
  readonly value?: string
  readonly doc: string
  readonly set: (draft: Draft, value: string) => Refusal
}

const isFormat = (text: string): text is Format => formats.some((format) => format === text)

const markFlag = (mark: (draft: Draft) => void): Flag["set"] => {
  return (draft) => {
    mark(draft)
    return Either.void
  }
}

const timeoutMs = (text: string): number | undefined => {
  const [, amount, unit] = /^(\d+)(ms|s|m)$/.exec(text) ?? []
  if (amount === undefined) return undefined
  const scale = unit === "ms" ? 1 : unit === "s" ? 1000 : 60_000
  const ms = Number(amount) * scale
  return ms > 0 && ms <= 3_600_000 ? ms : undefined
}

export const globalFlags: Readonly<Record<string, Flag>> = {
  "--json": { doc: "Print JSON: the same as --output json.", set: markFlag((draft) => (draft.output = "json")) },
  "--output": {
    value: formats.join("|"),
    doc: "How to print the answer (-o). Default: table.",
    set: (draft, value) => {
      if (!isFormat(value)) return Either.left(badUsage(`--output is one of ${formats.join(", ")}.`))
      draft.output = value
      return Either.void
    }
  },
  "--quiet": { doc: "Print the answer alone, without notes (-q).", set: markFlag((draft) => (draft.quiet = true)) },
  "--no-input": { doc: "Never ask; fail instead.", set: markFlag((draft) => (draft.noInput = true)) },
  "--yes": {
    doc: "Answer every question with yes (-y). A command that asks before it acts needs this flag where it cannot ask.",
    set: markFlag((draft) => (draft.yes = true))
  },
  "--url": {
    value: "URL",
    doc: "The address of the pod to call, as in POD_URL.",
    set: (draft, value) => Either.right(void (draft.url = value))
  },
  "--profile": {
    value: "NAME",
    doc: "The sign-in to use, as in POD_PROFILE.",
    set: (draft, value) => Either.right(void (draft.profile = value))
  },
  "--data-dir": {
    value: "DIR",
    doc: "The data directory of a pod on this machine, as in POD_DATA_DIR.",
    set: (draft, value) => Either.right(void (draft.dataDir = value))
  },
  "--timeout": {
    value: "30s",
    doc: "How long to wait for the pod, such as 500ms, 30s or 2m.",
    set: (draft, value) => {
      const ms = timeoutMs(value)
      if (ms === undefined) return Either.left(badUsage("--timeout is a time such as 500ms, 30s or 2m, at most 60m."))
      draft.timeoutMs = ms
      return Either.void
    }
  },
  "--require-applied": {
    doc: "Exit with code 10 if a write waits for approval.",
    set: markFlag((draft) => (draft.requireApplied = true))
  },
  "--no-color": {
    doc: "Print without colour. The variable NO_COLOR does the same. Output that does not go to a terminal never has colours.",
    set: markFlag((draft) => (draft.noColor = true))
  },
  "--debug": { doc: "Print each call to the pod on stderr.", set: markFlag((draft) => (draft.debug = true)) },
  "--describe": {
    doc: "Describe the command as JSON instead of running it.",
    set: markFlag((draft) => (draft.describe = true))
  },
  "--wizard": {
    doc: "Ask at the terminal for each option and argument of the command, show the command line, and run it.",
    set: markFlag((draft) => (draft.wizard = true))
  },
  "--help": { doc: "Print the help of a command (-h).", set: markFlag((draft) => (draft.help = true)) },
  "--version": { doc: "Print the version.", set: markFlag((draft) => (draft.version = true)) }
}

const shortNames: Readonly<Record<string, string>> = { "-h": "--help", "-q": "--quiet", "-y": "--yes" }

/**
 * Returns the full name of a global flag, such as `--help` for `-h`. Returns undefined if the word is not a global
 * flag.
 */
const flagOf = (word: string, next: string | undefined): string | undefined => {
  const name = word.split("=")[0]
  if (Object.hasOwn(globalFlags, name)) return name
  if (Object.hasOwn(shortNames, word)) return shortNames[word]
  // `-o` is the output format only if a format follows. Otherwise `-o` names the file that a command writes.
  return word === "-o" && next !== undefined && isFormat(next) ? "--output" : undefined
}

/** Takes the global flags out of the arguments. The words after `--` stay unchanged. */
export const takeGlobals = (
  words: ReadonlyArray<string>
): Either.Either<{ readonly globals: GlobalsShape; readonly rest: ReadonlyArray<string> }, CliFailure> => {
  const draft: Draft = {
    output: "table",
    quiet: false,
    noInput: false,
    yes: false,
    url: undefined,
    profile: undefined,
    dataDir: undefined,
    timeoutMs: Duration.toMillis("30 seconds"),
    requireApplied: false,
    noColor: false,
    debug: false,
    describe: false,
    wizard: false,
    help: false,
    version: false
  }
  const rest: Array<string> = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === "--") {
      rest.push(...words.slice(at))
      break
    }
    const name = flagOf(word, words[at + 1])
    const flag = name === undefined ? undefined : globalFlags[name]
    if (flag === undefined) {
      rest.push(word)
      continue
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1
    if (flag.value === undefined && equals !== -1) return Either.left(badUsage(`${name} takes no value.`))
    let value = ""
    if (flag.value !== undefined) {
      const following = words[at + 1]
      if (equals === -1 && (following === undefined || following.startsWith("--")))
        return Either.left(badUsage(`${name} needs a value: ${flag.value}.`))
      value = equals === -1 ? following : word.slice(equals + 1)
      if (equals === -1) at++
    }
    const set = flag.set(draft, value)
    if (Either.isLeft(set)) return Either.left(set.left)
  }
  return Either.right({ globals: draft, rest })
}

/** Returns the command that starts the pod to which these flags refer. */
export const startCommand = ({ dataDir }: GlobalsShape): string => {
  if (dataDir === undefined) return "pod start"
  return `pod start --data-dir ${/^[\w./~-]+$/.test(dataDir) ? dataDir : `'${dataDir.replaceAll("'", String.raw`'\''`)}'`}`
}
