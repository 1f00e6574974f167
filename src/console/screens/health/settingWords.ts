/** Turns the names of fields into words for people. */

const spellings: Readonly<Record<string, string>> = { mcp: "MCP", rest: "REST", trpc: "tRPC", url: "URL", api: "API" }

/** The words for a field name: `requestsPerMinute` becomes "Requests per minute". */
export const wordsOf = (name: string): string => {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_]+/)
    .map((word) => spellings[word.toLowerCase()] ?? word.toLowerCase())
    .join(" ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const units = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"]
] as const

/** An interval in the largest unit that divides it, such as `day` or `12 hours`. */
export const everyText = (seconds: number): string => {
  const [size, unit] = units.find(([size]) => seconds % size === 0) ?? [1, "second"]
  return seconds === size ? unit : `${seconds / size} ${unit}s`
}
