/** Assembles the handlers of events: the listing, the stream and the procedures. */
import { Layer } from "effect"
import { procedures, rest } from "./EventHandlers.ts"
import { EventWatch } from "./EventWatch.ts"

export const layer = Layer.merge(rest, procedures).pipe(Layer.provide(EventWatch.layer))
