/**
 * A button for an action that cannot be undone. A dialog first names the affected record and asks the person to
 * confirm. If the pod refuses the action, the dialog shows the reason.
 */
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { ErrorBox } from "./ErrorBox.tsx"

interface ConfirmButtonProps {
  /** The text of the button, such as `Archive`. */
  readonly name: string
  /**
   * The name of the button for screen readers, such as `Suspend Ada`. It is needed if a list has several such buttons.
   */
  readonly label?: string
  /** The question in the dialog. It names the affected record. */
  readonly question: string
  /** The content of the dialog, which says what the action will do. */
  readonly children?: ReactNode
  /** The text of the dialog's button, which runs the action. Default: `name`. */
  readonly confirm?: string
  /** Runs the confirmed action. If it rejects with a refusal, the dialog shows the refusal. */
  readonly onConfirm: () => Promise<unknown>
}

export const ConfirmButton = ({ children, confirm, label, name, onConfirm, question }: ConfirmButtonProps) => {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const act = useMutation({ mutationFn: onConfirm, onSuccess: close })
  return (
    <>
      <Button aria-label={label} onClick={() => setOpen(true)}>
        {name}
      </Button>
      <Dialog title={question} isOpen={isOpen} onClose={close}>
        {children !== undefined && <div className="grid gap-2">{children}</div>}
        {act.error !== null && <ErrorBox error={act.error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button kind="danger" isBusy={act.isPending} onClick={() => act.mutate()}>
            {confirm ?? name}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
