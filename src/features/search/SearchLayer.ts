/** The layers of search. */
import { Duration, Layer } from "effect"
import { Search } from "./Search.ts"
import { SearchIndexes } from "./SearchIndexes.ts"

const indexes = SearchIndexes.layer({ bytesMost: 512 * 1024 * 1024, patience: Duration.seconds(4) })

/** The services that other features use. */
export const services = Search.layer.pipe(Layer.provideMerge(indexes))
