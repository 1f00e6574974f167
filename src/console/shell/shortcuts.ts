/**
 * Keyboard shortcuts. They do nothing while the focus is in an input or a dialog, or if the person has turned shortcuts
 * off.
 */
import { useEffect, useRef } from "react"

export interface Shortcut {
  /** One key (`j`, `Enter`, `J` with shift), or two keys one after the other (`g i`). */
  readonly keys: string
  readonly does: string
  readonly run: () => void
}

const storageKey = "pod-shortcuts"
// The second key of a pair must follow the first key within this many milliseconds.
const sequenceMs = 1_000

/** True if shortcuts are on. WCAG 2.1.4 requires that people can turn off shortcuts of a single letter. */
export const areShortcutsOn = (): boolean => localStorage.getItem(storageKey) !== "off"
export const setShortcuts = (isOn: boolean): void => {
  if (isOn) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, "off")
}

const registeredShortcuts = new Map<string, Shortcut>()

/** The shortcuts of all mounted components, for the help dialog. */
export const shownShortcuts = (): ReadonlyArray<Shortcut> => [...registeredShortcuts.values()]

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest("input, textarea, select, [role=dialog], [role=alertdialog]") !== null)

let first = ""
let firstMs = 0

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !areShortcutsOn()) return
  const pair = event.timeStamp - firstMs < sequenceMs && first !== "" ? `${first} ${event.key}` : ""
  const found = registeredShortcuts.get(pair) ?? registeredShortcuts.get(event.key)
  first = event.key
  firstMs = event.timeStamp
  if (found === undefined) return
  // If a link or a button has the focus, Enter activates it and runs no shortcut.
  if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.closest("a, button") !== null) return
  first = ""
  event.preventDefault()
  found.run()
})

/**
 * Registers shortcuts while the component is mounted. A shortcut always calls the `run` of the latest render, so `run`
 * can use the current state.
 */
export const useShortcuts = (shortcuts: ReadonlyArray<Shortcut>): void => {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const keys = shortcuts.map((each) => each.keys).join("|")
  useEffect(() => {
    const mine = latest.current.map((each, index) => ({ ...each, run: () => latest.current[index]?.run() }))
    for (const each of mine) registeredShortcuts.set(each.keys, each)
    return () => {
      for (const each of mine) if (registeredShortcuts.get(each.keys) === each) registeredShortcuts.delete(each.keys)
    }
  }, [keys])
}
