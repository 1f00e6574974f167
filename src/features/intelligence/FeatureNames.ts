/** The names of the parts of the pod, made from the names of the operations. */
import type { CatalogShape } from "../../doors/Catalog.ts"

/**
 * Returns the first words of the names of all operations, each once and sorted. For example, `entities` is the word of
 * `entities.list`.
 */
export const featuresOf = ({ procedures, rest }: CatalogShape): ReadonlyArray<string> =>
  [...new Set([...rest, ...procedures.values()].map(({ name }) => name.split(".")[0]))].toSorted()
