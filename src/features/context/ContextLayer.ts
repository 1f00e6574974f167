/** The layer of the context endpoint. */
import { Layer } from "effect"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as ContextHandlers from "./ContextHandlers.ts"

export const layer = ContextHandlers.layer.pipe(Layer.provide(EntityLayer.services))
