/**
 * A dialog or a drawer. It gets the focus when it opens. Escape closes it, and then the control that had the focus
 * before gets the focus again.
 */
import { Dialog as Base } from "@base-ui/react/dialog"
import type { ReactNode } from "react"
import { buttonClass } from "./Button.tsx"

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /**
   * `drawer`: it opens at the right edge, and the person can still read the page beside it. `dialog`: it opens in the
   * middle.
   */
  readonly shape?: "dialog" | "drawer"
  readonly children: ReactNode
}

const shapes = {
  dialog: "top-1/2 left-1/2 max-h-[90dvh] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-lg",
  drawer: "top-0 right-0 h-dvh w-[min(44rem,100vw)]"
} as const

export const Dialog = ({ title, isOpen, onClose, shape = "dialog", children }: DialogProps) => (
  <Base.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 z-40 bg-black/50" />
      <Base.Popup
        data-dialog=""
        className={`border-line bg-raised text-text fixed z-50 grid scroll-pb-24 content-start gap-4 overflow-y-auto border p-5 shadow-xl ${shapes[shape]}`}
      >
        <div className="flex items-start justify-between gap-4">
          <Base.Title className="text-base font-semibold">{title}</Base.Title>
          <Base.Close className={buttonClass("quiet")} aria-label="Close">
            ✕
          </Base.Close>
        </div>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
)
