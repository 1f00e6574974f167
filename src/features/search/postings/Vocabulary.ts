/**
 * The words of an index with their numbers. Users decide how many different words there are. A word that only one
 * writer uses counts for this writer. If the vocabulary is full, it makes room by removing words of the writers with
 * most words.
 */
import { perStep, type Steps } from "../../../platform/InSlices.ts"
import { ownCopy } from "../text/PlainText.ts"

const bytesOfWord = 500 // bytes for a word, its entry in the map and its list; measured with 20,000 and 100,000 generated abstracts
const bytesOfPair = 5 // bytes for each pair of letters in a word; the search for a misspelt word lists words by pair

/**
 * Extra room, as a share of `wordsMost`, for writers with fewer words than the fair share. When this room is full too,
 * the index at once removes words of writers with more than the fair share.
 */
const reserveShare = 0.1

const shared = -1 // stands in place of the number of a writer if several writers use the word

/** How many words fit into `bytes`. */
export const wordsIn = (bytes: number): number => Math.floor(bytes / bytesOfWord)

export class Vocabulary {
  /** The words in the order in which they were added. The number of a word is its index in this list. */
  readonly words: Array<string> = []
  private readonly numbers = new Map<string, number>()
  private readonly writers = new Map<string, number>()
  /** For each word, by its number: the number of the writer for whom the word counts. */
  private readonly chargedTo: Array<number> = []
  /** For each writer, by the writer's number: how many words count for this writer. */
  private readonly charges: Array<number> = []
  private letters = 0
  /**
   * The fair share: how many words may count for each writer. It is computed once for each object, because to compute
   * it for each word takes too long.
   */
  private share: number | undefined
  private readonly wordsMost: number

  constructor(wordsMost: number) {
    this.wordsMost = wordsMost
  }

  numberOf(word: string): number | undefined {
    return this.numbers.get(word)
  }

  /** Must be called before an object is added. The fair share is then computed again for the next word. */
  beginObject(): void {
    this.share = undefined
  }

  get isFull(): boolean {
    return this.words.length >= this.wordsMost
  }

  /** About how many bytes of memory the words take, including their pairs of letters. */
  get bytes(): number {
    return this.words.length * bytesOfWord + (this.letters + this.words.length) * bytesOfPair
  }

  /**
   * Returns the number of a word that the writer uses, and adds the word if it is new. Undefined if there is no room
   * for a new word.
   */
  take(word: string, writer: number): number | undefined {
    const known = this.numbers.get(word)
    if (known !== undefined) {
      this.use(known, writer)
      return known
    }
    if (this.isFull && !this.hasReserveFor(writer)) return undefined
    const number = this.words.length
    const kept = ownCopy(word)
    this.words.push(kept)
    this.numbers.set(kept, number)
    this.chargedTo.push(writer)
    this.charges[writer]++
    this.letters += kept.length
    return number
  }

  /**
   * Whether there is no room for a writer with fewer words than the fair share. Words of other writers must then be
   * removed.
   */
  isUnfairTo(writerId: string): boolean {
    return this.isReserveFull && this.isBelowOthers(this.writerOf(writerId))
  }

  /**
   * Marks the words to remove with 1, by the number of the word, so that no writer has more words than the fair share.
   * Of the words of a writer, those in the fewest passages are removed first, and among these the newest.
   * `passagesWith` returns the number of passages that contain a word.
   */
  *beyondShare(passagesWith: (word: number) => number): Steps<Uint8Array> {
    const share = this.fairShare
    const beyond = new Uint8Array(this.words.length)
    const own = new Map<number, Array<number>>()
    for (let word = 0; word < this.chargedTo.length; word++) {
      if (word % perStep === 0) yield
      const writer = this.chargedTo[word]
      if (writer === shared || this.charges[writer] <= share) continue
      const words = own.get(writer)
      if (words === undefined) own.set(writer, [word])
      else words.push(word)
    }
    for (const words of own.values()) {
      // No sorting is needed: it is enough to count how many words are in how many passages. The result is the same in
      // fewer steps.
      const wordsIn = new Map<number, number>()
      for (let at = 0; at < words.length; at++) {
        if (at % perStep === 0) yield
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
        if (at % perStep === 0) yield
        const passages = passagesWith(words[at])
        const left = roomFor.get(passages) ?? 0
        if (left === 0) beyond[words[at]] = 1
        else roomFor.set(passages, left - 1)
      }
    }
    return beyond
  }

  /** The number of a writer. */
  writerOf(writerId: string): number {
    let writer = this.writers.get(writerId)
    if (writer === undefined) {
      writer = this.charges.length
      this.writers.set(writerId, writer)
      this.charges.push(0)
    }
    return writer
  }

  /** Records that a writer uses a word. A word of several writers counts for none of them. */
  use(word: number, writer: number): void {
    const charged = this.chargedTo[word]
    if (charged === shared || charged === writer) return
    this.charges[charged]--
    this.chargedTo[word] = shared
  }

  private get isReserveFull(): boolean {
    return this.words.length >= this.wordsMost * (1 + reserveShare)
  }

  private hasReserveFor(writer: number): boolean {
    return !this.isReserveFull && this.isBelowOthers(writer)
  }

  private isBelowOthers(writer: number): boolean {
    return this.charges[writer] < (this.share ??= this.fairShare)
  }

  /** How many words may count for each writer, so that all words together are at most `wordsMost`. */
  private get fairShare(): number {
    let room = this.wordsMost - (this.words.length - this.charges.reduce((sum, each) => sum + each, 0))
    const ordered = this.charges.toSorted((one, other) => one - other)
    for (const [at, charge] of ordered.entries()) {
      const each = Math.floor(room / (ordered.length - at))
      if (charge >= each) return Math.max(0, each)
      room -= charge
    }
    return Infinity
  }
}
