/** What a caller is told of its surroundings. */
import { Layer } from "effect"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as ContextHandlers from "./ContextHandlers.ts"

export const layer = ContextHandlers.layer.pipe(Layer.provide(EntityLayer.services))
