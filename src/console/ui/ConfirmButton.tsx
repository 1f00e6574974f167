/**
 * A button for an action that cannot be undone. It asks once, with the name of the affected thing, and shows the reason
 * if the pod refuses.
 */
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { ErrorBox } from "./ErrorBox.tsx"

interface ConfirmButtonProps {
  /** What the button does, such as `Archive`. */
  readonly name: string
  /** The name of the button for screen readers, if a list has several of these buttons, such as `Suspend Ada`. */
  readonly label?: string
  /** The question in the dialog, with the name of the affected thing. */
  readonly question: string
  /** What the action will do, as the content of the dialog. */
  readonly children?: ReactNode
  /** The text of the dialog's button that runs the action. Default: `name`. */
  readonly confirm?: string
  /** Runs the action. If it rejects with a refusal, the dialog shows the refusal. */
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
