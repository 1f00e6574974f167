/** Shows the keys that expire within two weeks. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useNames } from "../../api/useNames.ts"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"
import { endsSoonDays, keysThatEnd } from "./homeFacts.ts"
import { allKeysQuery } from "../keys/allKeys.ts"

export const EndingPanel = () => {
  const keys = useQuery(allKeysQuery)
  const { name } = useNames()
  return (
    <Panel title="What ends soon" actions={<Link to="/connections">All connections</Link>}>
      <QueryResult what="your keys" query={keys}>
        {(found) => {
          const ending = keysThatEnd(found, Date.now())
          return ending.length === 0 ? (
            <p className="text-muted">No key ends within {endsSoonDays} days.</p>
          ) : (
            <ul className="grid gap-1">
              {ending.map(({ expiresAt, holderId, id, keyName, lastFour }) => (
                <li key={id}>
                  <Link to="/connections" search={{ key: id }}>
                    {keyName}
                  </Link>{" "}
                  <code>…{lastFour}</code> <span className="text-muted">held by {name(holderId)}, ends</span>{" "}
                  <Time at={expiresAt} />
                </li>
              ))}
            </ul>
          )
        }}
      </QueryResult>
    </Panel>
  )
}
