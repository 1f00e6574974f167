/** Shortens the lists of an answer until its JSON is not larger than a limit in bytes, and counts the removed items. */
import { shortenText } from "../platform/StoredText.ts"

type Lists = Readonly<Record<string, ReadonlyArray<unknown>>>

export interface FittedLists<L extends Lists = Lists> {
  readonly lists: L
  /** The number of removed items of each shortened list, by the name of the list. Complete lists are left out. */
  readonly leftOut: Readonly<Record<string, number>>
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/**
 * Returns the maximum number of characters that the field `leftOut` can add to an answer. `leftOut` names each list
 * that was shortened. This size assumes that every list was shortened.
 */
const reserveOf = (names: ReadonlyArray<string>) => names.reduce((sum, name) => sum + name.length + 12, 20)

/**
 * Removes items from the end of the list that is largest at the moment, until the answer has at most `sizeMax` bytes.
 * `rest`: the answer without the lists. `removedBefore`: the number of items of each list that were removed before this
 * call. The result `leftOut` counts these items too.
 */
export const fitToSize = <L extends Lists>(
  rest: object,
  lists: L,
  removedBefore: Readonly<Record<string, number>>,
  sizeMax: number
): FittedLists<L> => {
  const entries = Object.entries(lists).map(([name, all]) => {
    const sizes = all.map((item) => sizeOf(item) + 1)
    return { name, all, sizes, size: sizes.reduce((sum, each) => sum + each, 0) }
  })
  const names = entries.map(({ name }) => name)
  let size = sizeOf({ ...rest, ...Object.fromEntries(names.map((name) => [name, []])) }) + reserveOf(names)
  for (const list of entries) size += list.size
  while (size > sizeMax) {
    const largest = entries.reduce((one, other) => (other.size > one.size ? other : one))
    const last = largest.sizes.pop()
    if (last === undefined) break
    size -= last
    largest.size -= last
  }
  const leftOut = entries.flatMap(({ all, name, sizes }) => {
    const leftCount = (removedBefore[name] ?? 0) + all.length - sizes.length
    return leftCount > 0 ? [[name, leftCount] as const] : []
  })
  const fitting: Lists = Object.fromEntries(entries.map(({ all, name, sizes }) => [name, all.slice(0, sizes.length)]))
  return {
    // These are the first items of each list, so each list keeps its type and the cast is safe.
    lists: fitting as L,
    leftOut: Object.fromEntries(leftOut)
  }
}

/** Shortens a text to at most `max` characters. A shortened text ends with `…`. */
export const cutText = (text: string, max: number): string =>
  text.length <= max ? text : `${shortenText(text, max - 1)}…`
