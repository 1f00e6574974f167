/** Finds the usual name of a program from its `User-Agent` header. */
const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrom(e|ium)\//, "Chrome"],
  [/Safari\//, "Safari"]
]

const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"]
]

const nameIn = (table: typeof browsers, text: string) => table.find(([form]) => form.test(text))?.[1]

/** The name of a program, such as "Firefox on Linux". For an unknown program, the first word of `userAgent`. */
export const programOf = (userAgent: string | null): string => {
  if (userAgent === null || userAgent.trim() === "") return "a program without a name"
  const browser = nameIn(browsers, userAgent)
  const system = nameIn(systems, userAgent)
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  return userAgent.trim().split(/\s/)[0]?.slice(0, 60) ?? ""
}
