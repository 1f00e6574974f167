/**
 * The Effect layer of events. It has the handlers of the REST endpoints (a list and a stream of events) and of the
 * procedures.
 */
import { Layer } from "effect"
import { procedures, rest } from "./EventHandlers.ts"
import { EventWatch } from "./EventWatch.ts"

export const layer = Layer.merge(rest, procedures).pipe(Layer.provide(EventWatch.layer))
