/**
 * Postings, and a list of postings that can grow. A posting is a number of 32 bits. It says in which passage a word
 * occurs, and how often.
 */

/**
 * The bits of the code in a posting. The code has three fields: how often the word is in the body, how often the word
 * is in the title, and whether the word is in the name of a facet of the entity.
 */
const bodyBits = 6
const titleBits = 4
const bodyMax = (1 << bodyBits) - 1
const titleMax = (1 << titleBits) - 1
const facetBit = 1 << (bodyBits + titleBits)
const codeBits = bodyBits + titleBits + 1
const codeMask = (1 << codeBits) - 1

/**
 * The highest possible number of a passage or a word. A posting has 32 bits, and some of them are for the code. The
 * other bits are for the number.
 */
export const numberMax = 2 ** (32 - codeBits) - 1

export const codeOf = (inTitle: number, inBody: number, isFacet: boolean): number =>
  (isFacet ? facetBit : 0) | (Math.min(titleMax, inTitle) << bodyBits) | Math.min(bodyMax, inBody)

export const posting = (number: number, code: number): number => number * (1 << codeBits) + code
export const numberOf = (entry: number): number => entry >>> codeBits
export const codeIn = (entry: number): number => entry & codeMask
export const timesInTitle = (entry: number): number => (codeIn(entry) >>> bodyBits) & titleMax

const fieldsMask = facetBit - 1

/** Returns true if the word is in the title or in the body. Otherwise the word is only in the name of a facet. */
export const standsInText = (entry: number): boolean => (entry & fieldsMask) !== 0

// a word in the title counts twice, because this raises the nDCG@10 on Cranfield from .3903 to .3977
const titleWeight = 2

/**
 * Returns how often a word occurs in a passage. An occurrence in the title counts twice. Occurrences in the names of
 * facets count only if `withFacets` is true.
 */
export const frequencyOf = (entry: number, withFacets: boolean): number => {
  const code = codeIn(entry)
  return (
    titleWeight * ((code >>> bodyBits) & titleMax) + (code & bodyMax) + (withFacets && (code & facetBit) !== 0 ? 1 : 0)
  )
}

/** Computes the length of a passage in words. A word in the title counts twice. */
export const lengthOf = (titleWords: number, bodyWords: number): number => titleWeight * titleWords + bodyWords

// the factor by which a full list grows; with a factor of 2, up to half of the memory would be unused
const growth = 1.3

/** A list of postings or of other numbers, in the order in which they were added. */
export class Postings {
  count = 0
  entries = new Uint32Array(2)

  add(entry: number): void {
    if (this.count === this.entries.length) {
      const larger = new Uint32Array(Math.ceil(this.count * growth) + 1)
      larger.set(this.entries)
      this.entries = larger
    }
    this.entries[this.count++] = entry
  }
}
