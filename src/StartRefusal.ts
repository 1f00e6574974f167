/**
 * The reason why a start was refused. This file imports nothing of the pod, so that the program can refuse before it
 * loads the pod.
 */
import { Cause, Data } from "effect"
import { exitCodes } from "./platform/ExitCodes.ts"
import { SettingsInvalid } from "./platform/settings/SettingsReport.ts"

/** The reason why the pod does not start, as a sentence for the person who started it. */
export class StartRefusal extends Data.TaggedError("Refusal")<{
  readonly code: number
  readonly text: string
  /** True if the same start can succeed later without a change. */
  readonly mayPass?: boolean
}> {}

/** Returns the exit code and the text for an unexpected cause. */
export const unexpectedError = (cause: Cause.Cause<unknown>) => ({
  code: exitCodes.unexpected,
  text: `The pod stopped because of an unexpected error.\n${Cause.pretty(cause)}`
})

/**
 * Returns the exit code and the text for a cause. If the cause has a refusal, the code and the text come from the
 * refusal. Otherwise they say that the settings are wrong, or that an unexpected error has occurred.
 */
export const startRefusalOf = (cause: Cause.Cause<unknown>): { code: number; text: string } => {
  const [failure] = Cause.failures(cause)
  if (failure instanceof StartRefusal) return failure
  return failure instanceof SettingsInvalid
    ? { code: exitCodes.badSettings, text: failure.message }
    : unexpectedError(cause)
}
