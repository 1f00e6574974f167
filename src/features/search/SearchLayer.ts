/** The layers of search. */
import { Layer } from "effect"
import { Embedder } from "./Embedder.ts"
import { IndexStatus } from "./IndexStatus.ts"
import * as IndexStatusHandlers from "./IndexStatusHandlers.ts"
import { ReadableIds } from "./ReadableIds.ts"
import { Search } from "./Search.ts"
import { SearchIndexes } from "./SearchIndexes.ts"

/** The services that other features use. */
export const services = Search.layer.pipe(
  Layer.provide(ReadableIds.layer),
  Layer.provideMerge(SearchIndexes.layer),
  Layer.provideMerge(Embedder.layer)
)

export const layer = IndexStatusHandlers.layer.pipe(Layer.provide(IndexStatus.layer.pipe(Layer.provide(services))))
