/**
 * The Effect layers of governance: `services` has what other features use, and `layer` also has the handlers.
 * Governance is what agents may do without a person.
 */
import { Layer } from "effect"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as ProposalLayer from "../proposals/ProposalLayer.ts"
import { Governance } from "./Governance.ts"
import * as GovernanceHandlers from "./GovernanceHandlers.ts"

export const services = Governance.layer.pipe(Layer.provide(Layer.merge(PeopleLayer.services, ProposalLayer.services)))

export const layer = GovernanceHandlers.layer.pipe(Layer.provideMerge(services))
