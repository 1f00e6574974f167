/**
 * The page for connecting a client to the pod. It shows the configuration of the client, with a variable name instead
 * of the key. A light shows whether the client's key is accepted.
 */
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { buttonClass } from "../../ui/Button.tsx"
import { SelectField } from "../../ui/Field.tsx"
import { Empty, Page, Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { ClientTabs } from "./ClientTabs.tsx"
import { FirstCallLight } from "./FirstCallLight.tsx"
import { allKeysQuery, keysCall } from "../keys/allKeys.ts"

const route = getRouteApi("/shell/connect")

export const ConnectPage = () => {
  const { client = "claude-code", key = "" } = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(allKeysQuery)
  const set = (next: { readonly client?: string; readonly key?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true })
  return (
    <Page
      title="Connect a client"
      about="Give an agent, an editor or a workflow a key, and see its first call arrive."
      actions={
        <Link to="/keys/new" className={buttonClass("primary")}>
          New key
        </Link>
      }
      calls={key === "" ? [keysCall] : [keysCall, { procedure: "apiKeys.usage", kind: "query", input: { keyId: key } }]}
    >
      <Panel title="The client">
        <p className="text-muted">
          The pod shows a key only once, when it is made. So these texts contain the variable <code>POD_API_KEY</code>{" "}
          instead of the key. The wizard for a new key shows the same texts with the key.
        </p>
        <ClientTabs secret={undefined} shown={client} onShow={(next) => set({ client: next })} />
        <p className="text-muted">
          Chats that run in the cloud of a vendor, such as claude.ai and ChatGPT, cannot connect: they send no key.
        </p>
      </Panel>
      <Panel title="The first call">
        <QueryResult what="your keys" query={keys}>
          {(all) => {
            const active = all.filter(({ isActive }) => isActive)
            return active.length === 0 ? (
              <Empty title="You have no key yet.">
                <Link to="/keys/new">Create the first key</Link>
              </Empty>
            ) : (
              <div className="grid gap-3">
                <SelectField
                  label="Key of the client"
                  value={key}
                  onChange={({ target }) => set({ key: target.value })}
                >
                  <option value="">Choose a key</option>
                  {all
                    .filter(({ id, isActive }) => isActive || id === key)
                    .map(({ id, keyName, lastFour }) => (
                      <option key={id} value={id}>
                        {keyName} …{lastFour}
                      </option>
                    ))}
                </SelectField>
                {key !== "" && <FirstCallLight key={key} keyId={key} />}
              </div>
            )
          }}
        </QueryResult>
      </Panel>
    </Page>
  )
}
