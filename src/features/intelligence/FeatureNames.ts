/** The names of the parts of the pod, made from the names of the operations. */
import type { CatalogShape } from "../../doors/Catalog.ts"

/** Returns the first word of the name of each operation. For example, this word is `entities` for `entities.list`. */
export const featuresOf = ({ procedures, rest }: CatalogShape): ReadonlyArray<string> =>
  [...new Set([...rest, ...procedures.values()].map(({ name }) => name.split(".")[0]))].toSorted()
