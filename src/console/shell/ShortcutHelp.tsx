/** Shows all shortcuts of the current screen, and the switch that turns shortcuts off. */
import { useState } from "react"
import { Dialog } from "../ui/Dialog.tsx"
import { CheckField } from "../ui/Field.tsx"
import { areShortcutsOn, setShortcuts, shownShortcuts } from "./shortcuts.ts"

export const ShortcutHelp = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => {
  const [isOn, setOn] = useState(areShortcutsOn)
  return (
    <Dialog title="Shortcuts" isOpen={isOpen} onClose={onClose}>
      <CheckField
        label="Single keys act on the page"
        hint="Switch this off if you use speech input or press keys by accident."
        checked={isOn}
        onChange={({ target }) => {
          setShortcuts(target.checked)
          setOn(target.checked)
        }}
      />
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {shownShortcuts().map(({ does, keys }) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="border-line rounded border px-1.5">{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
