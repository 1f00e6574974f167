/** Finds declared names that do not say what the thing is, such as `told`. */

/**
 * Makes a regular expression that finds declarations of these vague names: after a keyword such as `const`, or as the
 * name of a parameter or a property. It can also find a use of such a name, which is no problem, because the
 * declaration of the name is reported anyway. It ignores a word in the middle of a text, as in `it was made, and`.
 */
const vagueDeclaration = (words: ReadonlyArray<string>, types: ReadonlyArray<string> = []): RegExp => {
  const name = `(?:${words.map((word) => `[${word[0].toUpperCase()}${word[0]}]${word.slice(1)}`).join("|")})`
  const afterKeyword = `\\b(?:const|let|var|function|class|interface|type)\\s+(?:${[name, ...types].join("|")})`
  const before = "(?<=^\\s*|[^\\w\\s$.]\\s*|\\.\\.\\.|\\b(?:readonly|private|static)\\s+)"
  return new RegExp(`(?:${afterKeyword}|${before}#?${name}(?=\\??\\s*(?::|=(?!=)|[,)}\\]])))\\b`, "gm")
}
const vagueEverywhere = ["said", "held", "told", "turned"]
const vagueInTests = vagueDeclaration(vagueEverywhere)
// The check reports these further names only in the sources, because tests still use the names. `left` is not in the
// list, because `left` and `right` are the usual names of two compared values. `Found` is reported only as a type,
// because a variable `found` can be the result of a search.
const vagueInSources = vagueDeclaration(
  [...vagueEverywhere, "asked", "kept", "made", "stated", "taken", "wanted"],
  ["Found"]
)

/** Returns the vague names that a file declares. `code` is its source without comments and strings. */
export const vagueNamesIn = (file: string, code: string): ReadonlyArray<string> =>
  [...code.matchAll(file.startsWith("src/") ? vagueInSources : vagueInTests)].map(
    ([name]) => name.split(/\s/).at(-1) ?? ""
  )
