/** Describes one setting: its name, the schema of its text, its default, and the text of its documentation. */
import { Option, Redacted, Schema } from "effect"
import type { SecretName } from "../Secrets.ts"
import { secretValuesIn, type SecretValues } from "../SecretValues.ts"
import { allowedValuesText, type SettingText } from "./SettingText.ts"

export const settingAreas = [
  "Server",
  "Storage",
  "Owner",
  "Keys and sessions",
  "Limits",
  "Models",
  "Logs",
  "Telemetry"
] as const
export type SettingArea = (typeof settingAreas)[number]

interface Description {
  /** The name of the environment variable, such as `POD_PORT`. */
  readonly name: string
  /** Names that other tools use for the same setting. `name` has priority over them. */
  readonly aliases?: ReadonlyArray<string>
  readonly area: SettingArea
  /** One sentence that says what the setting is for. */
  readonly doc: string
  /** The version of the pod that introduced the setting. Absent for a setting of the first version. */
  readonly since?: string
}

const firstVersion = "0.1"

export interface Setting<A> {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly area: SettingArea
  readonly doc: string
  /** The version of the pod that introduced the setting, such as `0.1`. */
  readonly since: string
  /** The allowed values, as the rest of a sentence that begins with "must be". */
  readonly allowed: string
  /** What to do about a wrong value, in one line. */
  readonly fix: string
  /** The default value as text. None if the setting has no default value. */
  readonly defaultText: Option.Option<string>
  /** A sentence about what the pod does if the setting is absent. */
  readonly whenAbsent: string
  readonly isSecret: boolean
  /** The name of the file in which the pod stores the secret that it makes if the setting is absent. */
  readonly generated?: SecretName
  /** A valid value. Empty for a secret, because people would copy an example secret. */
  readonly example: string
  /**
   * Reads the setting from its text, or from undefined if the setting is absent. A failure does not contain the refused
   * text, because this text might be a secret.
   */
  readonly read: (text: string | undefined) => Option.Option<A>
  /** The text of a value in the form in which people write the setting, such as `14d` and not a number of seconds. */
  readonly written: (value: unknown) => string
}

/** The type of the loaded value of a setting. */
export type SettingValue<S> = S extends Setting<infer A> ? A : never

const common = (description: Description, schema: Schema.Schema.AnyNoContext) => ({
  name: description.name,
  aliases: description.aliases ?? [],
  area: description.area,
  doc: description.doc,
  since: description.since ?? firstVersion,
  allowed: allowedValuesText(schema)
})

const readerOf = <A>(schema: SettingText<A>) => {
  const decode = Schema.decodeOption(schema)
  return (text: string) => decode(text.trim())
}

const writerOf = (schema: Schema.Schema.AnyNoContext) => {
  const encode = Schema.encodeUnknownOption(schema)
  return (value: unknown) => String(Option.getOrElse(encode(value), () => value))
}

/** Turns a function that reads a text into a function that also accepts undefined, for an optional setting. */
const whereSet =
  <A>(read: (text: string) => Option.Option<A>) =>
  (text: string | undefined): Option.Option<Option.Option<A>> =>
    text === undefined ? Option.some(Option.none()) : Option.map(read(text), Option.some)

/**
 * Makes a setting that always has a value. The default is written as text and read by the same schema, so the default
 * cannot break the rule of the setting.
 */
export const withDefault = <A>(
  description: Description & { readonly schema: SettingText<A>; readonly default: string; readonly example?: string }
): Setting<A> => {
  const { default: text, schema, example = text } = description
  const read = readerOf(schema)
  return {
    ...common(description, schema),
    fix: `set ${description.name}=${example}`,
    defaultText: Option.some(text),
    whenAbsent: text === "" ? "none" : text,
    isSecret: false,
    example,
    read: (value = text) => read(value),
    written: writerOf(schema)
  }
}

export const optional = <A>(
  description: Description & {
    readonly schema: SettingText<A>
    readonly example: string
    readonly whenAbsent: string
  }
): Setting<Option.Option<A>> => ({
  ...common(description, description.schema),
  fix: `set ${description.name}=${description.example}`,
  defaultText: Option.none(),
  whenAbsent: description.whenAbsent,
  isSecret: false,
  example: description.example,
  read: whereSet(readerOf(description.schema)),
  written: writerOf(description.schema)
})

/**
 * Makes an optional setting whose value is never shown. The value is not trimmed, because spaces can be part of a
 * secret.
 */
export const secret = (
  description: Description & {
    readonly schema: SettingText<string>
    readonly fix: string
    readonly whenAbsent: string
  }
): Setting<Option.Option<Redacted.Redacted>> => {
  const accepts = Schema.decodeOption(description.schema)
  return {
    ...common(description, description.schema),
    fix: description.fix,
    defaultText: Option.none(),
    whenAbsent: description.whenAbsent,
    isSecret: true,
    example: "",
    read: whereSet((text) => Option.map(accepts(text), () => Redacted.make(text))),
    written: () => "set"
  }
}

/**
 * Makes a setting with one or several secret values, separated by commas. Each value must match the schema, and no value
 * is allowed twice. If the setting is absent, the pod makes a secret itself and stores it in the file `generated`.
 */
export const secretValues = (
  description: Description & {
    readonly schema: SettingText<string>
    readonly fix: string
    readonly generated: SecretName
  }
): Setting<Option.Option<SecretValues>> => {
  const decode = Schema.decodeOption(description.schema)
  return {
    ...common(description, description.schema),
    allowed: `${allowedValuesText(description.schema)}, or several different ones with commas between them`,
    fix: description.fix,
    defaultText: Option.none(),
    whenAbsent: `created on first start, in the file secrets/${description.generated} of the data directory`,
    isSecret: true,
    generated: description.generated,
    example: "",
    read: whereSet((text) => {
      const values = secretValuesIn(text)
      const texts = values.map(Redacted.value)
      const isAllowed = texts.every((each) => Option.isSome(decode(each))) && new Set(texts).size === texts.length
      return isAllowed ? Option.some(values) : Option.none()
    }),
    written: () => "set"
  }
}
