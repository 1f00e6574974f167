/**
 * The check of the port that `npm start` makes before it builds the console and the empty database. These builds take
 * seconds, and a pod that cannot listen needs neither.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect } from "effect"
import { loadSettings } from "./platform/settings/SettingsFiles.ts"
import { startFailureOf } from "./StartFailure.ts"
import { startRefusalOf } from "./StartRefusal.ts"
import { portFree } from "./surfaces/Server.ts"

/** The exit code and the text of the refusal if a start would fail at once. Undefined if the port is free. */
export const portRefusal = (): Promise<{ readonly code: number; readonly text: string } | undefined> =>
  loadSettings(process.env).pipe(
    Effect.flatMap(({ settings }) =>
      settings.port === 0
        ? Effect.as(Effect.void, undefined)
        : portFree(settings, "POD").pipe(
            Effect.as(undefined),
            Effect.catchAllCause((cause) => Effect.succeed(startFailureOf(cause, settings)))
          )
    ),
    Effect.catchAllCause((cause) => Effect.succeed(startRefusalOf(cause))),
    Effect.provide(NodeFileSystem.layer),
    Effect.runPromise
  )
