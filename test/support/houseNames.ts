/** Finds declared names that do not say what the thing is, such as `told`. */

/**
 * Matches a declaration of a name that does not say what the thing is. The name comes after a keyword, or at the end of
 * a parameter, a property or a part of a pattern. A use of a name in such a place also matches, but each use has a
 * declaration. The text of a component, as in `it was made, and`, has a word before the name and does not match.
 */
const vagueDeclaration = (words: ReadonlyArray<string>, types: ReadonlyArray<string> = []): RegExp => {
  const name = `(?:${words.map((word) => `[${word[0].toUpperCase()}${word[0]}]${word.slice(1)}`).join("|")})`
  const afterKeyword = `\\b(?:const|let|var|function|class|interface|type)\\s+(?:${[name, ...types].join("|")})`
  const before = "(?<=^\\s*|[^\\w\\s$.]\\s*|\\.\\.\\.|\\b(?:readonly|private|static)\\s+)"
  return new RegExp(`(?:${afterKeyword}|${before}#?${name}(?=\\??\\s*(?::|=(?!=)|[,)}\\]])))\\b`, "gm")
}
const vagueEverywhere = ["said", "held", "told", "turned"]
const vagueInTests = vagueDeclaration(vagueEverywhere)
// The further names here are vague only in the sources, because tests still use them. `left` is not in the list,
// because `left` and `right` are the usual names of two compared values. `Found` is vague only as a type, because a
// variable `found` may be the result of a search.
const vagueInSources = vagueDeclaration(
  [...vagueEverywhere, "asked", "kept", "made", "stated", "taken", "wanted"],
  ["Found"]
)

/** Returns the vague names that a file declares. `code` is its source without comments and strings. */
export const vagueNamesIn = (file: string, code: string): ReadonlyArray<string> =>
  [...code.matchAll(file.startsWith("src/") ? vagueInSources : vagueInTests)].map(
    ([name]) => name.split(/\s/).at(-1) ?? ""
  )
