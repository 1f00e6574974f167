/** The Effect layers of invitations: the service, and the handlers, which also use the service of people. */
import { Layer } from "effect"
import * as InvitationHandlers from "./InvitationHandlers.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import { InvitationLinks } from "./InvitationLinks.ts"
import { InvitationPass } from "./InvitationPass.ts"
import { Invitations } from "./Invitations.ts"

const pass = InvitationPass.layer

export const services = Invitations.layer.pipe(Layer.provide(pass))

export const layer = InvitationHandlers.layer.pipe(
  Layer.provide(services),
  Layer.provide(InvitationLinks.layer.pipe(Layer.provide(pass))),
  Layer.provide(PeopleLayer.services)
)
