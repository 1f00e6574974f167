/** Says that a write waits for a decision, and links to the proposal. */
import { Link } from "@tanstack/react-router"

/** The id of the proposal if the write waits for approval. Undefined if the write has happened. */
export const proposalOf = (answer: unknown): string | undefined => {
  if (typeof answer !== "object" || answer === null || !("status" in answer) || answer.status !== "proposed")
    return undefined
  return "proposalId" in answer && typeof answer.proposalId === "string" ? answer.proposalId : undefined
}

export const ProposedNote = ({ proposalId }: { readonly proposalId: string }) => (
  <p role="status" className="border-warn bg-warn-soft rounded-md border p-3">
    This became a proposal and waits for a decision.{" "}
    <Link to="/inbox/$id" params={{ id: proposalId }}>
      Open the proposal
    </Link>
  </p>
)
