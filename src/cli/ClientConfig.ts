/**
 * Prepares the texts of `shared/clientConfigs.ts` for a terminal, and computes the changes that `--write` makes in the
 * settings file of a client.
 */
import { homedir } from "node:os"
import { type ClientConfig, clientConfigs, type ClientText } from "../shared/clientConfigs.ts"
import { type Fields, fieldsOf } from "./AnswerFields.ts"

export const clientNames = ["claude-code", "claude-desktop", "cursor", "vscode", "codex", "n8n"] as const
export type ClientName = (typeof clientNames)[number]

/** A value for a JSON file, and the path of field names that leads to the value. */
export type FieldValue = readonly [path: ReadonlyArray<string>, value: unknown]

export interface ClientSetup {
  /** Name of the client, for people. */
  readonly name: string
  /** The steps for a person who has no key yet, with the texts to paste. */
  readonly steps: string
  /** The steps for a person who has just got the key. */
  readonly stepsWithKey: string
  /** What the person must still do after `--write` has written the file. */
  readonly next: string
  /** The file that `--write` changes, and the new values for this file. Each value comes with the path of its field. */
  readonly file?: { readonly path: string; readonly fields: ReadonlyArray<FieldValue> }
  readonly toml?: { readonly path: string; readonly table: string; readonly text: string }
}

/** How to make a key for a client that reads the key from the environment. */
const keyLine = (id: string): string =>
  `Set POD_API_KEY where you start the client:  export POD_API_KEY=$(pod connect ${id} --new-key)`

/** How to make a key for a client into which the person pastes the key. */
const pasteLine = (id: string): string => `The client asks for a key. To make one, run \`pod connect ${id} --new-key\`.`

const readsVariable = ({ texts }: ClientConfig): boolean => texts.some(({ text }) => text.includes("POD_API_KEY"))

const keyStep = (config: ClientConfig): string => (readsVariable(config) ? keyLine(config.id) : pasteLine(config.id))

const inHome = (path: string): string => path.replace(/^~(?=\/)/, homedir())

/**
 * Splits the settings for the file into the single entries of the top-level objects. Writing single entries keeps the
 * other entries of the person's file.
 */
const fieldsIn = (whole: Fields): ReadonlyArray<FieldValue> =>
  Object.entries(whole).flatMap(([name, value]): ReadonlyArray<FieldValue> =>
    Array.isArray(value)
      ? [[[name], value]]
      : Object.entries(fieldsOf(value)).map(([entry, entryValue]): FieldValue => [[name, entry], entryValue])
  )

const stepsOf = (config: ClientConfig, keySteps: ReadonlyArray<string>): string =>
  [
    config.about,
    ...keySteps,
    ...(config.link === undefined ? [] : [`Open: ${config.link.href}`]),
    ...config.texts.map(({ file, name, text }) => `${file ?? name}:\n${text}`)
  ].join("\n\n")

const writtenBy = ({ file = "", text }: ClientText): Pick<ClientSetup, "file" | "toml"> => {
  const path = inHome(file)
  if (!file.endsWith(".toml")) return { file: { path, fields: fieldsIn(fieldsOf(JSON.parse(text))) } }
  const [table = ""] = text.split("\n")
  return { toml: { path, table, text } }
}

/**
 * Makes the configuration for Claude Desktop. Here `--write` makes a bundle and does not change the settings file,
 * because the key would have to be in this file.
 */
const claudeDesktop = ({ id, name }: ClientConfig, url: string): ClientSetup => {
  const write = "pod connect claude-desktop --write     writes pod.mcpb"
  const open = [
    "Open the file with Claude Desktop, and paste the key where it asks for one.",
    `The address in the file is ${url}; you can change it in Claude Desktop.`
  ]
  return {
    name,
    steps: [write, "pod connect claude-desktop --new-key   makes a key", ...open].join("\n"),
    stepsWithKey: [write, ...open].join("\n"),
    next: `Open the file with Claude Desktop. ${pasteLine(id)}`
  }
}

export const setupOf = (client: ClientName, url: string): ClientSetup => {
  const config = clientConfigs({ url }).find(({ id }) => id === client)
  if (config === undefined) throw new Error(`clientConfigs has no client ${client}.`)
  if (client === "claude-desktop") return claudeDesktop(config, url)
  const written = config.texts.find(({ file }) => file !== undefined)
  return {
    name: config.name,
    steps: stepsOf(config, [keyStep(config)]),
    stepsWithKey: stepsOf(config, []),
    next: keyStep(config),
    ...(written === undefined ? {} : writtenBy(written))
  }
}
