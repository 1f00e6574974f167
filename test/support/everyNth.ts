/**
 * Trying every operation with every caller would take minutes. So `npm test` tries every operation with some callers,
 * and every caller with some operations. The long test run tries all pairs.
 */
import { isLong } from "./storages.ts"

/**
 * Returns every `parts`-th member of `all`. `turn` decides which member is the first. In the long test run, returns all
 * members.
 */
export const everyNth = <A>(all: ReadonlyArray<A>, turn: number, parts: number): ReadonlyArray<A> =>
  isLong ? all : all.filter((_, place) => (place + turn) % parts === 0)
