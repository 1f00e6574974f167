/**
 * Creates the first owner. Takes the token of the setup link from the address, asks for name, e-mail and password, and
 * sends all of it to the pod.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { hub, hubQuery } from "../../api/hub.ts"
import { Refusal } from "../../api/refusal.ts"
import { buttonClass } from "../../ui/Button.tsx"
import { DoorPage } from "../../ui/DoorPage.tsx"
import { CheckField } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Page.tsx"
import { Shown } from "../../ui/Shown.tsx"
import { signInNow } from "./arrival.ts"
import { useLinkToken } from "./linkToken.ts"
import { type NewPerson, PersonForm } from "./PersonForm.tsx"
import { SampleState } from "./SampleState.tsx"
import { Unclaimed } from "./Unclaimed.tsx"

const Owned = () => (
  <Panel title="This pod has an owner already">
    <p>The setup link does nothing any more, and nothing was changed.</p>
    <p>If that was not you or somebody you trust, stop the pod and look at who could read its terminal and log.</p>
    <Link to="/sign-in" className={buttonClass("primary")}>
      Sign in
    </Link>
  </Panel>
)

const UsedUp = () => (
  <Panel title="This setup link no longer works">
    <p>
      It was used already, or it is older than 30 minutes. Run <code>pod setup-link</code> on the server for a new one,
      or restart the pod: while it has no owner, every start shows a new link.
    </p>
    <p>
      If you became the owner a moment ago, all is well: <Link to="/sign-in">sign in</Link>.
    </p>
  </Panel>
)

interface DoneProps {
  readonly isSignedIn: boolean
  /** Whether the person asked for sample data. */
  readonly hasSample: boolean
}

const Done = ({ hasSample, isSignedIn }: DoneProps) => (
  <Panel title="You own this pod">
    {isSignedIn ? (
      <>
        {hasSample && <SampleState />}
        <p>You are signed in. An app or an agent needs a key: it never does more than you allow.</p>
        <div className="flex flex-wrap gap-2">
          <Link to="/keys/new" className={buttonClass("primary")}>
            Make the first key
          </Link>
          <Link to="/" className={buttonClass("plain")}>
            Go to Home
          </Link>
        </div>
      </>
    ) : (
      <>
        {hasSample && (
          <p>
            The sample data were not made, because the sign-in failed. On the server, <code>pod seed demo</code> makes
            them.
          </p>
        )}
        <Link to="/sign-in" className={buttonClass("primary")}>
          Sign in
        </Link>
      </>
    )}
  </Panel>
)

const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : "")

export const SetupPage = () => {
  const token = useLinkToken()
  const queries = useQueryClient()
  const status = useQuery(hubQuery("GET /api/hub/setup/status", {}))
  const claim = useMutation({
    mutationFn: async ({ hasSample, person }: { readonly person: NewPerson; readonly hasSample: boolean }) => {
      await hub("POST /setup/claim", { body: { token, ...person } })
      return { isSignedIn: await signInNow(person), hasSample }
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: ["setup"] })
  })
  const code = codeOf(claim.error)
  return (
    <DoorPage title="Set up this pod">
      {claim.data !== undefined ? (
        <Done {...claim.data} />
      ) : code === "SETUP_LINK_INVALID" ? (
        <UsedUp />
      ) : code === "ALREADY_CLAIMED" ? (
        <Owned />
      ) : (
        <Shown what="the state of the pod" query={status}>
          {({ needsSetup }) =>
            !needsSetup ? (
              <Owned />
            ) : token === "" ? (
              <Unclaimed />
            ) : (
              <Panel title="Become its owner">
                <p className="text-muted">
                  This pod has no owner. The setup link makes you its owner. The link works once.
                </p>
                <PersonForm
                  submitName="Create owner"
                  isBusy={claim.isPending}
                  error={claim.error}
                  onSubmit={(person, texts) => claim.mutate({ person, hasSample: texts["sample"] !== undefined })}
                  further={
                    <CheckField
                      label="Add sample data"
                      name="sample"
                      hint="A workspace “Acme demo” with knowledge, projects, events, facts and waiting proposals. One command removes it."
                    />
                  }
                />
              </Panel>
            )
          }
        </Shown>
      )}
    </DoorPage>
  )
}
