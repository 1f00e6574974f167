/**
 * The facts of one person by their words, in memory.
 * The index is one noun: postings, sessions and statistics change together with each fact. A search also finds a turn by
 * the words of the neighbouring turns. These words are added when a question is asked, from the turns that hold at the
 * time of the question. So an ended turn is never found through a neighbour.
 */
import { DateTime } from "effect"
import { analyse } from "../search/text/Analyser.ts"
import { termsOf } from "./FactWords.ts"
import type { KeptFact } from "./MemoryFact.ts"
import { type Scored, TopScores } from "./TopScores.ts"

// BM25 with the usual constants (Robertson and Zaragoza).
const k1 = 1.2
const b = 0.75

/**
 * Weights in tenths. A word counts for its own turn, less for the turns beside it, and least for the turns two places
 * away.
 */
const ownWeight = 10
const besideWeight = 6
const nearWeight = 3

const tfMost = 127 // a posting has 24 bits for the fact, one for the date, seven for the times
const dateBit = 128

/** A list of numbers that grows. */
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

/** The facts that hold at a time, with their lengths. Statistics are counted over exactly these facts. */
interface Visible {
  readonly facts: Uint8Array
  readonly lengths: Float32Array
  readonly count: number
  readonly average: number
}

const none = -1

export class FactIndex {
  private readonly facts: Array<KeptFact> = []
  private readonly numbers = new Map<string, number>()
  private readonly byHash = new Map<string, string>()
  private readonly postings = new Map<string, Numbers>()
  private readonly ownLengths: Array<number> = []
  private readonly dateLengths: Array<number> = []
  private readonly before: Array<number> = []
  private readonly after: Array<number> = []
  private readonly sessions = new Map<string, Array<number>>()
  private readonly sessionFacts = new Map<string, string>()
  private ownTotal = 0
  /**
   * Whether the fact was written as a fact and holds. Only such facts are compared with a new fact, and turns, which
   * are the majority, are not.
   */
  private readonly isWrittenAndHeld: Array<0 | 1> = []
  private sums = new Float32Array(64)
  private scores = new Float64Array(64)
  private remembered: Visible | undefined
  /**
   * Facts that are dated into the future. While there are some, the set of facts that hold now changes without a write.
   */
  private readonly waiting = new Set<number>()

  get size(): number {
    return this.facts.length
  }

  get(id: string): KeptFact | undefined {
    const number = this.numbers.get(id)
    return number === undefined ? undefined : this.facts[number]
  }

  /** The fact with this hash that holds now. Undefined if there is none. */
  same(hash: string): KeptFact | undefined {
    const id = this.byHash.get(hash)
    return id === undefined ? undefined : this.get(id)
  }

  /** The turns of a session that hold now, in their order. */
  turnsOf(sessionId: string): ReadonlyArray<KeptFact> {
    return (this.sessions.get(sessionId) ?? []).map((number) => this.facts[number]).filter(isHeld)
  }

  /** The fact that holds now and stands for a whole session. Undefined if there is none. */
  sessionOf(sessionId: string): KeptFact | undefined {
    const id = this.sessionFacts.get(sessionId)
    const fact = id === undefined ? undefined : this.get(id)
    return fact !== undefined && isHeld(fact) ? fact : undefined
  }

  /**
   * The facts that hold now and that were written under this target. It looks through all facts, which only an update
   * or a forget needs.
   */
  named(target: string): ReadonlyArray<KeptFact> {
    const wanted = target.trim().toLowerCase()
    return this.facts.filter((fact) => isHeld(fact) && fact.target?.trim().toLowerCase() === wanted)
  }

  /** The facts that the facts with these ids replaced. It looks through all facts, which only an undo needs. */
  supersededBy(ids: ReadonlyArray<string>): ReadonlyArray<KeptFact> {
    return this.facts.filter(({ supersededBy }) => supersededBy !== null && ids.includes(supersededBy))
  }

  /** Adds a fact in the state after its last write. A state that is older than the known one changes nothing. */
  put(fact: KeptFact): void {
    const known = this.numbers.get(fact.id)
    if (known !== undefined && this.facts[known].seq >= fact.seq) return
    this.remembered = undefined
    const number = known ?? this.facts.length
    this.facts[number] = fact
    this.isWrittenAndHeld[number] = isHeld(fact) && (fact.level === "fact" || fact.level === "write") ? 1 : 0
    if (isHeld(fact)) this.byHash.set(fact.sameHash, fact.id)
    else if (this.byHash.get(fact.sameHash) === fact.id) this.byHash.delete(fact.sameHash)
    if (fact.level === "session" && fact.sessionId !== null && isHeld(fact)) {
      this.sessionFacts.set(fact.sessionId, fact.id)
    }
    if (DateTime.greaterThan(fact.validFrom, fact.createdAt)) this.waiting.add(number)
    // What a fact says never changes, so its words are taken in once.
    if (known === undefined) this.takeIn(fact, number)
  }

  private takeIn(fact: KeptFact, number: number) {
    this.numbers.set(fact.id, number)
    const { date, own } = termsOf(fact)
    this.ownLengths[number] = own.length
    this.dateLengths[number] = date.length
    this.ownTotal += own.length
    this.before[number] = none
    this.after[number] = none
    this.addPostings(own, number, 0)
    this.addPostings(date, number, dateBit)
    if (fact.level === "turn" && fact.sessionId !== null) this.join(fact.sessionId, number, fact.turn ?? 0)
  }

  private addPostings(terms: ReadonlyArray<string>, number: number, bit: number) {
    const times = new Map<string, number>()
    for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1)
    for (const [term, count] of times) {
      let list = this.postings.get(term)
      if (list === undefined) this.postings.set(term, (list = new Numbers()))
      list.push(number * 256 + bit + Math.min(count, tfMost))
    }
  }

  /** Puts a turn between its neighbours. Sessions grow at their end, so the search for the place begins there. */
  private join(sessionId: string, number: number, turn: number) {
    let session = this.sessions.get(sessionId)
    if (session === undefined) this.sessions.set(sessionId, (session = []))
    let at = session.length
    while (at > 0 && (this.facts[session[at - 1]].turn ?? 0) > turn) at--
    session.splice(at, 0, number)
    const [before, after] = [session[at - 1] ?? none, session[at + 1] ?? none]
    this.before[number] = before
    this.after[number] = after
    if (before !== none) this.after[before] = number
    if (after !== none) this.before[after] = number
  }

  /** The next turn in this direction that holds at the time. */
  private beside(number: number, links: ReadonlyArray<number>, visible: Uint8Array): number {
    let next = links[number]
    while (next !== none && visible[next] === 0) next = links[next]
    return next
  }

  private lengthBeside(number: number, links: ReadonlyArray<number>, visible: Uint8Array): number {
    const beside = this.beside(number, links, visible)
    if (beside === none) return 0
    const near = this.beside(beside, links, visible)
    return besideWeight * this.ownLengths[beside] + (near === none ? 0 : nearWeight * this.ownLengths[near])
  }

  private lengthOf(number: number, visible: Uint8Array): number {
    let length = ownWeight * (this.ownLengths[number] + this.dateLengths[number])
    length += this.lengthBeside(number, this.before, visible) + this.lengthBeside(number, this.after, visible)
    return length / 10
  }

  private visibleAt(asOf: DateTime.Utc | undefined, now: DateTime.Utc): Visible {
    if (asOf === undefined && this.remembered !== undefined) return this.remembered
    const facts = new Uint8Array(this.size)
    let count = 0
    const [moment, time] = [now.epochMillis, asOf?.epochMillis]
    for (let number = 0; number < this.size; number++) {
      const { createdAt, validFrom, validTo } = this.facts[number]
      const from = validFrom.epochMillis
      // The rule of `holdsAt`, in numbers.
      const holds =
        time === undefined
          ? validTo === null && (from <= createdAt.epochMillis || from <= moment)
          : from <= time && (validTo === null || validTo.epochMillis > time)
      if (!holds) continue
      facts[number] = 1
      count++
    }
    const lengths = new Float32Array(this.size)
    let total = 0
    for (let number = 0; number < this.size; number++) {
      if (facts[number] === 1) total += lengths[number] = this.lengthOf(number, facts)
    }
    const visible = { facts, lengths, count, average: count === 0 ? 1 : total / count }
    if (asOf === undefined && this.waiting.size === 0) this.remembered = visible
    return visible
  }

  /** Whether the fact holds at the time. False for a fact that the index does not know. */
  holds(id: string, asOf: DateTime.Utc | undefined, now: DateTime.Utc): boolean {
    const number = this.numbers.get(id)
    return number !== undefined && this.visibleAt(asOf, now).facts[number] === 1
  }

  private grow() {
    if (this.sums.length >= this.size) return
    const length = Math.ceil(this.size * 1.5)
    this.sums = new Float32Array(length)
    this.scores = new Float64Array(length)
  }

  /**
   * The best facts for the words of a question, best first, and by id if their scores are equal. Statistics are counted
   * over all facts that hold at the time, also over those that `isWanted` excludes.
   */
  rank(
    question: string,
    most: number,
    {
      asOf,
      isWanted,
      now
    }: { asOf: DateTime.Utc | undefined; now: DateTime.Utc; isWanted: (fact: KeptFact) => boolean }
  ): ReadonlyArray<Scored> {
    const visible = this.visibleAt(asOf, now)
    const touched = this.score(
      timesOf(analyse(question)),
      (number, times, isDate, add) => {
        if (visible.facts[number] === 0) return
        add(number, ownWeight * times)
        if (isDate) return
        for (const links of [this.before, this.after]) {
          const beside = this.beside(number, links, visible.facts)
          if (beside === none) continue
          add(beside, besideWeight * times)
          const near = this.beside(beside, links, visible.facts)
          if (near !== none) add(near, nearWeight * times)
        }
      },
      visible
    )
    return this.best(touched, most, isWanted)
  }

  /**
   * The written facts that hold now and whose own words are most like the text. They are candidates for a comparison
   * with a new fact.
   */
  alike(text: string, most: number, isWanted: (fact: KeptFact) => boolean): ReadonlyArray<KeptFact> {
    const touched = this.score(
      timesOf(analyse(text)),
      (number, times, isDate, add) => {
        if (!isDate && this.isWrittenAndHeld[number] === 1) add(number, ownWeight * times)
      },
      { lengths: this.ownLengths, count: this.size, average: Math.max(1, this.ownTotal / Math.max(1, this.size)) }
    )
    return this.best(touched, most, isWanted).map(({ id }) => this.facts[this.numbers.get(id) ?? 0])
  }

  /** The facts that hold now and contain every word of the text in their own words. */
  withEveryWord(text: string, now: DateTime.Utc): ReadonlyArray<KeptFact> {
    const { facts } = this.visibleAt(undefined, now)
    const terms = [...new Set(analyse(text))]
    let found: ReadonlyArray<number> | undefined
    for (const term of terms) {
      const { length, values } = this.postings.get(term) ?? new Numbers()
      const having = new Set<number>()
      for (let at = 0; at < length; at++) {
        if ((values[at] & dateBit) === 0 && facts[values[at] >>> 8] === 1) having.add(values[at] >>> 8)
      }
      found = found === undefined ? [...having] : found.filter((number) => having.has(number))
    }
    return (found ?? []).map((number) => this.facts[number])
  }

  /** Adds up the scores of all terms. Answers the numbers of the facts with a score. */
  private score(
    terms: ReadonlyMap<string, number>,
    spread: (number: number, times: number, isDate: boolean, add: (number: number, tenths: number) => void) => void,
    { average, count, lengths }: { lengths: ArrayLike<number>; count: number; average: number }
  ): ReadonlyArray<number> {
    this.grow()
    const { scores, sums } = this
    const scored: Array<number> = []
    for (const [term, weight] of terms) {
      const list = this.postings.get(term)
      if (list === undefined) continue
      const touched: Array<number> = []
      const add = (number: number, tenths: number) => {
        if (sums[number] === 0) touched.push(number)
        sums[number] += tenths
      }
      for (let at = 0; at < list.length; at++) {
        const posting = list.values[at]
        spread(posting >>> 8, posting & tfMost, (posting & dateBit) !== 0, add)
      }
      const idf = Math.log(1 + (count - touched.length + 0.5) / (touched.length + 0.5))
      for (const number of touched) {
        const times = sums[number] / 10
        sums[number] = 0
        if (scores[number] === 0) scored.push(number)
        scores[number] += (weight * idf * (k1 + 1) * times) / (times + k1 * (1 - b + (b * lengths[number]) / average))
      }
    }
    return scored
  }

  private best(scored: ReadonlyArray<number>, most: number, isWanted: (fact: KeptFact) => boolean) {
    const top = new TopScores(most)
    for (const number of scored) {
      const score = this.scores[number]
      this.scores[number] = 0
      const fact = this.facts[number]
      if (top.takes(score) && isWanted(fact)) top.add({ id: fact.id, score })
    }
    return top.best
  }
}

/** Whether the fact was neither replaced nor forgotten. */
export const isHeld = ({ validTo }: KeptFact): boolean => validTo === null

const timesOf = (terms: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1)
  return times
}
