/** `pod api`: calls any endpoint of the pod, with the credential that the command line has. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { badUsage, type CliFailure } from "../CliFailure.ts"
import { type CliServices, leaf } from "../CommandTree.ts"
import { fileText, stdinText } from "../InputText.ts"
import { Output } from "../Output.ts"
import { PodClient } from "../PodClient.ts"

const methods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"])

/** Reads the JSON that an option gives: as text, from a file (`@file`), or from stdin (`-`). */
export const jsonFrom = (source: string): Effect.Effect<unknown, CliFailure, CliServices> =>
  Effect.gen(function* () {
    const text = source === "-" ? yield* stdinText : source.startsWith("@") ? yield* fileText(source.slice(1)) : source
    return yield* Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: (cause) => badUsage(`The content is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`)
    })
  })

export const api = leaf(
  "api",
  {
    summary: "Call any endpoint of the pod.",
    examples: [
      "pod api GET /api/hub/users/me",
      `pod api POST /api/hub/entities --data '{"profileSlug":"note","title":"Call the roofer"}'`,
      "pod api POST /api/hub/entities --data @note.json",
      "pod docs rest"
    ]
  },
  {
    method: Args.text({ name: "method" }).pipe(Args.withDescription("GET, POST, PUT, PATCH or DELETE.")),
    path: Args.text({ name: "path" }).pipe(
      Args.withDescription("The path with its query, such as /api/hub/entities?limit=5.")
    ),
    data: Options.text("data").pipe(
      Options.withAlias("d"),
      Options.withDescription("The JSON to send: itself, @file, or - for stdin."),
      Options.optional
    )
  },
  Effect.fnUntraced(function* ({ data, method, path }) {
    const verb = method.toUpperCase()
    if (!methods.has(verb))
      return yield* badUsage(`There is no method ${JSON.stringify(method)}.`, "Use GET, POST, PUT, PATCH or DELETE.")
    if (!path.startsWith("/")) return yield* badUsage("A path begins with a slash, such as /api/hub/entities.")
    const body = Option.isNone(data) ? undefined : yield* jsonFrom(data.value)
    const client = yield* PodClient
    const answer = yield* client.requestAny(verb, path, body ?? (verb === "GET" || verb === "DELETE" ? undefined : {}))
    const output = yield* Output
    output.data(answer.data, typeof answer.data === "string" ? { text: String } : undefined, answer)
    if (answer.next !== undefined)
      output.note(`There are more items. For the next page, add cursor=${answer.next} to the query.`)
  })
)
