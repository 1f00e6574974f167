/** Shows the open proposal beside the list: its title, and everything about it. */
import type { ReactNode } from "react"
import { visibleText } from "../../../shared/visibleText.ts"
import { QueryResult } from "../../ui/QueryResult.tsx"
import type { DiffLook } from "./inboxSearch.ts"
import { ProposalView } from "./ProposalView.tsx"
import type { useNames } from "../../api/useNames.ts"
import type { useOpenProposal } from "./useOpenProposal.ts"
import type { ProposalActions } from "./useProposalActions.tsx"

interface OpenProps {
  readonly open: ReturnType<typeof useOpenProposal>
  readonly names: ReturnType<typeof useNames>
  readonly actions: ProposalActions
  readonly look: DiffLook
  readonly onLook: (look: DiffLook) => void
  readonly back: ReactNode
}

export const OpenProposal = ({ open, back, ...view }: OpenProps) => (
  <section aria-label="Open proposal" className="grid min-w-0 gap-3">
    {back}
    <QueryResult what="the proposal" query={open.query}>
      {(proposal) => (
        <>
          <h2 className="text-lg">{visibleText(proposal.summary)}</h2>
          <ProposalView key={proposal.id} proposal={proposal} isDecided={open.isDecided} {...view} />
        </>
      )}
    </QueryResult>
  </section>
)
