/** The layers of documents and their revisions. */
import { Layer } from "effect"
import * as DocumentHandlers from "./DocumentHandlers.ts"
import { Documents } from "./Documents.ts"

/** The services that other features use. */
export const services = Documents.layer

export const layer = DocumentHandlers.layer.pipe(Layer.provideMerge(services))
