/**
 * The service that people use with the link of an invitation: it checks the link, and adds a new person to the pod or a
 * person of the pod to a workspace.
 */
import { Context, Effect, Layer } from "effect"
import { makeAddressAttempts } from "../../doors/AddressAttempts.ts"
import { Conflict, type Forbidden, type Invalid, type TooMany } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach, systemReach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Passed } from "../gate/Passed.ts"
import { KeySettings } from "../keys/Keys.ts"
import { type OwnerClaim, People } from "../people/People.ts"
import {
  hashToken,
  InvitationInvalid,
  type InvitationLink,
  isPossibleToken,
  type StoredInvitation
} from "./Invitation.ts"
import { InvitationPass } from "./InvitationPass.ts"
import { InvitationStore } from "./InvitationStore.ts"

export interface AcceptedInvitation {
  readonly personId: string
  readonly email: string
  /**
   * The workspace that the invitation names, and whether the new person joined this workspace. Null if the invitation
   * names no workspace.
   */
  readonly workspace: { readonly id: string; readonly hasJoined: boolean } | null
}

const memberAlready = new Conflict({
  code: "ALREADY_MEMBER",
  why: "You are a member of this workspace already. The link still works."
})

export class InvitationLinks extends Context.Tag("pod/InvitationLinks")<
  InvitationLinks,
  {
    /**
     * Returns what the link can do. Fails with InvitationInvalid if the link does not work now. For each client address,
     * the pod counts the failed attempts of `check`, `accept` and `acceptAsMember` together.
     */
    readonly check: (token: string) => Effect.Effect<InvitationLink, InvitationInvalid | TooMany, Reach>
    /**
     * Adds the holder of the token as a person of the pod. A token can be used once. The pod checks the rights of the
     * inviter again. The link is invalid if the inviter is suspended, or is neither owner nor administrator of the pod
     * any more. If the inviter may no longer add members to the workspace, the person joins only the pod, and the
     * answer says so. The pod counts failed attempts for each client address.
     */
    readonly accept: (
      token: string,
      person: OwnerClaim
    ) => Effect.Effect<AcceptedInvitation, InvitationInvalid | Invalid | Conflict | TooMany, Reach>
    /**
     * Adds the caller, who is a person of the pod already, to the workspace of the invitation. Returns the id of the
     * workspace. A token can be used once. The pod checks the rights of the inviter again. The link is invalid if the
     * inviter may no longer add members to the workspace. Fails with Conflict if the caller is a member already. In
     * that case the link stays open.
     */
    readonly acceptAsMember: (
      token: string
    ) => Effect.Effect<string, InvitationInvalid | Forbidden | Proposed | Conflict | TooMany, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const people = yield* People
      const { atomically } = yield* Transaction
      const { formerPeppers, pepper } = yield* KeySettings
      const counted = makeAddressAttempts("to use an invitation")
      const passFor = yield* InvitationPass

      /** Runs `work` with the rights of the inviter, in the workspace of the invitation and in the inviter's own space. */
      const asInviter = <A, E>(
        { invitedBy, workspaceId }: StoredInvitation,
        work: Effect.Effect<A, E, Reach>
      ): Effect.Effect<A, E, Reach> =>
        Effect.updateService(work, Reach, ({ origin }) =>
          systemReach(
            "accept an invitation",
            invitedBy,
            workspaceId === null ? [invitedBy] : [invitedBy, workspaceId],
            origin
          )
        )

      const openBehind = Effect.fnUntraced(function* (token: string) {
        if (!isPossibleToken(token)) return yield* new InvitationInvalid({ state: undefined })
        for (const each of [pepper, ...formerPeppers]) {
          const hash = hashToken(each, token)
          const found = yield* store.find(hash)
          if (found === undefined) continue
          const workspaceName = yield* asInviter(found.invitation, store.workspaceName(found.invitation))
          const isOfUse = found.createsAccount || workspaceName !== undefined
          if (found.state === "open" && isOfUse) return { ...found, hash, workspaceName }
          return yield* new InvitationInvalid({ state: found.state === "open" ? "closed" : found.state })
        }
        return yield* new InvitationInvalid({ state: undefined })
      })

      /**
       * Adds the person to the named workspace with the inviter's rights, and logs that the invitation was
       * accepted.
       */
      const settleInvitation = Effect.fnUntraced(function* (invitation: StoredInvitation, personId: string) {
        const { workspaceId } = invitation
        const passed = Passed.bySystem("accept an invitation")
        const settling = Effect.gen(function* () {
          const hasJoined = workspaceId !== null && (yield* store.join(invitation, personId, passed))
          yield* store.note(invitation, { personId, hasJoined }, passed)
          return workspaceId === null ? null : { id: workspaceId, hasJoined }
        })
        return yield* asInviter(invitation, settling)
      })

      return {
        check: (token) => counted(openBehind(token)),
        accept: (token, claim) =>
          counted(
            Effect.gen(function* () {
              // The code checks the link before it hashes a password, so that requests of strangers use little
              // computing time.
              const { createsAccount, hash } = yield* openBehind(token)
              if (!createsAccount) return yield* new InvitationInvalid({ state: "needsAccount" })
              const person = yield* people.newPerson(claim)
              const workspace = yield* atomically(
                Effect.gen(function* () {
                  // Checks the link again, because another request possibly used it in the meantime. Only one of these
                  // requests succeeds.
                  yield* openBehind(token)
                  yield* people.keepPerson(person)
                  const invitation = yield* store.use(hash, person.id)
                  if (invitation === undefined) return yield* new InvitationInvalid({ state: "used" })
                  return yield* settleInvitation(invitation, person.id)
                })
              )
              return { personId: person.id, email: person.email, workspace }
            }).pipe(
              Effect.catchTag("EmailTaken", () =>
                Effect.fail(
                  new Conflict({
                    code: "EMAIL_TAKEN",
                    why: "This pod already has a person with this e-mail address. If you are this person, sign in and open the link again. Otherwise send another address."
                  })
                )
              )
            )
          ),
        acceptAsMember: (token) =>
          counted(
            Effect.gen(function* () {
              const { invitation, workspaceName } = yield* openBehind(token)
              if (workspaceName === undefined) return yield* new InvitationInvalid({ state: "createsAccount" })
              const { personId } = (yield* Reach).principal
              const passed = yield* passFor("update", invitation.id)
              return yield* atomically(
                Effect.gen(function* () {
                  const used = yield* store.useAsMember(invitation, passed)
                  if (used === undefined) return yield* new InvitationInvalid({ state: "used" })
                  const workspace = yield* settleInvitation(used, personId)
                  if (workspace?.hasJoined === true) return workspace.id
                  // If the inviter may still add members, the person is a member already. Both failures below roll
                  // back the use of the link.
                  const isOfUse = (yield* asInviter(used, store.workspaceName(used))) !== undefined
                  return yield* isOfUse ? memberAlready : new InvitationInvalid({ state: "closed" })
                })
              )
            })
          )
      }
    })
  )
}
