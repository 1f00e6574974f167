/** The sign-in of the person in front of the screen. It lives in this tab, or on this device if the person says so. */
import { useSyncExternalStore } from "react"
import { consolePath } from "./root.ts"

export interface Session {
  readonly token: string
  readonly expiresAt: string
  readonly user: { readonly id: string; readonly name: string; readonly email: string | null }
}

const place = `pod-session:${consolePath}` // two pods behind one host keep two sessions
const listeners = new Set<() => void>()

const stored = (): Session | undefined => {
  const text = sessionStorage.getItem(place) ?? localStorage.getItem(place)
  if (text === null) return undefined
  try {
    const session = JSON.parse(text) as Session
    return Date.parse(session.expiresAt) > Date.now() ? session : undefined
  } catch {
    return undefined
  }
}

let current = stored()

const changed = (next: Session | undefined) => {
  current = next
  for (const listener of listeners) listener()
}

export const currentSession = (): Session | undefined => current

/** `isKept`: the session outlives this tab. */
export const beginSession = (session: Session, isKept: boolean): void => {
  ;(isKept ? localStorage : sessionStorage).setItem(place, JSON.stringify(session))
  changed(session)
}

export const endSession = (): void => {
  sessionStorage.removeItem(place)
  localStorage.removeItem(place)
  changed(undefined)
}

// Another tab that signs out signs this one out too.
addEventListener("storage", ({ key }) => {
  if (key === place) changed(stored())
})

export const useSession = (): Session | undefined =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentSession)
