/** The store of people's accounts: who exists, who is suspended, and the hashes of their passwords. */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { MemoryDatabase, type Rows, type WritableRows } from "../../platform/MemoryDatabase.ts"
import { accountTable, sessionTable } from "../../platform/SignInMemory.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import type { PodPerson } from "./Person.ts"
import { type StoredPerson, personTable, podOwnerOf } from "./UserTables.ts"

export interface OffsetPage {
  readonly limit: number
  readonly offset: number
}

const none = Effect.as(Effect.void, undefined)

export class AccountStore extends Context.Tag("pod/AccountStore")<
  AccountStore,
  {
    /** All people, in the order in which they joined. Empty for callers other than the owner of the pod. */
    readonly people: (span: OffsetPage) => Effect.Effect<ReadonlyArray<PodPerson>, never, Reach>
    /**
     * Suspends a person or ends the suspension. Only the owner of the pod may do this, and not to the owner's own
     * account. In both cases the person's sessions end, and cached access of the person becomes stale. Undefined if
     * there is no such person.
     */
    readonly suspend: (
      personId: string,
      isSuspended: boolean,
      passed: Passed
    ) => Effect.Effect<PodPerson | undefined, never, Reach>
    /** The password hash of the caller's person; undefined if they have no password. */
    readonly passwordHash: Effect.Effect<string | undefined, never, Reach>
    /**
     * Replaces the old hash and ends the person's other sessions; returns their ids. Undefined, and no change, if the
     * stored hash is no longer the old one.
     */
    readonly changePassword: (
      change: { readonly from: string; readonly to: string },
      passed: Passed
    ) => Effect.Effect<ReadonlyArray<string> | undefined, never, Reach>
    /**
     * A value that changes with every new password of the person with this address. It needs no reach, because the
     * caller is not known yet.
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
        people: ({ limit, offset }) =>
          read(({ reach: { principal }, rows }) =>
            Effect.succeed(
              podOwnerOf(rows) === principal.personId
                ? rows
                    .all(personTable)
                    .map((person) => podPerson(rows, person))
                    .slice(offset, offset + limit)
                : []
            )
          ),
        suspend: (personId, isSuspended, passed) =>
          write(({ append, reach, rows }) => {
            const ownerId = podOwnerOf(rows)
            const known = rows.find(personTable, personId)
            if (ownerId === undefined || ownerId !== reach.principal.personId) return none
            if (known === undefined || personId === ownerId) return none
            const changed = { ...known, isSuspended, epoch: known.epoch + 1 }
            rows.put(personTable, changed)
            endSessions(rows, personId, null)
            const type = isSuspended ? "person.suspend" : "person.resume"
            append(ownerId, { type, subjectId: personId, data: {} }, passed)
            return Effect.succeed(podPerson(rows, changed))
          }),
        passwordHash: read(({ reach: { principal }, rows }) => Effect.succeed(passwordOf(rows, principal.personId))),
        changePassword: ({ from, to }, passed) =>
          write(({ append, reach: { principal }, rows }) => {
            const { credential, personId } = principal
            const known = rows.find(accountTable, personId)
            if (known?.account.password !== from) return none
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

const podPerson = (rows: Rows, { createdAt, email, id, isSuspended, name }: StoredPerson): PodPerson => ({
  id,
  name,
  email,
  isOwner: podOwnerOf(rows) === id,
  isSuspended,
  createdAt
})

/** Ends all sessions of a person except one; returns the ids of the ended sessions. */
const endSessions = (rows: WritableRows, personId: string, keptId: string | null): ReadonlyArray<string> => {
  const ended = rows.all(sessionTable).filter(({ sessionId, userId }) => userId === personId && sessionId !== keptId)
  for (const { token } of ended) rows.remove(sessionTable, token)
  return ended.map(({ sessionId }) => sessionId)
}

/** The event of a password change. It contains neither password. */
export const passwordChangedEvent = (personId: string) => ({
  type: "person.changePassword",
  subjectId: personId,
  data: {}
})
