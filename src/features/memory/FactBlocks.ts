/**
 * Groups facts by keys (“blocking”). The pod compares two facts only if they have a key in common, so it compares a new
 * fact with few facts. The pod stores a group under a hash of its key. If two keys have the same hash, the pod compares
 * some facts unnecessarily, but the result is the same.
 */

const numberOf = (key: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/**
 * Returns the index of an id in the sorted list. If the list does not contain the id, returns the index at which the id
 * must be inserted.
 */
const placeOf = (ids: ReadonlyArray<string>, id: string): number => {
  const last = ids.at(-1)
  // This is the usual case, because new ids are greater than older ids.
  if (last === undefined || last < id) return ids.length
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle] < id) low = middle + 1
    else high = middle
  }
  return low
}

// bytes of memory for a key and its list while the list is empty
const bytesOfBlock = 150
// bytes of memory for an id in a list, including a share of the free space at the end of the list
const bytesOfEntry = 12

export class FactBlocks {
  /** The lists of ids are sorted, so that the result does not depend on the order in which facts were added. */
  private readonly blocks = new Map<number, Array<string>>()

  private entries = 0

  /** The approximate number of bytes of memory that the groups need. */
  get bytes(): number {
    return this.blocks.size * bytesOfBlock + this.entries * bytesOfEntry
  }

  add(keys: ReadonlyArray<string>, id: string): void {
    for (const key of keys) {
      const number = numberOf(key)
      const ids = this.blocks.get(number)
      if (ids === undefined) {
        this.blocks.set(number, [id])
        this.entries++
        continue
      }
      const at = placeOf(ids, id)
      if (ids[at] === id) continue
      ids.splice(at, 0, id)
      this.entries++
    }
  }

  remove(keys: ReadonlyArray<string>, id: string): void {
    for (const key of keys) {
      const number = numberOf(key)
      const ids = this.blocks.get(number)
      if (ids === undefined) continue
      const at = placeOf(ids, id)
      if (ids[at] === id) {
        ids.splice(at, 1)
        this.entries--
      }
      if (ids.length === 0) this.blocks.delete(number)
    }
  }

  /** Returns the ids stored under this key, oldest first. */
  of(key: string): ReadonlyArray<string> {
    return this.blocks.get(numberOf(key)) ?? []
  }
}
