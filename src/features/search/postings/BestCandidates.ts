/**
 * Selects the candidates with the best scores. Candidates with equal scores are sorted by name. They are not sorted by
 * passage number, because a passage has different numbers in different processes.
 */

export interface Scored {
  readonly score: number
  /**
   * The name of the candidate. Candidates with equal scores are sorted by their names. A candidate has the same name in
   * every process and for every caller.
   */
  readonly name: string
}

/** Compares two candidates for sorting. A negative result puts `one` before `other`. */
export const betterFirst = (one: Scored, other: Scored): number =>
  other.score - one.score || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)

/**
 * A heap of the best `limit` candidates. The worst of these candidates is at the top, so that a better candidate can
 * replace it.
 */
export class BestCandidates<A extends Scored> {
  private readonly heap: Array<A> = []
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  /**
   * The lowest score with which a new candidate can still enter the heap. Callers compare a score with this value
   * before they make a candidate, because the comparison is faster.
   */
  get scoreMin(): number {
    return this.heap.length < this.limit ? 0 : (this.heap[0]?.score ?? Infinity)
  }

  /**
   * The candidate in the heap with the lowest score. The next better candidate replaces it. Undefined while the heap is
   * not full.
   */
  get worst(): A | undefined {
    return this.heap.length < this.limit ? undefined : this.heap[0]
  }

  add(candidate: A): void {
    if (this.heap.length < this.limit) {
      this.heap.push(candidate)
      this.siftUp(this.heap.length - 1)
    } else if (this.limit > 0 && betterFirst(candidate, this.heap[0]) < 0) {
      this.heap[0] = candidate
      this.siftDown()
    }
  }

  get inOrder(): ReadonlyArray<A> {
    return this.heap.toSorted(betterFirst)
  }

  private siftUp(from: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (betterFirst(this.heap[parent], this.heap[at]) >= 0) return
      this.swap(at, parent)
      at = parent
    }
  }

  private siftDown(): void {
    let at = 0
    for (;;) {
      let worst = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.heap.length && betterFirst(this.heap[child], this.heap[worst]) > 0) worst = child
      }
      if (worst === at) return
      this.swap(at, worst)
      at = worst
    }
  }

  private swap(one: number, other: number): void {
    const former = this.heap[one]
    this.heap[one] = this.heap[other]
    this.heap[other] = former
  }
}
