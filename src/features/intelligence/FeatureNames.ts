/** The names of the parts of the pod. They come from the names of the operations. */
import type { CatalogShape } from "../../doors/Catalog.ts"

/** The first word of the name of each operation. For example, it is `entities` for `entities.list`. */
export const featuresOf = ({ procedures, rest }: CatalogShape): ReadonlyArray<string> =>
  [...new Set([...rest, ...procedures.values()].map(({ name }) => name.split(".")[0]))].toSorted()
