/**
 * The only place that keeps drafts of forms in this tab. Each draft belongs to one entry of the browser's history and
 * to one person. So a reload and the Back button show it again, and other people do not see it.
 */
import { consolePath } from "./root.ts"

const storageKey = `pod-drafts:${consolePath}`
const draftsMax = 20 // The tab keeps at most this many drafts. The oldest ones are dropped first.
const entryField = "draftId"

interface Drafts {
  readonly personId: string
  /** The drafts by the id that their history entry has. */
  readonly byEntry: Readonly<Record<string, unknown>>
}

const entryState = (): Readonly<Record<string, unknown>> => {
  const state: unknown = history.state
  return typeof state === "object" && state !== null ? { ...state } : {}
}

export const forgetDrafts = (): void => sessionStorage.removeItem(storageKey)

const draftsOf = (personId: string): Drafts["byEntry"] => {
  try {
    // Only `keepDraftOf` writes this item of the storage.
    const drafts = JSON.parse(sessionStorage.getItem(storageKey) ?? "") as Drafts
    if (drafts.personId === personId) return drafts.byEntry
  } catch {
    // The read failed, so the tab has no drafts.
  }
  return {}
}

/** The draft of the current history entry. Undefined if this entry has no draft of this person. */
export const keptDraftOf = (personId: string): unknown => {
  const id = entryState()[entryField]
  return typeof id === "string" ? draftsOf(personId)[id] : undefined
}

/** Keeps the draft for the current history entry. Undefined removes the draft. */
export const keepDraftOf = (personId: string, draft: unknown): void => {
  const state = entryState()
  const known = state[entryField]
  if (draft === undefined && typeof known !== "string") return
  const id = typeof known === "string" ? known : crypto.randomUUID()
  const { [id]: _, ...others } = draftsOf(personId)
  const remaining = Object.entries({ ...others, ...(draft === undefined ? {} : { [id]: draft }) }).slice(-draftsMax)
  if (remaining.length === 0) forgetDrafts()
  else sessionStorage.setItem(storageKey, JSON.stringify({ personId, byEntry: Object.fromEntries(remaining) }))
  // The router has replaced `history.replaceState` with a function that treats each call as a navigation. This call
  // changes no address, so it uses the original function.
  History.prototype.replaceState.call(history, { ...state, [entryField]: draft === undefined ? undefined : id }, "")
}
