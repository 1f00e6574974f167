/**
 * The layers that check a credential and find its person or agent. They also determine what the pod is allowed to do
 * later in the name of a person.
 */
import { Layer } from "effect"
import * as KeyLayer from "../keys/KeyLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as Access from "./Access.ts"
import { StandingReach } from "./StandingReach.ts"

const requiredServices = Layer.mergeAll(KeyLayer.services, PeopleLayer.services)

/** The service that tells other features what the pod is allowed to do later in the name of a person. */
export const services = StandingReach.layer.pipe(Layer.provide(requiredServices))

export const layer = Access.layer.pipe(Layer.provide(requiredServices))
