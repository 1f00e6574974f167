/**
 * Stores the session of the person who uses the console: for this tab, or on this device if the person chose to stay
 * signed in.
 */
import { useSyncExternalStore } from "react"
import { forgetDrafts } from "./drafts.ts"
import { consolePath } from "./root.ts"

export interface SignInSession {
  readonly token: string
  readonly expiresAt: string
  readonly user: { readonly id: string; readonly name: string; readonly email: string | null }
}

// Two pods on one host have different console paths. So each pod keeps its own session.
const storageKey = `pod-session:${consolePath}`
const listeners = new Set<() => void>()

const readStored = (): SignInSession | undefined => {
  const text = sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey)
  if (text === null) return undefined
  try {
    // Only this file writes the entry, so the cast is safe.
    const session = JSON.parse(text) as SignInSession
    return Date.parse(session.expiresAt) > Date.now() ? session : undefined
  } catch {
    return undefined
  }
}

let current = readStored()
let lastPersonId = current?.user.id
const otherPersonListeners = new Set<() => void>()

/** Calls the listener if the person who signs in is not the last person who was signed in in this tab. */
export const onOtherPerson = (listener: () => void): void => void otherPersonListeners.add(listener)

const setSession = (next: SignInSession | undefined) => {
  current = next
  if (next !== undefined && next.user.id !== lastPersonId) {
    if (lastPersonId !== undefined) for (const listener of otherPersonListeners) listener()
    lastPersonId = next.user.id
  }
  for (const listener of listeners) listener()
}

export const currentSession = (): SignInSession | undefined => current

/** Stores the session. If `isKept` is true, the session stays after the person closes this tab. */
export const beginSession = (session: SignInSession, isKept: boolean): void => {
  ;(isKept ? localStorage : sessionStorage).setItem(storageKey, JSON.stringify(session))
  setSession(session)
}

/** Keeps the new name of the signed-in person in the session. */
export const renameSession = (name: string): void => {
  if (current === undefined) return
  const isKept = localStorage.getItem(storageKey) !== null
  beginSession({ ...current, user: { ...current.user, name } }, isKept)
}

/**
 * Ends the session in this browser. The drafts stay in the tab, so that a person whose session has expired can sign in
 * again and go on.
 */
export const endSession = (): void => {
  sessionStorage.removeItem(storageKey)
  localStorage.removeItem(storageKey)
  setSession(undefined)
}

/** Ends the session because the person signs out. Nothing that the person typed stays in the tab. */
export const signOut = (): void => {
  forgetDrafts()
  endSession()
}

// If the person signs out in another tab, this tab is signed out too.
addEventListener("storage", ({ key }) => {
  if (key !== storageKey) return
  const stored = readStored()
  if (stored === undefined) forgetDrafts()
  setSession(stored)
})

export const useSession = (): SignInSession | undefined =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentSession)
