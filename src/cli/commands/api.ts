/** `pod api`: calls any endpoint of the pod, with the credential that the command line has. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { badUsage, CliFailure } from "../CliFailure.ts"
import type { CliServices } from "../CliServices.ts"
import { leaf } from "../CommandTree.ts"
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

// the beginnings of all paths that the pod serves
const firstWords = /^\/(?:api|auth|docs|mcp|trpc|v1)\b/

/** Adds a hint with the whole path if the pod does not know the path because its beginning `/api/hub` is missing. */
const withPathHint = (failure: CliFailure, verb: string, path: string): CliFailure =>
  failure.exit !== "notFound" || firstWords.test(path)
    ? failure
    : new CliFailure({
        exit: failure.exit,
        code: failure.code,
        message: failure.message,
        requestId: failure.requestId,
        hint: `The paths of the REST API begin with /api/hub: pod api ${verb} /api/hub${path}. To see all, run \`pod docs rest\`.`
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
    const answer = yield* client
      .requestAny(verb, path, body ?? (verb === "GET" || verb === "DELETE" ? undefined : {}))
      .pipe(Effect.mapError((failure) => withPathHint(failure, verb, path)))
    const output = yield* Output
    output.data(answer.data, typeof answer.data === "string" ? { text: String } : undefined, answer)
    if (answer.next !== undefined)
      output.note(`There are more items. For the next page, add cursor=${answer.next} to the query.`)
  })
)
