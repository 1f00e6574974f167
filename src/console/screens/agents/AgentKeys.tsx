/** Shows the keys of an agent, with a link that creates a new key for the agent. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Badge } from "../../ui/Badge.tsx"
import { buttonClass } from "../../ui/Button.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"
import { allKeysQuery } from "../keys/allKeys.ts"

export const AgentKeys = ({ agentId }: { readonly agentId: string }) => {
  const keys = useQuery(allKeysQuery)
  return (
    <QueryResult what="the keys of the agent" query={keys}>
      {(all) => {
        const agentKeys = all.filter(({ holderId }) => holderId === agentId)
        return (
          <div className="grid justify-items-start gap-3">
            {agentKeys.length === 0 && <p className="text-muted">The agent has no key, so it cannot call the pod.</p>}
            <ul className="grid gap-2">
              {agentKeys.map(({ id, isActive, keyName, lastFour, lastUsedAt, summary }) => (
                <li key={id}>
                  <Link to="/connections" search={{ key: id }}>
                    {keyName} …{lastFour}
                  </Link>{" "}
                  <Badge tone={isActive ? "good" : "plain"}>{isActive ? "active" : "ended"}</Badge> {summary} Last use{" "}
                  <Time at={lastUsedAt} />
                </li>
              ))}
            </ul>
            <Link to="/keys/new" search={{ agent: agentId, recipe: "agent" }} className={buttonClass("plain")}>
              New key for this agent
            </Link>
          </div>
        )
      }}
    </QueryResult>
  )
}
