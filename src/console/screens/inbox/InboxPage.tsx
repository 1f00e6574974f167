/** The inbox page: the waiting proposals, the decided proposals, and the open proposal. */
import { getRouteApi, Link } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { useShortcuts } from "../../shell/shortcuts.ts"
import { Empty, Page } from "../../ui/Page.tsx"
import { Pager } from "../../ui/Pager.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { useFirstPage } from "../../ui/useFirstPage.ts"
import { useSelection } from "../../ui/useSelection.ts"
import { BatchBar } from "./BatchBar.tsx"
import { useDecisions } from "./decisions.ts"
import type { QueuedDecision } from "./DecisionQueue.ts"
import { InboxBar } from "./InboxBar.tsx"
import type { InboxSearch } from "./inboxSearch.ts"
import { groupsOf, idsBetween, neighbour, rowId, selectionOf } from "./inboxText.ts"
import { OpenProposal } from "./OpenProposal.tsx"
import { OutcomeList } from "./OutcomeList.tsx"
import { ProposalList } from "./ProposalList.tsx"
import { useInbox } from "./useInbox.ts"
import { useNames } from "../../api/useNames.ts"
import { useOpenProposal } from "./useOpenProposal.ts"
import { useProposalActions } from "./useProposalActions.tsx"

const route = getRouteApi("/shell/inbox")

const emptyTexts = {
  waiting: ["Nothing waits for you.", "New proposals of your agents appear here at once."],
  mine: [
    "None of your agents waits for a decision.",
    "Proposals of your own agents are listed here, also those that other people decide."
  ],
  snoozed: ["No proposal is snoozed.", "Press s on a proposal to see it again later."],
  decided: ["No proposal has this outcome.", "Choose another outcome above."]
} as const

export const InboxPage = () => {
  const search = route.useSearch()
  const go = route.useNavigate()
  const names = useNames()
  const { outcomes } = useDecisions()
  const { input, isLive, query, rows } = useInbox(search)
  const anchor = useRef<string>(undefined)
  const { group = "none", id, look = "unified", tab = "waiting" } = search
  const groups = groupsOf(rows, group, names.name)
  const ordered = groups.flatMap((each) => each.rows)
  const ids = ordered.map(rowId)
  const selection = useSelection(ordered, rowId)
  const open = useOpenProposal(id)
  const isSelectable = tab !== "decided"
  const chosen = selection.getSelectedRowModel().rows.map(({ original }) => original)

  const turn = (change: Partial<InboxSearch>) =>
    void go({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  const goTo = (after: string | undefined) => void go({ search: (before) => ({ ...before, after }) })
  useFirstPage(query.error)
  const show = (next: string | undefined) => {
    if (next === undefined) return
    turn({ id: next })
    document.getElementById(`row-${next}`)?.scrollIntoView({ block: "nearest" })
  }
  const extend = (step: 1 | -1) => {
    const next = neighbour(ids, id, step)
    if (next === undefined) return
    anchor.current ??= id ?? next
    selection.setRowSelection(selectionOf(idsBetween(ids, anchor.current, next)))
    show(next)
  }
  /** Opens the next proposal that stays in the list after the decision. */
  const onDecided = () => {
    const leaving = new Set(chosen.length > 0 ? chosen.map((row) => row.id) : [id])
    const at = ids.findIndex((each) => leaving.has(each))
    const next = ids.slice(at + 1).find((each) => !leaving.has(each)) ?? ids.findLast((each) => !leaving.has(each))
    selection.setRowSelection({})
    anchor.current = undefined
    void go({
      search: ({ id: _left, ...before }) => (next === undefined ? before : { ...before, id: next }),
      replace: true,
      resetScroll: false
    })
  }
  const whole = open.query.data
  const openOne: ReadonlyArray<QueuedDecision> =
    whole !== undefined && whole.status === "pending" && !open.isDecided ? [whole] : []
  const actions = useProposalActions({ proposals: chosen.length > 0 ? chosen : openOne, whole, names, onDecided })

  const move = (step: 1 | -1) => () => {
    anchor.current = undefined
    show(neighbour(ids, id, step))
  }
  useShortcuts([
    { keys: "j", does: "Next proposal", run: move(1) },
    { keys: "k", does: "Previous proposal", run: move(-1) },
    {
      keys: "x",
      does: "Select the open proposal, or remove it from the selection",
      run: () => {
        if (id === undefined || !isSelectable || !ids.includes(id)) return
        anchor.current = id
        selection.getRow(id).toggleSelected()
      }
    },
    { keys: "J", does: "Select also the next one", run: () => isSelectable && extend(1) },
    { keys: "K", does: "Select also the previous one", run: () => isSelectable && extend(-1) },
    {
      keys: "d",
      does: "Split or unified differences",
      run: () => turn({ look: look === "split" ? "unified" : "split" })
    },
    ...actions.shortcuts
  ])
  // After a change of the tab, group or page, the list has other rows. So the selection is cleared.
  const { setRowSelection } = selection
  useEffect(() => setRowSelection({}), [setRowSelection, tab, group, search.after, search.status])

  const at = id === undefined ? -1 : ids.indexOf(id)
  const { id: _open, ...listSearch } = search
  return (
    <Page
      title="Inbox"
      about="Changes that agents want to make, and that a person decides."
      calls={[{ route: "GET /api/hub/proposals", input }]}
    >
      <InboxBar search={search} onSearch={turn} isLive={isLive} />
      {chosen.length > 0 && (
        <BatchBar count={chosen.length} actions={actions} onClear={() => selection.setRowSelection({})} />
      )}
      <p className="sr-only" role="status">
        {at === -1 ? "" : `${at + 1} of ${ids.length}: ${ordered[at]?.summary ?? ""}`}
      </p>
      <div className="grid min-w-0 gap-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <div className={`min-w-0 content-start gap-3 ${id === undefined ? "grid" : "hidden lg:grid"}`}>
          <QueryResult what="the proposals" query={query}>
            {({ answer: { total }, next }) => (
              <>
                {rows.length === 0 ? (
                  <Empty title={emptyTexts[tab][0]}>
                    <p>{emptyTexts[tab][1]}</p>
                    {tab === "waiting" ? (
                      <Link to="/connect">Connect an agent</Link>
                    ) : (
                      <Link to="/inbox" search={{ tab: "waiting" }}>
                        Show what waits
                      </Link>
                    )}
                  </Empty>
                ) : (
                  <ProposalList
                    groups={groups}
                    chosen={id}
                    selection={selection}
                    names={names}
                    search={search}
                    isSelectable={isSelectable}
                  />
                )}
                <Pager label="Pages of the list" after={search.after} next={next} total={total} onGo={goTo} />
              </>
            )}
          </QueryResult>
        </div>
        <div className="min-w-0">
          {id === undefined ? (
            rows.length > 0 && (
              <div className="hidden lg:block">
                <Empty title="Choose a proposal to see what it changes.">
                  <p>
                    <kbd>j</kbd> opens the next one. Then <kbd>a</kbd> approves, <kbd>r</kbd> rejects, <kbd>e</kbd>{" "}
                    edits, and <kbd>?</kbd> shows all shortcuts.
                  </p>
                </Empty>
              </div>
            )
          ) : (
            <OpenProposal
              open={open}
              names={names}
              actions={actions}
              look={look}
              onLook={(next) => turn({ look: next })}
              back={
                <Link to="/inbox" search={listSearch} className="lg:hidden">
                  Back to the list
                </Link>
              }
            />
          )}
        </div>
      </div>
      {actions.dialogs}
      <OutcomeList lines={outcomes} />
    </Page>
  )
}
