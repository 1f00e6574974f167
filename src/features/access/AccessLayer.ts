/**
 * The layers that find the person or agent of a credential and check the credential. They also determine what later
 * work is allowed to do in the name of a person.
 */
import { Layer } from "effect"
import * as KeyLayer from "../keys/KeyLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as Access from "./Access.ts"
import { StandingReach } from "./StandingReach.ts"

const requiredServices = Layer.mergeAll(KeyLayer.services, PeopleLayer.services)

/** The service of access that other features use. */
export const services = StandingReach.layer.pipe(Layer.provide(requiredServices))

export const layer = Access.layer.pipe(Layer.provide(requiredServices))
