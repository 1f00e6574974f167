/** The Effect layers of notifications: the service that notifies people, the hourly work, and the handlers. */
import { Layer } from "effect"
import * as AccessLayer from "../access/AccessLayer.ts"
import * as KeyLayer from "../keys/KeyLayer.ts"
import * as ProposalLayer from "../proposals/ProposalLayer.ts"
import { startNotifying } from "./NotificationEvents.ts"
import * as NotificationHandlers from "./NotificationHandlers.ts"
import { Notifications } from "./Notifications.ts"
import { NotificationSubjects } from "./NotificationSubjects.ts"
import { NotificationUpkeep, startUpkeep } from "./NotificationUpkeep.ts"
import { Notifier } from "./Notifier.ts"

const usedServices = Layer.mergeAll(AccessLayer.services, KeyLayer.services, ProposalLayer.services)
const subjects = NotificationSubjects.layer.pipe(Layer.provide(usedServices))
const notifier = Notifier.layer.pipe(Layer.provide(Layer.merge(subjects, usedServices)))
const upkeepLayer = NotificationUpkeep.layer.pipe(Layer.provide(Layer.merge(notifier, usedServices)))
const work = Layer.merge(Layer.scopedDiscard(startNotifying), Layer.scopedDiscard(startUpkeep)).pipe(
  Layer.provideMerge(upkeepLayer),
  Layer.provide(Layer.merge(notifier, usedServices))
)

export const services = Notifications.layer.pipe(Layer.provide(subjects))

export const layer = Layer.merge(NotificationHandlers.layer.pipe(Layer.provideMerge(services)), work)
