/** Shows the proposals that wait for a decision, the latest first. */
import { Link } from "@tanstack/react-router"
import { useNames } from "../../api/useNames.ts"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"
import { useWaiting } from "../inbox/useWaiting.ts"
import { waitingMax } from "./homeReads.ts"

export const WaitingPanel = ({ refetchInterval }: { readonly refetchInterval: number | false }) => {
  const { query: waiting } = useWaiting(waitingMax, refetchInterval)
  const { name } = useNames()
  return (
    <Panel title="Waiting for your decision" actions={<Link to="/inbox">Open the inbox</Link>}>
      <QueryResult what="your proposals" query={waiting}>
        {({ proposals, total }) =>
          proposals.length === 0 ? (
            <p className="text-muted">Nothing waits. What your agents propose arrives here.</p>
          ) : (
            <ul className="grid gap-2">
              {proposals.map(({ agentUserId, createdAt, id, summary }) => (
                <li key={id} className="grid gap-0.5">
                  <Link to="/inbox" search={{ id }}>
                    {summary}
                  </Link>
                  <span className="text-muted text-xs">
                    {agentUserId === null ? "by a person" : `by ${name(agentUserId)}`} · <Time at={createdAt} />
                  </span>
                </li>
              ))}
              {total > proposals.length && (
                <li className="text-muted">
                  <Link to="/inbox">{total - proposals.length} more</Link>
                </li>
              )}
            </ul>
          )
        }
      </QueryResult>
    </Panel>
  )
}
