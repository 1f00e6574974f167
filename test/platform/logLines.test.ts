/** Tests the log lines for a terminal. A line can quote a text of a request, for example in the message of an error. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import * as Logging from "../../src/platform/Logging.ts"

const hostile = "\u001b[2J\u001b]0;title\u0007\u009b31m\u202egnp\r"

describe("log lines for a terminal", () => {
  it.effect(
    "a log line for a terminal shows control characters of a text as escapes, and keeps the lines of a stack",
    () =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        yield* Effect.logError(`said ${hostile}`, Cause.die(new Error(`because ${hostile}`))).pipe(
          Effect.annotateLogs({ field: `named ${hostile}`, requestId: "one" }),
          Effect.zipRight(Effect.logInfo(`step ${hostile}`).pipe(Effect.annotateLogs({ step: "check" }))),
          Effect.provide(Logging.layer("info", "pretty", (text) => lines.push(text)))
        )
        const text = lines.join("")
        for (const what of ["said", "because", "named", "step"]) assert.include(text, `${what} \\u001b[2J`)
        // eslint-disable-next-line no-control-regex
        assert.notMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
        assert.match(text, /\n {4}at /)
      })
  )
})
