/**
 * Trying every operation with every caller would take minutes. So `npm test` tries every operation with some callers,
 * and every caller with some operations. The long test run tries all pairs.
 */
import { isLong } from "./storages.ts"

/**
 * Selects one of every `parts` members of `all`. `turn` decides with which member the selection begins. In the long
 * test run, selects all members.
 */
export const everyNth = <A>(all: ReadonlyArray<A>, turn: number, parts: number): ReadonlyArray<A> =>
  isLong ? all : all.filter((_, place) => (place + turn) % parts === 0)
