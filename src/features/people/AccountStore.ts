/** The store of people's accounts. It lists people, suspends them, and keeps the hashes of their passwords. */
import { Context, Effect, Layer } from "effect"
import type { Page } from "../../doors/Page.ts"
import { byAge, pageOfAll, type PagePlace } from "../../doors/PageOrder.ts"
import type { Reach } from "../../doors/Reach.ts"
import { MemoryDatabase, type Rows } from "../../platform/MemoryDatabase.ts"
import { accountTable, endSessions } from "../../platform/SignInMemory.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import type { PodPerson } from "./Person.ts"
import { type StoredPerson, personTable, podOwnerOf, podRoleOf } from "./UserTables.ts"

/**
 * The person after a change. If `isChanged` is false, the store changed nothing, because the caller is not allowed to
 * change this person.
 */
export interface AccountChange {
  readonly person: PodPerson
  readonly isChanged: boolean
}

const noResult = Effect.as(Effect.void, undefined)

export class AccountStore extends Context.Tag("pod/AccountStore")<
  AccountStore,
  {
    /**
     * Lists all people, in the order in which they joined. Returns nobody if the caller is neither the owner nor an
     * administrator of the pod.
     */
    readonly people: (place: PagePlace) => Effect.Effect<Page<PodPerson>, never, Reach>
    /**
     * Suspends a person or ends the suspension. The owner of the pod is allowed to suspend everybody else, and an
     * administrator is allowed to suspend members. Both changes end the person's sessions and make cached access of the
     * person stale. Returns undefined if there is no such person, or if the caller is neither the owner nor an
     * administrator of the pod.
     */
    readonly suspend: (
      personId: string,
      isSuspended: boolean,
      passed: Passed
    ) => Effect.Effect<AccountChange | undefined, never, Reach>
    /**
     * Makes a person an administrator of the pod, or a member again. Only the owner is allowed to do this, for every
     * account except the owner's own. Cached access of the person becomes stale. Returns undefined if there is no such
     * person, or if the caller is neither the owner nor an administrator of the pod.
     */
    readonly appoint: (
      personId: string,
      isAdministrator: boolean,
      passed: Passed
    ) => Effect.Effect<AccountChange | undefined, never, Reach>
    /** Gives the caller's person another name. Cached access of the person becomes stale. */
    readonly rename: (name: string, passed: Passed) => Effect.Effect<void, never, Reach>
    /** The password hash of the caller's person. Undefined if this person has no password. */
    readonly passwordHash: Effect.Effect<string | undefined, never, Reach>
    /**
     * Replaces the old password hash, ends the person's other sessions and returns the ids of these sessions. If the
     * stored hash no longer equals the old hash, changes nothing and returns undefined.
     */
    readonly changePassword: (
      change: { readonly from: string; readonly to: string },
      passed: Passed
    ) => Effect.Effect<ReadonlyArray<string> | undefined, never, Reach>
    /**
     * Returns a value that changes with every new password of the person with this e-mail address. If another
     * transaction changes the password or suspends the person, waits until this transaction ends. The caller has not
     * signed in yet, so this call checks no rights.
     */
    readonly passwordMark: (email: string) => Effect.Effect<string | undefined>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { rows: current } = yield* MemoryDatabase
      const { read, write } = yield* memoryStatements
      const passwordOf = (rows: Rows, personId: string) => rows.find(accountTable, personId)?.account.password

      return {
        people: (place) =>
          read(({ reach: { principal }, rows }) => {
            const isMember = podRoleOf(rows, principal.personId) === "member"
            const people = isMember ? [] : rows.all(personTable).map((person) => podPerson(rows, person))
            return Effect.succeed(pageOfAll(byAge, people, place))
          }),
        suspend: (personId, isSuspended, passed) =>
          write(({ append, reach: { principal }, rows }) => {
            const [caller, role] = [podRoleOf(rows, principal.personId), podRoleOf(rows, personId)]
            const known = rows.find(personTable, personId)
            if (caller === "member" || known === undefined) return noResult
            if (role === "owner" || (role === "administrator" && caller !== "owner")) {
              return Effect.succeed({ person: podPerson(rows, known), isChanged: false })
            }
            const changed = { ...known, isSuspended, epoch: known.epoch + 1 }
            rows.put(personTable, changed)
            endSessions(rows, personId, null)
            append(principal.personId, suspensionEvent(personId, isSuspended), passed)
            return Effect.succeed({ person: podPerson(rows, changed), isChanged: true })
          }),
        appoint: (personId, isAdministrator, passed) =>
          write(({ append, reach: { principal }, rows }) => {
            const known = rows.find(personTable, personId)
            const caller = podRoleOf(rows, principal.personId)
            if (caller === "member" || known === undefined) return noResult
            if (caller === "administrator" || personId === principal.personId) {
              return Effect.succeed({ person: podPerson(rows, known), isChanged: false })
            }
            const changed = { ...known, isAdministrator, epoch: known.epoch + 1 }
            rows.put(personTable, changed)
            append(principal.personId, appointmentEvent(personId, isAdministrator), passed)
            return Effect.succeed({ person: podPerson(rows, changed), isChanged: true })
          }),
        rename: (name, passed) =>
          write(({ append, reach: { principal }, rows }) => {
            const { personId } = principal
            const known = rows.find(personTable, personId)
            const login = rows.find(accountTable, personId)
            if (known !== undefined) rows.put(personTable, { ...known, name, epoch: known.epoch + 1 })
            if (login !== undefined) rows.put(accountTable, { ...login, user: { ...login.user, name } })
            append(personId, renamedEvent(personId), passed)
            return Effect.void
          }),
        passwordHash: read(({ reach: { principal }, rows }) => Effect.succeed(passwordOf(rows, principal.personId))),
        changePassword: ({ from, to }, passed) =>
          write(({ append, reach: { principal }, rows }) => {
            const { credential, personId } = principal
            const known = rows.find(accountTable, personId)
            if (known?.account.password !== from) return noResult
            rows.put(accountTable, { ...known, account: { ...known.account, password: to } })
            const ended = endSessions(rows, personId, credential.id)
            append(personId, passwordChangedEvent(personId), passed)
            return Effect.succeed(ended)
          }),
        passwordMark: (email) =>
          Effect.map(current, (rows) => {
            const person = rows.all(personTable).find((each) => each.email === email)
            return person === undefined ? undefined : passwordOf(rows, person.id)
          })
      }
    })
  )
}

const podPerson = (
  rows: Rows,
  { createdAt, email, id, isAdministrator, isSuspended, name }: StoredPerson
): PodPerson => ({
  id,
  name,
  email,
  isOwner: podOwnerOf(rows) === id,
  isAdministrator,
  isSuspended,
  createdAt
})

export const suspensionEvent = (personId: string, isSuspended: boolean) => ({
  type: isSuspended ? "person.suspend" : "person.resume",
  subjectId: personId,
  data: {}
})

export const appointmentEvent = (personId: string, isAdministrator: boolean) => ({
  type: isAdministrator ? "person.appoint" : "person.dismiss",
  subjectId: personId,
  data: {}
})

/** Makes the event of a new name. A log keeps its events, so the event contains neither the old nor the new name. */
export const renamedEvent = (personId: string) => ({ type: "person.rename", subjectId: personId, data: {} })

/** Makes the event of a password change. The event contains neither the old nor the new password. */
export const passwordChangedEvent = (personId: string) => ({
  type: "person.changePassword",
  subjectId: personId,
  data: {}
})
