/** What is kept of invitations. */
import { Context, DateTime, Effect, Layer, Ref } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import type { Passed } from "../gate/Passed.ts"
import { MemoryUsers } from "../people/PeopleStore.ts"
import type { StoredInvitation } from "./Invitation.ts"

export interface NewInvitation {
  readonly invitation: StoredInvitation
  readonly hash: Buffer
}

export interface Span {
  readonly limit: number
  readonly offset: number
}

export class InvitationStore extends Context.Tag("pod/InvitationStore")<
  InvitationStore,
  {
    /** Keeps one of the caller's person, with its event. */
    readonly add: (made: NewInvitation, passed: Passed) => Effect.Effect<void, never, Reach>
    /** Those of the caller's person, newest first. */
    readonly list: (span: Span) => Effect.Effect<ReadonlyArray<StoredInvitation>, never, Reach>
    /** One of the caller's person that is still open, with its event. Answers it as it stands then; undefined where there is none. */
    readonly withdraw: (id: string, passed: Passed) => Effect.Effect<StoredInvitation | undefined, never, Reach>
    /** The open one behind a token. Asked before anybody is known. */
    readonly find: (hash: Buffer) => Effect.Effect<StoredInvitation | undefined>
    /**
     * Uses it up for a person; of many at once one wins, and holds it until its transaction ends. Undefined where it is not
     * open, or its inviter does not own the pod.
     */
    readonly use: (hash: Buffer, personId: string) => Effect.Effect<StoredInvitation | undefined>
    /**
     * Lets the person who came into the workspace, under a reach of the inviter. False, and nothing done, where the inviter
     * neither owns nor administers it at this moment or it is not there.
     */
    readonly join: (
      invitation: StoredInvitation,
      personId: string,
      passed: Passed
    ) => Effect.Effect<boolean, never, Reach>
    /** Notes in the inviter's log that somebody came, under a reach of the inviter. */
    readonly note: (
      invitation: StoredInvitation,
      came: { readonly personId: string; readonly hasJoined: boolean },
      passed: Passed
    ) => Effect.Effect<void, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const users = yield* MemoryUsers
      const kept = yield* Ref.make<ReadonlyArray<NewInvitation>>([])

      const isOpen = ({ expiresAt, usedAt, withdrawnAt }: StoredInvitation, now: DateTime.Utc) =>
        usedAt === null && withdrawnAt === null && DateTime.greaterThan(expiresAt, now)

      const changed = (id: string, change: Partial<StoredInvitation>) =>
        Ref.update(kept, (all) =>
          all.map((each) =>
            each.invitation.id === id ? { ...each, invitation: { ...each.invitation, ...change } } : each
          )
        )

      const find = (hash: Buffer) =>
        Effect.gen(function* () {
          const now = yield* DateTime.now
          const found = (yield* Ref.get(kept)).find((each) => each.hash.equals(hash))
          return found !== undefined && isOpen(found.invitation, now) ? found.invitation : undefined
        })

      return {
        add: (made, passed) =>
          Effect.gen(function* () {
            yield* Ref.update(kept, (all) => [...all, made])
            const { invitedBy } = made.invitation
            yield* append(yield* Reach, invitedBy, invitationMade(made.invitation), passed)
          }),
        list: ({ limit, offset }) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            return (yield* Ref.get(kept))
              .map(({ invitation }) => invitation)
              .filter(({ invitedBy }) => invitedBy === principal.personId)
              .toReversed()
              .slice(offset, offset + limit)
          }),
        withdraw: (id, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const now = yield* DateTime.now
            const found = (yield* Ref.get(kept)).find(({ invitation }) => invitation.id === id)?.invitation
            if (found?.invitedBy !== reach.principal.personId || !isOpen(found, now)) return undefined
            yield* changed(id, { withdrawnAt: now })
            yield* append(reach, found.invitedBy, invitationWithdrawn(id), passed)
            return { ...found, withdrawnAt: now }
          }),
        find,
        use: (hash, personId) =>
          Effect.gen(function* () {
            const found = yield* find(hash)
            if (found === undefined) return undefined
            const used = { usedAt: yield* DateTime.now, usedBy: personId }
            yield* changed(found.id, used)
            return { ...found, ...used }
          }),
        join: ({ id, invitedBy, role, workspaceId }, personId, passed) =>
          Effect.gen(function* () {
            const all = yield* Ref.get(users.all)
            const person = all.get(personId)
            const own = all.get(invitedBy)?.memberships.find(({ spaceId }) => spaceId === workspaceId)
            if (workspaceId === null || role === null || person === undefined) return false
            if (workspaceId === invitedBy || (own?.role !== "owner" && own?.role !== "admin")) return false
            if (person.memberships.some(({ spaceId }) => spaceId === workspaceId)) return false
            const memberships = [...person.memberships, { spaceId: workspaceId, role }]
            yield* Ref.set(users.all, new Map(all).set(personId, { ...person, memberships, epoch: person.epoch + 1 }))
            yield* append(yield* Reach, workspaceId, personJoined(id, personId, workspaceId, role), passed)
            return true
          }),
        note: (invitation, came, passed) =>
          Effect.gen(function* () {
            yield* append(yield* Reach, invitation.invitedBy, invitationUsed(invitation, came), passed)
          })
      }
    })
  )
}

// The events of invitations. None holds a token or a hash of one.

export const invitationMade = ({ expiresAt, id, note, role, workspaceId }: StoredInvitation) => ({
  type: "invitation.create",
  subjectId: id,
  data: { note, workspaceId, role, expiresAt: DateTime.formatIso(expiresAt) }
})

export const invitationWithdrawn = (id: string) => ({ type: "invitation.withdraw", subjectId: id, data: {} })

export const invitationUsed = (
  { id, workspaceId }: StoredInvitation,
  { hasJoined, personId }: { readonly personId: string; readonly hasJoined: boolean }
) => ({
  type: "invitation.use",
  subjectId: id,
  data: { userId: personId, workspaceId: hasJoined ? workspaceId : null },
  source: "system" as const
})

export const personJoined = (invitationId: string, personId: string, workspaceId: string, role: string) => ({
  type: "member.create",
  subjectId: personId,
  data: { userId: personId, workspaceId, role, invitationId },
  source: "system" as const
})
