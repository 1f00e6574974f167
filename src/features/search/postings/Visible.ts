/** Selects the passages of an index that one query may see, and counts the statistics of exactly these passages. */
import { frequencyOf, numberOf, type Postings, standsInText } from "./Posting.ts"
import type { PostingIndex, SearchedType, Unit } from "./PostingIndex.ts"

/** The part of one index that a query sees. */
export interface Slice {
  readonly index: PostingIndex
  /** For each number of a passage: 1 if the query may see the passage, else 0. */
  readonly visible: Uint8Array
  /** Whether the names of roles are searched too. True if the caller may read every role of the space. */
  readonly withRoles: boolean
  /** How many passages are visible. */
  readonly passages: number
  /** The sum of the lengths of the visible passages. */
  readonly words: number
  /** In how many visible passages a word occurs. */
  readonly frequency: (word: string) => number
}

/** The length of a passage, with the names of roles if the query searches them. */
export const wordsOf = (unit: Unit, withRoles: boolean): number => unit.words + (withRoles ? unit.roleWords : 0)

const fewShare = 0.02 // if fewer of all passages are visible, reading each of them is faster than reading lists of postings

/**
 * Counts each word at its first use and caches the count. Caches nothing for a word that is not in the index, because questions
 * can contain any number of such words.
 */
const countedByLists = (index: PostingIndex, visible: Uint8Array, withRoles: boolean): Slice["frequency"] => {
  const known = new Map<number, number>()
  const count = ({ count: length, entries }: Postings): number => {
    let sum = 0
    // This code has no branches, because they are slow if about half of the passages are visible. `& 1` makes 0 of `undefined`: a
    // passage that was added after the slice was made is not visible.
    if (withRoles) for (let at = 0; at < length; at++) sum += visible[numberOf(entries[at])] & 1
    else for (let at = 0; at < length; at++) sum += visible[numberOf(entries[at])] & Number(standsInText(entries[at]))
    return sum
  }
  return (word) => {
    const number = index.numberOf(word)
    const postings = index.postingsOf(word)
    if (number === undefined || postings === undefined) return 0
    let sum = known.get(number)
    if (sum === undefined) known.set(number, (sum = count(postings)))
    return sum
  }
}

/** Counts all words of the visible passages in one run. */
const countedByPassages = (index: PostingIndex, visible: Uint8Array, withRoles: boolean): Slice["frequency"] => {
  const counts = new Uint32Array(index.vocabulary.length)
  for (let number = visible.indexOf(1); number !== -1; number = visible.indexOf(1, number + 1)) {
    for (const entry of index.passages[number]?.entries ?? []) {
      if (withRoles || standsInText(entry)) counts[numberOf(entry)]++
    }
  }
  return (word) => {
    const number = index.numberOf(word)
    return number === undefined ? 0 : (counts[number] ?? 0)
  }
}

type IsVisible = (unit: Unit) => boolean

/** Marks the visible passages one by one and counts the passages and their words. */
class Looking {
  readonly visible: Uint8Array
  private passages = 0
  private words = 0
  private readonly units: PostingIndex["passages"]
  private readonly lengths: Uint32Array
  private readonly index: PostingIndex
  private readonly withRoles: boolean

  constructor(index: PostingIndex, withRoles: boolean) {
    this.index = index
    this.withRoles = withRoles
    this.units = index.passages
    this.lengths = index.lengthsOf(withRoles)
    this.visible = new Uint8Array(this.units.length)
  }

  look(number: number, isVisible: IsVisible): void {
    const unit = this.units[number]
    if (unit === null || this.visible[number] === 1 || !isVisible(unit)) return
    this.visible[number] = 1
    this.passages++
    this.words += this.lengths[number]
  }

  lookAtAll(isVisible: IsVisible): void {
    for (let number = 0; number < this.units.length; number++) this.look(number, isVisible)
  }

  get slice(): Slice {
    const { index, passages, visible, withRoles, words } = this
    const counted = passages < fewShare * visible.length ? countedByPassages : countedByLists
    return { index, visible, withRoles, passages, words, frequency: counted(index, visible, withRoles) }
  }
}

export const sliceOf = (index: PostingIndex, isVisible: IsVisible, withRoles: boolean): Slice => {
  const looking = new Looking(index, withRoles)
  looking.lookAtAll(isVisible)
  return looking.slice
}

/** The objects of a type that may be visible. `ids` is null if all objects of the type may be visible. */
export interface Listed {
  readonly type: SearchedType
  readonly ids: ReadonlySet<string> | null
}

/**
 * The slice in which only listed objects can be visible. If the lists are shorter than the index, the passages of each listed id
 * are looked up. Otherwise each passage of the index is looked up in the lists.
 */
export const sliceAmong = (
  index: PostingIndex,
  isVisible: IsVisible,
  withRoles: boolean,
  lists: ReadonlyArray<Listed>
): Slice => {
  const looking = new Looking(index, withRoles)
  const listed = lists.reduce((sum, { ids }) => sum + (ids?.size ?? Infinity), 0)
  if (listed < index.passages.length) {
    for (const { ids, type } of lists) {
      const isOne: IsVisible = (unit) => unit.object.type === type && isVisible(unit)
      for (const id of ids ?? []) for (const number of index.placesOf(id)) looking.look(number, isOne)
    }
  } else {
    const idsOf = new Map(lists.map(({ ids, type }) => [type, ids]))
    looking.lookAtAll((unit) => {
      const ids = idsOf.get(unit.object.type)
      return ids !== undefined && (ids === null || ids.has(unit.object.id)) && isVisible(unit)
    })
  }
  return looking.slice
}

const slicesKept = 8 // how many slices of an index are cached

interface Kept {
  readonly version: number
  readonly slices: Map<string, Slice>
}

const keptSlices = new WeakMap<PostingIndex, Kept>()

/** The slice with this name. It is made once for each version of the index, so equal names must mean equal slices. */
export const sliceNamed = (index: PostingIndex, name: string, make: () => Slice): Slice => {
  let kept = keptSlices.get(index)
  if (kept?.version !== index.version) keptSlices.set(index, (kept = { version: index.version, slices: new Map() }))
  const { slices } = kept
  const slice = slices.get(name) ?? make()
  slices.delete(name) // puts the slice at the end, so that the map is in the order of the last use
  slices.set(name, slice)
  for (const oldest of slices.keys()) {
    if (slices.size <= slicesKept) break
    slices.delete(oldest)
  }
  return slice
}

/** The ids of the objects whose passages are visible. */
export const visibleIds = ({ index, visible }: Slice): ReadonlyArray<string> => {
  const ids: Array<string> = []
  for (let number = visible.indexOf(1); number !== -1; number = visible.indexOf(1, number + 1)) {
    const unit = index.passages[number]
    if (unit?.start === 0) ids.push(unit.object.id)
  }
  return ids
}

/** In how many visible passages of all slices a word occurs. */
export const documentFrequency = (word: string, slices: ReadonlyArray<Slice>): number =>
  slices.reduce((sum, { frequency }) => sum + frequency(word), 0)

/** The different words of a passage, with the names of roles if the query searches them. */
export const visibleWords = ({ entries }: Unit, { index, withRoles }: Slice): ReadonlySet<string> => {
  const words = new Set<string>()
  for (const entry of entries) if (withRoles || standsInText(entry)) words.add(index.wordOf(entry))
  return words
}

/** Calls `visit` with each visible passage that contains the word. */
export const eachWith = (
  word: string,
  { index, visible, withRoles }: Slice,
  visit: (number: number, frequency: number) => void
): void => {
  const postings = index.postingsOf(word)
  if (postings === undefined) return
  const { count, entries } = postings
  for (let at = 0; at < count; at++) {
    const entry = entries[at]
    const number = numberOf(entry)
    if (visible[number] !== 1) continue
    const frequency = frequencyOf(entry, withRoles)
    if (frequency > 0) visit(number, frequency)
  }
}

/** The numbers of the visible passages that contain all of these words. Empty if no word is given. */
export const passagesWith = (words: Iterable<string>, slice: Slice): ReadonlySet<number> => {
  let found: ReadonlySet<number> | undefined
  for (const word of words) {
    const before = found
    const both = new Set<number>()
    eachWith(word, slice, (number) => {
      if (before === undefined || before.has(number)) both.add(number)
    })
    if (both.size === 0) return both
    found = both
  }
  return found ?? new Set()
}
