/** The Effect layers of orientation: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import * as DiscoveryLayer from "../discovery/DiscoveryLayer.ts"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as ProjectLayer from "../projects/ProjectLayer.ts"
import * as ProposalLayer from "../proposals/ProposalLayer.ts"
import * as WorkspaceLayer from "../workspaces/WorkspaceLayer.ts"
import * as OrientationHandlers from "./OrientationHandlers.ts"
import { Orientations } from "./Orientations.ts"

export const services = Orientations.layer.pipe(
  Layer.provide(
    Layer.mergeAll(
      DiscoveryLayer.services,
      EntityLayer.services,
      PeopleLayer.services,
      ProjectLayer.services,
      ProposalLayer.services,
      WorkspaceLayer.services
    )
  )
)

export const layer = OrientationHandlers.layer.pipe(Layer.provideMerge(services))
