/**
 * The words of an index with their numbers. Whoever writes decides how many different words there are, so each word that only
 * one writer uses is charged to this writer, and a vocabulary that is full takes room from those who have most.
 */
import { ownCopy } from "../text/PlainText.ts"

const bytesOfWord = 500 // of a word with its entry in the map and its list; measured with 20,000 and 100,000 made abstracts
const bytesOfPair = 5 // for each pair of letters of a word; a search for a misspelt word lists the words by pair

/**
 * Extra room for writers who have fewer words than others, as a share of `wordsMost`. When this room is full, the index
 * at once removes words of those who have more than their share.
 */
const reserveShare = 0.1

const shared = -1 // in place of a writer, for a word that several use

/** How many words `bytes` have room for. */
export const wordsIn = (bytes: number): number => Math.floor(bytes / bytesOfWord)

export class Vocabulary {
  /** In the order in which they came; the number of a word is its place. */
  readonly words: Array<string> = []
  private readonly numbers = new Map<string, number>()
  private readonly writers = new Map<string, number>()
  /** By the number of a word. */
  private readonly chargedTo: Array<number> = []
  /** By the number of a writer: how many words are charged to the writer. */
  private readonly charges: Array<number> = []
  private letters = 0
  /** The fair share of each writer, counted once for an object, because counting it for each word would take too long. */
  private share: number | undefined
  private readonly wordsMost: number

  constructor(wordsMost: number) {
    this.wordsMost = wordsMost
  }

  numberOf(word: string): number | undefined {
    return this.numbers.get(word)
  }

  /** Has the shares counted anew with the next word, because an object was put in or removed. */
  beginObject(): void {
    this.share = undefined
  }

  get isFull(): boolean {
    return this.words.length >= this.wordsMost
  }

  /** About how much memory the words take, with their pairs of letters. */
  get bytes(): number {
    return this.words.length * bytesOfWord + (this.letters + this.words.length) * bytesOfPair
  }

  /** The number of a word that the writer uses. Undefined for a word that there is no room for. */
  take(word: string, writerId: string): number | undefined {
    const writer = this.writerOf(writerId)
    const known = this.numbers.get(word)
    if (known !== undefined) {
      this.useBy(known, writer)
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

  /** Whether a writer who has less than others found no room, so that the others have to give some back. */
  isUnfairTo(writerId: string): boolean {
    return this.isReserveFull && this.isBelowOthers(this.writerOf(writerId))
  }

  /**
   * The numbers of the words to forget, so that nobody has more words than the fair share. Of a writer who has more, those that
   * stand in the fewest passages go first, and of these the latest. `passagesWith`: in how many passages a word stands.
   */
  beyondShare(passagesWith: (word: number) => number): ReadonlySet<number> {
    const share = this.fairShare
    const own = new Map<number, Array<number>>()
    for (const [word, writer] of this.chargedTo.entries()) {
      if (writer === shared || this.charges[writer] <= share) continue
      const words = own.get(writer)
      if (words === undefined) own.set(writer, [word])
      else words.push(word)
    }
    const order = (one: number, other: number) => passagesWith(other) - passagesWith(one) || one - other
    return new Set([...own.values()].flatMap((words) => words.toSorted(order).slice(share)))
  }

  private writerOf(writerId: string): number {
    let writer = this.writers.get(writerId)
    if (writer === undefined) {
      writer = this.charges.length
      this.writers.set(writerId, writer)
      this.charges.push(0)
    }
    return writer
  }

  private useBy(word: number, writer: number): void {
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

  /** How many words of their own each writer may have, so that all words together are `wordsMost`. */
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
