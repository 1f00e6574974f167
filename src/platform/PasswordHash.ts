/** The hash of a password as the sign-in stores it, for code that has no running pod. */
import { Effect, Redacted } from "effect"

/** Makes the same hash as `SignIn.hashPassword`. The library is loaded at the call, because few commands need it. */
export const passwordHashOf = (password: Redacted.Redacted): Effect.Effect<string> =>
  Effect.promise(() => import("better-auth/crypto").then(({ hashPassword }) => hashPassword(Redacted.value(password))))
