/**
 * Defines two Effect layers for workspaces and their members. Other features use `services`. The pod runs `layer`,
 * which has the handlers.
 */
import { Layer } from "effect"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import { Members } from "./Members.ts"
import { Memberships } from "./Memberships.ts"
import { Provisioning } from "./Provisioning.ts"
import * as WorkspaceHandlers from "./WorkspaceHandlers.ts"
import { Workspaces } from "./Workspaces.ts"

export const services = Layer.mergeAll(Members.layer, Memberships.layer, Workspaces.layer).pipe(
  Layer.provideMerge(Provisioning.layer),
  Layer.provide(PeopleLayer.services)
)

export const layer = WorkspaceHandlers.layer.pipe(Layer.provideMerge(services))
