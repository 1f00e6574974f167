/** Shows the record that a proposal creates or changes, and the other records that its content mentions. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { hubQuery } from "../../api/hub.ts"
import { contentOf } from "./editing.ts"
import { isAboutEntry, targetAddress } from "./proposalTarget.ts"
import { actionOf, idsIn, type ProposalWhole } from "./inboxText.ts"

const namedMax = 12

const RecordName = ({ id }: { readonly id: string }) => {
  const { data } = useQuery({ ...hubQuery("GET /api/hub/resolve/:id", { params: { id } }), retry: false })
  if (data === undefined || data.type === "unknown") {
    return (
      <span>
        <code>{id}</code> <span className="text-muted">not a record that you may read</span>
      </span>
    )
  }
  return (
    <span>
      <Link to="/explore/$type/$id" params={{ type: data.type, id: data.id }}>
        {data.displayName ?? data.id}
      </Link>{" "}
      <span className="text-muted">{data.profileSlug ?? data.type}</span>
    </span>
  )
}

const Entry = ({ proposal }: { readonly proposal: ProposalWhole }) => {
  const address = targetAddress(proposal)
  return (
    <span>
      {address === undefined ? (
        <code>{proposal.targetId}</code>
      ) : (
        <Link
          to="/explore/$type/$id"
          params={{ type: address.type, id: address.id }}
          search={{ workspaceId: address.workspaceId }}
        >
          {address.id}
        </Link>
      )}{" "}
      <span className="text-muted">knowledge entry</span>
    </span>
  )
}

export const ProposalObjects = ({ proposal }: { readonly proposal: ProposalWhole }) => {
  const { materializedIds = [], status, targetId, targetType } = proposal
  const action = actionOf(proposal)
  const isCreated = action === "create" && status === "approved"
  const named = idsIn(contentOf(proposal), targetId)
  return (
    <ul className="grid gap-1">
      {action === "create" && !isCreated ? (
        <li>
          Creates a new {targetType} <code>{targetId.slice(0, 8)}</code>
        </li>
      ) : (
        (isCreated && materializedIds.length > 0 ? materializedIds : [targetId]).map((id) => (
          <li key={id}>
            {isCreated ? "Created " : action === "delete" ? "Deletes " : "Changes "}
            {isAboutEntry(proposal) ? <Entry proposal={proposal} /> : <RecordName id={id} />}
          </li>
        ))
      )}
      {named.slice(0, namedMax).map((id) => (
        <li key={id}>
          Linked: <RecordName id={id} />
        </li>
      ))}
      {named.length > namedMax && <li className="text-muted">and {named.length - namedMax} more</li>}
    </ul>
  )
}
