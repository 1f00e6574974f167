/** `pod keys check`: asks the pod whether a key is allowed to do something, and why. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect } from "effect"
import { type CliFailure, CliFailure as Failure } from "../CliFailure.ts"
import { leaf } from "../CommandTree.ts"
import { fieldsOf, textOf, textsOf } from "../AnswerFields.ts"
import { Globals } from "../Globals.ts"
import { httpCall } from "../HttpCall.ts"
import { stdinText } from "../InputText.ts"
import { questionOf } from "../KeyPreview.ts"
import { findKey } from "../Lookups.ts"
import { cell, Output } from "../Output.ts"
import { noPod, PodClient } from "../PodClient.ts"

/**
 * Finds the id of a key from its secret. It calls the pod with this key, and the pod answers with the id of the key.
 */
const keyIdOf = (secret: string): Effect.Effect<string, CliFailure, PodClient | Globals> =>
  Effect.gen(function* () {
    const { place } = yield* (yield* PodClient).connection
    const { timeoutMs } = yield* Globals
    const answer = yield* httpCall(place, {
      method: "GET",
      path: "/api/hub/auth/status",
      headers: { authorization: `Bearer ${secret}`, accept: "application/json" },
      timeoutMs
    })
    const body = yield* Effect.try({
      try: () => fieldsOf(JSON.parse(answer.text)),
      catch: () => noPod(place.url)
    })
    if (answer.status === 200) return textOf(body["keyId"])
    return yield* new Failure({
      exit: answer.status === 401 ? "notSignedIn" : "refused",
      code: textOf(body["reason"]) || textOf(body["code"]) || "KEY_BAD",
      message: textOf(body["message"]) || textOf(body["error"])
    })
  })

export const check = leaf(
  "check",
  {
    summary: "Ask whether a key may do something, and why.",
    examples: [
      'pod keys check script --can "GET /api/hub/entities"',
      'pod keys check script --can "PATCH /api/hub/entities/0192f3ab-…"',
      'echo "$POD_API_KEY" | env -u POD_API_KEY pod keys check - --can svc_ask'
    ]
  },
  {
    key: Args.text({ name: "key" }).pipe(
      Args.withDescription("The id or name of the key, or - for a secret on stdin.")
    ),
    can: Options.text("can").pipe(
      Options.withDescription(
        'What the key should do: a method and a path, such as "GET /api/hub/entities"; or the name of an operation or a tool, with the id of the record if there is one.'
      )
    )
  },
  Effect.fnUntraced(function* ({ can, key }) {
    const client = yield* PodClient
    const output = yield* Output
    const found = yield* findKey(key === "-" ? yield* keyIdOf((yield* stdinText).trim()) : key)
    const question = yield* questionOf(can)
    if (found["isActive"] !== true) {
      const data = {
        keyId: found["id"],
        can,
        verdict: "deny",
        code: "KEY_INACTIVE",
        reason: "The key is not valid any more."
      }
      return output.data(data, { text: () => "deny: the key is not valid any more." })
    }
    const answer = yield* client.procedure("grants.preview", { keyId: found["id"], can: question })
    const verdict = fieldsOf(fieldsOf(answer.data)["can"])
    output.data(
      { keyId: found["id"], can, operation: question.operation, ...verdict },
      {
        text: ({ operation }) => {
          const verdictText = textOf(verdict["verdict"])
          const mark =
            verdictText === "allow"
              ? output.paint.green(verdictText)
              : verdictText === "deny"
                ? output.paint.red(verdictText)
                : output.paint.yellow(verdictText)
          const why = textOf(verdict["reason"])
          const [needed, matched, near] = ["required", "matched", "nearMisses"].map((name) => textsOf(verdict[name]))
          const list = (title: string, names: ReadonlyArray<string> = []) =>
            names.length === 0 ? [] : [`  ${title} ${cell(names.join(", "), 200)}`]
          return [
            `${mark}  ${operation}`,
            ...(why === ""
              ? []
              : [`  ${cell(why, 300)}${verdict["code"] === null ? "" : ` (${cell(verdict["code"])})`}`]),
            // The permissions are shown only if the call is not allowed. If it is allowed, a permission can be for only
            // some of the records, and the text could not show this.
            ...(verdictText === "allow"
              ? []
              : [...list("Needs      ", needed), ...list("Has        ", matched), ...list("Not enough ", near)])
          ].join("\n")
        }
      },
      answer
    )
  })
)
