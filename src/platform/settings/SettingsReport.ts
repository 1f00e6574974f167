/**
 * Writes a report of all wrong settings, each with its allowed values and the correction. The report never contains a
 * wrong value.
 */
import { Data } from "effect"
import { commandOf } from "../CommandName.ts"

export interface SettingsProblem {
  /** The name of the environment variable with the wrong value. */
  readonly name: string
  /** What must be true of the setting. The text continues a sentence that begins with the name. */
  readonly rule: string
  readonly fix: string
  /** The source of the value, such as `.env line 4`. Empty if there is no value. */
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

/**
 * Returns the report of the wrong settings, without a newline at its end. The report never contains a value, so people
 * can paste it into an issue.
 */
export const report = (invalid: SettingsInvalid): string => {
  const { problems, warnings } = invalid
  const command = commandOf(process.env["npm_lifecycle_event"])
  const count = problems.length === 1 ? "1 setting is" : `${problems.length} settings are`
  return [
    `${count} wrong. Nothing was started.`,
    ...problems.flatMap(({ fix, name, rule, source }) => [
      "",
      source === "" ? `  ${name}` : `  ${name}  (from ${source})`,
      `    ${rule}`,
      `    Fix: ${fix}`
    ]),
    ...(warnings.length === 0 ? [] : ["", ...warnings.map((warning) => `  ! ${warning}`)]),
    "",
    `All settings: ${command} config list   this check: ${command} config check`,
    "Every setting is described in docs/configuration.md."
  ].join("\n")
}
