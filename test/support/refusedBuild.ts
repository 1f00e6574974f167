/**
 * Starts a pod in this process. With the given settings, the pod must refuse to start. Returns the exit code and the
 * error messages. Uses the same settings, layers and messages as `main`.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Exit, Layer } from "effect"
import { startFailureOf } from "../../src/StartFailure.ts"
import { startRefusalOf } from "../../src/StartRefusal.ts"
import * as ConfiguredPod from "../../src/ConfiguredPod.ts"
import { shownSettingsOf } from "../../src/platform/settings/ShownSettings.ts"
import { loadSettings } from "../../src/platform/settings/SettingsFiles.ts"

export interface BuildRefusal {
  readonly code: number
  /** What the process would write to its error output. */
  readonly errors: string
}

/**
 * Builds a pod from these settings alone. The build must fail. Use a separate process instead only if the test needs
 * the end of a process.
 */
export const refusedBuild = (environment: Readonly<Record<string, string>>): Promise<BuildRefusal> =>
  Effect.gen(function* () {
    const { settings, sourceOf } = yield* loadSettings(environment)
    const built = yield* Effect.exit(
      Effect.scoped(Layer.build(ConfiguredPod.layer(settings, { shown: shownSettingsOf({ settings, sourceOf }) })))
    )
    return Exit.match(built, {
      onSuccess: () => Effect.dieMessage("the pod was built"),
      onFailure: (cause) => Effect.succeed(startFailureOf(cause, settings))
    })
  }).pipe(
    Effect.flatten,
    Effect.catchAllCause((cause) => Effect.succeed(startRefusalOf(cause))),
    Effect.map(({ code, text }) => ({ code, errors: `${text.trimEnd()}\n` })),
    Effect.provide(NodeFileSystem.layer),
    Effect.runPromise
  )
