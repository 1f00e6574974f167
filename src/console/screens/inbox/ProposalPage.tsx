/** Shows one proposal on a page of its own. Links from other pages and programs open this page. */
import { getRouteApi, Link } from "@tanstack/react-router"
import { useState } from "react"
import { useFreshReads } from "../../api/stream.ts"
import { useShortcuts } from "../../shell/shortcuts.ts"
import { Page } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import type { DiffLook } from "./inboxSearch.ts"
import { similarInput } from "./ProposalContext.tsx"
import { ProposalView } from "./ProposalView.tsx"
import { useNames } from "../../api/useNames.ts"
import { useOpenProposal } from "./useOpenProposal.ts"
import { useProposalActions } from "./useProposalActions.tsx"

const route = getRouteApi("/shell/inbox/$id")

export const ProposalPage = () => {
  const { id } = route.useParams()
  const names = useNames()
  const open = useOpenProposal(id)
  const [look, setLook] = useState<DiffLook>("unified")
  useFreshReads({ proposal: ["proposals", "events"] })
  const whole = open.query.data
  const isOpen = whole !== undefined && whole.status === "pending" && !open.isDecided
  const actions = useProposalActions({ proposals: isOpen ? [whole] : [], whole, names, onDecided: () => undefined })
  useShortcuts([
    { keys: "d", does: "Split or unified differences", run: () => setLook(look === "split" ? "unified" : "split") },
    ...actions.shortcuts
  ])
  return (
    <Page
      title={whole?.summary ?? "Proposal"}
      within={<Link to="/inbox">Inbox</Link>}
      calls={[
        { route: "GET /api/hub/proposals/:id", input: { params: { id } } },
        ...(whole === undefined ? [] : [{ route: "GET /api/hub/proposals" as const, input: similarInput(whole) }])
      ]}
    >
      <QueryResult what="the proposal" query={open.query}>
        {(proposal) => (
          <ProposalView
            proposal={proposal}
            names={names}
            actions={actions}
            look={look}
            onLook={setLook}
            isDecided={open.isDecided}
          />
        )}
      </QueryResult>
      {actions.dialogs}
    </Page>
  )
}
