/**
 * The Effect layers of documents and their revisions: `services` has what other features use, and `layer` also has the
 * handlers.
 */
import { Layer } from "effect"
import * as DocumentHandlers from "./DocumentHandlers.ts"
import { Documents } from "./Documents.ts"

export const services = Documents.layer

export const layer = DocumentHandlers.layer.pipe(Layer.provideMerge(services))
