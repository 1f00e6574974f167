/** The store of invitations. It finds an invitation by the hash of its token, because tokens are not stored. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Page } from "../../doors/Page.ts"
import { byCreation, pageOfAll, type PagePlace } from "../../doors/PageOrder.ts"
import type { Reach } from "../../doors/Reach.ts"
import { MemoryDatabase, memoryTable, type Rows } from "../../platform/MemoryDatabase.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { advanceEpoch, membershipTable, personTable, podOwnerOf, podRoleOf, roleOf } from "../people/UserTables.ts"
import { workspaceTable } from "../workspaces/WorkspaceTable.ts"
import { type FoundInvitation, foundInvitation, type StoredInvitation } from "./Invitation.ts"

export interface NewInvitation {
  readonly invitation: StoredInvitation
  readonly hash: Buffer
  /** Identifies the pepper with which the pod made the hash. */
  readonly secretMark: string
}

const noResult = Effect.as(Effect.void, undefined)

export class InvitationStore extends Context.Tag("pod/InvitationStore")<
  InvitationStore,
  {
    /** Adds an invitation that the caller's person makes, and appends the event of the invitation. */
    readonly add: (invitation: NewInvitation, passed: Passed) => Effect.Effect<void, never, Reach>
    /**
     * Lists the invitations that the caller's person has made, newest first. For the owner of the pod, lists the
     * invitations of all people.
     */
    readonly list: (place: PagePlace) => Effect.Effect<Page<StoredInvitation>, never, Reach>
    /** Finds the invitation with this id. Returns undefined if `list` does not show this invitation to the caller. */
    readonly get: (id: string) => Effect.Effect<StoredInvitation | undefined, never, Reach>
    /**
     * Withdraws an open invitation and appends the event. The owner of the pod can withdraw every invitation, and other
     * people only their own invitations. Returns the withdrawn invitation. Returns undefined if there is no such open
     * invitation.
     */
    readonly withdraw: (id: string, passed: Passed) => Effect.Effect<StoredInvitation | undefined, never, Reach>
    /**
     * Finds the invitation whose token has this hash. Returns undefined if no invitation has this token. The pod calls
     * this method before it knows the caller.
     */
    readonly find: (hash: Buffer) => Effect.Effect<FoundInvitation | undefined>
    /**
     * Reads the name of the workspace of the invitation. Undefined if the inviter is neither owner nor admin of this
     * workspace now, and so may not add members. The call runs with the rights of the inviter.
     */
    readonly workspaceName: (invitation: StoredInvitation) => Effect.Effect<string | undefined, never, Reach>
    /** Counts the open invitations whose hash was not made with the pepper that `secretMark` identifies. */
    readonly countOtherMark: (secretMark: string) => Effect.Effect<number>
    /**
     * Marks the invitation as used by a new person. Of several simultaneous calls, only one succeeds. The call locks the
     * invitation and the inviter until the caller's transaction ends. Returns undefined in three cases: the invitation
     * is not open, the inviter is suspended, or the inviter is neither owner nor administrator of the pod now.
     */
    readonly use: (hash: Buffer, personId: string) => Effect.Effect<StoredInvitation | undefined>
    /**
     * Marks the invitation as used by the caller, who is a person of the pod already, and appends the event to the log of
     * the caller's own space. Of several simultaneous calls, only one succeeds. The call locks the invitation and the
     * inviter until the caller's transaction ends. Returns undefined if the invitation is not open, names no workspace,
     * or comes from a suspended person.
     */
    readonly useAsMember: (
      invitation: StoredInvitation,
      passed: Passed
    ) => Effect.Effect<StoredInvitation | undefined, never, Reach>
    /**
     * Adds the person to the workspace, with the rights of the inviter. Returns false and changes nothing in three
     * cases: the workspace does not exist, the person is a member already, or the inviter is no longer owner or admin
     * of the workspace.
     */
    readonly join: (
      invitation: StoredInvitation,
      personId: string,
      passed: Passed
    ) => Effect.Effect<boolean, never, Reach>
    /**
     * Appends an event to the log of the inviter's own space. The event says that the invitation was accepted. The call
     * runs with the rights of the inviter.
     */
    readonly note: (
      invitation: StoredInvitation,
      acceptance: { readonly personId: string; readonly hasJoined: boolean },
      passed: Passed
    ) => Effect.Effect<void, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { atomically, rows: current } = yield* MemoryDatabase
      const { read, write } = yield* memoryStatements

      const openBy = (rows: Rows, hash: Buffer, now: DateTime.Utc) =>
        rows.all(invitationTable).find((each) => each.hash.equals(hash) && isOpen(each.invitation, now))

      return {
        add: (invitation, passed) =>
          write(({ append, rows }) => {
            rows.put(invitationTable, invitation)
            append(invitation.invitation.invitedBy, invitationCreatedEvent(invitation.invitation), passed)
            return Effect.void
          }),
        list: (place) =>
          read(({ reach: { principal }, rows }) => {
            const managed = rows
              .all(invitationTable)
              .map(({ invitation }) => invitation)
              .filter(({ invitedBy }) => mayManage(rows, principal.personId, invitedBy))
            return Effect.succeed(pageOfAll(byCreation, managed, place))
          }),
        get: (id) =>
          read(({ reach: { principal }, rows }) => {
            const found = rows.find(invitationTable, id)?.invitation
            const isManaged = found !== undefined && mayManage(rows, principal.personId, found.invitedBy)
            return Effect.succeed(isManaged ? found : undefined)
          }),
        withdraw: (id, passed) =>
          write(({ append, now, reach: { principal }, rows }) => {
            const found = rows.find(invitationTable, id)
            if (found === undefined || !isOpen(found.invitation, now)) return noResult
            if (!mayManage(rows, principal.personId, found.invitation.invitedBy)) return noResult
            const invitation = { ...found.invitation, withdrawnAt: now }
            rows.put(invitationTable, { ...found, invitation })
            append(principal.personId, invitationWithdrawnEvent(id), passed)
            return Effect.succeed(invitation)
          }),
        find: (hash) =>
          Effect.zipWith(current, DateTime.now, (rows, now) => {
            const found = rows.all(invitationTable).find((each) => each.hash.equals(hash))?.invitation
            if (found === undefined) return undefined
            const { invitedBy } = found
            return foundInvitation(found, now, {
              name: rows.find(personTable, invitedBy)?.name ?? "",
              isActive: isActive(rows, invitedBy),
              mayInvite: mayInvite(rows, invitedBy)
            })
          }),
        workspaceName: (invitation) =>
          read(({ rows }) => {
            const { workspaceId } = invitation
            if (workspaceId === null || !mayAddMembers(rows, invitation)) return noResult
            const workspace = rows.find(workspaceTable, workspaceId)
            return Effect.succeed(workspace?.isArchived === false ? workspace.name : undefined)
          }),
        countOtherMark: (secretMark) =>
          Effect.zipWith(
            current,
            DateTime.now,
            (rows, now) =>
              rows.all(invitationTable).filter((each) => each.secretMark !== secretMark && isOpen(each.invitation, now))
                .length
          ),
        use: (hash, personId) =>
          atomically((rows) =>
            Effect.map(DateTime.now, (now) => {
              const found = openBy(rows, hash, now)
              if (found === undefined || !mayInvite(rows, found.invitation.invitedBy)) return undefined
              const invitation = { ...found.invitation, usedAt: now, usedBy: personId }
              rows.put(invitationTable, { ...found, invitation })
              return invitation
            })
          ),
        useAsMember: ({ id }, passed) =>
          write(({ append, now, reach: { principal }, rows }) => {
            const found = rows.find(invitationTable, id)
            if (found === undefined || !isOpen(found.invitation, now)) return noResult
            if (found.invitation.workspaceId === null || !isActive(rows, found.invitation.invitedBy)) return noResult
            const invitation = { ...found.invitation, usedAt: now, usedBy: principal.personId }
            rows.put(invitationTable, { ...found, invitation })
            const acceptance = { personId: principal.personId, hasJoined: true }
            append(principal.personId, invitationUsedEvent(invitation, acceptance), passed)
            return Effect.succeed(invitation)
          }),
        join: (invitation, personId, passed) =>
          write(({ append, now, rows }) => {
            const { id, role, workspaceId } = invitation
            if (workspaceId === null || role === null || !mayAddMembers(rows, invitation)) return Effect.succeed(false)
            if (roleOf(rows, personId, workspaceId) !== null) return Effect.succeed(false)
            rows.put(membershipTable, { userId: personId, spaceId: workspaceId, role, joinedAt: now })
            advanceEpoch(rows, personId)
            append(workspaceId, personJoinedEvent(id, personId, workspaceId, role), passed)
            return Effect.succeed(true)
          }),
        note: (invitation, acceptance, passed) =>
          write(({ append }) => {
            append(invitation.invitedBy, invitationUsedEvent(invitation, acceptance), passed)
            return Effect.void
          })
      }
    })
  )
}

const invitationTable = memoryTable<NewInvitation>("invitations", ({ invitation }) => invitation.id)

/**
 * Returns true if the caller manages an invitation. A person manages the invitations that this person made. The owner
 * of the pod manages the invitations of all people.
 */
const mayManage = (rows: Rows, callerId: string, invitedBy: string) =>
  invitedBy === callerId || podOwnerOf(rows) === callerId

const isActive = (rows: Rows, personId: string) => rows.find(personTable, personId)?.isSuspended === false

const mayInvite = (rows: Rows, personId: string) => podRoleOf(rows, personId) !== "member" && isActive(rows, personId)

const mayAddMembers = (rows: Rows, { invitedBy, workspaceId }: StoredInvitation) => {
  if (workspaceId === null || workspaceId === invitedBy) return false
  const role = roleOf(rows, invitedBy, workspaceId)
  return role === "owner" || role === "admin"
}

const isOpen = ({ expiresAt, usedAt, withdrawnAt }: StoredInvitation, now: DateTime.Utc) =>
  usedAt === null && withdrawnAt === null && DateTime.greaterThan(expiresAt, now)

// The events of invitations. No event contains a token or the hash of a token.

export const invitationCreatedEvent = ({ expiresAt, id, note, role, workspaceId }: StoredInvitation) => ({
  type: "invitation.create",
  subjectId: id,
  data: { note, workspaceId, role, expiresAt: DateTime.formatIso(expiresAt) }
})

export const invitationWithdrawnEvent = (id: string) => ({ type: "invitation.withdraw", subjectId: id, data: {} })

export const invitationUsedEvent = (
  { id, workspaceId }: StoredInvitation,
  { hasJoined, personId }: { readonly personId: string; readonly hasJoined: boolean }
) => ({
  type: "invitation.use",
  subjectId: id,
  data: { userId: personId, workspaceId: hasJoined ? workspaceId : null },
  source: "system" as const
})

export const personJoinedEvent = (invitationId: string, personId: string, workspaceId: string, role: string) => ({
  type: "member.create",
  subjectId: personId,
  data: { userId: personId, workspaceId, role, invitationId },
  source: "system" as const
})
