/** The Effect layers of search: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import { Embedder } from "./Embedder.ts"
import { IndexStatus } from "./IndexStatus.ts"
import * as IndexStatusHandlers from "./IndexStatusHandlers.ts"
import { ReadableIds } from "./ReadableIds.ts"
import { Search } from "./Search.ts"
import { SearchIndexes } from "./SearchIndexes.ts"

export const services = Search.layer.pipe(
  Layer.provide(ReadableIds.layer),
  Layer.provideMerge(SearchIndexes.layer),
  Layer.provideMerge(Embedder.layer)
)

export const layer = IndexStatusHandlers.layer.pipe(Layer.provide(IndexStatus.layer.pipe(Layer.provide(services))))
