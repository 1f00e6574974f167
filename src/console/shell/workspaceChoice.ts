/**
 * The workspace that the person works in: one, or all that the person can see. It is remembered on this device, and
 * screens with a workspace filter use it.
 */
import { redirect } from "@tanstack/react-router"
import { useSyncExternalStore } from "react"
import { consolePath } from "../api/root.ts"
import { currentSession } from "../api/session.ts"

const listeners = new Set<() => void>()

/** Another person who signs in on this device has a choice of their own. */
const placeOf = () => `pod-workspace:${consolePath}:${currentSession()?.user.id ?? ""}`

export const chosenWorkspace = (): string | undefined => localStorage.getItem(placeOf()) ?? undefined

export const rememberWorkspace = (workspaceId: string | undefined): void => {
  if (workspaceId === undefined) localStorage.removeItem(placeOf())
  else localStorage.setItem(placeOf(), workspaceId)
  for (const listener of listeners) listener()
}

export const useChosenWorkspace = (): string | undefined =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, chosenWorkspace)

/** The paths of the screens with a workspace filter in their address. */
const filteredPaths = ["/explore", "/events"] as const
export type FilteredPath = (typeof filteredPaths)[number]

export const filteredPath = (pathname: string): FilteredPath | undefined =>
  filteredPaths.find((path) => path === pathname.replace(/\/$/, ""))

/** For the `beforeLoad` of these screens: an address without a workspace gets the remembered one. */
export const withChosenWorkspace =
  (to: FilteredPath) =>
  ({ search }: { readonly search: { readonly workspaceId?: string | undefined } }): void => {
    const workspaceId = search.workspaceId === undefined ? chosenWorkspace() : undefined
    if (workspaceId !== undefined) throw redirect({ to, search: { ...search, workspaceId }, replace: true })
  }
