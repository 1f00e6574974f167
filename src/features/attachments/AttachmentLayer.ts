/**
 * The Effect layers of attachments (pictures and files of an entity): `services` has the services that other features
 * use, and `layer` also has the handlers.
 */
import { Layer } from "effect"
import * as DocumentLayer from "../documents/DocumentLayer.ts"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as AttachmentHandlers from "./AttachmentHandlers.ts"
import { Attachments } from "./Attachments.ts"
import { StoredFiles } from "./StoredFiles.ts"

export const services = Attachments.layer.pipe(Layer.provide(EntityLayer.services))

const files = StoredFiles.layer.pipe(
  Layer.provide(Layer.mergeAll(services, DocumentLayer.services, EntityLayer.services))
)

export const layer = AttachmentHandlers.layer.pipe(Layer.provide(files), Layer.provideMerge(services))
