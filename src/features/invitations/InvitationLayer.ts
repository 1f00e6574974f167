/** The Effect layers of invitations: the service, and the handlers, which also use the service of people. */
import { Layer } from "effect"
import * as InvitationHandlers from "./InvitationHandlers.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import { Invitations } from "./Invitations.ts"

/** The service of invitations that other features use. */
export const services = Invitations.layer.pipe(Layer.provide(PeopleLayer.services))

export const layer = InvitationHandlers.layer.pipe(Layer.provide(services), Layer.provide(PeopleLayer.services))
