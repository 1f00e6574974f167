/** The Effect layers of proposals: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import * as KeyLayer from "../keys/KeyLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as DevApprovals from "./DevApprovals.ts"
import * as ProposalHandlers from "./ProposalHandlers.ts"
import { DecidableProposals } from "./DecidableProposals.ts"
import { Proposals } from "./Proposals.ts"
import { Settlement } from "./Settlement.ts"
import { RequesterRights } from "./RequesterRights.ts"
import { WaitingProposals } from "./WaitingProposals.ts"

export const services = Layer.mergeAll(
  Proposals.layer,
  DevApprovals.layer,
  WaitingProposals.layer,
  DecidableProposals.layer
).pipe(
  Layer.provideMerge(Settlement.layer),
  Layer.provideMerge(RequesterRights.layer),
  Layer.provide(Layer.mergeAll(KeyLayer.services, PeopleLayer.services))
)

export const layer = ProposalHandlers.layer.pipe(Layer.provideMerge(services))
