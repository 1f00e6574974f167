/** Shows one proposal to the person who decides: who proposes it and why, what would change, and the context. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { visibleText } from "../../../shared/visibleText.ts"
import { emptyFields, isShownDifference } from "../../../shared/shownDifferences.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Panel } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { Conflicts } from "./Conflicts.tsx"
import {
  confidenceOf,
  alreadyDecidedText,
  sourceMessageOf,
  type ProposalWhole,
  riskOf,
  statusNames
} from "./inboxText.ts"
import { FieldDiff } from "./FieldDiff.tsx"
import { type DiffLook, diffLooks } from "./inboxSearch.ts"
import { ProposalChecks } from "./ProposalChecks.tsx"
import { ProposalContext } from "./ProposalContext.tsx"
import { useProposalEvents } from "./useProposalEvents.ts"
import { ProposalObjects } from "./ProposalObjects.tsx"
import { allKeysQuery } from "../keys/allKeys.ts"
import { RevertButton } from "./RevertButton.tsx"
import type { ProposalActions } from "./useProposalActions.tsx"
import type { useNames } from "../../api/useNames.ts"
import { pathText } from "./jsonDiff.ts"

interface ViewProps {
  readonly proposal: ProposalWhole
  readonly names: ReturnType<typeof useNames>
  readonly actions: ProposalActions
  readonly look: DiffLook
  readonly onLook: (look: DiffLook) => void
  /** True if the person has decided, but the decision waits (5 seconds) before the console sends it. */
  readonly isDecided: boolean
}

const lookNames = { unified: "Unified", split: "Split", words: "Words" } as const

const Looks = ({ look, onLook }: Pick<ViewProps, "look" | "onLook">) => (
  <div role="group" aria-label="Look of the differences" className="flex gap-1">
    {diffLooks.map((each) => (
      <Button
        key={each}
        kind={each === look ? "plain" : "quiet"}
        aria-pressed={each === look}
        onClick={() => onLook(each)}
      >
        {lookNames[each]}
      </Button>
    ))}
  </div>
)

/**
 * Shows the key with which the proposal was made: its name if the person may read the key, or the beginning of its id.
 */
const MadeWith = ({ keyId }: { readonly keyId: string }) => {
  const { data } = useQuery(allKeysQuery)
  const known = data?.find(({ id }) => id === keyId)
  return (
    <span>
      with the key{" "}
      {known === undefined ? (
        <code>{keyId.slice(0, 8)}</code>
      ) : (
        <Link to="/connections" search={{ key: keyId }}>
          {known.keyName}
        </Link>
      )}
    </span>
  )
}

const RequesterLine = ({ proposal, names }: Pick<ViewProps, "proposal" | "names">) => {
  const { filed } = useProposalEvents(proposal)
  const { agentUserId, createdAt, createdBy, keyId, reasoning, sessionId, workspaceId } = proposal
  const sourceMessage = sourceMessageOf(proposal)
  const risk = riskOf(proposal)
  const confidence = confidenceOf(proposal)
  return (
    <div className="grid gap-2">
      <p className="text-muted flex flex-wrap items-center gap-x-2 gap-y-1">
        <span>
          {agentUserId === null ? "" : "Agent "}
          <strong className="text-text">{names.name(agentUserId ?? createdBy)}</strong>
        </span>
        <span>in {names.workspace(workspaceId)}</span>
        <Time at={createdAt} />
        <code>{proposal.proposalType}</code>
        {sessionId !== null && (
          <span>
            session <code>{sessionId.slice(0, 8)}</code>
          </span>
        )}
        {keyId !== null && <MadeWith keyId={keyId} />}
        {filed !== undefined && (
          <Link to="/events" search={{ event: filed.id }}>
            Events of its request
          </Link>
        )}
        {sourceMessage !== undefined && (
          <span>
            from the message <code>{sourceMessage}</code>
          </span>
        )}
        {risk !== undefined && <Badge tone={risk.tone}>{risk.text}</Badge>}
        {confidence !== undefined && <Badge tone={confidence.tone}>{confidence.text}, the agent says</Badge>}
      </p>
      <blockquote className="border-accent border-l-4 pl-3 whitespace-pre-wrap">
        {reasoning ?? <span className="text-muted">No reason was given.</span>}
      </blockquote>
    </div>
  )
}

const whyDisabled = "why-approve-is-disabled"

interface WaitsFor {
  /** What the person must do before they can approve the proposal. Undefined if they can approve it. */
  readonly waitsFor: string | undefined
}

const Buttons = ({ actions, proposal, waitsFor }: Pick<ViewProps, "actions" | "proposal"> & WaitsFor) => (
  <div className="flex flex-wrap gap-2">
    <Button
      kind="primary"
      aria-keyshortcuts="a"
      disabled={waitsFor !== undefined}
      aria-describedby={waitsFor && whyDisabled}
      onClick={actions.approve}
    >
      Approve
    </Button>
    <Button aria-keyshortcuts="e" onClick={actions.edit}>
      Edit
    </Button>
    <Button aria-keyshortcuts="r" onClick={actions.reject}>
      Reject
    </Button>
    {actions.endSnooze === undefined ? (
      <Button aria-keyshortcuts="s" onClick={actions.snooze}>
        Snooze
      </Button>
    ) : (
      <Button onClick={actions.endSnooze}>End the snooze</Button>
    )}
    {proposal.agentUserId !== null && proposal.proposalType !== "join" && (
      <Button kind="quiet" onClick={actions.rule}>
        Always allow this?
      </Button>
    )}
    {actions.snoozedUntil !== undefined && (
      <p className="text-muted basis-full">
        Hidden from your inbox until {new Date(actions.snoozedUntil).toLocaleString()}.
      </p>
    )}
    {waitsFor !== undefined && (
      <p id={whyDisabled} className="text-muted basis-full">
        {waitsFor}
      </p>
    )}
  </div>
)

const SettledNote = ({ proposal, names }: Pick<ViewProps, "proposal" | "names">) => (
  <div className="grid justify-items-start gap-2">
    <p role="status">{alreadyDecidedText(proposal, names.name, Date.now())}</p>
    {proposal.statusReason !== null && <p className="whitespace-pre-wrap">Reason: {proposal.statusReason}</p>}
    {proposal.status === "approved" && <RevertButton proposal={proposal} />}
  </div>
)

export const ProposalView = ({ proposal, names, actions, look, onLook, isDecided }: ViewProps) => {
  const differences = proposal.differences.filter(isShownDifference)
  const withoutValue = emptyFields(proposal.differences, ({ path }) => pathText(path))
  return (
    <div className="grid min-w-0 content-start gap-4 2xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 content-start gap-4">
        <Panel>
          <RequesterLine proposal={proposal} names={names} />
          {proposal.status !== "pending" ? (
            <SettledNote proposal={proposal} names={names} />
          ) : isDecided ? (
            <p role="status" className="flex items-center gap-3">
              Decided, but not sent yet. <Button onClick={actions.undo}>Undo</Button>
            </p>
          ) : (
            <Buttons
              actions={actions}
              proposal={proposal}
              waitsFor={
                proposal.conflicts.length === 0
                  ? undefined
                  : "Somebody changed the same fields meanwhile. Resolve the conflicts below, then you can approve."
              }
            />
          )}
        </Panel>
        {proposal.status === "pending" && proposal.conflicts.length > 0 && (
          <Conflicts key={`${proposal.id}-${proposal.revision}`} proposal={proposal} />
        )}
        <Panel title="What changes" actions={<Looks look={look} onLook={onLook} />}>
          {proposal.differences.length === 0 ? (
            <p className="text-muted">
              {proposal.conflicts.length === 0
                ? "No field differs from the record as it is now."
                : "Beside the fields in conflict above, no field differs from the record as it is now."}
            </p>
          ) : (
            <ul className="grid gap-4">
              {differences.map((difference) => (
                <FieldDiff
                  key={[proposal.id, proposal.revision, ...difference.path].join("\0")}
                  difference={difference}
                  look={look}
                  hasTick={differences.length > 1}
                />
              ))}
            </ul>
          )}
          {withoutValue.length > 0 && (
            <p className="text-muted">
              Without a value: <code>{visibleText(withoutValue.join(", "))}</code>
            </p>
          )}
        </Panel>
        <Panel title="Records">
          <ProposalObjects proposal={proposal} />
        </Panel>
        {proposal.status === "pending" && (
          <Panel title="Checks">
            <ProposalChecks proposal={proposal} />
          </Panel>
        )}
        <p className="text-muted text-xs">
          Proposal <code>{proposal.id}</code>, revision {proposal.revision}, {statusNames[proposal.status]}
        </p>
      </div>
      <ProposalContext proposal={proposal} name={names.name} />
    </div>
  )
}
