/**
 * To try every operation with every caller takes minutes. So `npm test` tries every operation with some of the callers, and every caller
 * with some of the operations; the long run tries all pairs.
 */
import { isLong } from "./storages.ts"

/** Every `parts`-th of `all`; another `turn` gives others. In the long run all of them. */
export const everyNth = <A>(all: ReadonlyArray<A>, turn: number, parts: number): ReadonlyArray<A> =>
  isLong ? all : all.filter((_, place) => (place + turn) % parts === 0)
