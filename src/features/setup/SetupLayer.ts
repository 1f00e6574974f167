/** The Effect layers of the setup of the pod, of its agents and of its services. */
import { Layer } from "effect"
import * as AccessLayer from "../access/AccessLayer.ts"
import * as FederationLayer from "../federation/FederationLayer.ts"
import * as KeyLayer from "../keys/KeyLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as WorkspaceLayer from "../workspaces/WorkspaceLayer.ts"
import { AgentSetups } from "./AgentSetups.ts"
import { FirstOwner } from "./FirstOwner.ts"
import { PodNames } from "./PodNames.ts"
import { Provisioner } from "./Provisioner.ts"
import * as SetupHandlers from "./SetupHandlers.ts"
import { SetupIssuers } from "./SetupIssuers.ts"

export const layer = SetupHandlers.layer.pipe(
  Layer.provide(Layer.mergeAll(AgentSetups.layer, FirstOwner.layer)),
  Layer.provideMerge(PodNames.layer),
  Layer.provide(Provisioner.layer),
  Layer.provide(SetupIssuers.layer),
  Layer.provide(
    Layer.mergeAll(
      AccessLayer.services,
      FederationLayer.services,
      KeyLayer.services,
      PeopleLayer.services,
      WorkspaceLayer.services
    )
  )
)
