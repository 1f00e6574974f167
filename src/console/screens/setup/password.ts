/** The rules for a new password, and an estimate of how hard it is to guess. */
export const lengthMin = 12
export const lengthMax = 128

/** A sentence that says what is wrong with a new password. An empty text if nothing is wrong. */
export const passwordFault = (password: string): string =>
  password.length < lengthMin || password.length > lengthMax
    ? `Use a password of ${lengthMin} to ${lengthMax} characters.`
    : ""

export type Strength = "too short" | "weak" | "fair" | "strong"

const bitsFair = 45
const bitsStrong = 65

const classes: ReadonlyArray<readonly [RegExp, number]> = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[^a-zA-Z0-9]/, 33]
]

/**
 * Estimates the strength of a password. Ignores a character that repeats the character before it or continues a run
 * such as `abcd`. Every other character adds bits. The number of bits depends on the kinds of characters in the
 * password (lower case, upper case, digits, others).
 */
export const strengthOf = (password: string): Strength => {
  if (password.length < lengthMin) return "too short"
  const alphabet = classes.reduce((sum, [form, size]) => sum + (form.test(password) ? size : 0), 0)
  const codes = [...password].map((each) => each.codePointAt(0) ?? 0)
  const steps = codes.map((code, index) => code - (codes[index - 1] ?? 0))
  const surprising = steps.filter((step, index) => index === 0 || (step !== 0 && step !== steps[index - 1])).length
  const distinct = new Set(codes).size
  const bits = Math.min(surprising, distinct * 2) * Math.log2(Math.max(alphabet, 2))
  return bits >= bitsStrong ? "strong" : bits >= bitsFair ? "fair" : "weak"
}
