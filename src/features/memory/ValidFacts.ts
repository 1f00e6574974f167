/**
 * Tells which facts of one person are valid at a time, and how long each fact is. The length of a turn includes the
 * words of the turns next to it. Each write of a fact also updates the list of the facts that are valid now. So a
 * question after a write takes no longer than other questions. The list for any other time is computed when a question
 * needs it.
 */
import type { DateTime } from "effect"
import type { KeptFact } from "./MemoryFact.ts"
import { nearestTurn, type Links, noTurn, TurnChain } from "./TurnChain.ts"

/**
 * The weights with which words count in the length of a turn, in tenths. `ownTurnWeight` is for the words of the turn
 * itself, `nextTurnWeight` for the turns next to it, and `secondTurnWeight` for the turns two places away.
 */
export const ownTurnWeight = 10
export const nextTurnWeight = 6
export const secondTurnWeight = 3

/** The facts that are valid at a time. The scores need the number and the lengths of these facts. */
export interface Visible {
  /** For each fact number: 1 if the fact is valid, otherwise 0. */
  readonly facts: Uint8Array
  /**
   * The length of each fact in tenths of words. Lengths are whole numbers, so their sum does not depend on the order in
   * which facts are added.
   */
  readonly lengths: Uint32Array
  readonly count: number
  /** The average length of a fact, in tenths of words. */
  readonly average: number
}

type Times = Pick<KeptFact, "createdAt" | "validFrom" | "validTo">

interface WaitingLength {
  readonly from: number
  readonly number: number
}

/**
 * Returns true if the start of a fact was in the future when the pod recorded the fact. The clock decides whether such
 * a fact is valid.
 */
const isDatedAhead = ({ createdAt, validFrom, validTo }: Times): boolean =>
  validTo === null && validFrom.epochMillis > createdAt.epochMillis

const averageOf = (total: number, count: number): number => (count === 0 ? 1 : total / count)

export class ValidFacts {
  private readonly chain: TurnChain
  private readonly ownLengths: Array<number> = []
  private readonly dateLengths: Array<number> = []
  private facts = new Uint8Array(64)
  private lengths = new Uint32Array(64)
  private count = 0
  private total = 0
  /**
   * The facts whose start was in the future when the pod recorded them, sorted by start. At the time of the last
   * question, the first `begun` facts of this list were valid.
   */
  private readonly waiting: Array<WaitingLength> = []
  private begun = 0

  constructor(chain: TurnChain) {
    this.chain = chain
  }

  /** Adds the lengths of a fact. The turn chain must contain the fact already. */
  add(number: number, ownWords: number, dateWords: number): void {
    this.ownLengths[number] = ownWords
    this.dateLengths[number] = dateWords
    if (number < this.facts.length) return
    const size = Math.ceil(number * 1.5)
    const [facts, lengths] = [new Uint8Array(size), new Uint32Array(size)]
    facts.set(this.facts)
    lengths.set(this.lengths)
    this.facts = facts
    this.lengths = lengths
  }

  /**
   * Updates the list of the valid facts after a fact was added or changed. `newTimes` has the times of the fact after
   * this write, and `known` has the times before this write.
   */
  change(number: number, known: Times | undefined, newTimes: Times): void {
    if (known !== undefined && isDatedAhead(known)) this.forgetWaiting(number, known.validFrom.epochMillis)
    if (isDatedAhead(newTimes)) this.show(number, this.addWaiting(number, newTimes.validFrom.epochMillis))
    else this.show(number, newTimes.validTo === null)
  }

  /**
   * Returns the facts that are valid now. Use the result before the next call of `change`, because `change` alters the
   * arrays of the result.
   */
  now(moment: DateTime.Utc): Visible {
    const { waiting } = this
    const time = moment.epochMillis
    while (this.begun < waiting.length && waiting[this.begun].from <= time)
      this.show(waiting[this.begun++].number, true)
    while (this.begun > 0 && waiting[this.begun - 1].from > time) this.show(waiting[--this.begun].number, false)
    const { count, facts, lengths, total } = this
    return { facts, lengths, count, average: averageOf(total, count) }
  }

  /** Returns the facts that were valid at a time. This method reads all facts. */
  at(time: DateTime.Utc, all: ReadonlyArray<Times>): Visible {
    const facts = new Uint8Array(all.length)
    let count = 0
    for (const [number, { validFrom, validTo }] of all.entries()) {
      if (validFrom.epochMillis > time.epochMillis) continue
      if (validTo !== null && validTo.epochMillis <= time.epochMillis) continue
      facts[number] = 1
      count++
    }
    const lengths = new Uint32Array(all.length)
    let total = 0
    for (let number = 0; number < all.length; number++) {
      if (facts[number] === 1) total += lengths[number] = this.lengthOf(number, facts)
    }
    return { facts, lengths, count, average: averageOf(total, count) }
  }

  private lengthBeside(number: number, links: Links, visible: Uint8Array): number {
    const next = nearestTurn(number, links, visible)
    if (next === noTurn) return 0
    const secondTurn = nearestTurn(next, links, visible)
    return (
      nextTurnWeight * this.ownLengths[next] +
      (secondTurn === noTurn ? 0 : secondTurnWeight * this.ownLengths[secondTurn])
    )
  }

  private lengthOf(number: number, visible: Uint8Array): number {
    const [before, after] = this.chain.directions
    const own = ownTurnWeight * (this.ownLengths[number] + this.dateLengths[number])
    return own + this.lengthBeside(number, before, visible) + this.lengthBeside(number, after, visible)
  }

  /** Marks a fact as valid or not, and updates the lengths of this fact and of the two turns before and after it. */
  private show(number: number, isValid: boolean) {
    const flag = isValid ? 1 : 0
    if (this.facts[number] === flag) return
    this.facts[number] = flag
    this.count += isValid ? 1 : -1
    this.measure(number)
    for (const links of this.chain.directions) {
      const next = nearestTurn(number, links, this.facts)
      if (next === noTurn) continue
      this.measure(next)
      const secondTurn = nearestTurn(next, links, this.facts)
      if (secondTurn !== noTurn) this.measure(secondTurn)
    }
  }

  private measure(number: number) {
    const length = this.facts[number] === 1 ? this.lengthOf(number, this.facts) : 0
    this.total += length - this.lengths[number]
    this.lengths[number] = length
  }

  /** Returns the index in `waiting` of the first fact that begins later than `from`. */
  private placeAfter(from: number): number {
    let [low, high] = [0, this.waiting.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.waiting[middle].from <= from) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Adds a fact to `waiting`. Returns whether the fact was valid at the time of the last question. */
  private addWaiting(number: number, from: number): boolean {
    const at = this.placeAfter(from)
    this.waiting.splice(at, 0, { from, number })
    if (at >= this.begun) return false
    this.begun++
    return true
  }

  private forgetWaiting(number: number, from: number) {
    let at = this.placeAfter(from) - 1
    while (this.waiting[at].number !== number) at--
    this.waiting.splice(at, 1)
    if (at < this.begun) this.begun--
  }
}
