/** Lets a person who is signed in join the workspace of an invitation. */
import { Link } from "@tanstack/react-router"
import { type AnswerOf, hub } from "../../api/hub.ts"
import type { SignInSession } from "../../api/session.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button, buttonClass } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Panel } from "../../ui/Page.tsx"
import { InvitationLine } from "./InvitationLine.tsx"

interface JoinWorkspaceProps {
  readonly token: string
  readonly link: AnswerOf<"POST /setup/check-invite">
  readonly person: SignInSession["user"]
}

export const JoinWorkspace = ({ link, token, person }: JoinWorkspaceProps) => {
  const write = useWrite({
    run: () => hub("POST /api/hub/invitations/accept", { body: { token } }),
    stale: ["workspaces"]
  })
  if (write.data !== undefined) {
    return (
      <Panel title="You joined the workspace">
        <Link to="/workspaces/$id" params={{ id: write.data.workspaceId }} className={buttonClass("primary")}>
          Open the workspace
        </Link>
      </Panel>
    )
  }
  return (
    <Panel title="Join a workspace of this pod">
      <InvitationLine link={link} />
      <p>
        You are signed in as {person.name}
        {person.email === null ? "" : ` (${person.email})`}. You join the workspace of this invitation with your
        account.
      </p>
      {write.error !== null && <ErrorBox error={write.error} />}
      <div>
        <Button kind="primary" isBusy={write.isPending} onClick={() => write.mutate(undefined)}>
          Join the workspace
        </Button>
      </div>
    </Panel>
  )
}
