/**
 * Facts by what two of them must have in common before they are worth comparing ("blocking"): so a new fact is compared with a
 * few, however many there are. Keys are kept as numbers; a rare collision gives one candidate too many and changes no answer.
 */

/** FNV-1a, 32 bits. */
const numberOf = (key: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** The place of the id in the list, or where it belongs. */
const placeOf = (ids: ReadonlyArray<string>, id: string): number => {
  const last = ids.at(-1)
  if (last === undefined || last < id) return ids.length // ids grow with time, so nearly always
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle] < id) low = middle + 1
    else high = middle
  }
  return low
}

const bytesOfBlock = 150
const bytesOfEntry = 12 // lists grow by half

export class FactBlocks {
  /** Ids in their order, so that the order in which facts came in changes nothing. */
  private readonly blocks = new Map<number, Array<string>>()

  private entries = 0

  /** About how much memory it takes. */
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

  /** The ids with this key, the oldest first. */
  of(key: string): ReadonlyArray<string> {
    return this.blocks.get(numberOf(key)) ?? []
  }
}
