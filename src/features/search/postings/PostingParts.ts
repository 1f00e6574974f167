/** The parts of a search index: its passages, its words, and the entries that say which passage has which word. */
import { codeIn, codeOf, numberOf, posting, Postings } from "./Posting.ts"
import { Vocabulary } from "./Vocabulary.ts"
import type { IndexedPassage } from "./IndexedObject.ts"

/**
 * The passages and the words of an index. When the index is compacted, it gets new parts. Searches that run at that
 * time continue to read the old parts.
 */
export class PostingParts {
  readonly passages: Array<IndexedPassage | null> = []
  readonly lists: Array<Postings> = []
  readonly places = new Map<string, Array<number>>()
  readonly lengths = new Postings()
  readonly lengthsWithFacets = new Postings()
  readonly removed: Array<number> = []
  entryCount = 0
  readonly known: Vocabulary

  constructor(known: Vocabulary) {
    this.known = known
  }

  add(passage: IndexedPassage): number {
    const number = this.passages.length
    this.passages.push(passage)
    this.lengths.add(passage.words)
    this.lengthsWithFacets.add(passage.words + passage.facetWords)
    for (const entry of passage.entries) {
      // An entry of a passage has the number of a word, and a posting of a word has the number of a passage. The code
      // is the same in both.
      this.lists[numberOf(entry)]?.add(posting(number, codeIn(entry)))
    }
    this.entryCount += passage.entries.length
    return number
  }

  /**
   * Returns the number of a word. Adds the word if it is new. Returns undefined if the index has no room for a new
   * word.
   */
  numberOfWord(word: string, writer: number): number | undefined {
    const number = this.known.take(word, writer)
    if (number !== undefined && number === this.lists.length) this.lists.push(new Postings())
    return number
  }
}

export const entriesOf = (
  parts: PostingParts,
  title: ReadonlyArray<string>,
  body: ReadonlyArray<string>,
  facets: ReadonlyArray<string>,
  writerId: string
): Uint32Array => {
  const counts = new Map<string, [title: number, body: number, isFacet: boolean]>()
  const at = (word: string) => {
    let found = counts.get(word)
    if (found === undefined) counts.set(word, (found = [0, 0, false]))
    return found
  }
  for (const word of title) at(word)[0]++
  for (const word of body) at(word)[1]++
  for (const word of facets) at(word)[2] = true
  const writer = parts.known.writerOf(writerId)
  const entries: Array<number> = []
  for (const [word, counted] of counts) {
    const number = parts.numberOfWord(word, writer)
    if (number !== undefined) entries.push(posting(number, codeOf(...counted)))
  }
  return Uint32Array.from(entries)
}
