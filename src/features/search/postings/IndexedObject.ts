/** The types for the objects that the index receives, and for the passages that the index stores. */

/** The types of objects that the search can find. */
export type SearchedType = "entity" | "document" | "knowledge"

/** The input of the index: an object with the terms of its passages. All passages of the object have its title. */
export interface IndexedObject {
  readonly id: string
  readonly type: SearchedType
  /** The profile slug of an entity. Null for a document and for a knowledge entry. */
  readonly kind: string | null
  /** The id of the entity to which a document belongs. Null if the object belongs to no entity. */
  readonly ownerId: string | null
  /** The id of the person or agent that made the object. */
  readonly makerId: string
  /**
   * The id of the writer of the object. The words of the object count against the limit of this writer. A full index
   * removes words of the writers who have the most words.
   */
  readonly writerId: string
  /** Milliseconds since 1970. */
  readonly updatedAt: number
  /** The slugs of the facets of an entity. */
  readonly facets: ReadonlyArray<string>
  /** `titleTerms` are the terms of the title. `facetTerms` are the terms of the names of the object's facets. */
  readonly titleTerms: ReadonlyArray<string>
  readonly facetTerms: ReadonlyArray<string>
  readonly passages: ReadonlyArray<{
    readonly start: number
    readonly length: number
    /** A hash of the title and the text of the object. If the hash differs, the title or the text has changed. */
    readonly fingerprint: number
    readonly terms: ReadonlyArray<string>
  }>
}

/** A passage in the index. */
export interface IndexedPassage {
  readonly object: Omit<IndexedObject, "titleTerms" | "facetTerms" | "passages">
  readonly start: number
  readonly length: number
  readonly fingerprint: number
  readonly titleWords: number
  readonly facetWords: number
  /** The number of words in the passage, without names of facets. A word in the title counts twice. */
  readonly words: number
  /**
   * One entry for each different word in the passage. An entry consists of the number of the word and a code
   * (`codeOf`). The code says how often the passage contains the word, and whether the word is in the body, in the
   * title or in a facet.
   */
  readonly entries: Uint32Array
}
