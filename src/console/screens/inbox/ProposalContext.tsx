/**
 * Shows the context of a proposal: why it waits for a person, the decisions about similar proposals, and its history.
 */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { hubQuery } from "../../api/hub.ts"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"
import type { Names } from "../../api/useNames.ts"
import { type ProposalWhole, statusNames } from "./inboxText.ts"
import { useProposalEvents } from "./useProposalEvents.ts"
import { Inline } from "../../ui/Inline.tsx"

// The list shows at most this many proposals. A line below the list says how many more there are.
const similarMax = 5

/**
 * The request for the decided proposals that have the same type as this proposal and come from the same person or
 * agent.
 */
export const similarInput = ({ createdBy, id, proposalType }: ProposalWhole) =>
  ({
    query: { status: "settled", actorId: createdBy, proposalType, exceptIds: id, view: "basic", limit: similarMax }
  }) as const

const Policy = ({ decisionId }: { readonly decisionId: string }) => {
  const decision = useQuery(hubQuery("GET /api/hub/auth/decisions/:id", { params: { id: decisionId } }))
  return (
    <QueryResult what="the decision" query={decision}>
      {({ permission, rung, why }) => (
        <div className="grid gap-1">
          <p>
            <Inline text={why} />
          </p>
          <p className="text-muted">
            Rule of the gate: <code>{rung}</code>. Permission: <code>{permission}</code>.
          </p>
        </div>
      )}
    </QueryResult>
  )
}

const Similar = ({ proposal, name }: { readonly proposal: ProposalWhole; readonly name: Names }) => {
  const found = useQuery(hubQuery("GET /api/hub/proposals", similarInput(proposal)))
  return (
    <QueryResult what="past decisions" query={found}>
      {({ proposals, total }) =>
        proposals.length === 0 ? (
          <p className="text-muted">
            Nobody has decided about another proposal <code>{proposal.proposalType}</code> of {name(proposal.createdBy)}
            .
          </p>
        ) : (
          <ul className="grid gap-1">
            {proposals.map(({ createdAt, id, status, summary }) => (
              <li key={id}>
                <Link to="/inbox/$id" params={{ id }}>
                  {summary}
                </Link>{" "}
                <span className="text-muted">
                  {statusNames[status]}, proposed <Time at={createdAt} />
                </span>
              </li>
            ))}
            {total > proposals.length && <li className="text-muted">and {total - proposals.length} more</li>}
          </ul>
        )
      }
    </QueryResult>
  )
}

export const ProposalContext = ({ proposal, name }: { readonly proposal: ProposalWhole; readonly name: Names }) => {
  const { events, filed } = useProposalEvents(proposal)
  return (
    <div className="grid min-w-0 content-start gap-3">
      <Panel title="Why it waits">
        <QueryResult what="the decision" query={events}>
          {() =>
            filed === undefined ? (
              <p className="text-muted">You may not read the event that filed this proposal.</p>
            ) : (
              <Policy decisionId={filed.id} />
            )
          }
        </QueryResult>
      </Panel>
      <Panel title="Similar decisions">
        <Similar proposal={proposal} name={name} />
      </Panel>
      <Panel title="History">
        <QueryResult what="its events" query={events}>
          {(found) => (
            <ol className="grid gap-1">
              {found.map(({ actorId, id, timestamp, type }) => (
                <li key={id}>
                  <code>{type}</code> <span className="text-muted">by {name(actorId)}</span> <Time at={timestamp} />
                </li>
              ))}
            </ol>
          )}
        </QueryResult>
      </Panel>
    </div>
  )
}
