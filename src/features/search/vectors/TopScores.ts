/** Collects the best of many scores. The scores are added one by one, and the best ones are always sorted. */

export interface Scored {
  readonly id: string
  readonly score: number
}

/**
 * Returns true if `one` ranks before `other`. Higher scores rank first. Equal scores are ordered by id, so that the
 * order in which the scores arrive does not change the ranking.
 */
const isBetter = (one: Scored, other: Scored) =>
  one.score > other.score || (one.score === other.score && one.id < other.id)

export class TopScores {
  private readonly entries: Array<Scored> = []
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  get best(): ReadonlyArray<Scored> {
    return this.entries
  }

  /** Returns true if an entry with this score can still be among the best entries. */
  takes(score: number): boolean {
    return this.entries.length < this.most || score >= (this.entries.at(-1)?.score ?? Number.NEGATIVE_INFINITY)
  }

  add(entry: Scored): void {
    let [low, high] = [0, this.entries.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBetter(this.entries[middle], entry)) low = middle + 1
      else high = middle
    }
    if (low >= this.most) return
    this.entries.splice(low, 0, entry)
    if (this.entries.length > this.most) this.entries.pop()
  }
}
