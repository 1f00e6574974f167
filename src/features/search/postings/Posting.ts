/** One posting: a word in a passage, in 32 bits, and a list of postings that grows. */

/** Field by field: how often the word stands in the title and in the body, and whether it names a role of the entity. */
const bodyBits = 6
const titleBits = 4
const bodyMost = (1 << bodyBits) - 1
const titleMost = (1 << titleBits) - 1
const roleBit = 1 << (bodyBits + titleBits)
const codeBits = bodyBits + titleBits + 1
const codeMask = (1 << codeBits) - 1

/** The highest number of a passage or a word that fits beside a code. */
export const numberMost = 2 ** (32 - codeBits) - 1

export const codeOf = (inTitle: number, inBody: number, isRole: boolean): number =>
  (isRole ? roleBit : 0) | (Math.min(titleMost, inTitle) << bodyBits) | Math.min(bodyMost, inBody)

export const posting = (number: number, code: number): number => number * (1 << codeBits) + code
export const numberOf = (entry: number): number => entry >>> codeBits
export const codeIn = (entry: number): number => entry & codeMask
export const timesInTitle = (entry: number): number => (codeIn(entry) >>> bodyBits) & titleMost

const fieldsMask = roleBit - 1

/** Whether a word stands in the title or the body; else it only names a role. */
export const standsInText = (entry: number): boolean => (entry & fieldsMask) !== 0

const titleWeight = 2 // a word of the title counts as two; measured on Cranfield: .3903 → .3977

/** How often a word stands in a passage, weighted by field. Names of roles count only for readers of roles. */
export const frequencyOf = (entry: number, withRoles: boolean): number => {
  const code = codeIn(entry)
  return (
    titleWeight * ((code >>> bodyBits) & titleMost) + (code & bodyMost) + (withRoles && (code & roleBit) !== 0 ? 1 : 0)
  )
}

/** The length of a passage in the same weights. */
export const lengthOf = (titleWords: number, bodyWords: number): number => titleWeight * titleWords + bodyWords

const growth = 1.3 // doubling would leave half of the memory of an index unused

/** Numbers in the order in which they were added. */
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
