/**
 * Selects the passages of an index that one query may see. The statistics for the ranking count exactly these passages.
 */
import { entriesPerStep, type Steps } from "../../../platform/InSlices.ts"
import { numberOf, type Postings, standsInText } from "./Posting.ts"
import type { PostingIndex } from "./PostingIndex.ts"
import type { SearchedType, IndexedPassage } from "./IndexedObject.ts"

/** The part of one index that a query may see. */
export interface Slice {
  readonly index: PostingIndex
  /** An array with one number for each passage number: 1 if the query may see the passage, otherwise 0. */
  readonly visible: Uint8Array
  /** Whether the query also searches names of facets. True if the caller may read every facet of the space. */
  readonly withFacets: boolean
  /** The number of visible passages. */
  readonly passages: number
  /** The sum of the lengths of the visible passages. */
  readonly words: number
  /** Returns the number of visible passages that contain a word. */
  readonly frequency: (word: string) => number
}

/**
 * Returns the length of a passage in words. If the query searches names of facets, the length includes the words in
 * these names.
 */
export const wordsOf = (passage: IndexedPassage, withFacets: boolean): number =>
  passage.words + (withFacets ? passage.facetWords : 0)

// If a smaller share of the passages is visible, reading these passages is faster than reading lists of postings.
const fewShare = 0.02

/**
 * Makes the function that returns how many visible passages contain a word. The function counts the passages when
 * somebody first asks for the word, and caches the count. It caches nothing for words that are not in the index,
 * because questions can contain any number of such words.
 */
const countedByLists = (index: PostingIndex, visible: Uint8Array, withFacets: boolean): Slice["frequency"] => {
  const known = new Map<number, number>()
  const count = ({ count: length, entries }: Postings): number => {
    let sum = 0
    // This loop contains no condition, because a condition is slow if about half of the passages are visible. If a
    // passage was added after `visible` was made, `& 1` turns its `undefined` into 0, so the passage is not visible.
    if (withFacets) for (let at = 0; at < length; at++) sum += visible[numberOf(entries[at])] & 1
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

/** Reads all visible passages once, and counts for each word how many of these passages contain it. */
const countedByPassages = function* (
  index: PostingIndex,
  visible: Uint8Array,
  withFacets: boolean
): Steps<Slice["frequency"]> {
  const counts = new Uint32Array(index.vocabulary.length)
  let read = 0
  for (let number = visible.indexOf(1); number !== -1; number = visible.indexOf(1, number + 1)) {
    const entries = index.passages[number]?.entries ?? []
    for (const entry of entries) if (withFacets || standsInText(entry)) counts[numberOf(entry)]++
    read += entries.length
    if (read < entriesPerStep) continue
    read = 0
    yield
  }
  return (word) => {
    const number = index.numberOf(word)
    return number === undefined ? 0 : (counts[number] ?? 0)
  }
}

/** The objects of one type that can be visible. `ids` is null if all objects of the type can be visible. */
export interface VisibleObjects {
  readonly type: SearchedType
  readonly ids: ReadonlySet<string> | null
}

/** The test and the lists that decide which passages are visible. */
export interface Selection {
  readonly isVisible: (passage: IndexedPassage) => boolean
  readonly withFacets: boolean
  /** If `lists` is given, only the objects in these lists can be visible. */
  readonly lists?: ReadonlyArray<VisibleObjects>
}

/**
 * Makes the test for one passage. `isVisible` must accept the passage. If there are lists, one of the lists must also
 * contain the object of the passage.
 */
const testOf = ({ isVisible, lists }: Selection): Selection["isVisible"] => {
  if (lists === undefined) return isVisible
  const idsOf = new Map(lists.map(({ ids, type }) => [type, ids]))
  return (passage) => {
    const ids = idsOf.get(passage.object.type)
    return ids !== undefined && (ids === null || ids.has(passage.object.id)) && isVisible(passage)
  }
}

/** The visible passages of an index (a slice), and the state that the index had when they were selected. */
interface VersionedSlice {
  readonly slice: Slice
  readonly version: number
  readonly generation: number
  /**
   * The number of passages that the index had when the visible passages were selected. `removed` is the number of
   * passages that had been removed before.
   */
  readonly read: number
  readonly removed: number
}

/** Marks the visible passages one by one and counts the passages and their words. */
class VisibleCounter {
  private readonly visible: Uint8Array
  private passages = 0
  private words = 0
  private readonly units: PostingIndex["passages"]
  private readonly lengths: Uint32Array
  private readonly index: PostingIndex
  private readonly selection: Selection

  constructor(index: PostingIndex, selection: Selection) {
    this.index = index
    this.selection = selection
    this.units = index.passages
    this.lengths = index.lengthsOf(selection.withFacets)
    this.visible = new Uint8Array(this.units.length)
  }

  visit(number: number, isVisible: Selection["isVisible"]): void {
    const passage = this.units[number]
    if (passage === null || this.visible[number] === 1 || !isVisible(passage)) return
    this.visible[number] = 1
    this.passages++
    this.words += this.lengths[number]
  }

  *visitFrom(first: number): Steps<void> {
    const isVisible = testOf(this.selection)
    for (let number = first; number < this.units.length; number++) {
      this.visit(number, isVisible)
      if (number % entriesPerStep === 0) yield
    }
  }

  /**
   * Tests only the passages of the listed ids. If there are fewer ids than passages, this is faster than a test of all
   * passages.
   */
  *lookUp(lists: ReadonlyArray<VisibleObjects>): Steps<void> {
    let count = 0
    for (const { ids, type } of lists) {
      const isOne: Selection["isVisible"] = (passage) =>
        passage.object.type === type && this.selection.isVisible(passage)
      for (const id of ids ?? []) {
        for (const number of this.index.placesOf(id)) this.visit(number, isOne)
        if (++count % entriesPerStep === 0) yield
      }
    }
  }

  /**
   * Copies the marks of visible passages from an older result for the same selection. Then tests only the passages that
   * were added or removed after that.
   */
  *follow({ read, removed, slice }: VersionedSlice): Steps<void> {
    this.visible.set(slice.visible)
    this.passages = slice.passages
    this.words = slice.words
    for (let at = removed; at < this.index.removed.length; at++) {
      const number = this.index.removed[at]
      if (this.visible[number] !== 1) continue
      this.visible[number] = 0
      this.passages--
      this.words -= this.lengths[number]
    }
    yield* this.visitFrom(read)
  }

  *slice(): Steps<Slice> {
    const { index, passages, visible, words } = this
    const { withFacets } = this.selection
    const frequency =
      passages < fewShare * visible.length
        ? yield* countedByPassages(index, visible, withFacets)
        : countedByLists(index, visible, withFacets)
    return { index, visible, withFacets, passages, words, frequency }
  }
}

/**
 * Makes the slice for a selection: the passages of the index that the selection makes visible. `former` can be an older
 * slice of the same selection. If the passages still have the same numbers, the function tests only the passages that
 * were added or removed since then.
 */
export const sliceOf = function* (index: PostingIndex, selection: Selection, former?: VersionedSlice): Steps<Slice> {
  const looking = new VisibleCounter(index, selection)
  const { lists } = selection
  const listed = lists?.reduce((sum, { ids }) => sum + (ids?.size ?? Infinity), 0) ?? Infinity
  if (former?.generation === index.generation) yield* looking.follow(former)
  else if (lists !== undefined && listed < index.passages.length) yield* looking.lookUp(lists)
  else yield* looking.visitFrom(0)
  return yield* looking.slice()
}

const slicesKept = 8 // the maximum number of cached slices of an index

const keptSlices = new WeakMap<PostingIndex, Map<string, VersionedSlice>>()

/**
 * Returns the visible passages (the slice) for a selection, from a cache if possible. Selections with the same name
 * must be equal. After a change of the index, the function reads only the added and removed passages.
 */
export const sliceNamed = function* (index: PostingIndex, name: string, selection: Selection): Steps<Slice> {
  let slices = keptSlices.get(index)
  if (slices === undefined) keptSlices.set(index, (slices = new Map()))
  const former = slices.get(name)
  const { generation, version } = index
  const [read, removed] = [index.passages.length, index.removed.length]
  const current =
    former?.version === version
      ? former
      : { slice: yield* sliceOf(index, selection, former), version, generation, read, removed }
  slices.delete(name) // Puts the slice at the end of the cache, so that the least recently used slice is at the start.
  slices.set(name, current)
  for (const oldest of slices.keys()) {
    if (slices.size <= slicesKept) break
    slices.delete(oldest)
  }
  return current.slice
}

/** Adds to `ids` the id of each object that has a visible passage. */
export const addVisibleIds = function* ({ index, visible }: Slice, ids: Set<string>): Steps<void> {
  let count = 0
  for (let number = visible.indexOf(1); number !== -1; number = visible.indexOf(1, number + 1)) {
    const passage = index.passages[number]
    if (passage?.start === 0) ids.add(passage.object.id)
    if (++count % entriesPerStep === 0) yield
  }
}

/** Returns how many visible passages contain a word, in all these slices together. */
export const documentFrequency = (word: string, slices: ReadonlyArray<Slice>): number =>
  slices.reduce((sum, { frequency }) => sum + frequency(word), 0)

/**
 * Returns the different words of a passage. If the query searches names of facets, the result includes the words of
 * these names.
 */
export const visibleWords = ({ entries }: IndexedPassage, { index, withFacets }: Slice): ReadonlySet<string> => {
  const words = new Set<string>()
  for (const entry of entries) if (withFacets || standsInText(entry)) words.add(index.wordOf(entry))
  return words
}

const noPassages = new Uint32Array(0)

/** Returns, in ascending order, the numbers of the visible passages that contain a word. */
export const passagesWith = function* (word: string, { index, visible, withFacets }: Slice): Steps<Uint32Array> {
  const postings = index.postingsOf(word)
  if (postings === undefined) return noPassages
  const { count, entries } = postings
  const found = new Uint32Array(count)
  let length = 0
  for (let at = 0; at < count; at++) {
    if (at % entriesPerStep === 0) yield
    const entry = entries[at]
    if (visible[numberOf(entry)] === 1 && (withFacets || standsInText(entry))) found[length++] = numberOf(entry)
  }
  return found.subarray(0, length)
}

/** Returns the numbers that are in all of these ascending lists. Returns no numbers if there are no lists. */
export const inAll = function* (lists: ReadonlyArray<Uint32Array>): Steps<Uint32Array> {
  const [shortest = noPassages, ...others] = lists.toSorted((one, other) => one.length - other.length)
  let found = shortest
  for (const other of others) {
    const both = new Uint32Array(found.length)
    let length = 0
    let at = 0
    for (let place = 0; place < found.length; place++) {
      if (place % entriesPerStep === 0) yield
      const number = found[place]
      while (at < other.length && other[at] < number) at++
      if (other[at] === number) both[length++] = number
    }
    found = both.subarray(0, length)
  }
  return found
}
