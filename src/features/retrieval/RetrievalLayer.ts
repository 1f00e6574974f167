/** The Effect layers of retrieval: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as KnowledgeLayer from "../knowledge/KnowledgeLayer.ts"
import * as MemoryLayer from "../memory/MemoryLayer.ts"
import * as ProjectLayer from "../projects/ProjectLayer.ts"
import * as ProposalLayer from "../proposals/ProposalLayer.ts"
import * as SearchLayer from "../search/SearchLayer.ts"
import * as WorkspaceLayer from "../workspaces/WorkspaceLayer.ts"
import { Answers } from "./Answers.ts"
import { KnowledgeListing } from "./KnowledgeListing.ts"
import { PendingMatches } from "./PendingMatches.ts"
import { Retrieval } from "./Retrieval.ts"
import * as RetrievalHandlers from "./RetrievalHandlers.ts"
import { AskedPlaces } from "./AskedPlaces.ts"

export const services = Layer.merge(Answers.layer, KnowledgeListing.layer).pipe(
  Layer.provideMerge(Retrieval.layer),
  Layer.provide(Layer.merge(AskedPlaces.layer, PendingMatches.layer)),
  Layer.provide(
    Layer.mergeAll(
      EntityLayer.services,
      KnowledgeLayer.services,
      MemoryLayer.services,
      SearchLayer.services,
      ProjectLayer.services,
      ProposalLayer.services,
      WorkspaceLayer.services
    )
  )
)

export const layer = RetrievalHandlers.layer.pipe(Layer.provideMerge(services))
