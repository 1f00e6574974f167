/**
 * The page that accepts an invitation. It reads the token from the link, asks the pod whether the link still works,
 * asks for name, e-mail and password, and sends all of this to the pod.
 */
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { hub } from "../../api/hub.ts"
import { Refusal } from "../../api/refusal.ts"
import { buttonClass } from "../../ui/Button.tsx"
import { DoorPage } from "../../ui/DoorPage.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Panel } from "../../ui/Page.tsx"
import { Waiting } from "../../ui/Shown.tsx"
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

const Invalid = ({ error }: { readonly error: unknown }) => (
  <Panel title="This invitation does not work">
    <ErrorBox error={error} />
    <p>
      You joined already? <Link to="/sign-in">Sign in</Link>.
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

const isInvalid = (error: unknown) => error instanceof Refusal && error.code === "INVITATION_INVALID"

export const JoinPage = () => {
  const token = useLinkToken()
  const join = useMutation({
    mutationFn: async (person: NewPerson): Promise<Arrived> => {
      const { message } = await hub("POST /setup/accept-invite", { body: { token, ...person } })
      return { message, isSignedIn: await signInNow(person) }
    }
  })
  const link = useQuery({
    queryKey: ["join", "link", token],
    queryFn: () => hub("POST /setup/check-invite", { body: { token } }),
    enabled: token !== "" && join.isIdle,
    retry: false,
    refetchOnWindowFocus: false // the check of a wrong token is a failed attempt, and the pod limits these
  })
  const invalid = [join.error, link.error].find(isInvalid)
  return (
    <DoorPage title="Join this pod">
      {join.data !== undefined ? (
        <Done {...join.data} />
      ) : invalid !== undefined ? (
        <Invalid error={invalid} />
      ) : token === "" ? (
        <NoToken />
      ) : link.isLoading ? (
        <Waiting what="the invitation" />
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
