/** The layers of profiles, which are the kinds of entities with their properties. */
import { Layer } from "effect"
import * as ProfileHandlers from "./ProfileHandlers.ts"
import { ProfileRecords } from "./ProfileRecords.ts"

/** The services that other features use. */
export const services = ProfileRecords.layer

export const layer = ProfileHandlers.layer.pipe(Layer.provideMerge(services))
