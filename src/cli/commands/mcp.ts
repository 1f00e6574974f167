/** `pod mcp`: the MCP bridge for clients that start a program and cannot call an address. */
import * as Options from "@effect/cli/Options"
import { Effect } from "effect"
import { badConfiguration } from "../CliFailure.ts"
import { leaf } from "../CommandTree.ts"
import { addressFor } from "../Connection.ts"
import { Globals } from "../Globals.ts"
import { runBridge } from "../McpBridge.ts"
import { escapeInvisible } from "../../shared/visibleText.ts"

export const mcp = leaf(
  "mcp",
  {
    summary: "Speak MCP over stdin and stdout, for clients that start a program.",
    examples: ["POD_API_KEY=svc_… pod mcp", "pod mcp --url https://pod.example.com --key-env WORK_POD_KEY"]
  },
  {
    keyEnv: Options.text("key-env").pipe(
      Options.withDescription("The name of the environment variable with the key."),
      Options.withDefault("POD_API_KEY")
    ),
    strictSchemas: Options.boolean("strict-schemas").pipe(
      Options.withDescription("List the tools with schemas for the strict mode of OpenAI.")
    )
  },
  Effect.fnUntraced(function* ({ keyEnv, strictSchemas }) {
    const key = process.env[keyEnv] ?? ""
    if (key === "")
      return yield* badConfiguration(
        `${keyEnv} is not set, and MCP needs a key.`,
        `export ${keyEnv}=$(pod keys create --name … --quiet)`
      )
    const url = yield* addressFor(yield* Globals)
    yield* Effect.promise(() =>
      runBridge({
        url,
        key,
        hasStrictSchemas: strictSchemas,
        input: process.stdin,
        write: (line) => void process.stdout.write(`${line}\n`),
        note: (text) => void process.stderr.write(`${escapeInvisible(text)}\n`)
      })
    )
  })
)
