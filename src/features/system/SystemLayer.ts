/** The Effect layers of the endpoints that report the health of the pod, its operations and the time. */
import { Layer } from "effect"
import * as CalendarLayer from "../calendar/CalendarLayer.ts"
import * as FigureLayer from "../figures/FigureLayer.ts"
import * as InvitationLayer from "../invitations/InvitationLayer.ts"
import * as KeyLayer from "../keys/KeyLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import { Readiness } from "./Readiness.ts"
import * as VaultLayer from "../vault/VaultLayer.ts"
import { SecretUse } from "./SecretUse.ts"
import * as SystemHandlers from "./SystemHandlers.ts"

export const services = Readiness.layer

const secretUse = SecretUse.layer.pipe(
  Layer.provide(
    Layer.mergeAll(VaultLayer.services, KeyLayer.services, InvitationLayer.services, CalendarLayer.services)
  )
)

export const layer = SystemHandlers.layer.pipe(
  Layer.provideMerge(services),
  Layer.provide(Layer.mergeAll(PeopleLayer.services, FigureLayer.services, secretUse))
)
