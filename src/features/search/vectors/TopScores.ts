/** Collects the best of many scores. Scores are added one by one, and the best scores are always sorted. */

export interface Scored {
  readonly id: string
  readonly score: number
}

/**
 * Returns true if `one` ranks before `other`. Higher scores rank first. Equal scores are sorted by id, so that the
 * ranking does not depend on the order in which scores are added.
 */
const isBetter = (one: Scored, other: Scored) =>
  one.score > other.score || (one.score === other.score && one.id < other.id)

export class TopScores {
  private readonly entries: Array<Scored> = []
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  get best(): ReadonlyArray<Scored> {
    return this.entries
  }

  /** Returns true if an entry with this score can still be among the best entries. */
  takes(score: number): boolean {
    return this.entries.length < this.limit || score >= (this.entries.at(-1)?.score ?? Number.NEGATIVE_INFINITY)
  }

  add(entry: Scored): void {
    let [low, high] = [0, this.entries.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBetter(this.entries[middle], entry)) low = middle + 1
      else high = middle
    }
    if (low >= this.limit) return
    this.entries.splice(low, 0, entry)
    if (this.entries.length > this.limit) this.entries.pop()
  }
}
