/** The actions on one or several proposals, with their buttons, keyboard shortcuts and dialogs. */
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import type { Shortcut } from "../../shell/shortcuts.ts"
import { showToast } from "../../ui/Toasts.tsx"
import { decide, decisions } from "./decisions.ts"
import type { QueuedDecision } from "./DecisionQueue.ts"
import { EditDialog } from "./EditDialog.tsx"
import { actionOf, type ProposalWhole } from "./inboxText.ts"
import { targetAddress } from "./proposalTarget.ts"
import { RejectDialog } from "./RejectDialog.tsx"
import { RuleDraftDialog } from "./RuleDraftDialog.tsx"
import { SnoozeDialog } from "./SnoozeDialog.tsx"
import { useSnoozes } from "./snoozes.ts"
import type { useNames } from "../../api/useNames.ts"

type DialogName = "reject" | "snooze" | "edit" | "rule"

export interface ProposalActions {
  readonly approve: () => void
  readonly reject: () => void
  readonly edit: () => void
  readonly snooze: () => void
  /** Ends the snooze of the proposals. Undefined if none of them is snoozed. */
  readonly endSnooze: (() => void) | undefined
  /** The time until which the open proposal is hidden from the person's inbox. Undefined if it is not snoozed. */
  readonly snoozedUntil: string | undefined
  readonly rule: () => void
  readonly undo: () => void
  readonly openObject: () => void
  readonly shortcuts: ReadonlyArray<Shortcut>
  readonly dialogs: ReactNode
}

interface ActionParts {
  /** The proposals to which an action applies: the selected proposals or, without a selection, the open one. */
  readonly proposals: ReadonlyArray<QueuedDecision>
  /** The open proposal. Undefined until it is read. */
  readonly whole: ProposalWhole | undefined
  readonly names: ReturnType<typeof useNames>
  /** Called when the decided proposals have left the list. */
  readonly onDecided: () => void
}

export const useProposalActions = ({ proposals, whole, names, onDecided }: ActionParts): ProposalActions => {
  const navigate = useNavigate()
  const { snooze: setSnooze, snoozes } = useSnoozes()
  const [dialog, setDialog] = useState<DialogName>()
  // The proposals that the open dialog is about. They stay the same even if the list changes while the dialog is open.
  const [about, setAbout] = useState<ReadonlyArray<QueuedDecision>>([])
  const close = () => setDialog(undefined)
  const start = (what: DialogName) => {
    if (proposals.length === 0) return
    setAbout(proposals)
    setDialog(what)
  }
  const isWaiting = whole?.status === "pending"
  const approve = () => {
    if (proposals.length === 0) return
    if (proposals.length === 1 && whole?.id === proposals[0]?.id && whole !== undefined && whole.conflicts.length > 0) {
      return showToast({ text: "Resolve the conflicts first: choose a value for each field." })
    }
    decide({ verb: "approve", proposals })
    onDecided()
  }
  const edit = () => {
    if (whole !== undefined && isWaiting) start("edit")
  }
  const undo = () => {
    const decision = decisions.undoLast()
    showToast({
      text:
        decision === undefined
          ? "Nothing is left to undo. An approved proposal can be reverted from its page, under Decided."
          : `Undone: ${decision.proposals.length === 1 ? `“${decision.proposals[0]?.summary ?? ""}” waits` : `${decision.proposals.length} proposals wait`} again.`
    })
  }
  const openObject = () => {
    if (whole === undefined) return
    const isThere = actionOf(whole) !== "create" || whole.status === "approved"
    if (!isThere) return void navigate({ to: "/inbox/$id", params: { id: whole.id } })
    const address = targetAddress(whole)
    if (address === undefined)
      return showToast({ text: `Explore does not open records of the type ${whole.targetType}.` })
    const { id, type, workspaceId } = address
    void navigate({ to: "/explore/$type/$id", params: { type, id }, search: { workspaceId } })
  }
  const asleep = proposals.map(({ id }) => id).filter((id) => snoozes[id] !== undefined)
  const endSnooze = async () => {
    try {
      await setSnooze(asleep, null)
      onDecided()
      showToast({ text: asleep.length === 1 ? "The snooze is ended." : `${asleep.length} snoozes are ended.` })
    } catch (failure) {
      showToast({ text: failure instanceof Error ? failure.message : String(failure), stayMs: 20_000 })
    }
  }
  const [reject, snooze, rule] = (["reject", "snooze", "rule"] as const).map((what) => () => start(what))
  const actions = {
    approve,
    reject: reject!,
    edit,
    snooze: snooze!,
    endSnooze: asleep.length === 0 ? undefined : () => void endSnooze(),
    snoozedUntil: whole === undefined ? undefined : snoozes[whole.id],
    rule: rule!,
    undo,
    openObject
  }
  return {
    ...actions,
    shortcuts: [
      { keys: "a", does: "Approve (you can undo this for 5 seconds)", run: approve },
      { keys: "r", does: "Reject with a reason", run: actions.reject },
      { keys: "e", does: "Edit, then approve", run: edit },
      { keys: "z", does: "Undo the last decision", run: undo },
      { keys: "s", does: "Snooze", run: actions.snooze },
      { keys: "o", does: "Open the object", run: openObject },
      { keys: "Enter", does: "Open the object", run: openObject }
    ],
    dialogs: (
      <>
        <RejectDialog proposals={about} isOpen={dialog === "reject"} onClose={close} onDecided={onDecided} />
        <SnoozeDialog ids={about.map(({ id }) => id)} isOpen={dialog === "snooze"} onClose={close} onDone={onDecided} />
        {whole !== undefined && (
          <>
            <EditDialog proposal={whole} isOpen={dialog === "edit"} onClose={close} onDecided={onDecided} />
            <RuleDraftDialog
              proposal={whole}
              name={names.name}
              workspace={names.workspace}
              isOpen={dialog === "rule"}
              onClose={close}
            />
          </>
        )}
      </>
    )
  }
}
