/** The layers of invitations into the pod. */
import { Layer } from "effect"
import * as InvitationHandlers from "./InvitationHandlers.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import { Invitations } from "./Invitations.ts"

export const layer = InvitationHandlers.layer.pipe(
  Layer.provide(Invitations.layer),
  Layer.provide(PeopleLayer.services)
)
