/** Assembles documents and their revisions: the services for other features, and the handlers. */
import { Layer } from "effect"
import * as DocumentHandlers from "./DocumentHandlers.ts"
import { Documents } from "./Documents.ts"

/** The services that other features use. */
export const services = Documents.layer

export const layer = DocumentHandlers.layer.pipe(Layer.provideMerge(services))
