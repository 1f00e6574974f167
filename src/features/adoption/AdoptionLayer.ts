/**
 * The Effect layers of templates and of the pod's configuration: `services` has the services that other features use,
 * and `layer` also has the handlers.
 */
import { Layer } from "effect"
import * as CommandLayer from "../commands/CommandLayer.ts"
import * as ProfileLayer from "../profiles/ProfileLayer.ts"
import * as ViewLayer from "../views/ViewLayer.ts"
import * as WorkspaceLayer from "../workspaces/WorkspaceLayer.ts"
import * as AdoptionHandlers from "./AdoptionHandlers.ts"
import { Adoptions } from "./Adoptions.ts"
import { TemplateHealths } from "./TemplateHealths.ts"

export const services = Adoptions.layer.pipe(
  Layer.provide(Layer.mergeAll(CommandLayer.services, ProfileLayer.services, ViewLayer.services))
)

const healths = TemplateHealths.layer.pipe(
  Layer.provide(
    Layer.mergeAll(CommandLayer.services, ProfileLayer.services, ViewLayer.services, WorkspaceLayer.services)
  )
)

export const layer = AdoptionHandlers.layer.pipe(Layer.provide(healths), Layer.provideMerge(services))
