/** The handlers of invitations: they translate between the endpoints and the service. */
import { Effect, Layer, Redacted } from "effect"
import { ConsoleLinks } from "../../doors/ConsoleLinks.ts"
import { Conflict } from "../../doors/Failure.ts"
import { implement } from "../../doors/Implement.ts"
import type { InvitationInvalid } from "./Invitation.ts"
import { InvitationApi, JoinApi } from "./InvitationApi.ts"
import { type AcceptedInvitation, InvitationLinks } from "./InvitationLinks.ts"
import { Invitations } from "./Invitations.ts"

const welcomeText = ({ workspace }: AcceptedInvitation): string =>
  workspace === null
    ? "Welcome to this pod. Sign in with your e-mail address and password."
    : workspace.hasJoined
      ? "Welcome to this pod and to the workspace. Sign in with your e-mail address and password."
      : "Welcome to this pod. You are not in the workspace of the invitation, because the person who invited you may no longer add people to it. Ask an admin of the workspace."

const askForNewLink = "Ask the person who invited you for a new link."

const refusalTexts = {
  unknown: `This invitation link is not valid. Copy the whole link. ${askForNewLink}`,
  used: `This invitation was already used: a link works once. If you used it, sign in. ${askForNewLink}`,
  withdrawn: `This invitation was withdrawn. ${askForNewLink}`,
  expired: `This invitation has expired. ${askForNewLink}`,
  needsAccount:
    "This link is for people who already have an account on this pod. If you have one, sign in and open the link again. Otherwise ask the owner or an administrator of the pod for a link.",
  createsAccount:
    "This link only creates a new account, and you have one already. To join a workspace, ask an admin of the workspace for a link.",
  // The text does not say that the inviter was suspended or lost the right to invite people.
  closed: "This invitation no longer works. Ask the owner of the pod for a new link."
}

/**
 * Makes the error for an invitation link that does not work. The text tells what became of the invitation only if the
 * token in the link is the token of an invitation.
 */
const refuseInvitation = ({ state }: InvitationInvalid) =>
  Effect.fail(new Conflict({ code: "INVITATION_INVALID", why: refusalTexts[state ?? "unknown"] }))

const hub = implement(
  InvitationApi,
  Effect.map(Effect.all([Invitations, InvitationLinks, ConsoleLinks]), ([invitations, opened, links]) => ({
    "invitations.create": ({ payload }) =>
      Effect.map(invitations.create(payload), ({ invitation, token }) => ({
        invitation,
        token: Redacted.value(token),
        joinPath: links.join(Redacted.value(token))
      })),
    "invitations.list": ({ urlParams }) => invitations.list(urlParams),
    "invitations.withdraw": ({ path: { id } }) => invitations.withdraw(id),
    "invitations.accept": ({ payload: { token } }) =>
      opened.acceptAsMember(token).pipe(
        Effect.map((workspaceId) => ({ workspaceId })),
        Effect.catchTag("InvitationInvalid", refuseInvitation)
      )
  }))
)

const root = implement(
  JoinApi,
  Effect.map(InvitationLinks, (opened) => ({
    "setup.checkInvite": ({ payload: { token } }) =>
      opened.check(token).pipe(
        Effect.map(({ createsAccount, invitation, inviterName, workspaceName }) => ({
          success: true as const,
          createsAccount,
          joinsWorkspace: workspaceName !== undefined,
          invitedBy: inviterName,
          workspaceName: workspaceName ?? null,
          role: workspaceName === undefined ? null : invitation.role
        })),
        Effect.catchTag("InvitationInvalid", refuseInvitation)
      ),
    "setup.acceptInvite": ({ payload }) =>
      opened
        .accept(payload.token, {
          email: payload.email,
          password: Redacted.make(payload.password),
          name: payload.name
        })
        .pipe(
          Effect.map((arrival) => ({
            success: true as const,
            userId: arrival.personId,
            workspace:
              arrival.workspace === null
                ? null
                : { workspaceId: arrival.workspace.id, joined: arrival.workspace.hasJoined },
            message: welcomeText(arrival)
          })),
          Effect.catchTag("InvitationInvalid", refuseInvitation)
        )
  }))
)

export const layer = Layer.merge(hub, root)
