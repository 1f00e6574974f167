/**
 * Selects the candidates with the best scores. Candidates with equal scores are ordered by name. The number of a
 * passage never decides, because it differs between processes.
 */

export interface Scored {
  readonly score: number
  /** Orders candidates with equal scores. The name of a candidate is the same in every process and for every caller. */
  readonly name: string
}

/** Compares two candidates for sorting. A negative result puts `one` before `other`. */
export const betterFirst = (one: Scored, other: Scored): number =>
  other.score - one.score || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)

/**
 * A heap that keeps the best `most` candidates. The worst of them is at the top, so that a better one can replace it.
 */
export class Best<A extends Scored> {
  private readonly heap: Array<A> = []
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  /**
   * The lowest score with which a new candidate can still enter the heap. Callers compare a score with it first,
   * because making a candidate takes longer than the comparison.
   */
  get least(): number {
    return this.heap.length < this.most ? 0 : (this.heap[0]?.score ?? Infinity)
  }

  /**
   * The candidate with the lowest score. A better new candidate takes its place. Undefined while the heap is not full.
   */
  get worst(): A | undefined {
    return this.heap.length < this.most ? undefined : this.heap[0]
  }

  offer(candidate: A): void {
    if (this.heap.length < this.most) {
      this.heap.push(candidate)
      this.rise(this.heap.length - 1)
    } else if (this.most > 0 && betterFirst(candidate, this.heap[0]) < 0) {
      this.heap[0] = candidate
      this.sink()
    }
  }

  get inOrder(): ReadonlyArray<A> {
    return this.heap.toSorted(betterFirst)
  }

  private rise(from: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (betterFirst(this.heap[parent], this.heap[at]) >= 0) return
      this.swap(at, parent)
      at = parent
    }
  }

  private sink(): void {
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
