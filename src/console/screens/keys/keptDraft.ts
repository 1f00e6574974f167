/**
 * Keeps the draft of a new key in the history of the browser. So a reload and the Back button show the draft again,
 * and a new visit to the wizard starts empty.
 */
import { emptyDraft, type KeyDraft } from "./keyDraft.ts"

const field = "keyDraft"

const entryState = (): Readonly<Record<string, unknown>> => {
  const state: unknown = history.state
  return typeof state === "object" && state !== null ? { ...state } : {}
}

/** The draft of the current history entry. Undefined if this entry has no draft. */
export const keptDraft = (): KeyDraft | undefined => {
  const value = entryState()[field]
  return typeof value === "object" && value !== null ? { ...emptyDraft, ...value } : undefined
}

/** Keeps the draft for the current history entry. Undefined removes the draft. */
export const keepDraft = (draft: KeyDraft | undefined): void => {
  // The router has replaced `history.replaceState` with a function that treats each call as a navigation. This call
  // changes no address, so it uses the original function.
  History.prototype.replaceState.call(history, { ...entryState(), [field]: draft }, "")
}
