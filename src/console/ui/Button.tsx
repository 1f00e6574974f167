/**
 * Buttons, and the style for links that look like buttons. A page has at most one primary button. A red button runs an
 * action that cannot be undone.
 */
import type { ButtonHTMLAttributes } from "react"

export type ButtonKind = "primary" | "plain" | "danger" | "quiet"

const kinds: Readonly<Record<ButtonKind, string>> = {
  primary: "bg-accent text-on-accent border-accent hover:bg-accent-hover",
  plain: "bg-panel text-text border-line shadow-xs hover:border-control hover:bg-page",
  danger: "bg-bad text-page border-bad hover:bg-bad-hover",
  quiet: "bg-transparent text-text border-transparent hover:bg-accent-soft"
}

export const buttonClass = (kind: ButtonKind = "plain"): string =>
  `inline-flex min-h-9 items-center justify-center gap-2 wrap-break-word rounded-md border px-3 py-1.5 font-medium no-underline disabled:opacity-60 aria-disabled:opacity-60 ${kinds[kind]}`

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind
  /** True while the action runs. The button shows this, and ignores more clicks. */
  readonly isBusy?: boolean
}

/** A busy button stays enabled for the browser, because a disabled button would lose the focus. */
export const Button = ({ kind = "plain", isBusy = false, className = "", ...props }: ButtonProps) => (
  <button
    type="button"
    {...props}
    aria-busy={isBusy}
    {...(isBusy ? { "aria-disabled": true, onClick: (event) => event.preventDefault() } : {})}
    className={`${buttonClass(kind)} ${className}`}
  />
)
