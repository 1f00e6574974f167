/**
 * Finds the text of each setting in the environment, in `.env`, in a file that a variable `…_FILE` names, or in a
 * credential of systemd.
 */
import { Either } from "effect"
import { join } from "node:path"
import { systemCode, unreadableReason } from "../FileReasons.ts"
import { parseDotenv } from "./Dotenv.ts"
import type { Setting } from "./Setting.ts"
import type { SettingsProblem } from "./SettingsReport.ts"
import { unknownSettingMessages } from "./UnknownSettings.ts"

export interface SettingsSources {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The text of `.env`. Absent or undefined if there is no such file. */
  readonly dotenv?: string | undefined
  /** Reads a file that a setting names. Returns its text, or the error if the file cannot be read. */
  readonly readFile: (path: string) => Either.Either<string, unknown>
}

/** The text of a setting, and a description of its source. */
interface SourcedText {
  readonly text: string
  readonly source: string
}

export interface GatheredSettings {
  /** The values, by the name of the setting. A setting without a usable value is not in the map. */
  readonly values: ReadonlyMap<string, SourcedText>
  /** The names of all settings that somebody tried to set, whether or not their values can be used. */
  readonly attempted: ReadonlySet<string>
  readonly problems: ReadonlyArray<SettingsProblem>
  readonly warnings: ReadonlyArray<string>
}

type Variables = ReadonlyMap<string, SourcedText>

/**
 * Finds the variables in the environment and in `.env`. A variable of the environment has priority over `.env`, even if
 * its value is empty. So an empty variable switches a line of `.env` off for one run.
 */
const variablesOf = (
  sources: Pick<SettingsSources, "environment">,
  dotenvEntries: ReturnType<typeof parseDotenv>["entries"]
): Variables => {
  const variables = new Map<string, SourcedText>()
  for (const { line, name, value } of dotenvEntries) variables.set(name, { text: value, source: `.env line ${line}` })
  for (const [name, text] of Object.entries(sources.environment)) {
    if (text !== undefined) variables.set(name, { text, source: "environment" })
  }
  // An empty value means that the setting is not set, because compose files pass `${NAME:-}` for every variable that
  // they know.
  return new Map([...variables].filter(([, { text }]) => text.trim() !== ""))
}

type Lookup = Either.Either<SourcedText | undefined, SettingsProblem>

/**
 * Returns the value in a file. Editors and `echo` add a newline at the end of a file. This newline is not part of the
 * value.
 */
const valueIn = (content: string) => content.replace(/\r?\n$/, "")

const fromFile = (name: string, path: SourcedText, readFile: SettingsSources["readFile"]): Lookup => {
  const problem = (rule: string) => ({
    name,
    rule,
    fix: `set ${name} to the path of a file with the value`,
    source: path.source
  })
  return readFile(path.text).pipe(
    Either.mapLeft((error) => problem(`must be the path of a readable file; ${unreadableReason(error)}`)),
    Either.filterOrLeft(
      (content) => content.trim() !== "",
      () => problem("must be the path of a file with the value in it; the file is empty")
    ),
    Either.map((content) => ({ text: valueIn(content), source: `the file in ${name}, ${path.source}` }))
  )
}

/**
 * Returns the path of the systemd credential that contains the value of a setting. Returns undefined if systemd gave
 * the pod no credentials.
 */
const credentialPath = (
  { environment }: Pick<SettingsSources, "environment">,
  { name }: Setting<unknown>
): string | undefined => {
  const folder = environment["CREDENTIALS_DIRECTORY"]
  return folder === undefined || folder.trim() === "" ? undefined : join(folder, name)
}

/** Returns the value of a setting in a credential of systemd. Returns undefined if there is no such credential. */
const fromCredential = (setting: Setting<unknown>, sources: SettingsSources): Lookup => {
  const path = credentialPath(sources, setting)
  const read = path === undefined ? undefined : sources.readFile(path)
  if (read === undefined) return Either.right(undefined)
  const source = "the credentials directory"
  const problem = (rule: string) => ({
    name: setting.name,
    rule,
    fix: "correct LoadCredential= in the systemd unit of the pod",
    source
  })
  if (Either.isLeft(read)) {
    return systemCode(read.left) === "ENOENT"
      ? Either.right(undefined)
      : Either.left(problem(`must be a readable credential; ${unreadableReason(read.left)}`))
  }
  return read.right.trim() === ""
    ? Either.left(problem("must be a credential with the value in it; it is empty"))
    : Either.right({ text: valueIn(read.right), source })
}

const find = (setting: Setting<unknown>, variables: Variables, sources: SettingsSources): Lookup => {
  const { readFile } = sources
  const fileName = `${setting.name}_FILE`
  const direct = variables.get(setting.name)
  const path = variables.get(fileName)
  // A systemd unit can name the credential in the variable, as `POD_X_FILE=%d/POD_X`. Then the variable and the
  // credential have the same value.
  const isNamed = path !== undefined && path.text === credentialPath(sources, setting)
  const credential: Lookup = isNamed ? Either.right(undefined) : fromCredential(setting, sources)
  if (Either.isLeft(credential)) return credential
  const given = [
    { what: setting.name, found: direct },
    { what: fileName, found: path },
    { what: `the credential ${setting.name}`, found: credential.right }
  ].flatMap(({ found, what }) => (found === undefined ? [] : [{ what, source: found.source }]))
  const [first, second] = given
  if (first !== undefined && second !== undefined) {
    return Either.left({
      name: setting.name,
      rule: `must not be set together with ${second.what}`,
      fix: `keep one of the two and remove the other`,
      source: first.source === second.source ? first.source : `${first.source} and ${second.source}`
    })
  }
  if (credential.right !== undefined) return credential
  if (direct !== undefined) return Either.right(direct)
  if (path !== undefined) return fromFile(fileName, path, readFile)
  for (const alias of setting.aliases) {
    const found = variables.get(alias)
    if (found !== undefined) return Either.right({ ...found, source: `${alias}, ${found.source}` })
    const aliasPath = variables.get(`${alias}_FILE`)
    if (aliasPath !== undefined) return fromFile(`${alias}_FILE`, aliasPath, readFile)
  }
  return Either.right(undefined)
}

const ignoredAliases = (
  setting: Setting<unknown>,
  found: SourcedText | undefined,
  variables: Variables
): ReadonlyArray<string> =>
  setting.aliases
    .filter((name) => found !== undefined && variables.has(name) && variables.get(name)?.text !== found.text)
    .map((name) => `${name} is ignored, because ${setting.name} is set.`)

/** Warns of lines of `.env` that a later line with the same setting overrides. */
const repeatedLines = (
  entries: ReturnType<typeof parseDotenv>["entries"],
  ours: ReadonlySet<string>
): ReadonlyArray<string> => {
  const lastLine = new Map(entries.map(({ line, name }) => [name, line]))
  return entries
    .filter(({ line, name }) => ours.has(name) && lastLine.get(name) !== line)
    .map(({ line, name }) => `.env line ${line} is ignored: ${name} is set again in line ${lastLine.get(name)}.`)
}

/**
 * Returns the paths of the files that can hold settings. These are the files that variables `…_FILE` name, and the
 * files in the folder `CREDENTIALS_DIRECTORY` of systemd. The pod must read these files before it loads the settings.
 */
export const filesNamed = (
  settings: ReadonlyArray<Setting<unknown>>,
  sources: Omit<SettingsSources, "readFile">
): ReadonlyArray<string> => {
  const variables = variablesOf(sources, parseDotenv(sources.dotenv ?? "").entries)
  return settings.flatMap((setting) =>
    [
      ...[setting.name, ...setting.aliases].map((name) => variables.get(`${name}_FILE`)?.text),
      credentialPath(sources, setting)
    ].filter((path) => path !== undefined)
  )
}

/** Finds the text of each setting, and collects every problem. */
export const gatherSettings = (
  settings: ReadonlyArray<Setting<unknown>>,
  sources: SettingsSources
): GatheredSettings => {
  const dotenv = parseDotenv(sources.dotenv ?? "")
  const variables = variablesOf(sources, dotenv.entries)
  const ours = new Set(
    settings.flatMap(({ aliases, name }) => [name, ...aliases].flatMap((each) => [each, `${each}_FILE`]))
  )

  const values = new Map<string, SourcedText>()
  const attempted = new Set<string>()
  const problems: Array<SettingsProblem> = []
  const warnings: Array<string> = []
  for (const { line, name, rule } of dotenv.mistakes) {
    // other tools can use `.env` too, so a wrong line stops the start only if it names a setting of the pod
    if (name !== undefined && ours.has(name) && sources.environment[name] === undefined) {
      attempted.add(name.replace(/_FILE$/, ""))
      problems.push({ name, rule, fix: `correct the line, or quote the value`, source: `.env line ${line}` })
    } else {
      warnings.push(`.env line ${line} is ignored: ${rule}.`)
    }
  }
  warnings.push(...repeatedLines(dotenv.entries, ours))
  for (const setting of settings) {
    const found = find(setting, variables, sources)
    if (Either.isLeft(found)) {
      attempted.add(setting.name)
      problems.push(found.left)
    } else if (found.right !== undefined) {
      attempted.add(setting.name)
      values.set(setting.name, found.right)
      warnings.push(...ignoredAliases(setting, found.right, variables))
    }
  }
  const names = new Set([...Object.keys(sources.environment), ...dotenv.entries.map(({ name }) => name)])
  warnings.push(...unknownSettingMessages([...names], ours))
  return { values, attempted, problems, warnings }
}
