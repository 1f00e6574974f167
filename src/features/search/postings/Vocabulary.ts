/**
 * The words of an index with their numbers. The number of words has a limit, because users decide how many different
 * words there are. If only one writer uses a word, the word counts against the limit of this writer. A full vocabulary
 * removes words of the writers with the most words.
 */
import { entriesPerStep, type Steps } from "../../../platform/InSlices.ts"
import { ownCopy } from "../text/PlainText.ts"

// bytes for a word and the list of its passages, measured with 20,000 and 100,000 generated abstracts
const bytesOfWord = 500
// bytes for each pair of letters in a word; the spelling correction finds words by these pairs
const bytesOfPair = 5

/**
 * A reserve of words, as a share of `wordsMax`. It is only for writers with fewer words than the fair share. When the
 * reserve is full, the index immediately removes words of the writers who have more than the fair share.
 */
const reserveShare = 0.1

// the value in place of a writer's number if several writers use the word
const severalWriters = -1

/** Returns how many words fit into this number of bytes. */
export const wordsIn = (bytes: number): number => Math.floor(bytes / bytesOfWord)

export class Vocabulary {
  /** The words in the order in which they were added. The number of a word is its index in this list. */
  readonly words: Array<string> = []
  private readonly numbers = new Map<string, number>()
  private readonly writers = new Map<string, number>()
  /**
   * For each word, the number of the writer against whose limit the word counts. The index in this list is the number
   * of the word.
   */
  private readonly chargedTo: Array<number> = []
  /**
   * The number of words that count against the limit of each writer. The index in this list is the number of the
   * writer.
   */
  private readonly charges: Array<number> = []
  private letters = 0
  /**
   * The fair share: the maximum number of words for each writer. The vocabulary computes this number once for each
   * object, because computing it for each word would take too long.
   */
  private share: number | undefined
  private readonly wordsMax: number

  constructor(wordsMax: number) {
    this.wordsMax = wordsMax
  }

  numberOf(word: string): number | undefined {
    return this.numbers.get(word)
  }

  /**
   * Makes the vocabulary compute the fair share again for the next word. The index calls this method before it adds an
   * object.
   */
  beginObject(): void {
    this.share = undefined
  }

  get isFull(): boolean {
    return this.words.length >= this.wordsMax
  }

  /** About how many bytes of memory the words take, including the pairs of letters of the words. */
  get bytes(): number {
    return this.words.length * bytesOfWord + (this.letters + this.words.length) * bytesOfPair
  }

  /**
   * Returns the number of a word that the writer uses. Adds the word if it is new. Returns undefined if there is no
   * room for a new word.
   */
  take(word: string, writer: number): number | undefined {
    const known = this.numbers.get(word)
    if (known !== undefined) {
      this.use(known, writer)
      return known
    }
    if (this.isFull && !this.hasReserveFor(writer)) return undefined
    const number = this.words.length
    const copy = ownCopy(word)
    this.words.push(copy)
    this.numbers.set(copy, number)
    this.chargedTo.push(writer)
    this.charges[writer]++
    this.letters += copy.length
    return number
  }

  /**
   * Returns true if this writer has fewer words than the fair share but the vocabulary has no room for the writer. The
   * index must then remove words of other writers.
   */
  isUnfairTo(writerId: string): boolean {
    return this.isReserveFull && this.isBelowOthers(this.writerOf(writerId))
  }

  /**
   * Selects words to remove, so that no writer has more words than the fair share. The result is an array in which each
   * such word has the value 1. For each writer, the words that are in the fewest passages are removed first. Of words
   * in equally many passages, the newest are removed first. `passagesWith` returns the number of passages that contain
   * a word.
   */
  *beyondShare(passagesWith: (word: number) => number): Steps<Uint8Array> {
    const share = this.fairShare
    const beyond = new Uint8Array(this.words.length)
    const own = new Map<number, Array<number>>()
    for (let word = 0; word < this.chargedTo.length; word++) {
      if (word % entriesPerStep === 0) yield
      const writer = this.chargedTo[word]
      if (writer === severalWriters || this.charges[writer] <= share) continue
      const words = own.get(writer)
      if (words === undefined) own.set(writer, [word])
      else words.push(word)
    }
    for (const words of own.values()) {
      // Counts how many words are in one passage, in two passages, and so on. This gives the same result as sorting the
      // words, in fewer steps.
      const wordsIn = new Map<number, number>()
      for (let at = 0; at < words.length; at++) {
        if (at % entriesPerStep === 0) yield
        const passages = passagesWith(words[at])
        wordsIn.set(passages, (wordsIn.get(passages) ?? 0) + 1)
      }
      let room = share
      const roomFor = new Map<number, number>()
      for (const [passages, count] of [...wordsIn].toSorted(([one], [other]) => other - one)) {
        roomFor.set(passages, Math.min(room, count))
        room -= Math.min(room, count)
      }
      for (let at = 0; at < words.length; at++) {
        if (at % entriesPerStep === 0) yield
        const passages = passagesWith(words[at])
        const room = roomFor.get(passages) ?? 0
        if (room === 0) beyond[words[at]] = 1
        else roomFor.set(passages, room - 1)
      }
    }
    return beyond
  }

  /** Returns the number of a writer. A new writer gets the next number. */
  writerOf(writerId: string): number {
    let writer = this.writers.get(writerId)
    if (writer === undefined) {
      writer = this.charges.length
      this.writers.set(writerId, writer)
      this.charges.push(0)
    }
    return writer
  }

  /** Records that a writer uses a word. If several writers use a word, the word counts against nobody's limit. */
  use(word: number, writer: number): void {
    const charged = this.chargedTo[word]
    if (charged === severalWriters || charged === writer) return
    this.charges[charged]--
    this.chargedTo[word] = severalWriters
  }

  private get isReserveFull(): boolean {
    return this.words.length >= this.wordsMax * (1 + reserveShare)
  }

  private hasReserveFor(writer: number): boolean {
    return !this.isReserveFull && this.isBelowOthers(writer)
  }

  private isBelowOthers(writer: number): boolean {
    return this.charges[writer] < (this.share ??= this.fairShare)
  }

  /** The maximum number of words for each writer, so that all words together are at most `wordsMax`. */
  private get fairShare(): number {
    let room = this.wordsMax - (this.words.length - this.charges.reduce((sum, each) => sum + each, 0))
    const ordered = this.charges.toSorted((one, other) => one - other)
    for (const [at, charge] of ordered.entries()) {
      const each = Math.floor(room / (ordered.length - at))
      if (charge >= each) return Math.max(0, each)
      room -= charge
    }
    return Infinity
  }
}
