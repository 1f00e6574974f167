/** Attachments: the pictures and files of an entity. */
import { Layer } from "effect"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as AttachmentHandlers from "./AttachmentHandlers.ts"
import { Attachments } from "./Attachments.ts"

/** The services that other features use. */
export const services = Attachments.layer.pipe(Layer.provide(EntityLayer.services))

export const layer = AttachmentHandlers.layer.pipe(Layer.provideMerge(services))
