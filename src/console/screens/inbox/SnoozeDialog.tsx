/** Asks the person for a time. The proposals are hidden from the person's own inbox until this time. */
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import { useSnoozes } from "./snoozes.ts"
import { snoozeChoices } from "./snoozeTimes.ts"

interface SnoozeProps {
  readonly ids: ReadonlyArray<string>
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

export const SnoozeDialog = ({ ids, isOpen, onClose, onDone }: SnoozeProps) => {
  const { snooze } = useSnoozes()
  const [error, setError] = useState<unknown>(undefined)
  const [isBusy, setBusy] = useState(false)
  const choose = async (until: Date) => {
    setBusy(true)
    try {
      await snooze(ids, until)
      setError(undefined)
      onClose()
      onDone()
      showToast({
        text: `Not shown to you until ${until.toLocaleString()}.`,
        action: { name: "Undo", run: () => void snooze(ids, null).catch(setError) }
      })
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title="Snooze" isOpen={isOpen} onClose={onClose}>
      <p className="text-muted">The proposals are hidden only from you. They still wait, and other people see them.</p>
      {error !== undefined && <ErrorBox error={error} />}
      <div className="grid gap-2">
        {snoozeChoices(new Date()).map(({ name, until }) => (
          <Button key={name} isBusy={isBusy} onClick={() => void choose(until)}>
            {name} <span className="text-muted">{until.toLocaleString()}</span>
          </Button>
        ))}
      </div>
    </Dialog>
  )
}
