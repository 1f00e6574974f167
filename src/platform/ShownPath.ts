/** Shortens a path for people. */
import { isAbsolute, relative } from "node:path"

/** A path inside the current folder becomes relative to this folder. */
export const shownPath = (path: string): string => {
  const below = relative("", path)
  return below === "" || below.startsWith("..") || isAbsolute(below) ? path : `./${below}`
}
