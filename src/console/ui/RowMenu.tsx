/**
 * The further actions of a row, in a small box that opens beside its button. The box closes after an action, and also if
 * the person clicks elsewhere, scrolls, or presses Escape.
 */
import { type ToggleEvent, useId, useRef } from "react"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

interface RowAction {
  readonly name: string
  /** The name for screen readers, which also names the row. */
  readonly label: string
  readonly run: () => void
}

interface RowMenuProps {
  /** The name of the button for screen readers, such as "More for Laptop". */
  readonly label: string
  readonly actions: ReadonlyArray<RowAction>
}

const actionHeight = 36
const gap = 4

export const RowMenu = ({ actions, label }: RowMenuProps) => {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const close = () => {
    if (box.current?.matches(":popover-open") === true) box.current.hidePopover()
  }
  /** Places the box below its button, or above it if the window has too little room below. */
  const place = ({ currentTarget: { style }, newState }: ToggleEvent<HTMLDivElement>) => {
    const at = button.current?.getBoundingClientRect()
    if (newState !== "open" || at === undefined) return
    const hasRoom = at.bottom + actions.length * actionHeight + 4 * gap < innerHeight
    style.right = `${document.documentElement.clientWidth - at.right}px`
    style.top = hasRoom ? `${at.bottom + gap}px` : "auto"
    style.bottom = hasRoom ? "auto" : `${innerHeight - at.top + gap}px`
    // The box is fixed in the window, so it would not move with its row.
    addEventListener("scroll", close, { capture: true, once: true })
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        title="More"
        popoverTarget={id}
        className="hover:bg-accent-soft inline-flex size-9 items-center justify-center rounded-md"
      >
        <Icon name="more" />
      </button>
      <div
        ref={box}
        id={id}
        popover="auto"
        onBeforeToggle={place}
        className="border-line bg-raised text-text fixed inset-auto m-0 min-w-40 rounded-lg border p-1 shadow-lg"
      >
        <div className="grid">
          {actions.map(({ label: full, name, run }) => (
            <Button
              key={name}
              kind="quiet"
              aria-label={full}
              className="justify-start text-left"
              onClick={() => {
                close()
                run()
              }}
            >
              {name}
            </Button>
          ))}
        </div>
      </div>
    </>
  )
}
