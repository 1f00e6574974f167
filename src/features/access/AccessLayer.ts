/** Who a credential is, and whether it still lives. */
import { Layer } from "effect"
import * as KeyLayer from "../keys/KeyLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as Access from "./Access.ts"

export const layer = Access.layer.pipe(Layer.provide(Layer.mergeAll(KeyLayer.services, PeopleLayer.services)))
