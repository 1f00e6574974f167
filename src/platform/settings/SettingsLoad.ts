/** Loads all settings at once. Collects all problems. No message contains the value of a setting. */
import { Either, Option } from "effect"
import type { Setting } from "./Setting.ts"
import { settingsWarnings, contradictions } from "./SettingsRules.ts"
import { SettingsInvalid, type SettingsProblem } from "./SettingsReport.ts"
import { settingsTable, type SettingsShape } from "./Settings.ts"
import { gatherSettings, type SettingsSources } from "./SettingsSources.ts"

export interface LoadedSettings {
  readonly settings: SettingsShape
  /** Warnings that the pod prints at its start. */
  readonly warnings: ReadonlyArray<string>
  /**
   * The source of the value of each setting, by the name of the setting, such as `POD_PORT`. The source of an absent
   * setting is `default`.
   */
  readonly sourceOf: Readonly<Record<string, string>>
}

const rows: ReadonlyArray<readonly [string, Setting<unknown>]> = Object.entries(settingsTable)

/** All settings of a process, even if some of them are wrong. */
export interface ExaminedSettings {
  /** The values, by the field of the setting. A setting with a wrong value has no field. */
  readonly values: Partial<SettingsShape>
  /** Every problem, in the order of the table. */
  readonly problems: ReadonlyArray<SettingsProblem>
  readonly warnings: ReadonlyArray<string>
  readonly sourceOf: LoadedSettings["sourceOf"]
}

/** Reads all settings, and collects every problem that they have. */
export const examine = (sources: SettingsSources): ExaminedSettings => {
  const gathered = gatherSettings(
    rows.map(([, setting]) => setting),
    sources
  )
  const read: Record<string, unknown> = {}
  const problems: Array<SettingsProblem> = [...gathered.problems]
  for (const [field, setting] of rows) {
    const given = gathered.values.get(setting.name)
    const value = setting.read(given?.text)
    if (Option.isSome(value)) {
      read[field] = value.value
    } else {
      const source = given?.source ?? ""
      problems.push({ name: setting.name, rule: `must be ${setting.allowed}`, fix: setting.fix, source })
    }
  }
  // Each row of the table of settings has filled the field of the same name, so the cast is safe. Settings that could
  // not be read have no field.
  const values = read as Partial<SettingsShape>
  problems.push(...contradictions(values, gathered.attempted))
  const position = ({ name }: SettingsProblem) => rows.findIndex(([, setting]) => isAbout(name, setting))
  return {
    values,
    problems: problems.sort((left, right) => position(left) - position(right)),
    warnings: gathered.warnings,
    sourceOf: Object.fromEntries(rows.map(([, { name }]) => [name, gathered.values.get(name)?.source ?? "default"]))
  }
}

/**
 * Returns true if a problem with this name is about this setting. The name can also be an alias of the setting, or the
 * variable with the path of its file.
 */
export const isAbout = (name: string, setting: Setting<unknown>): boolean =>
  [setting.name, ...setting.aliases].includes(name.replace(/_FILE$/, ""))

/** Loads all settings. Fails with every problem that the settings have, in the order of the table. */
export const load = (sources: SettingsSources): Either.Either<LoadedSettings, SettingsInvalid> => {
  const { problems, sourceOf, values, warnings } = examine(sources)
  if (problems.length > 0) return Either.left(new SettingsInvalid({ problems, warnings }))
  // if there is no problem, every setting was read, so the cast is safe
  const settings = values as SettingsShape
  const isSet = (name: string) => sourceOf[name] !== "default"
  return Either.right({ settings, warnings: [...warnings, ...settingsWarnings(settings, isSet)], sourceOf })
}
