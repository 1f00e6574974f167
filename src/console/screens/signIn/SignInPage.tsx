/**
 * The page on which a person signs in with e-mail and password. If the pod has no owner yet, the page says where to
 * find the setup link.
 */
import { useMutation, useQuery } from "@tanstack/react-query"
import { getRouteApi, useRouter } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { hub } from "../../api/hub.ts"
import { podStatusQuery } from "../../api/podName.ts"
import { consolePath } from "../../api/root.ts"
import { beginSession } from "../../api/session.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { CheckField, TextField, textsOf } from "../../ui/Field.tsx"
import { forgetLinkToken } from "../setup/keptLinkToken.ts"
import { NpxNote } from "../setup/NpxNote.tsx"
import { NoOwnerPage } from "../setup/NoOwnerPage.tsx"
import { DoorPage } from "../../ui/DoorPage.tsx"
import { Panel } from "../../ui/Page.tsx"

const route = getRouteApi("/sign-in")

/**
 * The page that opens after the sign-in: a path of this console, such as `/inbox?status=all`. Any other value becomes
 * `/`, because a link could otherwise send the person to a foreign site.
 */
const placeWithin = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) && !next.startsWith("/sign-in") ? next : "/"

export const SignInPage = () => {
  const { next } = route.useSearch()
  const router = useRouter()
  const [isKept, setKept] = useState(true)
  const status = useQuery(podStatusQuery)
  const signIn = useMutation({
    mutationFn: (person: { email: string; password: string }) => hub("POST /auth/sign-in", { body: person }),
    onSuccess: (session) => {
      beginSession(session, isKept)
      const place = placeWithin(next)
      if (place !== "/join") forgetLinkToken()
      router.history.push(`${consolePath}${place}`)
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { email = "", password = "" } = textsOf(event.currentTarget)
    signIn.mutate({ email: email.trim(), password })
  }
  const isUnclaimed = status.data?.needsSetup === true
  return (
    <DoorPage title="Sign in">
      {isUnclaimed ? (
        <NoOwnerPage />
      ) : (
        <Panel>
          <form onSubmit={submit} className="grid gap-4">
            <TextField
              label="E-mail address"
              name="email"
              type="email"
              autoComplete="username"
              required
              maxLength={320}
            />
            <TextField
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
              maxLength={1024}
              hint={
                <>
                  Did you forget it? On the server, run <code>pod owner reset-password</code>. <NpxNote />
                </>
              }
            />
            <CheckField
              label="Stay signed in on this device"
              checked={isKept}
              onChange={({ target }) => setKept(target.checked)}
            />
            {signIn.error !== null && <ErrorBox error={signIn.error} />}
            <Button type="submit" kind="primary" className="justify-center" isBusy={signIn.isPending}>
              Sign in
            </Button>
          </form>
        </Panel>
      )}
    </DoorPage>
  )
}
