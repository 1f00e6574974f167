/**
 * The Account tab: the person's name, password and sessions. The owner and administrators also set the name of the pod here.
 */
import { useQuery } from "@tanstack/react-query"
import { hubQuery } from "../../api/hub.ts"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { NameForm } from "./NameForm.tsx"
import { PasswordForm } from "./PasswordForm.tsx"
import { PodNameForm } from "./PodNameForm.tsx"
import { SamplePanel } from "./SamplePanel.tsx"
import { SessionsPanel } from "./SessionsPanel.tsx"

export const AccountPart = () => {
  const me = useQuery(hubQuery("GET /api/hub/users/me", {}))
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="grid min-w-0 content-start gap-4">
        <Panel title="You">
          <QueryResult what="your account" query={me}>
            {({ email, id, name }) => (
              <>
                <NameForm name={name} />
                <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
                  <dt className="text-muted">E-mail address</dt>
                  <dd>{email ?? "none"}</dd>
                  <dt className="text-muted">Id</dt>
                  <dd>
                    <code>{id}</code>
                  </dd>
                </dl>
              </>
            )}
          </QueryResult>
        </Panel>
        {me.data !== undefined && me.data.podRole !== "member" && <PodNameForm />}
        {me.data !== undefined && <SamplePanel isOwner={me.data.podRole === "owner"} />}
      </div>
      <PasswordForm />
      <div className="min-w-0 lg:col-span-2">
        <SessionsPanel />
      </div>
    </div>
  )
}
