/**
 * The page that accepts an invitation. It reads the token from the link, asks for name, e-mail and password, and sends
 * all of this to the pod.
 */
import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { hub } from "../../api/hub.ts"
import { Refusal } from "../../api/refusal.ts"
import { buttonClass } from "../../ui/Button.tsx"
import { DoorPage } from "../../ui/DoorPage.tsx"
import { Panel } from "../../ui/Page.tsx"
import { signInNow } from "../setup/arrival.ts"
import { useLinkToken } from "../setup/linkToken.ts"
import { type NewPerson, PersonForm } from "../setup/PersonForm.tsx"

const NoToken = () => (
  <Panel title="This page needs the link of an invitation">
    <p>
      The owner or an administrator of the pod makes this link for you. Open it in full, with the part after{" "}
      <code>#</code>. It works once; if you loaded this page again, open the link again.
    </p>
    <p>
      You joined already? <Link to="/sign-in">Sign in</Link>.
    </p>
  </Panel>
)

const UsedUp = () => (
  <Panel title="This invitation no longer works">
    <p>
      It was used, was withdrawn or has expired, or its link is incomplete. Copy the whole link, or ask the person who
      invited you for a new one.
    </p>
    <p>
      If you joined a moment ago, all is well: <Link to="/sign-in">sign in</Link>.
    </p>
  </Panel>
)

interface Arrived {
  readonly message: string
  readonly isSignedIn: boolean
}

const Done = ({ message, isSignedIn }: Arrived) => (
  <Panel title="You joined this pod">
    <p>{isSignedIn ? message.replace(/ Sign in with [^.]*\./, "") : message}</p>
    <Link to={isSignedIn ? "/" : "/sign-in"} className={buttonClass("primary")}>
      {isSignedIn ? "Open the console" : "Sign in"}
    </Link>
  </Panel>
)

export const JoinPage = () => {
  const token = useLinkToken()
  const join = useMutation({
    mutationFn: async (person: NewPerson): Promise<Arrived> => {
      const { message } = await hub("POST /setup/accept-invite", { body: { token, ...person } })
      return { message, isSignedIn: await signInNow(person) }
    }
  })
  const isUsedUp = join.error instanceof Refusal && join.error.code === "INVITATION_INVALID"
  return (
    <DoorPage title="Join this pod">
      {join.data !== undefined ? (
        <Done {...join.data} />
      ) : isUsedUp ? (
        <UsedUp />
      ) : token === "" ? (
        <NoToken />
      ) : (
        <Panel>
          <PersonForm
            submitName="Join"
            isBusy={join.isPending}
            error={join.error}
            onSubmit={(person) => join.mutate(person)}
          />
        </Panel>
      )}
    </DoorPage>
  )
}
