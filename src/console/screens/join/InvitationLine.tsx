/** Says who invites the person, to what, and with which role. */
import { visibleText } from "../../../shared/visibleText.ts"
import type { AnswerOf } from "../../api/hub.ts"

type LinkUse = AnswerOf<"POST /setup/check-invite">

export const InvitationLine = ({ link: { invitedBy, role, workspaceName } }: { readonly link: LinkUse }) => (
  <p className="wrap-anywhere">
    <strong>{visibleText(invitedBy)}</strong> invites you to join{" "}
    {workspaceName === null ? (
      "this pod"
    ) : (
      <>
        the workspace <strong>{visibleText(workspaceName)}</strong>
        {role !== null && ` as ${role}`}
      </>
    )}
    .
  </p>
)
