/** A button for what cannot be undone: it asks once, names the thing, and shows why the pod refused if it did. */
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { ErrorBox } from "./ErrorBox.tsx"

interface ConfirmButtonProps {
  /** What the button does, such as `Archive`. */
  readonly name: string
  /** For screen readers, where several such buttons stand in a list: `Suspend Ada`. */
  readonly label?: string
  /** The question, with the name of the thing. */
  readonly question: string
  /** What will happen. */
  readonly children?: ReactNode
  /** Name of the button that does it. Default: `name`. */
  readonly confirm?: string
  /** Rejects with a refusal, which the dialog shows. */
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
