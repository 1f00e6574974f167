/**
 * The service that makes one-time links, lists and withdraws them. With a link of the owner or of an administrator of
 * the pod, a new person joins the pod. With a link of the owner or an admin of a workspace, a person of the pod joins
 * the workspace.
 */
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { mapPage, type Page } from "../../doors/Page.ts"
import type { PagePlace } from "../../doors/PageOrder.ts"
import { Conflict, Forbidden, invalid, type Invalid, type NotFound } from "../../doors/Failure.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { secretMark } from "../../platform/Secrets.ts"
import { quotaKeeper } from "../gate/Quotas.ts"
import { roleAllows } from "../grants/GrantMatcher.ts"
import { KeySettings } from "../keys/Keys.ts"
import { administratorsOnly } from "../people/PodOwner.ts"
import {
  hashToken,
  type Invitation,
  type InvitationDraft,
  listedInvitation,
  mintToken,
  type StoredInvitation
} from "./Invitation.ts"
import { InvitationPass } from "./InvitationPass.ts"
import { InvitationStore } from "./InvitationStore.ts"

/**
 * A new invitation with its token. Only this value and the answer to the call contain the token. The pod does not store
 * the token.
 */
export interface MintedInvitation {
  readonly invitation: Invitation
  readonly token: Redacted.Redacted
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
     * Creates an invitation. Fails with Forbidden if the caller is neither owner nor admin of the named workspace. If the
     * draft names no workspace, fails with Forbidden if the caller is neither owner nor administrator of the pod.
     */
    readonly create: (draft: InvitationDraft) => Effect.Effect<MintedInvitation, Forbidden | Invalid | Proposed, Reach>
    /**
     * Lists the invitations that the caller made, newest first. For the owner of the pod, lists the invitations of all
     * people.
     */
    readonly list: (place: PagePlace) => Effect.Effect<Page<Invitation>, never, Reach>
    /**
     * Withdraws an invitation that the caller made. The owner of the pod can withdraw every invitation. Fails with
     * Conflict if the invitation is used, withdrawn or expired, and with NotFound if the caller can withdraw no
     * invitation with this id.
     */
    readonly withdraw: (id: string) => Effect.Effect<Invitation, Forbidden | Conflict | NotFound | Proposed, Reach>
    /** Counts the open invitations whose hash was made with a former pepper. Only the pod itself calls this. */
    readonly countOlder: Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const { within } = yield* quotaKeeper
      const passFor = yield* InvitationPass
      const { pepper } = yield* KeySettings
      const mark = secretMark("key-pepper", pepper)

      /**
       * Returns the workspace and role that a draft names. Both are null without a workspace. The default role is
       * `editor`.
       */
      const placeOf = Effect.fnUntraced(function* ({ role, workspaceId }: InvitationDraft) {
        const { principal } = yield* Reach
        if (workspaceId == null) {
          yield* administratorsOnly("can invite new people to the pod")
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

      return {
        countOlder: store.countOtherMark(mark),
        create: Effect.fnUntraced(function* (draft) {
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
          const passed = yield* passFor("create", invitation.id)
          yield* within("invitation", store.add({ invitation, hash, secretMark: mark }, passed))
          return { invitation: listedInvitation(invitation, createdAt), token }
        }),
        list: Effect.fnUntraced(function* (place) {
          const now = yield* DateTime.now
          return mapPage(yield* store.list(place), (each) => listedInvitation(each, now))
        }),
        withdraw: Effect.fnUntraced(function* (id) {
          const withdrawn = yield* store.withdraw(id, yield* passFor("update", id))
          if (withdrawn === undefined) {
            if ((yield* store.get(id)) === undefined) return yield* missingRecord("invitation")
            return yield* new Conflict({
              code: "INVITATION_NOT_OPEN",
              why: "This invitation is not open: it is used, withdrawn or expired."
            })
          }
          return listedInvitation(withdrawn, yield* DateTime.now)
        })
      }
    })
  )
}
