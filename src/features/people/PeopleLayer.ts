/** The layers of people, their accounts, their agents and their sign-in. */
import { Layer } from "effect"
import * as AccountHandlers from "./AccountHandlers.ts"
import { Accounts } from "./Accounts.ts"
import { People } from "./People.ts"
import * as PeopleHandlers from "./PeopleHandlers.ts"
import * as SignInHandlers from "./SignInHandlers.ts"

/** The services that other features use. */
export const services = People.layer

export const layer = Layer.mergeAll(AccountHandlers.layer, PeopleHandlers.layer, SignInHandlers.layer).pipe(
  Layer.provide(Accounts.layer),
  Layer.provideMerge(services)
)
