/**
 * The index of the facts of one person, in the memory of this process. It finds facts by their words. Each change of a
 * fact also updates the postings, the sessions and the statistics. A search also finds a turn by the words of the turns
 * next to it. The index does not store these words with the turn. A search uses only the words of neighbouring turns
 * that are valid at the time of the question. So a turn that is no longer valid does not help to find its neighbours.
 */
import type { DateTime } from "effect"
import { analyse } from "../search/text/Analyser.ts"
import { FactBlocks } from "./FactBlocks.ts"
import { FactPostings, timesOf } from "./FactPostings.ts"
import { holdsAt } from "./FactTimes.ts"
import { contentOf, termsOf } from "./FactWords.ts"
import { nextTurnWeight, ValidFacts, secondTurnWeight, ownTurnWeight, type Visible } from "./ValidFacts.ts"
import type { KeptFact } from "./MemoryFact.ts"
import { duplicateKey } from "./NearDuplicates.ts"
import { replacementKeys } from "./Supersession.ts"
import { type Scored, TopScores } from "../search/vectors/TopScores.ts"
import { nearestTurn, type Links, noTurn, TurnChain } from "./TurnChain.ts"

// The maximum number of postings (entries of word lists) that a search for similar facts reads. Reading them takes
// about 50 µs.
const postingsMax = 10_000

// bytes of memory for a fact without its text and its words; measured with 20,000 short facts
const bytesOfFact = 2400
const bytesOfCharacter = 2

type IsWanted = (fact: KeptFact) => boolean

export class FactIndex {
  private readonly facts: Array<KeptFact> = []
  private readonly numbers = new Map<string, number>()
  private readonly byHash = new Map<string, string>()
  private readonly postings = new FactPostings()
  private readonly ownLengths: Array<number> = []
  private readonly chain = new TurnChain()
  private readonly validFacts = new ValidFacts(this.chain)
  /**
   * The ids of the valid facts of the levels `fact` and `write`, grouped by keys (see `FactBlocks`). With these keys,
   * the pod finds the valid facts that a new fact possibly repeats or replaces.
   */
  private readonly blocks = new FactBlocks()
  private readonly names = new FactBlocks()
  private readonly sessionFacts = new Map<string, string>()
  private ownTotal = 0
  private textBytes = 0
  /**
   * For each fact: 1 if the fact is valid and has the level `fact` or `write`, otherwise 0. The pod compares a new fact
   * only with facts that have a 1. Most facts are turns, and the pod does not compare turns.
   */
  private readonly isWrittenAndCurrent: Array<0 | 1> = []

  get size(): number {
    return this.facts.length
  }

  get bytes(): number {
    const { blocks, facts, names, postings, textBytes } = this
    return facts.length * bytesOfFact + textBytes + postings.bytes + blocks.bytes + names.bytes
  }

  get(id: string): KeptFact | undefined {
    const number = this.numbers.get(id)
    return number === undefined ? undefined : this.facts[number]
  }

  /** Returns the valid fact that has this hash. */
  same(hash: string): KeptFact | undefined {
    const id = this.byHash.get(hash)
    return id === undefined ? undefined : this.get(id)
  }

  /** Returns the valid turns of a session that have a lower number than `turn`, in the order of the session. */
  turnsBefore(sessionId: string, turn: number): ReadonlyArray<KeptFact> {
    const turns: Array<KeptFact> = []
    for (const number of this.chain.of(sessionId)) {
      const fact = this.facts[number]
      if ((fact.turn ?? 0) >= turn) break
      if (isCurrent(fact)) turns.push(fact)
    }
    return turns
  }

  /** Returns the number of the last valid turn of a session plus 1. Returns 0 if the session has no valid turn. */
  nextTurn(sessionId: string): number {
    const session = this.chain.of(sessionId)
    for (let at = session.length - 1; at >= 0; at--) {
      const fact = this.facts[session[at]]
      if (isCurrent(fact)) return (fact.turn ?? 0) + 1
    }
    return 0
  }

  /** Returns the valid fact of level `session` that belongs to this session. */
  sessionOf(sessionId: string): KeptFact | undefined {
    const id = this.sessionFacts.get(sessionId)
    const fact = id === undefined ? undefined : this.get(id)
    return fact !== undefined && isCurrent(fact) ? fact : undefined
  }

  /** Returns the valid facts about this topic. */
  named(target: string): ReadonlyArray<KeptFact> {
    const targetName = nameOf(target)
    const found = this.names.of(targetName).flatMap((id) => this.get(id) ?? [])
    return found.filter((fact) => nameOf(fact.target ?? "") === targetName)
  }

  /**
   * Returns the facts that were replaced by the facts with these ids. This method reads all facts, so only an undo
   * calls it.
   */
  supersededBy(ids: ReadonlyArray<string>): ReadonlyArray<KeptFact> {
    return this.facts.filter(({ supersededBy }) => supersededBy !== null && ids.includes(supersededBy))
  }

  /**
   * Adds a fact, or replaces the earlier state of the fact. Does nothing if the index already has this state or a newer
   * state of the fact.
   */
  put(fact: KeptFact): void {
    const known = this.numbers.get(fact.id)
    if (known !== undefined && this.facts[known].seq >= fact.seq) return
    const number = known ?? this.facts.length
    const before = known === undefined ? undefined : this.facts[known]
    this.facts[number] = fact
    const isWritten = fact.level === "fact" || fact.level === "write"
    this.isWrittenAndCurrent[number] = isCurrent(fact) && isWritten ? 1 : 0
    if (before === undefined || isCurrent(before) !== isCurrent(fact)) this.block(fact, isWritten)
    if (isCurrent(fact)) this.byHash.set(fact.sameHash, fact.id)
    else if (this.byHash.get(fact.sameHash) === fact.id) this.byHash.delete(fact.sameHash)
    if (fact.level === "session" && fact.sessionId !== null && isCurrent(fact)) {
      this.sessionFacts.set(fact.sessionId, fact.id)
    }
    // The text of a fact never changes, so the index adds the words of a fact only once.
    if (known === undefined) this.addWords(fact, number)
    this.validFacts.change(number, before, fact)
  }

  private block(fact: KeptFact, isWritten: boolean) {
    const names = fact.target === null ? [] : [nameOf(fact.target)]
    const keys = isWritten ? keysOf(contentOf(fact)) : []
    if (isCurrent(fact)) {
      this.names.add(names, fact.id)
      this.blocks.add(keys, fact.id)
    } else {
      this.names.remove(names, fact.id)
      this.blocks.remove(keys, fact.id)
    }
  }

  private addWords(fact: KeptFact, number: number) {
    this.numbers.set(fact.id, number)
    const { date, own } = termsOf(fact)
    this.ownLengths[number] = own.length
    this.ownTotal += own.length
    this.textBytes += fact.fact.length * bytesOfCharacter
    this.postings.add(own, number, false)
    this.postings.add(date, number, true)
    if (fact.level === "turn" && fact.sessionId !== null) this.chain.join(fact.sessionId, number, fact.turn ?? 0)
    else this.chain.addAlone(number)
    this.validFacts.add(number, own.length, date.length)
  }

  private visibleAt(asOf: DateTime.Utc | undefined, now: DateTime.Utc): Visible {
    return asOf === undefined ? this.validFacts.now(now) : this.validFacts.at(asOf, this.facts)
  }

  /**
   * Returns true if the fact is valid at the time `asOf`, or now if `asOf` is undefined. Returns false if the index
   * does not have the fact.
   */
  holds(id: string, asOf: DateTime.Utc | undefined, now: DateTime.Utc): boolean {
    const fact = this.get(id)
    return fact !== undefined && holdsAt(fact, asOf, now)
  }

  /**
   * Returns the facts that match the words of a question best, best first. Facts with equal scores are sorted by id. A
   * score depends on the statistics of all facts that are valid at `asOf` (now if `asOf` is undefined), including the
   * facts that `isWanted` leaves out.
   */
  rank(
    question: string,
    limit: number,
    { asOf, isWanted, now }: { asOf: DateTime.Utc | undefined; now: DateTime.Utc; isWanted: IsWanted }
  ): ReadonlyArray<Scored> {
    const visible = this.visibleAt(asOf, now)
    const { facts } = visible
    const [before, after] = this.chain.directions
    type Add = (number: number, tenths: number) => void
    const spreadAlong = (links: Links, number: number, times: number, add: Add) => {
      const next = nearestTurn(number, links, facts)
      if (next === noTurn) return
      add(next, nextTurnWeight * times)
      const secondTurn = nearestTurn(next, links, facts)
      if (secondTurn !== noTurn) add(secondTurn, secondTurnWeight * times)
    }
    const scored = this.postings.score(
      timesOf(analyse(question)),
      (number, times, isDate, add) => {
        if (facts[number] === 0) return
        add(number, ownTurnWeight * times)
        if (isDate) return
        spreadAlong(before, number, times, add)
        spreadAlong(after, number, times, add)
      },
      visible
    )
    return this.best(scored, limit, isWanted)
  }

  /**
   * Returns the valid facts of the levels `fact` and `write` that possibly say the same as a text, newest first. If
   * there are more than `limit` such facts, leaves out the oldest facts.
   */
  perhapsSame(text: string, limit: number, isWanted: IsWanted): ReadonlyArray<KeptFact> {
    return this.newest(duplicateKey(text), limit, isWanted)
  }

  /**
   * Returns the facts that a new text possibly replaces. Returns only valid facts whose level is `fact` or `write`.
   * These are the facts with the most similar words, and the newest facts that share a replacement key with the text.
   */
  perhapsReplaced(text: string, limit: number, isWanted: IsWanted): ReadonlyArray<KeptFact> {
    const related = replacementKeys(text).flatMap((key) => this.newest(key, limit, isWanted))
    return [...new Set([...this.similarTo(text, limit, isWanted), ...related])]
  }

  private newest(key: string, limit: number, isWanted: IsWanted): ReadonlyArray<KeptFact> {
    const ids = this.blocks.of(key)
    const found: Array<KeptFact> = []
    for (let at = ids.length - 1; at >= 0 && found.length < limit; at--) {
      const fact = this.get(ids[at])
      if (fact !== undefined && isWanted(fact)) found.push(fact)
    }
    return found
  }

  /**
   * Returns the valid facts of the levels `fact` and `write` whose words are most similar to the words of a text.
   * Ignores frequent words, because they are in too many facts.
   */
  private similarTo(text: string, limit: number, isWanted: IsWanted): ReadonlyArray<KeptFact> {
    const scored = this.postings.score(
      this.rarest(timesOf(analyse(text))),
      (number, times, isDate, add) => {
        if (!isDate && this.isWrittenAndCurrent[number] === 1) add(number, ownTurnWeight * times)
      },
      { lengths: this.ownLengths, count: this.size, average: Math.max(1, this.ownTotal / Math.max(1, this.size)) }
    )
    return this.best(scored, limit, isWanted).map(({ id }) => this.facts[this.numbers.get(id) ?? 0])
  }

  private rarest(terms: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    const lengthOf = (term: string) => this.postings.countOf(term)
    const rareTerms = new Map<string, number>()
    let looked = 0
    for (const [term, times] of [...terms].toSorted(([one], [other]) => lengthOf(one) - lengthOf(other))) {
      looked += lengthOf(term)
      if (looked > postingsMax) break
      rareTerms.set(term, times)
    }
    return rareTerms
  }

  /** Returns the valid facts whose own text contains every word of `text`. */
  withEveryWord(text: string, now: DateTime.Utc): ReadonlyArray<KeptFact> {
    const { facts } = this.visibleAt(undefined, now)
    const terms = [...new Set(analyse(text))]
    let found: ReadonlyArray<number> | undefined
    for (const term of terms) {
      const factsWithTerms = new Set<number>()
      this.postings.each(term, (number, _times, isDate) => {
        if (!isDate && facts[number] === 1) factsWithTerms.add(number)
      })
      found = found === undefined ? [...factsWithTerms] : found.filter((number) => factsWithTerms.has(number))
    }
    return (found ?? []).map((number) => this.facts[number])
  }

  private best(scored: ReadonlyArray<number>, limit: number, isWanted: IsWanted) {
    const top = new TopScores(limit)
    for (const number of scored) {
      const score = this.postings.take(number)
      const fact = this.facts[number]
      if (top.takes(score) && isWanted(fact)) top.add({ id: fact.id, score })
    }
    return top.best
  }
}

/** Returns true if a fact was neither replaced nor forgotten. */
export const isCurrent = ({ validTo }: KeptFact): boolean => validTo === null

const nameOf = (target: string): string => target.trim().toLowerCase()

const keysOf = (content: string): ReadonlyArray<string> => [duplicateKey(content), ...replacementKeys(content)]
