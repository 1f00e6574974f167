/**
 * `pod connect`: prints the settings with which a client calls this pod, or writes them into the settings file of the
 * client.
 */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { FileSystem } from "@effect/platform"
import { Effect } from "effect"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { systemCode, unreadableReason, unwritableReason } from "../../platform/FileReasons.ts"
import { makeFolder } from "../../platform/MakeFolder.ts"
import { bundleName, claudeBundle } from "../../shared/ClaudeBundle.ts"
import { version } from "../../Version.ts"
import { badUsage, CliFailure } from "../CliFailure.ts"
import { chosenWord } from "../ChosenRow.ts"
import { clientNames, type ClientSetup, setupOf } from "../ClientConfig.ts"
import { leafThatAsks } from "../CommandTree.ts"
import { addressFor } from "../Connection.ts"
import { Globals } from "../Globals.ts"
import { type Fields, fieldsOf, isFields, textOf } from "../AnswerFields.ts"
import { Output } from "../Output.ts"
import { PodClient } from "../PodClient.ts"

const fileNotWritable = (path: string, why: string) =>
  new CliFailure({
    exit: "conflict",
    code: "FILE_NOT_CHANGED",
    message: `${path} was not changed: ${why}.`,
    hint: "Change the file by hand; `pod connect` without `--write` shows how."
  })

/** Returns the text of the file, or an empty text if there is no file. */
const readText = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  return yield* Effect.catchAll(files.readFileString(path), (error) =>
    systemCode(error) === "ENOENT" ? Effect.succeed("") : fileNotWritable(path, unreadableReason(error))
  )
})

const writeBytes = Effect.fnUntraced(function* (path: string, content: Uint8Array) {
  const files = yield* FileSystem.FileSystem
  yield* Effect.mapError(
    Effect.zipRight(
      Effect.try(() => makeFolder(dirname(resolve(path)))),
      files.writeFile(path, content)
    ),
    (error) => fileNotWritable(path, unwritableReason(error))
  )
})

const writeText = (path: string, content: string) => writeBytes(path, Buffer.from(content))

/**
 * Sets a value at a path of fields. If both the new and the existing value are lists, the function adds the new items
 * to the existing list. A new item replaces an existing item with the same id.
 */
const withValue = (whole: Fields, [name = "", ...rest]: ReadonlyArray<string>, value: unknown): Fields => {
  const present = whole[name]
  if (rest.length > 0) return { ...whole, [name]: withValue(fieldsOf(present), rest, value) }
  if (!Array.isArray(value) || !Array.isArray(present)) return { ...whole, [name]: value }
  const ids = new Set(value.map((one) => textOf(fieldsOf(one)["id"])))
  return { ...whole, [name]: [...present.filter((one) => !ids.has(textOf(fieldsOf(one)["id"]))), ...value] }
}

const writeJson = Effect.fnUntraced(function* ({ fields, path }: NonNullable<ClientSetup["file"]>) {
  const text = yield* readText(path)
  const present = yield* Effect.try({
    try: (): unknown => (text.trim() === "" ? {} : JSON.parse(text)),
    catch: () => fileNotWritable(path, "it is not plain JSON, and its comments would be lost")
  })
  if (!isFields(present)) return yield* fileNotWritable(path, "it does not contain a JSON object")
  const changed = fields.reduce((whole, [at, value]) => withValue(whole, at, value), present)
  yield* writeText(path, `${JSON.stringify(changed, null, 2)}\n`)
})

const writeToml = Effect.fnUntraced(function* ({ path, table, text }: NonNullable<ClientSetup["toml"]>) {
  const present = yield* readText(path)
  if (present.includes(table)) return yield* fileNotWritable(path, `it already contains ${table}`)
  yield* writeText(path, `${present.trimEnd()}${present.trim() === "" ? "" : "\n\n"}${text}\n`)
})

/** Reads the code of the MCP bridge. The build puts this code beside the program. */
const bridge = Effect.flatMap(FileSystem.FileSystem, (files) =>
  files.readFileString(fileURLToPath(new URL("../../pod-mcp-bridge.cjs", import.meta.url)))
)

export const connect = leafThatAsks(
  "connect",
  {
    summary: "Show the settings with which a client calls this pod, or write them into the file of the client.",
    confirmation: {
      because: "it changes a file of another program",
      only: { with: "--write", when: ({ write }) => write }
    },
    examples: [
      "pod connect claude-code",
      "pod connect vscode --write",
      "pod connect claude-desktop --write --new-key --yes"
    ],
    values: clientNames
  },
  {
    client: Args.text({ name: "client" }).pipe(Args.withDescription(`One of ${clientNames.join(", ")}.`)),
    write: Options.boolean("write").pipe(
      Options.withDescription("Write the settings into the file of the client. The key is never written.")
    ),
    newKey: Options.boolean("new-key").pipe(
      Options.withDescription("Make a key that reads over MCP for 90 days, and print only the key on stdout.")
    )
  },
  Effect.fnUntraced(function* ({ client: name, newKey, write }, ask) {
    const clientName = yield* chosenWord(clientNames, name, {
      noun: "client",
      seeAll: `The clients are ${clientNames.join(", ")}.`
    })
    const client = yield* PodClient
    const output = yield* Output
    const url = yield* addressFor(yield* Globals)
    const setup = setupOf(clientName, url)
    const path = setup.file?.path ?? setup.toml?.path ?? (clientName === "claude-desktop" ? bundleName : undefined)
    if (write) {
      if (path === undefined)
        return yield* badUsage(`The command cannot write a file for ${name}.`, `See pod connect ${name}.`)
      yield* ask(`Write ${resolve(path)}?`)
      if (setup.file !== undefined) yield* writeJson(setup.file)
      else if (setup.toml !== undefined) yield* writeToml(setup.toml)
      else yield* writeBytes(path, claudeBundle({ url, version, bridge: yield* Effect.orDie(bridge) }))
    }
    const written = write && path !== undefined ? resolve(path) : null
    const key = newKey
      ? yield* client.procedure("apiKeys.create", {
          keyName: setup.name,
          scope: ["mcp.read"],
          grant: { permissions: ["*"] },
          expiresInDays: 90
        })
      : undefined
    const secret = key === undefined ? null : textOf(fieldsOf(key.data)["key"])
    const data = {
      client: clientName,
      url,
      mcpUrl: `${url}/mcp`,
      steps: setup.steps,
      written,
      key: secret
    }
    if (secret !== null) {
      output.note(written === null ? setup.stepsWithKey : `Wrote ${written}.`)
      return output.alone(secret, data)
    }
    output.data(data, { text: () => (written === null ? setup.steps : `Wrote ${written}.`) })
    if (written !== null) output.note(setup.next)
  })
)
