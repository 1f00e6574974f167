/**
 * The button that reverts an approved change. If somebody has changed one of the fields since the approval, the pod
 * reverts nothing and names that field.
 */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { hub } from "../../api/hub.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { tell } from "../../ui/Toasts.tsx"
import type { ProposalWhole } from "./inboxText.ts"

export const RevertButton = ({ proposal }: { readonly proposal: ProposalWhole }) => {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const revert = async () => {
    setBusy(true)
    try {
      await hub("POST /api/hub/proposals/:id/revert", { params: { id: proposal.id } })
      setOpen(false)
      tell({ text: `“${proposal.summary}” is reverted.` })
      await queries.invalidateQueries()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>Revert</Button>
      <Dialog title="Revert the approval" isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>
          “{proposal.summary}” is undone exactly. If somebody has changed one of the same fields since then, the pod
          undoes nothing and names the field.
        </p>
        {error !== undefined && <ErrorBox error={error} />}
        <div className="flex gap-2">
          <Button kind="danger" isBusy={isBusy} onClick={() => void revert()}>
            Revert it
          </Button>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
        </div>
      </Dialog>
    </>
  )
}
