/** Documents and their versions. */
import { Layer } from "effect"
import * as DocumentHandlers from "./DocumentHandlers.ts"
import { Documents } from "./Documents.ts"

/** What other features ask. */
export const services = Documents.layer

export const layer = DocumentHandlers.layer.pipe(Layer.provideMerge(services))
