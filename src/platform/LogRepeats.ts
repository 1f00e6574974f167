/**
 * Keeps repeated entries out of the log. The first entry is written. Equal entries within the next minute are only
 * counted, and then the count is written.
 */

const windowMs = 60_000
// the maximum number of kinds of entries that are counted at the same time; entries of further kinds are all written
const kindsMax = 200

export interface LogRepeats {
  /**
   * Returns true if an entry of this kind must be written. Otherwise the entry is only counted. At the end of the
   * minute, the count is passed to the function `logCount` that came with the first entry of this kind.
   */
  readonly isFirst: (kind: string, logCount: (repeats: number) => void) => boolean
  /** Writes the remaining counts to the log. */
  readonly close: () => void
}

export const logRepeats = (): LogRepeats => {
  const kinds = new Map<string, { repeats: number; readonly logCount: () => void; readonly timer: NodeJS.Timeout }>()

  const begin = (kind: string, logCount: (repeats: number) => void): void => {
    const counted = {
      repeats: 0,
      logCount: () => {
        if (counted.repeats > 0) logCount(counted.repeats)
      },
      timer: setTimeout(() => {
        kinds.delete(kind)
        counted.logCount()
        // this kind of entry still repeats, so its entries in the next minute are only counted too
        if (counted.repeats > 0) begin(kind, logCount)
      }, windowMs).unref()
    }
    kinds.set(kind, counted)
  }

  return {
    isFirst: (kind, logCount) => {
      const known = kinds.get(kind)
      if (known !== undefined) known.repeats += 1
      else if (kinds.size < kindsMax) begin(kind, logCount)
      return known === undefined
    },
    close: () => {
      for (const { logCount, timer } of kinds.values()) {
        clearTimeout(timer)
        logCount()
      }
      kinds.clear()
    }
  }
}
