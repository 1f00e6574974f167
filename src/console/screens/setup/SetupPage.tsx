/**
 * The page that creates the first owner. It reads the token from the setup link, asks for name, e-mail and password,
 * and sends all of this to the pod.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { hub } from "../../api/hub.ts"
import { podStatusQuery } from "../../api/podName.ts"
import { Refusal } from "../../api/refusal.ts"
import { buttonClass } from "../../ui/Button.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { DoorPage } from "../../ui/DoorPage.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { CheckField } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { signInNow } from "./arrival.ts"
import { useLinkToken } from "./linkToken.ts"
import { NpxNote } from "./NpxNote.tsx"
import { type NewPerson, PersonForm } from "./PersonForm.tsx"
import { PodNameField } from "./PodNameField.tsx"
import { SampleState } from "./SampleState.tsx"
import { NoOwnerPage } from "./NoOwnerPage.tsx"

interface RefusedProps {
  /** The error of the last attempt. Absent if there was no attempt or no error. */
  readonly error?: unknown
}

const AlreadyOwned = ({ error }: RefusedProps) => (
  <Panel title="This pod has an owner already">
    {error !== undefined && <ErrorBox error={error} />}
    <p>
      The setup link was used, or the pod got its owner in another way. Nothing was changed, and no new link makes a
      second owner.
    </p>
    <ul className="list-disc pl-5">
      <li>
        If you are the owner, sign in. If you forgot the password, run this on the server:{" "}
        <code>pod owner reset-password</code>.
      </li>
      <li>If somebody else is the owner, ask them for an invitation.</li>
      <li>
        If you do not know who the owner is, stop the pod, and check who could read its terminal, its log and the file{" "}
        <code>setup-link</code> of its data directory.
      </li>
    </ul>
    <Link to="/sign-in" className={buttonClass("primary")}>
      Sign in
    </Link>
  </Panel>
)

const UsedUp = ({ error }: RefusedProps) => (
  <Panel title="This setup link does not work">
    <ErrorBox error={error} />
    <p>A link works once, for 30 minutes, and only in full. The pod has no owner yet, and nothing was changed.</p>
    <p>Make a new link on the server:</p>
    <Copyable text="pod setup-link" name="the command" />
    <p className="text-muted">
      <NpxNote />
    </p>
    <p>If you cannot use a terminal, restart the pod. While the pod has no owner, every start shows a new link.</p>
  </Panel>
)

interface DoneProps {
  readonly isSignedIn: boolean
  /** True if the person asked for sample data. */
  readonly hasSample: boolean
  /**
   * Why the pod did not get the name that the person typed. Undefined if the pod has the name, or if the person typed
   * none.
   */
  readonly unnamed: string | undefined
}

const Done = ({ hasSample, isSignedIn, unnamed }: DoneProps) => (
  <Panel title="You own this pod">
    {unnamed !== undefined && <p className="text-bad">The pod has no name yet: {unnamed} Name it in the settings.</p>}
    {isSignedIn ? (
      <>
        {hasSample && <SampleState />}
        <p>You are signed in. An app or an agent needs a key. A key never allows more than you choose.</p>
        <div className="flex flex-wrap gap-2">
          <Link to="/keys/new" className={buttonClass("primary")}>
            Create the first key
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

interface Claim {
  readonly person: NewPerson
  /** Empty if the person does not name the pod. */
  readonly podName: string
  readonly hasSample: boolean
}

const notSignedIn = "The sign-in failed."

/**
 * Sends the name of the pod, with the session of the new owner. Returns the reason of a failure and does not reject,
 * because the person is the owner in any case.
 */
const failureOfName = (name: string): Promise<string | undefined> =>
  hub("PUT /api/hub/setup/pod-name", { body: { name } }).then(
    () => undefined,
    (refused: unknown) => (refused instanceof Error ? refused.message : String(refused))
  )

const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : "")

export const SetupPage = () => {
  const token = useLinkToken()
  const queries = useQueryClient()
  const status = useQuery(podStatusQuery)
  const claim = useMutation({
    mutationFn: async ({ hasSample, person, podName }: Claim) => {
      await hub("POST /setup/claim", { body: { token, ...person } })
      const isSignedIn = await signInNow(person)
      const unnamed = podName === "" ? undefined : isSignedIn ? await failureOfName(podName) : notSignedIn
      return { isSignedIn, hasSample, unnamed }
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: ["setup"] })
  })
  const link = useQuery({
    queryKey: ["setup", "link", token],
    queryFn: () => hub("POST /setup/check-link", { body: { token } }),
    enabled: token !== "" && claim.isIdle,
    // The key of this query contains the token. So the cache drops the answer when the screen closes.
    gcTime: 0,
    retry: false
  })
  const refused = claim.error ?? link.error
  const code = codeOf(refused)
  return (
    <DoorPage title="Set up this pod">
      {claim.data !== undefined ? (
        <Done {...claim.data} />
      ) : code === "SETUP_LINK_INVALID" ? (
        <UsedUp error={refused} />
      ) : code === "ALREADY_CLAIMED" ? (
        <AlreadyOwned error={refused} />
      ) : (
        <QueryResult what="the state of the pod" query={status}>
          {({ needsSetup }) =>
            !needsSetup ? (
              <AlreadyOwned />
            ) : token === "" ? (
              <NoOwnerPage />
            ) : (
              <Panel title="Become its owner">
                <p className="text-muted">
                  This pod has no owner. The setup link makes you its owner. The link works once.
                </p>
                <PersonForm
                  submitName="Create the owner"
                  isBusy={claim.isPending}
                  error={claim.error}
                  onSubmit={(person, texts) =>
                    claim.mutate({
                      person,
                      podName: (texts["podName"] ?? "").trim(),
                      hasSample: texts["sample"] !== undefined
                    })
                  }
                  further={
                    <>
                      <PodNameField />
                      <CheckField
                        label="Add sample data"
                        name="sample"
                        hint="A workspace “Acme demo” with knowledge, projects, events, facts and waiting proposals. One command removes it."
                      />
                    </>
                  }
                />
              </Panel>
            )
          }
        </QueryResult>
      )}
    </DoorPage>
  )
}
