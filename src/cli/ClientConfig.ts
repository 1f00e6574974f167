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
  /** The steps for the person, with the texts to paste. */
  readonly steps: string
  /** What the person must still do after `--write` has written the file. */
  readonly next: string
  /** The file that `--write` changes, and the new values for this file. Each value comes with the path of its field. */
  readonly file?: { readonly path: string; readonly fields: ReadonlyArray<FieldValue> }
  readonly toml?: { readonly path: string; readonly table: string; readonly text: string }
}

const keyLine =
  "Set POD_API_KEY to the key where you start the client:  export POD_API_KEY=$(pod keys create --name … --quiet)"

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

const stepsOf = ({ about, link, texts }: ClientConfig): string =>
  [
    about,
    ...(link === undefined ? [] : [`Open: ${link.href}`]),
    ...texts.map(({ file, name, text }) => `${file ?? name}:\n${text}`),
    ...(texts.some(({ text }) => text.includes("POD_API_KEY")) ? [keyLine] : [])
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
const claudeDesktop = ({ name }: ClientConfig, url: string): ClientSetup => ({
  name,
  steps: [
    "pod connect claude-desktop --write   writes pod.mcpb",
    "Open the file with Claude Desktop, and paste a key where it asks for one.",
    `The address in the file is ${url}; you can change it in Claude Desktop.`
  ].join("\n"),
  next: "Open the file with Claude Desktop, and paste a key where it asks for one: pod keys create --name Claude"
})

export const setupOf = (client: ClientName, url: string): ClientSetup => {
  const config = clientConfigs({ url }).find(({ id }) => id === client)
  if (config === undefined) throw new Error(`clientConfigs has no client ${client}.`)
  if (client === "claude-desktop") return claudeDesktop(config, url)
  const written = config.texts.find(({ file }) => file !== undefined)
  const next = config.texts.some(({ text }) => text.includes("POD_API_KEY"))
    ? keyLine
    : "The client asks for a key. To make a key, run `pod keys create --name …`"
  return { name: config.name, steps: stepsOf(config), next, ...(written === undefined ? {} : writtenBy(written)) }
}
