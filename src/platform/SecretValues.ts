/**
 * The values of a secret, in one text. While somebody replaces the secret, the text has the present value and the
 * former values.
 */
import { type Array, Redacted } from "effect"

/**
 * The values of one secret. The pod signs, hashes and encrypts new data with the first value. For existing data it
 * tries each value.
 */
export type SecretValues = Array.NonEmptyReadonlyArray<Redacted.Redacted>

/** Splits the text of a secret at its commas. Spaces around a value do not belong to the value. */
export const secretValuesIn = (text: string): SecretValues => {
  const [first = "", ...former] = text.split(",").map((value) => value.trim())
  return [Redacted.make(first), ...former.map((value) => Redacted.make(value))]
}
