/** The layers of health, manifest and time. */
import { Layer } from "effect"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import { Readiness } from "./Readiness.ts"
import * as SystemHandlers from "./SystemHandlers.ts"

export const services = Readiness.layer

export const layer = SystemHandlers.layer.pipe(Layer.provideMerge(services), Layer.provide(PeopleLayer.services))
