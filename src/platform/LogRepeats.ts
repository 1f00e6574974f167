/**
 * Handles log entries that repeat. The first entry is written. Equal entries within the next minute are only counted,
 * and then the count is written.
 */

const windowMs = 60_000
// the maximum number of kinds of entries that are counted at the same time; entries of further kinds are all written
const kindsMax = 200

export interface LogRepeats {
  /**
   * Returns true if an entry of this kind must be written. Otherwise the entry is only counted. At the end of the
   * minute, the count is passed to the function `tell` that came with the first entry of this kind.
   */
  readonly isFirst: (kind: string, tell: (repeats: number) => void) => boolean
  /** Writes the remaining counts to the log. */
  readonly close: () => void
}

export const logRepeats = (): LogRepeats => {
  const kinds = new Map<string, { repeats: number; readonly tell: () => void; readonly timer: NodeJS.Timeout }>()

  const begin = (kind: string, tell: (repeats: number) => void): void => {
    const counted = {
      repeats: 0,
      tell: () => {
        if (counted.repeats > 0) tell(counted.repeats)
      },
      timer: setTimeout(() => {
        kinds.delete(kind)
        counted.tell()
        // this kind of entry still repeats, so its entries in the next minute are only counted too
        if (counted.repeats > 0) begin(kind, tell)
      }, windowMs).unref()
    }
    kinds.set(kind, counted)
  }

  return {
    isFirst: (kind, tell) => {
      const known = kinds.get(kind)
      if (known !== undefined) known.repeats += 1
      else if (kinds.size < kindsMax) begin(kind, tell)
      return known === undefined
    },
    close: () => {
      for (const { tell, timer } of kinds.values()) {
        clearTimeout(timer)
        tell()
      }
      kinds.clear()
    }
  }
}
