/** The English plural of the name of a kind, such as `tasks`, `companies` or `people`. */
export const pluralOf = (name: string): string => {
  if (name === "person") return "people"
  if (name.endsWith("s")) return name
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(?:ch|sh|x|z)$/.test(name) ? `${name}es` : `${name}s`
}
