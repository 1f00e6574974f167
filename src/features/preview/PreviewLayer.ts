/** The Effect layers of previews of grants: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import * as KeyLayer from "../keys/KeyLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as WorkspaceLayer from "../workspaces/WorkspaceLayer.ts"
import * as PreviewHandlers from "./PreviewHandlers.ts"
import { KeyReaders } from "./KeyReaders.ts"
import { PreviewedKeys } from "./PreviewedKey.ts"
import { Previews } from "./Previews.ts"

export const services = Layer.mergeAll(Previews.layer.pipe(Layer.provide(PreviewedKeys.layer)), KeyReaders.layer).pipe(
  Layer.provide(Layer.mergeAll(KeyLayer.services, PeopleLayer.services, WorkspaceLayer.services))
)

export const layer = PreviewHandlers.layer.pipe(Layer.provideMerge(services))
