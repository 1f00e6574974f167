/** The layers that identify credentials, check that they are valid, and say what may be done later for them. */
import { Layer } from "effect"
import * as KeyLayer from "../keys/KeyLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as Access from "./Access.ts"
import { StandingReach } from "./StandingReach.ts"

const known = Layer.mergeAll(KeyLayer.services, PeopleLayer.services)

/** The service of this feature that other features use. */
export const services = StandingReach.layer.pipe(Layer.provide(known))

export const layer = Access.layer.pipe(Layer.provide(known))
