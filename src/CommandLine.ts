/** Reads the command line. The program then starts the pod, or prints a text such as the help. */
import { exitCodes } from "./platform/ExitCodes.ts"
import { settingsTable } from "./platform/settings/Settings.ts"
import { version } from "./Version.ts"

export type CommandLineRequest =
  | { readonly kind: "start" }
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "refusal"; readonly text: string; readonly code: number }

const { port, host, publicUrl, mode, dataDir, databaseUrl, ownerEmail, ownerPassword } = settingsTable
const mainSettings = [port, host, publicUrl, mode, dataDir, databaseUrl, ownerEmail, ownerPassword]

const help = (): string => {
  const width = Math.max(...mainSettings.map(({ name }) => name.length))
  return [
    `Pod ${version}: one server that keeps a team's knowledge.`,
    "",
    "Usage",
    "  npm start                        install and build what is missing, then serve until stopped",
    "  node dist/main.js                serve until stopped; build first",
    "  node dist/main.js --help         print this help",
    "  node dist/main.js --version      print the version",
    "",
    "Settings are environment variables, or lines of the file .env in the working directory. The main ones:",
    ...mainSettings.map(({ doc, name, whenAbsent }) => `  ${name.padEnd(width)}  ${doc} When not set: ${whenAbsent}.`),
    "",
    "Every setting and every exit code is described in docs/configuration.md; .env.example is a file to begin with.",
    ""
  ].join("\n")
}

const answers: Readonly<Record<string, () => string>> = {
  "--help": help,
  "-h": help,
  "--version": () => `${version}\n`
}

/**
 * Reads the arguments after the name of the program. One unknown argument is enough to refuse the whole command line.
 */
export const readArguments = (words: ReadonlyArray<string>): CommandLineRequest => {
  const unknown = words.find((argument) => !Object.hasOwn(answers, argument))
  if (unknown !== undefined) {
    // The message leaves out the text after an equals sign, because it might be a secret.
    const name = unknown.split("=")[0]
    const text = `There is no argument ${name}: the pod is set up by settings such as POD_PORT. Run it with --help to see them.\n`
    return { kind: "refusal", text, code: exitCodes.badUsage }
  }
  const [first] = words
  const answer = first === undefined ? undefined : answers[first]
  return answer === undefined ? { kind: "start" } : { kind: "answer", text: answer() }
}
