/**
 * Reads the numbers of tokens that a model service reports. A service can report any value, and a wrong value must not
 * make a call fail.
 */
// No model reads more tokens than this in one call. The pod ignores a higher number, because it would use up the budget
// of a day.
const tokensMax = 10_000_000

const countIn = (usage: unknown, name: string): number | undefined => {
  if (typeof usage !== "object" || usage === null) return undefined
  const value: unknown = Reflect.get(usage, name)
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= tokensMax ? value : undefined
}

export interface CountedTokens {
  readonly total: number | undefined
  /** The numbers of tokens from the service. Undefined unless the service reported both numbers. */
  readonly counted: { readonly prompt: number; readonly completion: number } | undefined
}

/** Returns the numbers in the field `usage` of an answer. A value that is not a number of tokens counts as absent. */
export const countedTokens = (usage: unknown): CountedTokens => {
  const prompt = countIn(usage, "prompt_tokens")
  const completion = countIn(usage, "completion_tokens")
  const counted = prompt === undefined || completion === undefined ? undefined : { prompt, completion }
  const total =
    countIn(usage, "total_tokens") ?? (counted === undefined ? undefined : counted.prompt + counted.completion)
  return { total, counted }
}
