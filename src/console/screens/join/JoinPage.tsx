/**
 * The page that accepts an invitation. It reads the token from the link, asks the pod whether the link still works,
 * asks for name, e-mail and password, and sends all of this to the pod. A person who is signed in joins the workspace of
 * the invitation instead.
 */
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type AnswerOf, hub } from "../../api/hub.ts"
import { Refusal } from "../../api/refusal.ts"
import { useSession } from "../../api/session.ts"
import { buttonClass } from "../../ui/Button.tsx"
import { DoorPage } from "../../ui/DoorPage.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Panel } from "../../ui/Page.tsx"
import { Loading } from "../../ui/QueryResult.tsx"
import { signInNow } from "../setup/arrival.ts"
import { keepLinkToken } from "../setup/keptLinkToken.ts"
import { useLinkToken } from "../setup/linkToken.ts"
import { type NewPerson, PersonForm } from "../setup/PersonForm.tsx"
import { InvitationLine } from "./InvitationLine.tsx"
import { JoinWorkspace } from "./JoinWorkspace.tsx"

type LinkUse = AnswerOf<"POST /setup/check-invite">

const NoToken = () => (
  <Panel title="This page needs the link of an invitation">
    <p>
      The owner or an administrator of the pod makes this link for you. Open it in full, with the part after{" "}
      <code>#</code>. The link works once. If you loaded this page again, open the link again.
    </p>
    <p>
      Have you already joined? <Link to="/sign-in">Sign in</Link>.
    </p>
  </Panel>
)

const Invalid = ({ error }: { readonly error: unknown }) => (
  <Panel title="This invitation does not work">
    <ErrorBox error={error} />
    <p>
      Have you already joined? <Link to="/sign-in">Sign in</Link>.
    </p>
  </Panel>
)

interface JoinedState {
  readonly message: string
  readonly isSignedIn: boolean
}

const Done = ({ message, isSignedIn }: JoinedState) => (
  <Panel title="You joined this pod">
    <p>{isSignedIn ? message.replace(/ Sign in with [^.]*\./, "") : message}</p>
    <Link to={isSignedIn ? "/" : "/sign-in"} className={buttonClass("primary")}>
      {isSignedIn ? "Open the console" : "Sign in"}
    </Link>
  </Panel>
)

const SignIn = ({ token, className }: { readonly token: string; readonly className?: string }) => (
  <Link to="/sign-in" search={{ next: "/join" }} className={className} onClick={() => keepLinkToken(token)}>
    Sign in
  </Link>
)

interface AccountNeededProps {
  readonly token: string
  readonly link: LinkUse
}

const AccountNeeded = ({ link, token }: AccountNeededProps) => (
  <Panel title="Join a workspace of this pod">
    <InvitationLine link={link} />
    <p>This link is for people who already have an account on this pod. Sign in, and you come back to this page.</p>
    <SignIn token={token} className={buttonClass("primary")} />
  </Panel>
)

interface NewAccountProps {
  readonly token: string
  readonly link: LinkUse | undefined
  readonly isBusy: boolean
  readonly error: unknown
  readonly onSubmit: (person: NewPerson) => void
}

const NewAccount = ({ token, link, isBusy, error, onSubmit }: NewAccountProps) => (
  <Panel>
    {link !== undefined && <InvitationLine link={link} />}
    {link?.joinsWorkspace === true && (
      <p>
        Do you have an account on this pod? <SignIn token={token} />, and join the workspace with it.
      </p>
    )}
    <PersonForm submitName="Join" isBusy={isBusy} error={error} onSubmit={onSubmit} />
  </Panel>
)

const isInvalid = (error: unknown) => error instanceof Refusal && error.code === "INVITATION_INVALID"

export const JoinPage = () => {
  const token = useLinkToken()
  const session = useSession()
  const join = useMutation({
    mutationFn: async (person: NewPerson): Promise<JoinedState> => {
      const { message } = await hub("POST /setup/accept-invite", { body: { token, ...person } })
      return { message, isSignedIn: await signInNow(person) }
    }
  })
  const link = useQuery({
    queryKey: ["join", "link", token],
    queryFn: () => hub("POST /setup/check-invite", { body: { token } }),
    enabled: token !== "" && join.isIdle,
    retry: false,
    // The key of this query contains the token. So the cache drops the answer when the screen closes.
    gcTime: 0,
    // no second check, because each check of a wrong token counts as a failed attempt
    refetchOnWindowFocus: false
  })
  const invalid = [join.error, link.error].find(isInvalid)
  const step = () => {
    if (join.data !== undefined) return <Done {...join.data} />
    if (invalid !== undefined) return <Invalid error={invalid} />
    if (token === "") return <NoToken />
    if (link.isLoading) return <Loading what="the invitation" />
    if (link.data?.joinsWorkspace === true && session !== undefined && join.isIdle) {
      return <JoinWorkspace token={token} link={link.data} person={session.user} />
    }
    if (link.data?.createsAccount === false) return <AccountNeeded token={token} link={link.data} />
    return (
      <NewAccount
        token={token}
        link={link.data}
        isBusy={join.isPending}
        error={join.error}
        onSubmit={(person) => join.mutate(person)}
      />
    )
  }
  return <DoorPage title="Join this pod">{step()}</DoorPage>
}
