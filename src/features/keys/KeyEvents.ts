/** The events of a key in the log of the person who owns the key. All stores append the same events. */
import type { EventDraft } from "../events/Event.ts"
import type { StoredKey } from "./Key.ts"

export const keyCreatedEvent = ({ grant, holderId, id, keyName, scopes }: StoredKey): EventDraft => ({
  type: "apiKey.create",
  subjectId: id,
  // The event contains the grant, so that the log always shows what the key was allowed to do.
  data: { keyName, scopes, holderId, grant }
})

export const keyRenamedEvent = (keyId: string, keyName: string): EventDraft => ({
  type: "apiKey.update",
  subjectId: keyId,
  data: { keyName }
})

export const keyRevokedEvent = (keyId: string, reason: string): EventDraft => ({
  type: "apiKey.revoke",
  subjectId: keyId,
  data: { reason }
})

export const keyRotatedEvent = (keyId: string, successorId: string): EventDraft => ({
  type: "apiKey.rotate",
  subjectId: keyId,
  data: { successorId }
})
