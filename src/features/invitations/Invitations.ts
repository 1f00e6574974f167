/**
 * The service of invitations. The owner or an administrator of the pod makes a one-time link. The person who opens the
 * link becomes a person of the pod.
 */
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { elapsedMs } from "../../platform/ElapsedTime.ts"
import { Conflict, Forbidden, invalid, type Invalid, type NotFound, TooMany } from "../../doors/Failure.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { secretMark } from "../../platform/Secrets.ts"
import { addressLimit, clientKey, makeBuckets } from "../../platform/SignInThrottle.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Changers } from "../gate/Changers.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { Passed } from "../gate/Passed.ts"
import { objectIn } from "../gate/Write.ts"
import { roleAllows } from "../grants/GrantMatcher.ts"
import { KeySettings } from "../keys/Keys.ts"
import { type OwnerClaim, People } from "../people/People.ts"
import { administratorsOnly } from "../people/PodOwner.ts"
import {
  hashToken,
  type Invitation,
  type InvitationDraft,
  InvitationInvalid,
  isPossibleToken,
  listedInvitation,
  mintToken,
  type StoredInvitation
} from "./Invitation.ts"
import { InvitationStore, type OffsetPage } from "./InvitationStore.ts"

const addressesTracked = 10_000

/**
 * A new invitation with its token. Only this value and the answer to the call contain the token. The pod does not store
 * the token.
 */
export interface MintedInvitation {
  readonly invitation: Invitation
  readonly token: Redacted.Redacted
}

export interface AcceptedInvitation {
  readonly personId: string
  readonly email: string
  /**
   * The workspace that the invitation names, and whether the new person joined this workspace. Null if the invitation
   * names no workspace.
   */
  readonly workspace: { readonly id: string; readonly hasJoined: boolean } | null
}

const notAdministered = new Forbidden({
  code: "WORKSPACE_FORBIDDEN",
  why: "Send the id of a workspace that you own or administer. You cannot add people to other workspaces.",
  required: ["workspace"],
  granted: [],
  canBeStale: true
})

export class Invitations extends Context.Tag("pod/Invitations")<
  Invitations,
  {
    /**
     * Creates an invitation. Fails with Forbidden if the caller is neither the owner nor an administrator of the pod.
     * Also fails with Forbidden if the caller is neither owner nor admin of the named workspace.
     */
    readonly create: (draft: InvitationDraft) => Effect.Effect<MintedInvitation, Forbidden | Invalid | Proposed, Reach>
    /**
     * Lists the invitations that the caller made, newest first. For the owner of the pod, lists the invitations of all
     * people.
     */
    readonly list: (span: OffsetPage) => Effect.Effect<ReadonlyArray<Invitation>, Forbidden, Reach>
    /**
     * Withdraws an invitation that the caller made. The owner of the pod can withdraw every invitation. Fails with
     * Conflict if the invitation is used, withdrawn or expired, and with NotFound if the caller can withdraw no
     * invitation with this id.
     */
    readonly withdraw: (id: string) => Effect.Effect<Invitation, Forbidden | Conflict | NotFound | Proposed, Reach>
    /** Counts the open invitations whose hash was made with a former pepper. Only the pod itself calls this. */
    readonly countOlder: Effect.Effect<number>
    /**
     * Fails with InvitationInvalid if the link does not work now. For each client address, the pod counts the failed
     * attempts of `check` and `accept` together.
     */
    readonly check: (token: string) => Effect.Effect<void, InvitationInvalid | TooMany, Reach>
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
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const people = yield* People
      const gate = yield* GovernanceGate
      const { atomically } = yield* Transaction
      const { formerPeppers, pepper } = yield* KeySettings
      const mark = secretMark("key-pepper", pepper)
      const attempts = makeBuckets(addressLimit, addressesTracked)
      const asking = yield* (yield* Changers).declare("invitation", {
        subject: "member",
        kind: null,
        isForPeople: true
      })

      const passFor = (action: "create" | "update", id: string) =>
        Effect.flatMap(Reach, ({ principal: { personId } }) =>
          gate.pass({ ...asking, action, object: objectIn(personId, personId, id) })
        )

      /**
       * Returns the workspace and role that a draft names. Both are null without a workspace. The default role is
       * `editor`.
       */
      const placeOf = Effect.fnUntraced(function* ({ role, workspaceId }: InvitationDraft) {
        const { principal } = yield* Reach
        if (workspaceId == null) {
          return role == null
            ? { workspaceId: null, role: null }
            : yield* invalid("role", "A membership role belongs to a workspace. Send `workspaceId` too.")
        }
        const own = principal.memberships.find(({ spaceId }) => spaceId === workspaceId)
        if (own === undefined || workspaceId === principal.personId || !roleAllows(own.role, "delete")) {
          return yield* notAdministered
        }
        return { workspaceId, role: role ?? ("editor" as const) }
      })

      /**
       * Limits how often one client address tries to use an invitation. Counts each attempt before the look-up. An
       * attempt that succeeds is no longer counted.
       */
      const counted = <A, E>(work: Effect.Effect<A, E, Reach>): Effect.Effect<A, E | TooMany, Reach> =>
        Effect.gen(function* () {
          const { origin } = yield* Reach
          const client = clientKey(origin.client.address)
          const waitMs = attempts.take(client, yield* elapsedMs)
          if (waitMs > 0) {
            const retryAfterSeconds = Math.ceil(waitMs / 1000)
            return yield* new TooMany({
              why: `Too many attempts to use an invitation. Try again in ${retryAfterSeconds} seconds.`,
              retryAfterSeconds
            })
          }
          return yield* Effect.tap(work, () => Effect.sync(() => attempts.giveBack(client)))
        })

      const openBehind = Effect.fnUntraced(function* (token: string) {
        if (!isPossibleToken(token)) return yield* new InvitationInvalid({ state: undefined })
        for (const each of [pepper, ...formerPeppers]) {
          const hash = hashToken(each, token)
          const state = yield* store.stateOf(hash)
          if (state === "open") return hash
          if (state !== undefined) return yield* new InvitationInvalid({ state })
        }
        return yield* new InvitationInvalid({ state: undefined })
      })

      /**
       * Adds the new person to the named workspace with the inviter's rights, and logs that the invitation was
       * accepted.
       */
      const settled = Effect.fnUntraced(function* (invitation: StoredInvitation, personId: string) {
        const { origin } = yield* Reach
        const { invitedBy, workspaceId } = invitation
        const spaces = workspaceId === null ? [invitedBy] : [invitedBy, workspaceId]
        const reach = systemReach("accept an invitation", invitedBy, spaces, origin)
        const passed = Passed.bySystem("accept an invitation")
        return yield* Effect.gen(function* () {
          const hasJoined = workspaceId !== null && (yield* store.join(invitation, personId, passed))
          yield* store.note(invitation, { personId, hasJoined }, passed)
          return workspaceId === null ? null : { id: workspaceId, hasJoined }
        }).pipe(Effect.provideService(Reach, reach))
      })

      return {
        countOlder: store.countOtherMark(mark),
        create: Effect.fnUntraced(function* (draft) {
          yield* administratorsOnly("invite people")
          const { principal } = yield* Reach
          const place = yield* placeOf(draft)
          const token = mintToken()
          const createdAt = yield* DateTime.now
          const invitation: StoredInvitation = {
            id: uuidv7(),
            invitedBy: principal.personId,
            note: draft.note?.trim() || null,
            ...place,
            createdAt,
            expiresAt: DateTime.add(createdAt, { days: draft.expiresInDays }),
            usedAt: null,
            usedBy: null,
            withdrawnAt: null
          }
          const hash = hashToken(pepper, Redacted.value(token))
          yield* store.add({ invitation, hash, secretMark: mark }, yield* passFor("create", invitation.id))
          return { invitation: listedInvitation(invitation, createdAt), token }
        }),
        list: Effect.fnUntraced(function* (span) {
          yield* administratorsOnly("can see the invitations")
          const now = yield* DateTime.now
          return (yield* store.list(span)).map((each) => listedInvitation(each, now))
        }),
        withdraw: Effect.fnUntraced(function* (id) {
          yield* administratorsOnly("withdraw invitations")
          const withdrawn = yield* store.withdraw(id, yield* passFor("update", id))
          if (withdrawn === undefined) {
            if ((yield* store.get(id)) === undefined) return yield* missingRecord("invitation")
            return yield* new Conflict({
              code: "INVITATION_NOT_OPEN",
              why: "This invitation is not open: it is used, withdrawn or expired."
            })
          }
          return listedInvitation(withdrawn, yield* DateTime.now)
        }),
        check: (token) => counted(Effect.asVoid(openBehind(token))),
        accept: (token, claim) =>
          counted(
            Effect.gen(function* () {
              // The code checks the link before it hashes a password, so that requests of strangers use little
              // computing time.
              const hash = yield* openBehind(token)
              const person = yield* people.newPerson(claim)
              const workspace = yield* atomically(
                Effect.gen(function* () {
                  // If two requests use one link at the same time, one of them succeeds and the other is rolled back.
                  yield* openBehind(token)
                  yield* people.keepPerson(person)
                  const invitation = yield* store.use(hash, person.id)
                  if (invitation === undefined) return yield* new InvitationInvalid({ state: "used" })
                  return yield* settled(invitation, person.id)
                })
              )
              return { personId: person.id, email: person.email, workspace }
            }).pipe(
              Effect.catchTag("EmailTaken", () =>
                Effect.fail(
                  new Conflict({
                    code: "EMAIL_TAKEN",
                    why: "This pod already has a person with this e-mail address. Sign in with the address, or use another address."
                  })
                )
              )
            )
          )
      }
    })
  )
}
