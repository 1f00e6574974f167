/** The handlers of sign-in: they translate between the endpoints and the services. */
import { DateTime, Effect, Redacted } from "effect"
import { TooMany, Unauthorized } from "../../doors/Failure.ts"
import { implement } from "../../doors/Implement.ts"
import { beforeAnswer } from "../../doors/BeforeAnswer.ts"
import { Reach } from "../../doors/Reach.ts"
import { endCallsBeforeAnswer, Revocations } from "../../doors/Revocations.ts"
import { Database } from "../../platform/Database.ts"
import { SignIn } from "../../platform/SignIn.ts"
import { Accounts } from "./Accounts.ts"
import { claimFailures } from "./ClaimRefusals.ts"
import { People } from "./People.ts"
import { SignInApi } from "./SignInApi.ts"

/**
 * The answer to a failed sign-in. The answer is the same for an unknown person, a wrong password and a suspended
 * person.
 */
const signInRefusal = new Unauthorized({
  reason: "no_auth",
  why: "The e-mail address or the password is wrong, or the account is suspended."
})

export const layer = implement(
  SignInApi,
  Effect.gen(function* () {
    const signIn = yield* SignIn
    const people = yield* People
    const accounts = yield* Accounts
    const endAfterwards = endCallsBeforeAnswer(yield* Database, yield* Revocations)
    return {
      "auth.signIn": Effect.fnUntraced(
        function* ({ payload }) {
          const { origin } = yield* Reach
          const before = yield* accounts.passwordMark(payload.email)
          const session = yield* signIn.signIn({
            email: payload.email,
            password: Redacted.make(payload.password),
            client: origin.client
          })
          // A change of the password or a suspension ends the sessions of the person, but not a session that begins
          // before its commit. So the pod waits here until the change or suspension is committed. If the password
          // changed or the person is suspended, the pod then ends the new session, because the person possibly used the
          // old password.
          const isOutdated = (yield* accounts.passwordMark(payload.email)) !== before
          const access = yield* people.accessOf(session.userId)
          if (access.isSuspended || isOutdated) {
            yield* signIn.signOut(session.sessionId)
            return yield* signInRefusal
          }
          return {
            token: Redacted.value(session.token),
            expiresAt: DateTime.unsafeFromDate(session.expiresAt),
            user: { id: session.userId, name: access.name, email: access.email }
          }
        },
        Effect.catchTags({
          SignInRefused: () => Effect.fail(signInRefusal),
          UserUnknown: () => Effect.fail(signInRefusal),
          SignInThrottled: ({ retryAfterSeconds }) =>
            Effect.fail(
              new TooMany({
                why: `Too many sign-in attempts. Try again in ${retryAfterSeconds} seconds.`,
                retryAfterSeconds
              })
            )
        })
      ),
      "auth.signOut": Effect.fnUntraced(function* () {
        const { principal } = yield* Reach
        // The handler checks the session first, so that a session that has already ended gets a separate error.
        yield* people.me
        // The sign-out runs after the commit, outside the call's transaction. It needs a database connection, and the
        // transaction possibly holds the only connection of the pod until the commit.
        const { id } = principal.credential
        yield* beforeAnswer(signIn.signOut(id))
        yield* endAfterwards(id)
        return { success: true }
      }),
      "setup.checkLink": ({ payload }) =>
        people.checkLink(payload.token).pipe(Effect.as({ success: true }), Effect.catchTags(claimFailures)),
      "setup.claim": ({ payload }) =>
        people
          .claimByLink(payload.token, {
            email: payload.email,
            password: Redacted.make(payload.password),
            name: payload.name
          })
          .pipe(Effect.as({ success: true }), Effect.catchTags(claimFailures))
    }
  })
)
