/**
 * The Effect layers of channels, threads and messages: `services` has what other features use, and `layer` also has the
 * handlers.
 */
import { Layer } from "effect"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as ChannelHandlers from "./ChannelHandlers.ts"
import { Messages } from "./Messages.ts"
import * as ThreadHandlers from "./ThreadHandlers.ts"
import { Threads } from "./Threads.ts"

export const services = Messages.layer.pipe(Layer.provideMerge(Threads.layer), Layer.provide(PeopleLayer.services))

export const layer = Layer.mergeAll(ChannelHandlers.layer, ThreadHandlers.layer).pipe(
  Layer.provideMerge(services),
  Layer.provide(PeopleLayer.services)
)
