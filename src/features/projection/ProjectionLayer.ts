/** The Effect layers of the public part of workspaces: `services`, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import * as ProjectionHandlers from "./ProjectionHandlers.ts"
import { Projections } from "./Projections.ts"

export const services = Projections.layer

export const layer = ProjectionHandlers.layer.pipe(Layer.provideMerge(services))
