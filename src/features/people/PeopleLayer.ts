/**
 * The Effect layers of people, accounts, agents and sign-in: `services` for other features, and `layer`, which adds the
 * handlers.
 */
import { Layer } from "effect"
import * as AccountHandlers from "./AccountHandlers.ts"
import { Accounts } from "./Accounts.ts"
import * as OwnSessionHandlers from "./OwnSessionHandlers.ts"
import { OwnSessions } from "./OwnSessions.ts"
import { People } from "./People.ts"
import * as PeopleHandlers from "./PeopleHandlers.ts"
import * as SignInHandlers from "./SignInHandlers.ts"

export const services = People.layer

export const layer = Layer.mergeAll(
  AccountHandlers.layer,
  OwnSessionHandlers.layer,
  PeopleHandlers.layer,
  SignInHandlers.layer
).pipe(Layer.provide(Layer.merge(Accounts.layer, OwnSessions.layer)), Layer.provideMerge(services))
