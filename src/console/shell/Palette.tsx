/**
 * The command palette (⌘K or Ctrl K). It opens a page of the console by its name, and finds records by the beginnings
 * of words.
 */
import { useNavigate } from "@tanstack/react-router"
import { useDeferredValue, useState } from "react"
import { Dialog } from "../ui/Dialog.tsx"
import { inputClass } from "../ui/Field.tsx"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { places } from "./navigation.ts"
import { paletteKey, usePaletteRecords } from "./paletteRecords.ts"

interface Choice {
  readonly id: string
  readonly name: string
  readonly about: string
  /** The icon and the shortcut of a place of the menu. */
  readonly icon?: IconName
  readonly keys?: string | undefined
  readonly go: () => void
}

const PaletteBody = ({ onClose }: { readonly onClose: () => void }) => {
  const [text, setText] = useState("")
  const [at, setAt] = useState(0)
  const navigate = useNavigate()
  const words = useDeferredValue(text.trim())
  const { isReading, records } = usePaletteRecords(words)
  const query = text.trim().toLowerCase()
  const choices: ReadonlyArray<Choice> = [
    ...places
      .flat()
      .filter(({ name }) => name.toLowerCase().includes(query))
      .map(({ icon, keys, name, to }) => ({
        id: to,
        name,
        icon,
        keys,
        about: "place",
        go: () => void navigate({ to })
      })),
    ...records.map((record) => ({
      id: paletteKey(record),
      name: record.title,
      about: record.about,
      go: () =>
        void navigate({
          to: "/explore/$type/$id",
          params: { type: record.type, id: record.id },
          search: record.type === "knowledge" ? { workspaceId: record.workspaceId } : {}
        })
    }))
  ]
  const chosen = Math.min(at, choices.length - 1)
  const take = (choice: Choice | undefined) => {
    if (choice === undefined) return
    onClose()
    choice.go()
  }
  return (
    <>
      <input
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls="palette-choices"
        aria-activedescendant={choices[chosen] === undefined ? undefined : `palette-${chosen}`}
        aria-label="Where to go"
        placeholder="A place, or the beginning of a record’s name"
        className={inputClass}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(chosen + 1, choices.length - 1))
          else if (event.key === "ArrowUp") setAt(Math.max(chosen - 1, 0))
          else if (event.key === "Enter") take(choices[chosen])
          else return
          event.preventDefault()
        }}
      />
      <ul id="palette-choices" role="listbox" aria-label="Places and records" className="grid">
        {choices.map((choice, index) => (
          <li
            key={choice.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={`flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-2 py-1.5 ${index === chosen ? "bg-chosen" : ""}`}
            onClick={() => take(choice)}
          >
            {choice.icon !== undefined && <Icon name={choice.icon} className="text-muted" />}
            <span className="min-w-0 flex-1">{choice.name}</span>
            {choice.keys === undefined ? (
              <span className="text-muted">{choice.about}</span>
            ) : (
              <kbd className="text-muted">{choice.keys}</kbd>
            )}
          </li>
        ))}
      </ul>
      {choices.length === 0 && (
        <p role="status" className="text-muted">
          {isReading || words !== text.trim() ? "Searching …" : "No place or record has this name."}
        </p>
      )}
    </>
  )
}

export const Palette = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => (
  <Dialog title="Search and go" isOpen={isOpen} onClose={onClose}>
    {isOpen && <PaletteBody onClose={onClose} />}
  </Dialog>
)
