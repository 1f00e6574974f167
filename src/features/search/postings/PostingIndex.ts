/**
 * The inverted index of one space. For each word, it lists the passages that contain the word. Only the database has
 * the texts themselves.
 */
import { entriesPerStep, type Steps } from "../../../platform/InSlices.ts"
import { codeIn, lengthOf, numberMax, numberOf, posting, Postings } from "./Posting.ts"
import { Vocabulary, wordsIn } from "./Vocabulary.ts"
import type { IndexedObject, IndexedPassage } from "./IndexedObject.ts"
import { PostingParts, entriesOf } from "./PostingParts.ts"

// the index is compacted when more than this share of its passages is removed
const removedShareMax = 0.25
// If the index has no room for more words or passages, it is compacted when this share of its passages is removed.
const deadShareOfFull = 0.05
// If the index has refused passages, the pod reads it again from the database when this share of its passages is
// removed.
const spareShare = 0.1
// the share of the memory for words; the rest of the memory is for passages
const wordShare = 0.5
// bytes of memory for a passage, without the memory for its words
const bytesOfUnit = 270
// bytes of memory for each different word of a passage; the index stores it both in the passage and in the list of the
// word
const bytesOfEntry = 8.8

export class PostingIndex {
  private parts: PostingParts
  private changes = 0
  private compactions = 0
  /**
   * The ids of the creators of objects, each stored only once. A few people make all objects of a space, so this saves
   * memory.
   */
  private readonly makers = new Map<string, string>()
  private readonly bytesMax: number
  private readonly passagesMax: number
  private readonly wordsMax: number
  /**
   * The number of passages in the index when the index last refused a passage. Null if the index has never refused a
   * passage.
   */
  private fullWith: number | null = null

  /**
   * `bytesMax` is the maximum number of bytes of memory for the index. The index needs this limit, because users
   * decide how much text there is. A full index does not add further words and passages, but search still finds the
   * earlier passages.
   */
  constructor(bytesMax = Infinity, passagesMax = numberMax + 1) {
    this.bytesMax = bytesMax
    this.passagesMax = Math.min(numberMax + 1, passagesMax)
    this.wordsMax = Math.min(numberMax / 2, wordsIn(bytesMax * wordShare))
    this.parts = new PostingParts(new Vocabulary(this.wordsMax))
  }

  /** Adds an object to the index, or replaces the earlier state of the object. */
  put(object: IndexedObject): void {
    for (const change of this.putInSteps(object)) if (change !== undefined) change()
  }

  /**
   * Adds or replaces an object in steps. If a step yields a function, the caller must call this function before the
   * next step, while no search reads the index. This function changes the index. If a step yields nothing, the caller
   * can pause. Nothing else is allowed to change the index until the last step.
   */
  *putInSteps(object: IndexedObject): Generator<(() => void) | void, void, void> {
    // The words and passages of removed objects take memory until the index is compacted. The earlier state of a
    // replaced object is removed too.
    const dead = this.parts.removed.length + this.placesOf(object.id).length
    const isCrowded = (this.isFull || !this.hasRoom) && dead > deadShareOfFull * this.passages.length
    const compacted = isCrowded ? yield* this.compacted(object.id) : undefined
    yield () => {
      if (compacted === undefined) this.remove(object.id)
      else this.replace(compacted)
      this.place(object)
    }
    // Each round removes about a tenth of all words. The loop ends when all words of the writer are in the index, or
    // when the writer has a fair share of the words.
    while (this.parts.known.isUnfairTo(object.writerId)) {
      const { known, lists } = this.parts
      const forgotten = yield* known.beyondShare((word) => lists[word]?.count ?? 0)
      const smaller = yield* this.compacted(object.id, forgotten)
      yield () => {
        this.replace(smaller)
        this.place(object)
      }
    }
    const { removed, passages } = this.parts
    if (removed.length <= removedShareMax * passages.length || removed.length <= 1000) return
    const smaller = yield* this.compacted()
    yield () => this.replace(smaller)
  }

  remove(id: string): void {
    this.changes++
    const { places, removed, passages } = this.parts
    for (const number of places.get(id) ?? []) {
      passages[number] = null
      removed.push(number)
    }
    places.delete(id)
  }

  /** True if the index has reached its limit of words. Then only a reserve is left, for writers with few words. */
  get isFull(): boolean {
    return this.parts.known.isFull
  }

  /**
   * True if the index has refused a passage, so that searches cannot find this passage. The value stays true until the
   * pod reads the space again.
   */
  get isIncomplete(): boolean {
    return this.fullWith !== null
  }

  /**
   * True if enough passages were removed since the index refused a passage. The pod should then read the space again,
   * because the refused passages can now fit.
   */
  get isWorthReading(): boolean {
    return this.fullWith !== null && this.livePassages < this.fullWith * (1 - spareShare)
  }

  has(id: string): boolean {
    return this.parts.places.has(id)
  }

  /** The passages of the index. The position of a passage is its number. A removed passage is null. */
  get passages(): ReadonlyArray<IndexedPassage | null> {
    return this.parts.passages
  }

  /**
   * Returns the lengths of all passages, by passage number. If `withFacets` is true, the lengths include the names of
   * facets.
   */
  lengthsOf(withFacets: boolean): Uint32Array {
    return (withFacets ? this.parts.lengthsWithFacets : this.parts.lengths).entries
  }

  /**
   * A number that increases with each change of the index. Cached counts are right only while this number stays the
   * same.
   */
  get version(): number {
    return this.changes
  }

  /** A number that increases each time the passages get new numbers. */
  get generation(): number {
    return this.compactions
  }

  /** The numbers of the removed passages, in the order in which they were removed. */
  get removed(): ReadonlyArray<number> {
    return this.parts.removed
  }

  /** How many objects the index has. */
  get size(): number {
    return this.parts.places.size
  }

  /** Returns the numbers of the passages of the object with this id. */
  placesOf(id: string): ReadonlyArray<number> {
    return this.parts.places.get(id) ?? []
  }

  postingsOf(word: string): Postings | undefined {
    const number = this.parts.known.numberOf(word)
    return number === undefined ? undefined : this.parts.lists[number]
  }

  /**
   * Returns the number that stands for this word in the entries of passages. Returns undefined if the word is not in
   * the index.
   */
  numberOf(word: string): number | undefined {
    return this.parts.known.numberOf(word)
  }

  /** Returns the word that an entry of a passage refers to. */
  wordOf(entry: number): string {
    return this.vocabulary[numberOf(entry)] ?? ""
  }

  /**
   * All words of the index in the order in which they were added. The list includes words that only removed passages
   * contain.
   */
  get vocabulary(): ReadonlyArray<string> {
    return this.parts.known.words
  }

  /** About how many bytes of memory the index takes. */
  get bytes(): number {
    return this.passages.length * bytesOfUnit + this.parts.entryCount * bytesOfEntry + this.parts.known.bytes
  }

  private get livePassages(): number {
    return this.passages.length - this.removed.length
  }

  private get hasRoom(): boolean {
    return this.passages.length < this.passagesMax && this.bytes < this.bytesMax
  }

  /** Adds the passages of an object. If there is not enough room for all passages, adds as many as fit. */
  private place({ passages, facetTerms, titleTerms, ...whole }: IndexedObject): void {
    const { parts } = this
    const head = { ...whole, makerId: this.keptMaker(whole.makerId) }
    const numbers: Array<number> = []
    parts.known.beginObject()
    for (const { fingerprint, length, start, terms } of passages) {
      if (!this.hasRoom) {
        this.fullWith = this.livePassages
        break
      }
      const entries = entriesOf(parts, titleTerms, terms, facetTerms, head.writerId)
      const words = lengthOf(titleTerms.length, terms.length)
      const counts = { titleWords: titleTerms.length, facetWords: facetTerms.length, words }
      numbers.push(parts.add({ object: head, start, length, fingerprint, ...counts, entries }))
    }
    if (numbers.length > 0) parts.places.set(head.id, numbers)
  }

  private keptMaker(makerId: string): string {
    const known = this.makers.get(makerId)
    if (known === undefined) this.makers.set(makerId, makerId)
    return known ?? makerId
  }

  private replace(parts: PostingParts): void {
    this.changes++
    this.compactions++
    this.parts = parts
  }

  /**
   * Makes a copy of the parts of the index without the removed passages. The remaining passages get new numbers. The
   * copy also leaves out the object `withoutId`, words that no passage has any more, and words with a 1 in `forgotten`.
   * The index itself does not change.
   */
  private *compacted(withoutId?: string, forgotten?: Uint8Array): Steps<PostingParts> {
    const { known, passages } = this.parts
    const parts = new PostingParts(new Vocabulary(this.wordsMax))
    const newNumbers = new Int32Array(known.words.length).fill(-1)
    let read = 0
    let object: IndexedPassage["object"] | undefined
    let writer = 0
    for (const passage of passages) {
      if (passage === null || passage.object.id === withoutId) continue
      if (passage.object !== object) {
        object = passage.object
        writer = parts.known.writerOf(object.writerId)
      }
      const entries = new Uint32Array(passage.entries.length)
      let count = 0
      for (const entry of passage.entries) {
        const former = numberOf(entry)
        if (forgotten?.[former] === 1) continue
        let number: number | undefined = newNumbers[former]
        if (number >= 0) parts.known.use(number, writer)
        else {
          number = parts.numberOfWord(known.words[former] ?? "", writer)
          if (number === undefined) continue
          newNumbers[former] = number
        }
        entries[count++] = posting(number, codeIn(entry))
      }
      const number = parts.add({ ...passage, entries: count === entries.length ? entries : entries.slice(0, count) })
      const numbers = parts.places.get(object.id)
      if (numbers === undefined) parts.places.set(object.id, [number])
      else numbers.push(number)
      read += passage.entries.length
      if (read < entriesPerStep) continue
      read = 0
      yield
    }
    return parts
  }
}
