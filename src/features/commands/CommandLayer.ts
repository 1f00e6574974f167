/**
 * The Effect layers of commands (actions that people start by name): `services` has what other features use, and
 * `layer` also has the handlers.
 */
import { Layer } from "effect"
import * as CommandHandlers from "./CommandHandlers.ts"
import { Commands } from "./Commands.ts"

export const services = Commands.layer

export const layer = CommandHandlers.layer.pipe(Layer.provideMerge(services))
