/** The layer that identifies credentials and checks that they are valid. */
import { Layer } from "effect"
import * as KeyLayer from "../keys/KeyLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as Access from "./Access.ts"

export const layer = Access.layer.pipe(Layer.provide(Layer.mergeAll(KeyLayer.services, PeopleLayer.services)))
