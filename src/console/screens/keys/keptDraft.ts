/**
 * Keeps the draft of a new key for one entry of the browser's history. So a reload and the Back button show the draft
 * again, and a new visit to the wizard starts empty.
 */
import { keepDraftOf, keptDraftOf } from "../../api/drafts.ts"
import { currentSession } from "../../api/session.ts"
import { emptyDraft, type KeyDraft } from "./keyDraft.ts"

/** The draft of the current history entry. Undefined if this entry has no draft. */
export const keptDraft = (): KeyDraft | undefined => {
  const value = keptDraftOf(currentSession()?.user.id ?? "")
  return typeof value === "object" && value !== null ? { ...emptyDraft, ...value } : undefined
}

/** Keeps the draft for the current history entry. Undefined removes the draft. */
export const keepDraft = (draft: KeyDraft | undefined): void => {
  const personId = currentSession()?.user.id
  if (personId !== undefined) keepDraftOf(personId, draft)
}
