/** People, their agents and their sign-in. */
import { Layer } from "effect"
import { People } from "./People.ts"
import * as PeopleHandlers from "./PeopleHandlers.ts"
import * as SignInHandlers from "./SignInHandlers.ts"

/** What other features ask. */
export const services = People.layer

export const layer = Layer.mergeAll(PeopleHandlers.layer, SignInHandlers.layer).pipe(Layer.provideMerge(services))
