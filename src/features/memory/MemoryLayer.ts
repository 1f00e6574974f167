/** The Effect layers of memory facts: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import { FactSpaces } from "./FactSpaces.ts"
import { FactVectors } from "./FactVectors.ts"
import { FactWriter } from "./FactWriter.ts"
import { Memory } from "./Memory.ts"
import { MemoryChanger } from "./MemoryChanger.ts"
import * as MemoryHandlers from "./MemoryHandlers.ts"
import { Recall } from "./Recall.ts"

export const services = Memory.layer.pipe(
  Layer.provide(MemoryChanger.layer.pipe(Layer.provide(FactWriter.layer))),
  Layer.provide(Recall.layer.pipe(Layer.provide(FactVectors.layer))),
  Layer.provide(FactSpaces.layer)
)

export const layer = MemoryHandlers.layer.pipe(Layer.provideMerge(services))
