/**
 * Which facts of one person hold, and how long each of them is together with the turns beside it. What holds now is kept up to
 * date with each fact, so that a question after a write costs as much as the next one; what held at another time is counted
 * when somebody asks.
 */
import type { DateTime } from "effect"
import type { KeptFact } from "./MemoryFact.ts"
import { beside, type Links, none, TurnChain } from "./TurnChain.ts"

/** In tenths: the words of a turn count for it, for the turns beside it, and for those two away. */
export const ownWeight = 10
export const besideWeight = 6
export const nearWeight = 3

/** The facts that hold at a time: statistics are counted over exactly these. */
export interface Visible {
  /** 1 for each fact that holds, by its number. */
  readonly facts: Uint8Array
  /** Tenths of words. Whole numbers, so that their sum does not depend on the order in which facts came. */
  readonly lengths: Uint32Array
  readonly count: number
  /** The average length, in tenths of words. */
  readonly average: number
}

type Times = Pick<KeptFact, "createdAt" | "validFrom" | "validTo">

interface Waiting {
  readonly from: number
  readonly number: number
}

/** Dated into the future when it was recorded: whether it holds depends on the clock. */
const isDatedAhead = ({ createdAt, validFrom, validTo }: Times): boolean =>
  validTo === null && validFrom.epochMillis > createdAt.epochMillis

const averageOf = (total: number, count: number): number => (count === 0 ? 1 : total / count)

export class HeldFacts {
  private readonly chain: TurnChain
  private readonly ownLengths: Array<number> = []
  private readonly dateLengths: Array<number> = []
  private facts = new Uint8Array(64)
  private lengths = new Uint32Array(64)
  private count = 0
  private total = 0
  /** Facts that are dated ahead, by their time; the first `begun` of them hold at the time that was asked for last. */
  private readonly waiting: Array<Waiting> = []
  private begun = 0

  constructor(chain: TurnChain) {
    this.chain = chain
  }

  /** Takes in a fact that stands in the chain already. */
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

  /** Notes the times of a fact that was added; `known`: as they were before. */
  change(number: number, known: Times | undefined, fresh: Times): void {
    if (known !== undefined && isDatedAhead(known)) this.forgetWaiting(number, known.validFrom.epochMillis)
    if (isDatedAhead(fresh)) this.show(number, this.addWaiting(number, fresh.validFrom.epochMillis))
    else this.show(number, fresh.validTo === null)
  }

  /** What holds now. The answer is good until the next change. */
  now(moment: DateTime.Utc): Visible {
    const { waiting } = this
    const time = moment.epochMillis
    while (this.begun < waiting.length && waiting[this.begun].from <= time)
      this.show(waiting[this.begun++].number, true)
    while (this.begun > 0 && waiting[this.begun - 1].from > time) this.show(waiting[--this.begun].number, false)
    const { count, facts, lengths, total } = this
    return { facts, lengths, count, average: averageOf(total, count) }
  }

  /** What held at a time. Looks through all facts. */
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
    const next = beside(number, links, visible)
    if (next === none) return 0
    const near = beside(next, links, visible)
    return besideWeight * this.ownLengths[next] + (near === none ? 0 : nearWeight * this.ownLengths[near])
  }

  private lengthOf(number: number, visible: Uint8Array): number {
    const [before, after] = this.chain.directions
    const own = ownWeight * (this.ownLengths[number] + this.dateLengths[number])
    return own + this.lengthBeside(number, before, visible) + this.lengthBeside(number, after, visible)
  }

  /** Counts a fact in or out, and with it the lengths of the turns that it stands beside. */
  private show(number: number, isHeld: boolean) {
    const flag = isHeld ? 1 : 0
    if (this.facts[number] === flag) return
    this.facts[number] = flag
    this.count += isHeld ? 1 : -1
    this.measure(number)
    for (const links of this.chain.directions) {
      const next = beside(number, links, this.facts)
      if (next === none) continue
      this.measure(next)
      const near = beside(next, links, this.facts)
      if (near !== none) this.measure(near)
    }
  }

  private measure(number: number) {
    const length = this.facts[number] === 1 ? this.lengthOf(number, this.facts) : 0
    this.total += length - this.lengths[number]
    this.lengths[number] = length
  }

  /** The first place in `waiting` of a time later than this one. */
  private placeAfter(from: number): number {
    let [low, high] = [0, this.waiting.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.waiting[middle].from <= from) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Answers whether the fact holds at the time that was asked for last. */
  private addWaiting(number: number, from: number): boolean {
    const at = this.placeAfter(from)
    this.waiting.splice(at, 0, { from, number })
    if (at >= this.begun) return false // it is looked at again with the next question
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
