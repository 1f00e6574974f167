/** The inverted index of one space. For each word it lists the passages that contain the word. It does not store the texts. */
import { codeIn, codeOf, lengthOf, numberMost, numberOf, posting, Postings } from "./Posting.ts"
import { Vocabulary, wordsIn } from "./Vocabulary.ts"

/** The types of objects that search finds. */
export type SearchedType = "entity" | "document" | "knowledge"

/** The input of the index: an object with the terms of its passages. All passages of the object have its title. */
export interface IndexedObject {
  readonly id: string
  readonly type: SearchedType
  /** The profile slug of an entity; null for everything else. */
  readonly kind: string | null
  /** The entity that a document belongs to. */
  readonly ownerId: string | null
  /** The maker of the object: a person or an agent. */
  readonly makerId: string
  /** The person to whom the words of the object are charged when the index is full. */
  readonly writerId: string
  /** Milliseconds since 1970. */
  readonly updatedAt: number
  /** The roles that an entity plays, by slug. */
  readonly roles: ReadonlyArray<string>
  /** The terms of the title; `roleTerms` are the terms of the names of its roles. */
  readonly titleTerms: ReadonlyArray<string>
  readonly roleTerms: ReadonlyArray<string>
  readonly passages: ReadonlyArray<{
    readonly start: number
    readonly length: number
    /** A hash of the title and the text. It tells whether one of them has changed. */
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
  /** The length of the passage with the weight of each field, without the names of roles. */
  readonly words: number
  /** One entry for each different word of the passage: the number of the word, and its code from `codeOf`. */
  readonly entries: Uint32Array
}

const deadShare = 0.25 // an index is compacted if a larger share of its passages was removed
const deadShareOfFull = 0.05 // the same share for an index that has no room for further words or passages
const spareShare = 0.1 // the share of passages that must be removed before an incomplete index is worth reading again
const wordShare = 0.5 // the share of the memory that words may take; the rest is for passages
const bytesOfUnit = 270 // memory for a passage without its entries
const bytesOfEntry = 8.8 // memory for an entry in its passage and for the posting in the list of its word

export class PostingIndex {
  private units: Array<Unit | null> = []
  private lists: Array<Postings> = []
  private known: Vocabulary
  private places = new Map<string, ReadonlyArray<number>>()
  /** Keeps one string for each maker, to save memory: a few people make all objects of a space. */
  private readonly makers = new Map<string, string>()
  private lengths = new Postings()
  private lengthsWithRoles = new Postings()
  private dead = 0
  private entryCount = 0
  private changes = 0
  private readonly bytesMost: number
  private readonly passagesMost: number
  private readonly wordsMost: number
  /** How many passages the index had when it left out a passage. Null if it has left out none. */
  private fullWith: number | null = null

  /**
   * `bytesMost` is how much memory the index may take. Writers decide how much there is to index, so a full index leaves out further
   * words and passages, and still finds those that it has.
   */
  constructor(bytesMost = Infinity, passagesMost = numberMost + 1) {
    this.bytesMost = bytesMost
    this.passagesMost = Math.min(numberMost + 1, passagesMost)
    this.wordsMost = Math.min(numberMost / 2, wordsIn(bytesMost * wordShare))
    this.known = new Vocabulary(this.wordsMost)
  }

  /** Adds an object, or replaces it if the index has an earlier state of it. */
  put(object: IndexedObject): void {
    this.remove(object.id)
    this.known.beginObject()
    // The words and passages of removed objects take memory until `compact` removes them.
    if ((this.isFull || !this.hasRoom) && this.dead > deadShareOfFull * this.units.length) this.compact()
    this.place(object)
    // Each round removes about a tenth of all words, until the index has all words of the writer or a fair share of them.
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

  /** Whether the index leaves out new words, at least words of the writers who have most. */
  get isFull(): boolean {
    return this.known.isFull
  }

  /** Whether the index left out a passage, so that searches may miss it. It stays true until the space is read again. */
  get isIncomplete(): boolean {
    return this.fullWith !== null
  }

  /** Whether enough passages were removed since the index left one out, so that reading the space again may find room. */
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

  /** The length of each passage by its number, with the names of roles if `withRoles` is true. */
  lengthsOf(withRoles: boolean): Uint32Array {
    return (withRoles ? this.lengthsWithRoles : this.lengths).entries
  }

  /** Increases with each change. A number that was counted in an index is right only for the same version. */
  get version(): number {
    return this.changes
  }

  /** How many objects the index has. */
  get size(): number {
    return this.places.size
  }

  /** The numbers of the passages of the object with this id. */
  placesOf(id: string): ReadonlyArray<number> {
    return this.places.get(id) ?? []
  }

  postingsOf(word: string): Postings | undefined {
    const number = this.known.numberOf(word)
    return number === undefined ? undefined : this.lists[number]
  }

  /** The number by which entries of passages refer to a word. Undefined if the index does not have the word. */
  numberOf(word: string): number | undefined {
    return this.known.numberOf(word)
  }

  /** The word of an entry of a passage. */
  wordOf(entry: number): string {
    return this.vocabulary[numberOf(entry)] ?? ""
  }

  /** All words in the order in which they were added, including words of removed passages. */
  get vocabulary(): ReadonlyArray<string> {
    return this.known.words
  }

  /** About how many bytes of memory the index takes. */
  get bytes(): number {
    return this.units.length * bytesOfUnit + this.entryCount * bytesOfEntry + this.known.bytes
  }

  private get hasRoom(): boolean {
    return this.units.length < this.passagesMost && this.bytes < this.bytesMost
  }

  /** Adds the passages of an object until the index has no more room. */
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
      // A posting has the same code as the entry, but with the number of the passage instead of the number of the word.
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

  /** The number of a word. Undefined if the index has no room for the word. */
  private numberOfWord(word: string, writerId: string): number | undefined {
    const number = this.known.take(word, writerId)
    if (number !== undefined && number === this.lists.length) this.lists.push(new Postings())
    return number
  }

  /** Gives new numbers to the passages that were not removed. Drops the words that only removed passages had, and those in `forgotten`. */
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
