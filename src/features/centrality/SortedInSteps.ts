/** Sorts a long list with pauses. The built-in sort cannot pause, and takes 100 ms and more for 100,000 ids. */
import type { Steps } from "../../platform/InSlices.ts"

const perStep = 1024 // the number of elements between two pauses

/** Merges two sorted parts of a list: from `begin` to `middle`, and from `middle` to `end`. */
const mergeParts = function* <A>(
  list: ReadonlyArray<A>,
  merged: Array<A>,
  [begin, middle, end]: readonly [number, number, number],
  compare: (one: A, other: A) => number
): Steps<void> {
  let [left, right] = [begin, middle]
  for (let at = begin; at < end; at++) {
    const isLeft = right >= end || (left < middle && compare(list[left], list[right]) <= 0)
    merged.push(isLeft ? list[left++] : list[right++])
    if (merged.length % perStep === 0) yield
  }
}

/** Returns the list in sorted order, with pauses. Equal elements keep their order. */
export const sortedInSteps = function* <A>(
  list: ReadonlyArray<A>,
  compare: (one: A, other: A) => number
): Steps<ReadonlyArray<A>> {
  let sorted: Array<A> = []
  for (let begin = 0; begin < list.length; begin += perStep) {
    for (const each of list.slice(begin, begin + perStep).sort(compare)) sorted.push(each)
    yield
  }
  for (let length = perStep; length < list.length; length *= 2) {
    const merged: Array<A> = []
    for (let begin = 0; begin < list.length; begin += 2 * length) {
      const middle = Math.min(begin + length, list.length)
      const end = Math.min(begin + 2 * length, list.length)
      yield* mergeParts(sorted, merged, [begin, middle, end], compare)
    }
    sorted = merged
  }
  return sorted
}
