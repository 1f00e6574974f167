/**
 * The settings of the running pod, for its owner. Each setting has its value and its source, but the text of a secret
 * is never shown.
 */
import { Option, Redacted } from "effect"
import type { Setting } from "./Setting.ts"
import { secretPath } from "../Secrets.ts"
import { settingsTable } from "./Settings.ts"
import type { LoadedSettings } from "./SettingsLoad.ts"

export interface ShownSetting {
  readonly name: string
  readonly area: string
  /** What the setting is for. */
  readonly doc: string
  /** The value as a text. For a secret it is `set`. Null if the setting has no value. */
  readonly value: string | null
  /** Where the value came from, such as `environment`, `.env line 4`, `default`, or the file of a generated secret. */
  readonly source: string
}

const secretIsSet = "set"

/** Returns true if a text might contain a password, as in `https://user:password@host`. */
const mayHoldSecret = (text: string): boolean => /\/\/[^/\s]*@/.test(text)

const textOf = (value: unknown, written: (value: unknown) => string): string | null => {
  if (Option.isOption(value)) return Option.isSome(value) ? textOf(value.value, written) : null
  if (value === undefined || value === null || value === "") return null
  if (Redacted.isRedacted(value)) return secretIsSet
  if (typeof value === "number") return written(value)
  if (Array.isArray(value)) {
    const parts = value.flatMap((each: unknown) => textOf(each, written) ?? [])
    return parts.length === 0 ? null : parts.join(", ")
  }
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return mayHoldSecret(text) ? secretIsSet : text
}

export const shownSettingsOf = ({
  settings,
  sourceOf
}: Pick<LoadedSettings, "settings" | "sourceOf">): ReadonlyArray<ShownSetting> => {
  const values: Readonly<Record<string, unknown>> = { ...settings }
  const table: ReadonlyArray<readonly [string, Setting<unknown>]> = Object.entries(settingsTable)
  return table.map(([field, { area, doc, generated, isSecret, name, written }]) => {
    const text = textOf(values[field], written)
    if (text === null && generated !== undefined) {
      const source = `generated, in ${secretPath(settings.dataDir, generated)}`
      return { name, area, doc, value: secretIsSet, source }
    }
    return {
      name,
      area,
      doc,
      value: isSecret && text !== null ? secretIsSet : text,
      source: sourceOf[name] ?? "default"
    }
  })
}
