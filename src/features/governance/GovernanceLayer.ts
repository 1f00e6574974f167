/** The layers of governance: its service and its handlers. */
import { Layer } from "effect"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import { Governance } from "./Governance.ts"
import * as GovernanceHandlers from "./GovernanceHandlers.ts"

/** The services of governance that other features use. */
export const services = Governance.layer.pipe(Layer.provide(PeopleLayer.services))

export const layer = GovernanceHandlers.layer.pipe(Layer.provideMerge(services))
