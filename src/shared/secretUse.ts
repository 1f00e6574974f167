/**
 * Makes the sentence that `pod doctor` and the console show about the former values of a secret. The sentence says
 * whether something still needs these values.
 */

/** The state of one secret, in the form in which `health.secrets` returns it. */
export interface SecretState {
  /** The name of the setting, such as `POD_KEY_PEPPER`. */
  readonly name: string
  /** How many values the setting has: the present value and the former ones. */
  readonly values: number
  /** How many stored items of each kind the present value cannot decrypt or verify. */
  readonly older: ReadonlyArray<{ readonly of: string; readonly count: number }>
}

/**
 * Returns the sentence about a secret, and whether the sentence is a warning. Returns undefined if the secret has only
 * one value, and this value can decrypt and verify everything.
 */
export const secretUse = ({
  name,
  older,
  values
}: SecretState): { readonly text: string; readonly isWarning: boolean } | undefined => {
  const needing = older
    .filter(({ count }) => count > 0)
    .map(({ count, of }) => `${of}: ${count}`)
    .join(", ")
  const isChanging = values > 1
  if (needing === "") {
    return isChanging ? { text: `nothing needs the former value: remove it from ${name}`, isWarning: false } : undefined
  }
  return {
    text: isChanging
      ? `a former value is still needed (${needing}): keep it in ${name}`
      : `${name} does not open everything (${needing}): add the former value, or remove these records`,
    isWarning: true
  }
}
