/** Makes the same hash of a password as the sign-in, for code that runs without a pod. */
import { Effect, Redacted } from "effect"

/**
 * Makes the same hash as `SignIn.hashPassword`. Few commands need the sign-in library, so the function loads the
 * library only when it is called.
 */
export const passwordHashOf = (password: Redacted.Redacted): Effect.Effect<string> =>
  Effect.promise(() => import("better-auth/crypto").then(({ hashPassword }) => hashPassword(Redacted.value(password))))
