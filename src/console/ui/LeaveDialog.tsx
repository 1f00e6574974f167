/** Asks whether the person really wants to leave a page and lose something that is not stored yet. */
import type { ReactNode } from "react"
import type { useBlocker } from "@tanstack/react-router"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"

interface LeaveDialogProps {
  readonly title: string
  /** The text of the button that leaves the page. */
  readonly leave: string
  /** The answer of `useBlocker`. The dialog is open until the person decides. */
  readonly leaving: ReturnType<typeof useBlocker>
  readonly children: ReactNode
}

export const LeaveDialog = ({ children, leave, leaving, title }: LeaveDialogProps) => (
  <Dialog
    title={title}
    isOpen={leaving.status === "blocked"}
    onClose={() => leaving.status === "blocked" && leaving.reset()}
  >
    <p>{children}</p>
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={leaving.proceed}>{leave}</Button>
      <Button kind="primary" onClick={leaving.reset}>
        Stay here
      </Button>
    </div>
  </Dialog>
)
