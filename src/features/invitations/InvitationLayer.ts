/** The Effect layer of invitations: it connects the handlers with the service of invitations and that of people. */
import { Layer } from "effect"
import * as InvitationHandlers from "./InvitationHandlers.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import { Invitations } from "./Invitations.ts"

export const layer = InvitationHandlers.layer.pipe(
  Layer.provide(Invitations.layer),
  Layer.provide(PeopleLayer.services)
)
