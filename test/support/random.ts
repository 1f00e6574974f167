/** Random choices that are the same for the same seed. */

/**
 * Returns a function that makes random whole numbers from 0 to `below - 1`. The same seed gives the same numbers
 * (mulberry32, public domain by Tommy Ettinger).
 */
export const randomFrom = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

/** Returns the same values in a random order. */
export const shuffled = <A>(values: ReadonlyArray<A>, random: (below: number) => number): Array<A> => {
  const order = [...values]
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = random(at + 1)
    ;[order[at], order[other]] = [order[other], order[at]]
  }
  return order
}
