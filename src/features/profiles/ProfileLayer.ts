/**
 * The Effect layers of profiles, the kinds of entities: `services` for other features, and `layer`, which adds the
 * handlers.
 */
import { Layer } from "effect"
import * as ProfileHandlers from "./ProfileHandlers.ts"
import { ProfileRecords } from "./ProfileRecords.ts"

export const services = ProfileRecords.layer

export const layer = ProfileHandlers.layer.pipe(Layer.provideMerge(services))
