/** The names of the parts of the pod. They come from the names of the operations. */
import type { CatalogShape } from "../../doors/Catalog.ts"

/** The first word of the name of each operation: `entities.list` belongs to `entities`. */
export const featuresOf = ({ procedures, rest }: CatalogShape): ReadonlyArray<string> =>
  [...new Set([...rest, ...procedures.values()].map(({ name }) => name.split(".")[0]))].toSorted()
