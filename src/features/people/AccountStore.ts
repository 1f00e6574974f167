/** What is kept of the accounts of people: who there is, who is suspended, and their passwords as hashes. */
import { Context, DateTime, Effect, Layer, Order, Ref } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { MemoryAccounts } from "../../platform/SignInMemory.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import type { Passed } from "../gate/Passed.ts"
import { MemoryUsers, PeopleStore } from "./PeopleStore.ts"
import type { PodPerson } from "./Person.ts"

export interface Span {
  readonly limit: number
  readonly offset: number
}

export class AccountStore extends Context.Tag("pod/AccountStore")<
  AccountStore,
  {
    /** Everybody there is, in the order of their coming, for the owner of the pod; nobody for anybody else. */
    readonly people: (span: Span) => Effect.Effect<ReadonlyArray<PodPerson>, never, Reach>
    /**
     * Suspends a person or takes it back, for the owner of the pod and of anybody but the owner. Their sessions end either way,
     * and what was remembered of them is stale from then on. Undefined for whom there is not.
     */
    readonly suspend: (
      personId: string,
      isSuspended: boolean,
      passed: Passed
    ) => Effect.Effect<PodPerson | undefined, never, Reach>
    /** Of the caller's person; undefined where they have no password. */
    readonly passwordHash: Effect.Effect<string | undefined, never, Reach>
    /**
     * Puts one hash in the place of another and ends the person's other sessions; answers which. Undefined where the hash was
     * another one by then, and nothing is changed.
     */
    readonly changePassword: (
      change: { readonly from: string; readonly to: string },
      passed: Passed
    ) => Effect.Effect<ReadonlyArray<string> | undefined, never, Reach>
    /** Differs once the password of whoever has this address was changed. Asked before anybody is known. */
    readonly passwordMark: (email: string) => Effect.Effect<string | undefined>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const accounts = yield* MemoryAccounts
      const users = yield* MemoryUsers
      const { accessOf } = yield* PeopleStore

      const listed = (id: string) =>
        Effect.gen(function* () {
          const person = (yield* Ref.get(users.all)).get(id)
          if (person === undefined) return undefined
          const { isPodOwner } = yield* Effect.orDie(accessOf(id))
          const { createdAt, email, isSuspended, name } = person
          return { id, name, email, isOwner: isPodOwner, isSuspended, createdAt }
        })

      return {
        people: ({ limit, offset }) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            const ids = [...(yield* Ref.get(users.all)).keys()]
            const all = (yield* Effect.forEach(ids, listed)).flatMap((person) => (person === undefined ? [] : [person]))
            if (!all.some(({ id, isOwner }) => isOwner && id === principal.personId)) return []
            return all
              .toSorted(Order.mapInput(DateTime.Order, ({ createdAt }: PodPerson) => createdAt))
              .slice(offset, offset + limit)
          }),
        suspend: (personId, isSuspended, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const caller = yield* listed(reach.principal.personId)
            const known = (yield* Ref.get(users.all)).get(personId)
            if (caller?.isOwner !== true || known === undefined || personId === caller.id) return undefined
            yield* Ref.update(users.all, (all) =>
              new Map(all).set(personId, { ...known, isSuspended, epoch: known.epoch + 1 })
            )
            yield* accounts.endSessions(personId, null)
            const type = isSuspended ? "person.suspend" : "person.resume"
            yield* append(reach, caller.id, { type, subjectId: personId, data: {} }, passed)
            return yield* listed(personId)
          }),
        passwordHash: Effect.flatMap(Reach, ({ principal }) => accounts.passwordHash(principal.personId)),
        changePassword: ({ from, to }, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const { credential, personId } = reach.principal
            if ((yield* accounts.passwordHash(personId)) !== from) return undefined
            yield* accounts.setPasswordHash(personId, to)
            const ended = yield* accounts.endSessions(personId, credential.id)
            yield* append(reach, personId, passwordChanged(personId), passed)
            return ended
          }),
        passwordMark: (email) =>
          Effect.gen(function* () {
            const [id] = [...(yield* Ref.get(users.all))].find(([, person]) => person.email === email) ?? []
            return id === undefined ? undefined : yield* accounts.passwordHash(id)
          })
      }
    })
  )
}

/** The event of a change of password, which tells of neither. */
export const passwordChanged = (personId: string) => ({
  type: "person.changePassword",
  subjectId: personId,
  data: {}
})
