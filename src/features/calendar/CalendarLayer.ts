/** The Effect layers of calendar feeds. They contain the service and the handlers of the feeds. */
import { Layer } from "effect"
import * as AccessLayer from "../access/AccessLayer.ts"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as CalendarHandlers from "./CalendarHandlers.ts"
import { Calendars } from "./Calendars.ts"

export const services = Calendars.layer.pipe(Layer.provide(Layer.merge(AccessLayer.services, EntityLayer.services)))

export const layer = CalendarHandlers.layer.pipe(Layer.provide(services))
