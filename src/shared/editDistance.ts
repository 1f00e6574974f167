/**
 * Returns the distance between two names (optimal string alignment). Each insertion, deletion, substitution or swap of
 * two neighbours costs 1.
 */
export const editDistance = (left: string, right: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwap = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      )
    }
    beforeLast = last
    last = current
  }
  return last[right.length] ?? 0
}
