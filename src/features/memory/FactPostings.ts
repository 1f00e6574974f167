/**
 * The postings of facts: for each word, a list of the facts that contain the word. Scores facts by the words of a
 * question (BM25).
 */

// The usual constants of BM25 (Robertson and Zaragoza).
const k1 = 1.2
const b = 0.75

// a posting has 7 bits for the count of occurrences, 24 for the fact and 1 for the date
const tfMax = 127
const dateBit = 128
// bytes of memory for a term with its list
const bytesOfTerm = 250
// bytes of memory for a posting, with a share of the free space at the end of its list
const bytesOfPosting = 6

/** A list of 32-bit numbers. A full list is copied to an array that is 1.5 times as large. */
class Numbers {
  values = new Uint32Array(4)
  length = 0
  push(value: number) {
    if (this.length === this.values.length) {
      const wider = new Uint32Array(Math.ceil(this.length * 1.5))
      wider.set(this.values)
      this.values = wider
    }
    this.values[this.length++] = value
  }
}

/**
 * A function that is called for each fact that contains a word. `number` is the number of the fact, `times` says how
 * often the fact contains the word, and `isDate` says whether the word is in the date of the fact.
 */
export type Visit = (number: number, times: number, isDate: boolean) => void

/**
 * The statistics that BM25 needs: the length of each fact, the average length in the same unit, and the number of
 * facts.
 */
export interface Statistics {
  readonly lengths: ArrayLike<number>
  readonly count: number
  readonly average: number
}

export class FactPostings {
  private readonly lists = new Map<string, Numbers>()
  private size = 0
  private count = 0
  private sums = new Float32Array(64)
  private scores = new Float64Array(64)

  /**
   * Adds words of a fact to the lists. The caller adds the words of the fact's date in a separate call with `isDate`.
   */
  add(terms: ReadonlyArray<string>, number: number, isDate: boolean): void {
    this.size = Math.max(this.size, number + 1)
    for (const [term, count] of timesOf(terms)) {
      let list = this.lists.get(term)
      if (list === undefined) this.lists.set(term, (list = new Numbers()))
      this.count++
      list.push(number * 256 + (isDate ? dateBit : 0) + Math.min(count, tfMax))
    }
  }

  get bytes(): number {
    return this.lists.size * bytesOfTerm + this.count * bytesOfPosting
  }

  /**
   * Returns the number of facts that have the word. A fact is counted twice if both the text and the date of the fact
   * have the word.
   */
  countOf(term: string): number {
    return this.lists.get(term)?.length ?? 0
  }

  each(term: string, visit: Visit): void {
    const list = this.lists.get(term)
    if (list === undefined) return
    for (let at = 0; at < list.length; at++) {
      const posting = list.values[at]
      visit(posting >>> 8, posting & tfMax, (posting & dateBit) !== 0)
    }
  }

  /**
   * Adds up the scores of all terms. Returns, for each fact that has a score, the number that identifies the fact. For
   * each posting, the function `spread` decides which facts get a score, and how much: 10 means one occurrence of the
   * term. The caller must call `take` for each returned fact before it calls `score` again, because `take` resets the
   * score.
   */
  score(
    terms: ReadonlyMap<string, number>,
    spread: (number: number, times: number, isDate: boolean, add: (number: number, tenths: number) => void) => void,
    { average, count, lengths }: Statistics
  ): ReadonlyArray<number> {
    this.grow()
    const { scores, sums } = this
    const scored: Array<number> = []
    for (const [term, weight] of terms) {
      const list = this.lists.get(term)
      if (list === undefined) continue
      const scoredNumbers: Array<number> = []
      const add = (number: number, tenths: number) => {
        if (sums[number] === 0) scoredNumbers.push(number)
        sums[number] += tenths
      }
      // This loop does the same as the method `each`. Calling a second function for each posting would double the time
      // that a question takes.
      const { length, values } = list
      for (let at = 0; at < length; at++) {
        const posting = values[at]
        spread(posting >>> 8, posting & tfMax, (posting & dateBit) !== 0, add)
      }
      const idf = Math.log(1 + (count - scoredNumbers.length + 0.5) / (scoredNumbers.length + 0.5))
      for (const number of scoredNumbers) {
        const times = sums[number] / 10
        sums[number] = 0
        if (scores[number] === 0) scored.push(number)
        scores[number] += (weight * idf * (k1 + 1) * times) / (times + k1 * (1 - b + (b * lengths[number]) / average))
      }
    }
    return scored
  }

  /** Returns the score of a fact and resets it to 0. */
  take(number: number): number {
    const score = this.scores[number]
    this.scores[number] = 0
    return score
  }

  private grow() {
    if (this.sums.length >= this.size) return
    const length = Math.ceil(this.size * 1.5)
    this.sums = new Float32Array(length)
    this.scores = new Float64Array(length)
  }
}

export const timesOf = (terms: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1)
  return times
}
