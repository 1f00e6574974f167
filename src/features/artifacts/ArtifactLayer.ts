/**
 * The Effect layers of artifacts: `services` has the service that other features use, and `layer` also has the
 * handlers.
 */
import { Layer } from "effect"
import * as ArtifactHandlers from "./ArtifactHandlers.ts"
import { Artifacts } from "./Artifacts.ts"

export const services = Artifacts.layer

export const layer = ArtifactHandlers.layer.pipe(Layer.provideMerge(services))
