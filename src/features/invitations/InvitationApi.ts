/**
 * The endpoints of invitations. The owner and the administrators of the pod invite new people, and the owner and the
 * admins of a workspace invite people of the pod to it. A new person or a person of the pod accepts an invitation.
 */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { open, sessionOnly, read } from "../../doors/DeclareRest.ts"
import { everybody, fullGrant, signedIn } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { described, example, idPath } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { Invitation, InvitationDraft, InvitedRole } from "./Invitation.ts"

const pageDefault = 50
const pageMax = 200

const shortText = (max: number) => Schema.String.pipe(Schema.maxLength(max))
const linkToken = described("Part of the invitation link after `#`.", shortText(200))

export const InvitationApi = HttpApiGroup.make("invitations")
  .annotate(OpenApi.Description, "Invitations: one-time links with which people join the pod or a workspace.")
  .add(
    sessionOnly("invitations.create", {
      method: "POST",
      path: "/invitations",
      payload: InvitationDraft,
      success: Schema.Struct({
        invitation: described("The invitation, without its link.", Invitation),
        token: described("Token of the link. Only this answer shows it.", Schema.String),
        joinPath: described(
          "Path of the link: give the invited person the address of the pod followed by this path.",
          Schema.String
        )
      }),
      door: signedIn,
      answersSecret: true,
      summary:
        "Invite a person with a one-time link, valid for 7 days by default. The pod's owner and administrators can invite new people. The owner and admins of a workspace can invite people of the pod to the workspace."
    })
  )
  .add(
    read("invitations.list", {
      path: "/invitations",
      query: Schema.Struct(pageQuery("invitations", pageDefault, pageMax)),
      success: pageOf(Invitation),
      door: fullGrant("hub-protocol.read"),
      summary:
        "List the invitations that you made, newest first, without their links. The pod's owner gets all invitations."
    })
  )
  .add(
    sessionOnly("invitations.withdraw", {
      method: "DELETE",
      path: "/invitations/:id",
      params: idPath,
      success: Invitation,
      errors: [NotFound],
      door: signedIn,
      summary:
        "Withdraw an open invitation, so that its link stops working. The pod's owner can withdraw every invitation, and other people only their own."
    })
  )
  .add(
    sessionOnly("invitations.accept", {
      method: "POST",
      path: "/invitations/accept",
      payload: example(Schema.Struct({ token: linkToken }), {
        token: "the-part-of-the-invitation-link-after-the-hash"
      }),
      success: Schema.Struct({ workspaceId: described("Id of the workspace that you joined.", Id) }),
      door: signedIn,
      summary: "Join a workspace with the one-time link of an invitation. For people who have an account on this pod."
    })
  )

/**
 * The endpoints by which an invited person joins the pod. Their paths do not begin with `/api/hub`. The same is true
 * for the paths of the setup of the pod.
 */
export const JoinApi = HttpApiGroup.make("join")
  .annotate(OpenApi.Description, "How an invited person joins the pod.")
  .add(
    open("setup.checkInvite", {
      method: "POST",
      path: "/setup/check-invite",
      payload: example(Schema.Struct({ token: linkToken }), {
        token: "the-part-of-the-invitation-link-after-the-hash"
      }),
      success: Schema.Struct({
        success: Schema.Literal(true),
        createsAccount: described("Whether a new person can create an account with the link.", Schema.Boolean),
        joinsWorkspace: described("Whether a person of the pod can join a workspace with the link.", Schema.Boolean),
        invitedBy: described("Name of the person who made the invitation.", Schema.String),
        workspaceName: described(
          "Name of the workspace that a person joins with the link; null if none.",
          Schema.NullOr(Schema.String)
        ),
        role: described("Membership role that the person gets in the workspace.", Schema.NullOr(InvitedRole))
      }),
      door: everybody("the one-time link of an invitation is enough; the pod limits failed attempts"),
      summary: "Read who an invitation is for, and whether its link still works, without using the link."
    })
  )
  .add(
    open("setup.acceptInvite", {
      method: "POST",
      path: "/setup/accept-invite",
      payload: example(
        Schema.Struct({
          token: linkToken,
          email: described("Your e-mail address, with which you sign in.", shortText(320)),
          password: described("12 to 128 characters.", shortText(1024)),
          name: Schema.optionalWith(shortText(100), { default: () => "" })
        }),
        {
          token: "the-part-of-the-invitation-link-after-the-hash",
          email: "ana@example.com",
          password: "correct horse battery staple",
          name: "Ana"
        }
      ),
      success: Schema.Struct({
        success: Schema.Literal(true),
        userId: described("Id of the new person.", Id),
        workspace: described(
          "Workspace that the invitation named; null if it named none.",
          Schema.NullOr(
            Schema.Struct({
              workspaceId: described("Id of the workspace.", Id),
              joined: described(
                "Whether the person is a member of the workspace now: false if the inviter may no longer add members.",
                Schema.Boolean
              )
            })
          )
        ),
        message: Schema.String
      }),
      door: everybody("the one-time link of an invitation is enough; the pod limits failed attempts"),
      summary: "Join the pod with the one-time link of an invitation."
    })
  )
