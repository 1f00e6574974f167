/** The Effect layers of the graph: `services` has what other features use, and `layer` also has the handlers. */
import { Layer } from "effect"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as ProposalLayer from "../proposals/ProposalLayer.ts"
import * as RelationLayer from "../relations/RelationLayer.ts"
import * as WorkspaceLayer from "../workspaces/WorkspaceLayer.ts"
import * as GraphHandlers from "./GraphHandlers.ts"
import { GraphNodes } from "./GraphNodes.ts"
import { Neighbourhoods } from "./Neighbourhoods.ts"
import { Resolutions } from "./Resolutions.ts"
import { Traversals } from "./Traversals.ts"

export const services = Layer.mergeAll(Neighbourhoods.layer, Resolutions.layer, Traversals.layer).pipe(
  Layer.provideMerge(GraphNodes.layer),
  Layer.provide(
    Layer.mergeAll(
      EntityLayer.services,
      PeopleLayer.services,
      ProposalLayer.services,
      RelationLayer.services,
      WorkspaceLayer.services
    )
  )
)

export const layer = GraphHandlers.layer.pipe(Layer.provideMerge(services))
