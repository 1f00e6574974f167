/**
 * The rule for every drawer whose address names what the drawer shows. When the drawer opens, the history of the
 * browser gets a new entry, so the Back button closes the drawer. Another tab in the drawer replaces this entry. When
 * the drawer closes, the console goes back to the entry of the list.
 */
import { type HistoryState, useNavigate, useRouter } from "@tanstack/react-router"

declare module "@tanstack/react-router" {
  interface HistoryState {
    /**
     * The number of entries of the history between the entry of the list and this entry. Undefined if the person did
     * not open the drawer from a list.
     */
    drawerDepth?: number
  }
}

type SearchChange = Readonly<Record<string, string | true | undefined>>

/** The properties of a link in a list that opens a drawer on the same page. */
export const drawerLink = { state: { drawerDepth: 1 }, resetScroll: false } as const

const deeper = (now: HistoryState): HistoryState =>
  now.drawerDepth === undefined ? {} : { drawerDepth: now.drawerDepth + 1 }

/** The properties of a link in an open drawer that shows another record in this drawer. */
export const furtherLink = { state: deeper, resetScroll: false } as const

interface DrawerOptions {
  /** True if a form in the drawer must not ask whether the person wants to leave it. */
  readonly isSaved?: boolean
}

export interface Drawer {
  /** Opens the drawer, with these values in the search part of the address. */
  readonly open: (search: SearchChange) => void
  /** Shows another tab or another record in the open drawer. */
  readonly show: (search: SearchChange, options?: DrawerOptions) => void
  /** Closes the drawer. `search` removes the values of the drawer from the address. */
  readonly close: (search: SearchChange, options?: DrawerOptions) => void
}

export const useDrawer = (): Drawer => {
  const navigate = useNavigate()
  const router = useRouter()
  const go = (search: SearchChange, options: object) =>
    void navigate({
      to: ".",
      search: (now: object) => ({ ...now, ...search }),
      resetScroll: false,
      ...options
    })
  const show: Drawer["show"] = (search, { isSaved = false } = {}) =>
    go(search, { replace: true, ignoreBlocker: isSaved, state: true })
  return {
    open: (search) => go(search, { state: drawerLink.state }),
    show,
    close: (search, options) => {
      const { drawerDepth } = router.state.location.state
      // If the person opened the drawer by a link, the history has no entry of the list to which the console could go
      // back.
      if (drawerDepth === undefined) show(search, options)
      else router.history.go(-drawerDepth, { ignoreBlocker: options?.isSaved === true })
    }
  }
}
