/** The buttons that act on all selected proposals together. */
import { Button } from "../../ui/Button.tsx"
import type { ProposalActions } from "./useProposalActions.tsx"

interface BatchProps {
  readonly count: number
  readonly actions: ProposalActions
  readonly onClear: () => void
}

export const BatchBar = ({ count, actions, onClear }: BatchProps) => (
  <div
    role="region"
    aria-label="Selected proposals"
    className="bg-accent-soft sticky top-2 z-10 flex flex-wrap items-center gap-2 rounded-lg p-2"
  >
    <strong className="px-2">{count} selected</strong>
    <Button kind="primary" onClick={actions.approve}>
      Approve {count}
    </Button>
    <Button onClick={actions.reject}>Reject {count}</Button>
    {actions.endSnooze === undefined ? (
      <Button onClick={actions.snooze}>Snooze {count}</Button>
    ) : (
      <Button onClick={actions.endSnooze}>End the snooze</Button>
    )}
    <Button kind="quiet" onClick={onClear}>
      Clear the selection
    </Button>
  </div>
)
