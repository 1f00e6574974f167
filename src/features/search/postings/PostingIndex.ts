/** The inverted index of one space: which passages a word stands in. It holds no text. */
import { codeIn, codeOf, lengthOf, numberMost, numberOf, posting, Postings } from "./Posting.ts"
import { Vocabulary, wordsIn } from "./Vocabulary.ts"

/** What is searched: entities, documents and knowledge entries. */
export type SearchedType = "entity" | "document" | "knowledge"

/** An object as the index is given it. Its passages share the title. */
export interface IndexedObject {
  readonly id: string
  readonly type: SearchedType
  /** The profile slug of an entity; null for everything else. */
  readonly kind: string | null
  /** The entity that a document belongs to. */
  readonly ownerId: string | null
  /** The person or agent who made it. */
  readonly makerId: string
  /** The person to whom its words are charged. */
  readonly writerId: string
  /** Milliseconds since 1970. */
  readonly updatedAt: number
  /** The roles that an entity plays, by slug. */
  readonly roles: ReadonlyArray<string>
  /** Terms of the title, and those of the names of its roles. */
  readonly titleTerms: ReadonlyArray<string>
  readonly roleTerms: ReadonlyArray<string>
  readonly passages: ReadonlyArray<{
    readonly start: number
    readonly length: number
    /** Tells whether the text or the title has changed. */
    readonly fingerprint: number
    readonly terms: ReadonlyArray<string>
  }>
}

/** A passage in the index. */
export interface Unit {
  readonly object: Omit<IndexedObject, "titleTerms" | "roleTerms" | "passages">
  readonly start: number
  readonly length: number
  readonly fingerprint: number
  readonly titleWords: number
  readonly roleWords: number
  /** In the weights of the fields, without names of roles. */
  readonly words: number
  /** One entry for each of its words: the number of the word and its code. */
  readonly entries: Uint32Array
}

const deadShare = 0.25 // an index with more dead passages than this is built anew
const deadShareOfFull = 0.05 // the same for an index that has no room for further words or passages
const spareShare = 0.1 // of the passages of an index that had no room: so many are gone before it is worth to read it again
const wordShare = 0.5 // of the memory of an index; the rest is for its passages
const bytesOfUnit = 270 // of the objects around a passage, besides its entries
const bytesOfEntry = 8.8 // in a passage and in the list of its word

export class PostingIndex {
  private units: Array<Unit | null> = []
  private lists: Array<Postings> = []
  private known: Vocabulary
  private places = new Map<string, ReadonlyArray<number>>()
  /** Each id once: few people make all objects of a space. */
  private readonly makers = new Map<string, string>()
  private lengths = new Postings()
  private lengthsWithRoles = new Postings()
  private dead = 0
  private entryCount = 0
  private changes = 0
  private readonly bytesMost: number
  private readonly passagesMost: number
  private readonly wordsMost: number
  /** How many living passages there were when one was left out; null where none was. */
  private fullWith: number | null = null

  /**
   * `bytesMost`: how much memory it may take. Whoever writes decides how much there is to index, so an index that is full leaves
   * further words and passages out, and goes on with those that it has.
   */
  constructor(bytesMost = Infinity, passagesMost = numberMost + 1) {
    this.bytesMost = bytesMost
    this.passagesMost = Math.min(numberMost + 1, passagesMost)
    this.wordsMost = Math.min(numberMost / 2, wordsIn(bytesMost * wordShare))
    this.known = new Vocabulary(this.wordsMost)
  }

  /** Puts an object in place of what the index had of it. */
  put(object: IndexedObject): void {
    this.remove(object.id)
    this.known.beginObject()
    // The words and passages of removed objects take memory until `compact` removes them.
    if ((this.isFull || !this.hasRoom) && this.dead > deadShareOfFull * this.units.length) this.compact()
    this.place(object)
    // Each round makes room for a tenth of all words, until the writer has all words in, or as many as others.
    while (this.known.isUnfairTo(object.writerId)) {
      this.remove(object.id)
      this.compact(this.known.beyondShare((word) => this.lists[word]?.count ?? 0))
      this.place(object)
    }
    if (this.dead > deadShare * this.units.length && this.dead > 1000) this.compact()
  }

  remove(id: string): void {
    this.changes++
    for (const number of this.places.get(id) ?? []) {
      this.units[number] = null
      this.dead++
    }
    this.places.delete(id)
  }

  /** Whether it leaves out words that it does not have yet, at least of those who write most. */
  get isFull(): boolean {
    return this.known.isFull
  }

  /** Whether it had no room for a passage, so that something is not found. It stays so until the space is read again. */
  get isIncomplete(): boolean {
    return this.fullWith !== null
  }

  /** Whether so much was removed since a passage was left out that reading the space again finds room for it. */
  get isWorthReading(): boolean {
    return this.fullWith !== null && this.units.length - this.dead < this.fullWith * (1 - spareShare)
  }

  has(id: string): boolean {
    return this.places.has(id)
  }

  /** The passages in the order of their numbers; null in place of a removed passage. */
  get passages(): ReadonlyArray<Unit | null> {
    return this.units
  }

  /** The length of each passage, by its number; also with the names of roles. */
  lengthsOf(withRoles: boolean): Uint32Array {
    return (withRoles ? this.lengthsWithRoles : this.lengths).entries
  }

  /** Goes up with each change. What was counted in an index holds for its version. */
  get version(): number {
    return this.changes
  }

  /** How many objects there are. */
  get size(): number {
    return this.places.size
  }

  /** The numbers of the passages of an object. */
  placesOf(id: string): ReadonlyArray<number> {
    return this.places.get(id) ?? []
  }

  postingsOf(word: string): Postings | undefined {
    const number = this.known.numberOf(word)
    return number === undefined ? undefined : this.lists[number]
  }

  /** The number of a word in the entries of passages. */
  numberOf(word: string): number | undefined {
    return this.known.numberOf(word)
  }

  /** The word that an entry of a passage is about. */
  wordOf(entry: number): string {
    return this.vocabulary[numberOf(entry)] ?? ""
  }

  /** All words, also those of removed passages, in the order in which they came. */
  get vocabulary(): ReadonlyArray<string> {
    return this.known.words
  }

  /** About how much memory it takes. */
  get bytes(): number {
    return this.units.length * bytesOfUnit + this.entryCount * bytesOfEntry + this.known.bytes
  }

  private get hasRoom(): boolean {
    return this.units.length < this.passagesMost && this.bytes < this.bytesMost
  }

  /** Puts the passages of an object in, as far as there is room. */
  private place({ passages, roleTerms, titleTerms, ...whole }: IndexedObject): void {
    const head = { ...whole, makerId: this.keptMaker(whole.makerId) }
    const numbers: Array<number> = []
    for (const { fingerprint, length, start, terms } of passages) {
      if (!this.hasRoom) {
        this.fullWith = this.units.length - this.dead
        break
      }
      const entries = this.entriesOf(titleTerms, terms, roleTerms, head.writerId)
      const words = lengthOf(titleTerms.length, terms.length)
      const counts = { titleWords: titleTerms.length, roleWords: roleTerms.length, words }
      numbers.push(this.add({ object: head, start, length, fingerprint, ...counts, entries }))
    }
    if (numbers.length > 0) this.places.set(head.id, numbers)
  }

  private keptMaker(makerId: string): string {
    const kept = this.makers.get(makerId)
    if (kept === undefined) this.makers.set(makerId, makerId)
    return kept ?? makerId
  }

  private add(unit: Unit): number {
    const number = this.units.length
    this.units.push(unit)
    this.lengths.add(unit.words)
    this.lengthsWithRoles.add(unit.words + unit.roleWords)
    for (const entry of unit.entries) {
      // The code of the word in this passage, beside the number of the passage instead of the word's.
      this.lists[numberOf(entry)]?.add(posting(number, codeIn(entry)))
    }
    this.entryCount += unit.entries.length
    return number
  }

  private entriesOf(
    title: ReadonlyArray<string>,
    body: ReadonlyArray<string>,
    roles: ReadonlyArray<string>,
    writerId: string
  ): Uint32Array {
    const counts = new Map<string, [title: number, body: number, isRole: boolean]>()
    const at = (word: string) => {
      let found = counts.get(word)
      if (found === undefined) counts.set(word, (found = [0, 0, false]))
      return found
    }
    for (const word of title) at(word)[0]++
    for (const word of body) at(word)[1]++
    for (const word of roles) at(word)[2] = true
    const entries: Array<number> = []
    for (const [word, counted] of counts) {
      const number = this.numberOfWord(word, writerId)
      if (number !== undefined) entries.push(posting(number, codeOf(...counted)))
    }
    return Uint32Array.from(entries)
  }

  /** Undefined for a word that the index has no room for. */
  private numberOfWord(word: string, writerId: string): number | undefined {
    const number = this.known.take(word, writerId)
    if (number !== undefined && number === this.lists.length) this.lists.push(new Postings())
    return number
  }

  /** Numbers the living passages anew, and forgets the words of the others and those in `forgotten`. */
  private compact(forgotten: ReadonlySet<number> = new Set()): void {
    const { known, units } = this
    this.changes++
    this.units = []
    this.lists = []
    this.known = new Vocabulary(this.wordsMost)
    this.places = new Map()
    this.lengths = new Postings()
    this.lengthsWithRoles = new Postings()
    this.dead = 0
    this.entryCount = 0
    for (const unit of units) {
      if (unit === null) continue
      const { id, writerId } = unit.object
      const entries = Uint32Array.from(
        Array.from(unit.entries).flatMap((entry) => {
          if (forgotten.has(numberOf(entry))) return []
          const number = this.numberOfWord(known.words[numberOf(entry)] ?? "", writerId)
          return number === undefined ? [] : [posting(number, codeIn(entry))]
        })
      )
      this.places.set(id, [...this.placesOf(id), this.add({ ...unit, entries })])
    }
  }
}
