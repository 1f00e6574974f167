/** The Effect layers of knowledge entries: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import { Knowledge } from "./Knowledge.ts"
import { KnowledgeChanger } from "./KnowledgeChanger.ts"
import * as KnowledgeHandlers from "./KnowledgeHandlers.ts"

export const services = Knowledge.layer.pipe(Layer.provide(KnowledgeChanger.layer))

export const layer = KnowledgeHandlers.layer.pipe(Layer.provideMerge(services))
