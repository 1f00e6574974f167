/**
 * The service of accounts. The owner and the administrators of the pod list and suspend people. The owner appoints
 * administrators. People change their own name and password.
 */
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { elapsedMs } from "../../platform/ElapsedTime.ts"
import type { Page } from "../../doors/Page.ts"
import type { PagePlace } from "../../doors/PageOrder.ts"
import { Conflict, type Forbidden, invalid, type Invalid, NotFound, TooMany } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { endCallsBeforeAnswer, Revocations } from "../../doors/Revocations.ts"
import { Database } from "../../platform/Database.ts"
import { findEmailAddress, SignIn } from "../../platform/SignIn.ts"
import { makeBuckets } from "../../platform/SignInThrottle.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { ownSpacePass } from "../gate/OwnSpacePass.ts"
import { type AccountChange, AccountStore } from "./AccountStore.ts"
import type { PodPerson } from "./Person.ts"
import { People } from "./People.ts"
import { administratorsOnly, podOwnerOnly } from "./PodOwner.ts"

/**
 * To change the password, a person must give the current password. A session can try a wrong password ten times in a
 * row, and then once every two minutes.
 */
export const guessLimit = { burst: 10, refillMs: 120_000 }
const sessionsTracked = 10_000

export interface PersonChange {
  readonly isSuspended?: boolean | undefined
  readonly isAdministrator?: boolean | undefined
}

export interface PasswordChange {
  readonly present: Redacted.Redacted
  readonly next: Redacted.Redacted
}

const wrongPassword = invalid(
  "currentPassword",
  "The current password is wrong. Send the password with which you sign in now."
)

const ownerStays = new Conflict({
  code: "OWNER_STAYS",
  why: "This person owns the pod. Nobody can suspend the owner of a pod or make the owner an administrator."
})

const changedMeanwhile = new Conflict({
  code: "PASSWORD_CHANGED",
  why: "Another call changed the password of the owner at the same moment, or the owner has no password to reset. Try again."
})

export class Accounts extends Context.Tag("pod/Accounts")<
  Accounts,
  {
    /** Lists the people of the pod. Only the owner and the administrators of the pod are allowed to list them. */
    readonly people: (place: PagePlace) => Effect.Effect<Page<PodPerson>, Forbidden, Reach>
    /**
     * Suspends a person, ends a suspension, makes a person an administrator of the pod, or makes an administrator a
     * member again. The owner is allowed to do all this to everybody else. An administrator is allowed to suspend
     * members and end their suspensions. When this method returns, no process of the pod can commit anything with the
     * person's former rights. A suspension ends the sessions of the person permanently. The keys of the person are
     * valid again when the suspension ends.
     */
    readonly change: (
      personId: string,
      change: PersonChange
    ) => Effect.Effect<PodPerson, Invalid | Forbidden | NotFound | Conflict | Proposed, Reach>
    /** Changes the name of the caller's person. */
    readonly rename: (
      name: string
    ) => Effect.Effect<{ readonly id: string; readonly name: string }, Forbidden | Proposed, Reach>
    /**
     * Changes the password of the caller's person, ends all other sessions of this person and returns their number. The
     * pod counts wrong passwords for each session. So somebody who stole a session can guess only slowly. The real
     * person is not locked out, because the real person can sign in again.
     */
    readonly changePassword: (
      change: PasswordChange
    ) => Effect.Effect<number, Invalid | TooMany | Forbidden | Proposed, Reach>
    /**
     * Sets a new password for the caller, who is the owner of the pod, and ends all sessions of the owner. The pod does
     * not require the old password, because only the operator of the data directory can call this operation.
     */
    readonly resetOwnerPassword: (
      next: Redacted.Redacted
    ) => Effect.Effect<
      { readonly email: string | null; readonly endedSessions: number },
      Invalid | Conflict | Forbidden | Proposed,
      Reach
    >
    /**
     * Returns a value that changes with every new password of the person with this e-mail address. If another
     * transaction changes the password or suspends the person, waits until this transaction ends. The caller has not
     * signed in yet, so this call checks no rights.
     */
    readonly passwordMark: (email: string) => Effect.Effect<string | undefined>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* AccountStore
      const signIn = yield* SignIn
      const people = yield* People
      const { atomically } = yield* Transaction
      const endAfterwards = endCallsBeforeAnswer(yield* Database, yield* Revocations)
      const guesses = makeBuckets(guessLimit, sessionsTracked)
      const passFor = yield* ownSpacePass("person", { subject: "member" })

      const hashed = (password: Redacted.Redacted) =>
        Effect.catchTag(signIn.hashPassword(password), "PasswordUnacceptable", () =>
          Effect.fail(invalid("newPassword", "Use a password of 12 to 128 characters."))
        )

      /**
       * Returns the changed person. Fails if the person is missing, or if the caller is not allowed to change this
       * person.
       */
      const allowed = (change: AccountChange | undefined) => {
        if (change === undefined) return Effect.fail(new NotFound({ why: "This pod has no such person." }))
        if (change.isChanged) return Effect.succeed(change.person)
        return change.person.isOwner
          ? Effect.fail(ownerStays)
          : Effect.zipRight(
              podOwnerOnly("can suspend an administrator"),
              Effect.dieMessage("the owner may change everybody else")
            )
      }

      return {
        passwordMark: (text) => {
          const email = findEmailAddress(text)
          return Option.isNone(email) ? Effect.as(Effect.void, undefined) : store.passwordMark(email.value)
        },
        people: (place) => Effect.zipRight(administratorsOnly("can list the people of the pod"), store.people(place)),
        change: Effect.fnUntraced(function* (personId, { isAdministrator, isSuspended }) {
          yield* administratorsOnly("suspend people")
          if (isAdministrator !== undefined) yield* podOwnerOnly("appoints administrators")
          if (isAdministrator === undefined && isSuspended === undefined) {
            return yield* invalid("", "Send `isSuspended`, `isAdministrator` or both.")
          }
          const passed = yield* passFor("update")
          const person = yield* atomically(
            Effect.gen(function* () {
              const appointed =
                isAdministrator === undefined ? undefined : yield* store.appoint(personId, isAdministrator, passed)
              if (isAdministrator !== undefined) yield* allowed(appointed)
              const change = isSuspended === undefined ? appointed : yield* store.suspend(personId, isSuspended, passed)
              return yield* allowed(change)
            })
          )
          yield* endAfterwards(personId)
          return person
        }),
        rename: Effect.fnUntraced(function* (name) {
          const { principal } = yield* Reach
          yield* store.rename(name, yield* passFor("update"))
          return { id: principal.personId, name }
        }),
        changePassword: Effect.fnUntraced(function* ({ next, present }) {
          const { principal } = yield* Reach
          const known = yield* store.passwordHash
          // The pod counts the attempt before it compares the passwords. So simultaneous guesses cannot exceed the
          // limit.
          const waitMs = guesses.take(principal.credential.id, yield* elapsedMs)
          if (waitMs > 0) {
            const retryAfterSeconds = Math.ceil(waitMs / 1000)
            return yield* new TooMany({
              why: `The current password was wrong too often. Try again in ${retryAfterSeconds} seconds, or sign out and sign in again.`,
              retryAfterSeconds
            })
          }
          if (known === undefined || !(yield* signIn.matchesPassword(known, present))) return yield* wrongPassword
          guesses.giveBack(principal.credential.id)
          if (Redacted.value(next) === Redacted.value(present)) {
            return yield* invalid("newPassword", "The new password is your current password. Choose another password.")
          }
          const ended = yield* store.changePassword({ from: known, to: yield* hashed(next) }, yield* passFor("update"))
          // Another call has changed the password since this call compared the passwords.
          if (ended === undefined) return yield* wrongPassword
          yield* endAfterwards(...ended)
          return ended.length
        }),
        resetOwnerPassword: Effect.fnUntraced(function* (next) {
          const { principal } = yield* Reach
          const known = yield* store.passwordHash
          const to = yield* hashed(next)
          const ended =
            known === undefined ? undefined : yield* store.changePassword({ from: known, to }, yield* passFor("update"))
          if (ended === undefined) return yield* changedMeanwhile
          yield* endAfterwards(...ended)
          // This cannot fail, because the person of a call always exists.
          const { email } = yield* people.accessOf(principal.personId).pipe(Effect.orDie)
          return { email, endedSessions: ended.length }
        })
      }
    })
  )
}
