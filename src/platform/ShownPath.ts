/** Shortens a path for people. */
import { dirname, isAbsolute, relative } from "node:path"

/**
 * A path inside the current folder becomes relative to this folder. In a container the current folder is the root, and
 * there the whole path is the clear one.
 */
export const shownPath = (path: string, here = process.cwd()): string => {
  const below = relative(here, path)
  const isElsewhere = below === "" || below.startsWith("..") || isAbsolute(below)
  return isElsewhere || dirname(here) === here ? path : `./${below}`
}
