/**
 * Keeps which workspace the person has chosen: one workspace, or all workspaces. The browser remembers the choice on
 * this device, and screens with a workspace filter use it.
 */
import { redirect } from "@tanstack/react-router"
import { useSyncExternalStore } from "react"
import { consolePath } from "../api/root.ts"
import { currentSession } from "../api/session.ts"

const listeners = new Set<() => void>()

/** The name under which the browser stores the choice. Each person who signs in on this device has their own choice. */
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

/** The paths of the screens that have a workspace filter in their address. */
const filteredPaths = ["/explore", "/events"] as const
export type FilteredPath = (typeof filteredPaths)[number]

export const filteredPath = (pathname: string): FilteredPath | undefined =>
  filteredPaths.find((path) => path === pathname.replace(/\/$/, ""))

/**
 * The `beforeLoad` of screens with a workspace filter. An address without a workspace gets the remembered workspace.
 */
export const withChosenWorkspace =
  (to: FilteredPath) =>
  ({ search }: { readonly search: { readonly workspaceId?: string | undefined } }): void => {
    const workspaceId = search.workspaceId === undefined ? chosenWorkspace() : undefined
    if (workspaceId !== undefined) throw redirect({ to, search: { ...search, workspaceId }, replace: true })
  }
