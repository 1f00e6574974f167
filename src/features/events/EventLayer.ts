/** The Effect layers of events, with the handlers of the list, of the stream and of the procedures. */
import { Layer } from "effect"
import { procedures, rest } from "./EventHandlers.ts"
import { EventWatch } from "./EventWatch.ts"

export const layer = Layer.merge(rest, procedures).pipe(Layer.provide(EventWatch.layer))
