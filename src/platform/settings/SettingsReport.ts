/** Wrong settings as text: all of them at once, each with what is allowed and how to put it right, and no value. */
import { Data } from "effect"

export interface SettingsProblem {
  /** The variable to look at. */
  readonly name: string
  /** What must hold, to be read after the name. */
  readonly rule: string
  readonly fix: string
  /** Where the value came from, such as ".env line 4", or empty when there is none. */
  readonly source: string
}

export class SettingsInvalid extends Data.TaggedError("SettingsInvalid")<{
  readonly problems: ReadonlyArray<SettingsProblem>
  readonly warnings: ReadonlyArray<string>
}> {
  override get message(): string {
    return report(this)
  }
}

/** Ends without a line end. Values never appear, so the text may be pasted into an issue. */
export const report = (invalid: SettingsInvalid): string => {
  const { problems, warnings } = invalid
  const count = problems.length === 1 ? "1 setting is" : `${problems.length} settings are`
  return [
    `The pod did not start: ${count} wrong.`,
    ...problems.flatMap(({ fix, name, rule, source }) => [
      "",
      source === "" ? `  ${name}` : `  ${name}  (from ${source})`,
      `    ${rule}`,
      `    Fix: ${fix}`
    ]),
    ...(warnings.length === 0 ? [] : ["", ...warnings.map((warning) => `  ! ${warning}`)]),
    "",
    "Every setting is described in docs/configuration.md."
  ].join("\n")
}
