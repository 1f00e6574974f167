/** The layer of the endpoint that tells an assistant the latest activity of its person. */
import { Layer } from "effect"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as ContextHandlers from "./ContextHandlers.ts"

export const layer = ContextHandlers.layer.pipe(Layer.provide(EntityLayer.services))
