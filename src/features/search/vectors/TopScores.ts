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
  private readonly sorted: Array<Scored> = []
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  get best(): ReadonlyArray<Scored> {
    return this.sorted
  }

  /** Returns true if an entry with this score can still be among the best entries. */
  takes(score: number): boolean {
    return this.sorted.length < this.most || score >= (this.sorted.at(-1)?.score ?? Number.NEGATIVE_INFINITY)
  }

  add(entry: Scored): void {
    let [low, high] = [0, this.sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBetter(this.sorted[middle], entry)) low = middle + 1
      else high = middle
    }
    if (low >= this.most) return
    this.sorted.splice(low, 0, entry)
    if (this.sorted.length > this.most) this.sorted.pop()
  }
}
