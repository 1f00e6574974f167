/** The inverted index of one space: which passages a word stands in. It holds no text. */
import { ownCopy } from "../text/PlainText.ts"
import { codeIn, codeOf, lengthOf, numberMost, numberOf, posting, Postings } from "./Posting.ts"

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
const deadShareOfFull = 0.05 // the same for an index that has no room for further words
const bytesOfUnit = 210 // of the objects around a passage, besides its entries
const bytesOfWord = 500 // of a word with its entry in the map and its list; measured with 20,000 and 100,000 made abstracts

export class PostingIndex {
  private units: Array<Unit | null> = []
  private lists: Array<Postings> = []
  private words: Array<string> = []
  private numbers = new Map<string, number>()
  private places = new Map<string, ReadonlyArray<number>>()
  /** Each id once: few people make all objects of a space. */
  private readonly makers = new Map<string, string>()
  private lengths = new Postings()
  private lengthsWithRoles = new Postings()
  private dead = 0
  private entryCount = 0
  private changes = 0
  private readonly wordsMost: number

  /**
   * `bytesMost`: how much memory the words may take. Whoever writes decides how many different words there are, so an index that
   * is full leaves further words out, and goes on with those that it has.
   */
  constructor(bytesMost = Infinity) {
    this.wordsMost = Math.min(numberMost + 1, Math.floor(bytesMost / bytesOfWord))
  }

  /** Puts an object in place of what the index had of it. */
  put(object: IndexedObject): void {
    this.remove(object.id)
    // Words of removed passages make room only then.
    if (this.isFull && this.dead > deadShareOfFull * this.units.length) this.compact()
    const { passages, roleTerms, titleTerms, ...whole } = object
    const head = { ...whole, makerId: this.keptMaker(whole.makerId) }
    this.places.set(
      object.id,
      passages.map(({ fingerprint, length, start, terms }) => {
        const entries = this.entriesOf(titleTerms, terms, roleTerms)
        const words = lengthOf(titleTerms.length, terms.length)
        return this.add({
          object: head,
          start,
          length,
          fingerprint,
          titleWords: titleTerms.length,
          roleWords: roleTerms.length,
          words,
          entries
        })
      })
    )
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

  /** Whether it leaves out words that it does not have yet. */
  get isFull(): boolean {
    return this.words.length >= this.wordsMost
  }

  has(id: string): boolean {
    return this.places.has(id)
  }

  /** By number; null where a passage was removed. */
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
    const number = this.numbers.get(word)
    return number === undefined ? undefined : this.lists[number]
  }

  /** The number of a word in the entries of passages. */
  numberOf(word: string): number | undefined {
    return this.numbers.get(word)
  }

  /** The word that an entry of a passage is about. */
  wordOf(entry: number): string {
    return this.words[numberOf(entry)] ?? ""
  }

  /** All words, also those of removed passages, in the order in which they came. */
  get vocabulary(): ReadonlyArray<string> {
    return this.words
  }

  /** About how much memory it takes. */
  get bytes(): number {
    return this.units.length * bytesOfUnit + this.words.length * bytesOfWord + this.entryCount * 4 * 2.2
  }

  private keptMaker(makerId: string): string {
    const kept = this.makers.get(makerId)
    if (kept === undefined) this.makers.set(makerId, makerId)
    return kept ?? makerId
  }

  private add(unit: Unit): number {
    const number = this.units.length
    if (number > numberMost) throw new Error("an index holds at most two million passages")
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
    roles: ReadonlyArray<string>
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
      const number = this.numberOfWord(word)
      if (number !== undefined) entries.push(posting(number, codeOf(...counted)))
    }
    return Uint32Array.from(entries)
  }

  /** Undefined for a word that the index has no room for. */
  private numberOfWord(word: string): number | undefined {
    let number = this.numbers.get(word)
    if (number === undefined) {
      if (this.isFull) return undefined
      number = this.words.length
      const kept = ownCopy(word)
      this.words.push(kept)
      this.lists.push(new Postings())
      this.numbers.set(kept, number)
    }
    return number
  }

  /** Numbers the living passages anew, and forgets the words of the others. */
  private compact(): void {
    const [units, words] = [this.units, this.words]
    this.units = []
    this.lists = []
    this.words = []
    this.numbers = new Map()
    this.places = new Map()
    this.lengths = new Postings()
    this.lengthsWithRoles = new Postings()
    this.dead = 0
    this.entryCount = 0
    for (const unit of units) {
      if (unit === null) continue
      const entries = unit.entries.map((entry) => {
        const word = words[numberOf(entry)] ?? ""
        return posting(this.numberOfWord(word) ?? 0, codeIn(entry)) // there is room: it has no more words than before
      })
      const { id } = unit.object
      this.places.set(id, [...this.placesOf(id), this.add({ ...unit, entries })])
    }
  }
}
