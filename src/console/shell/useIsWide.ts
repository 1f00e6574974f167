/** True if the window has room for the menu beside the screen: from 48rem, the width `md` of the styles. */
import { useSyncExternalStore } from "react"

const query = matchMedia("(min-width: 48rem)")

const subscribe = (onChange: () => void) => {
  query.addEventListener("change", onChange)
  return () => query.removeEventListener("change", onChange)
}

export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => query.matches)
