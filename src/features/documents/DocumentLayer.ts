/** Assembles the layers of documents and their revisions: the services that other features use, and the handlers. */
import { Layer } from "effect"
import * as DocumentHandlers from "./DocumentHandlers.ts"
import { Documents } from "./Documents.ts"

/** The services that other features use. */
export const services = Documents.layer

export const layer = DocumentHandlers.layer.pipe(Layer.provideMerge(services))
