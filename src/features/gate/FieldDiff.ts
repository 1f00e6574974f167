/**
 * Shows a person what a proposal changes: the fields in which two JSON objects differ, and the changed words of each
 * text.
 */

/** The fields of a record, with JSON values. A field with the value `undefined` is treated as missing. */
export type Fields = Readonly<Record<string, unknown>>

export interface TextSegment {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
}

export interface FieldDifference {
  /** The names of the fields that lead from the record to the changed value, such as `["properties", "due"]`. */
  readonly path: ReadonlyArray<string>
  readonly kind: "added" | "removed" | "changed"
  /** The value before the change. Absent if the change adds the field. */
  readonly before?: unknown
  /** The value after the change. Absent if the change removes the field. */
  readonly after?: unknown
  /** The change, word by word. Present if both values are texts. */
  readonly words?: ReadonlyArray<TextSegment>
}

/** Returns true if a JSON value is an object with fields. */
export const hasFields = (value: unknown): value is Fields => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Returns the value of an own field of the object, or `undefined`. It treats names such as `constructor` and
 * `__proto__` like any other name.
 */
export const fieldOf = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

/** Returns all field names of the objects, each once, sorted by UTF-16 code units. */
export const fieldNames = (...objects: ReadonlyArray<Fields>): ReadonlyArray<string> =>
  [...new Set(objects.flatMap(Object.keys))].sort()

/** Returns true if two JSON values are the same. Ignores the order of object keys. */
export const jsonEquals = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, at) => jsonEquals(value, other[at]))
  }
  if (!hasFields(one) || !hasFields(other)) return false
  return fieldNames(one, other).every((name) => jsonEquals(fieldOf(one, name), fieldOf(other, name)))
}

// The maximum number of words that are removed from or added to one text. The memory for a comparison grows with the
// square of this number, and is at most 4 MB.
const editsMax = 1000
// the maximum number of words and code units that one difference compares; this many comparisons take about 50 ms
const stepsMax = 6_000_000
const stepsOfRound = 100 // the steps that one round of the search costs, in addition to its comparisons

/**
 * The comparison steps that are left for one difference. All texts of a difference share these steps. So a difference
 * with many texts takes no more time than a difference with one text.
 */
interface Budget {
  steps: number
}

const newline = 10
const isSpace = (code: number): boolean => code <= 32 || code === 0xa0 || code === 0x3000

/**
 * A text and the places where its words begin. A word includes the space after it. A newline or an indentation is a
 * separate word.
 */
interface Tokens {
  readonly text: string
  /**
   * Offsets in the text. Each of the first `count` offsets is the start of a word. The next offset is the end of the
   * text.
   */
  readonly starts: Int32Array
  readonly count: number
}

const tokensOf = (text: string): Tokens => {
  const starts = new Int32Array(text.length + 1)
  let count = 0
  let at = 0
  while (at < text.length) {
    starts[count++] = at
    if (text.charCodeAt(at) === newline) {
      at++
      continue
    }
    while (at < text.length && !isSpace(text.charCodeAt(at))) at++
    while (at < text.length && isSpace(text.charCodeAt(at)) && text.charCodeAt(at) !== newline) at++
  }
  starts[count] = text.length
  return { text, starts, count }
}

/**
 * Compares one word of each text. Returns -1 if the words are the same, and 0 if their lengths differ. Otherwise
 * returns how many code units are equal before the first difference.
 */
const mismatch = (one: Tokens, i: number, other: Tokens, j: number): number => {
  const from = one.starts[i]
  const otherFrom = other.starts[j]
  const length = one.starts[i + 1] - from
  if (length !== other.starts[j + 1] - otherFrom) return 0
  for (let at = 0; at < length; at++) {
    if (one.text.charCodeAt(from + at) !== other.text.charCodeAt(otherFrom + at)) return at
  }
  return -1
}

/** A run of words that both texts contain: the number of the words, and the index of its first word in each text. */
interface SharedRun {
  readonly before: number
  readonly after: number
  readonly length: number
}

/**
 * A part of the search of Myers (see `sharedRuns`). Returns true if the furthest path comes from the diagonal above and
 * adds a word. Returns false if the path comes from the diagonal below and removes a word.
 */
const comesFromAbove = (reached: Int32Array, middle: number, diagonal: number, edits: number): boolean =>
  diagonal === -edits || (diagonal !== edits && reached[middle + diagonal - 1] < reached[middle + diagonal + 1])

/**
 * Follows the path that `sharedRuns` found, from the end of both texts back to their start. Returns the runs of equal
 * words on this path, first to last.
 */
const runsBack = (history: ReadonlyArray<Int32Array>, before: number, after: number): ReadonlyArray<SharedRun> => {
  const runs: Array<SharedRun> = []
  let x = before
  let y = after
  for (let edits = history.length - 1; edits >= 0; edits--) {
    const reached = history[edits]
    const diagonal = x - y
    const above = comesFromAbove(reached, edits + 1, diagonal, edits)
    const previous = reached[edits + 1 + (above ? diagonal + 1 : diagonal - 1)]
    const start = above ? previous : previous + 1
    if (x > start) runs.push({ before: start, after: start - diagonal, length: x - start })
    x = previous
    y = above ? start - diagonal - 1 : start - diagonal
  }
  return runs.toReversed()
}

/**
 * Finds the words that two texts share, by the greedy O(ND) search of Myers (Algorithmica 1986). Skips the first `from`
 * and the last `cut` words of both texts. The positions in the result are relative to `from`. The result is empty if
 * there are more than `editsMax` edits, or if the budget is used up.
 */
const sharedRuns = (
  one: Tokens,
  other: Tokens,
  from: number,
  cut: number,
  budget: Budget
): ReadonlyArray<SharedRun> => {
  const before = one.count - from - cut
  const after = other.count - from - cut
  const editsLimit = Math.min(before + after, editsMax)
  if (before === 0 || after === 0 || Math.abs(before - after) > editsLimit) return []
  const middle = editsLimit + 1
  const reached = new Int32Array(2 * editsLimit + 3)
  const history: Array<Int32Array> = []
  for (let edits = 0; edits <= editsLimit; edits++) {
    budget.steps -= stepsOfRound
    history.push(reached.slice(middle - edits - 1, middle + edits + 2))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const above = comesFromAbove(reached, middle, diagonal, edits)
      let x = above ? reached[middle + diagonal + 1] : reached[middle + diagonal - 1] + 1
      budget.steps--
      while (x < before && x - diagonal < after) {
        const found = mismatch(one, from + x, other, from + x - diagonal)
        budget.steps -= found === -1 ? one.starts[from + x + 1] - one.starts[from + x] : found
        if (found !== -1) break
        x++
      }
      if (budget.steps < 0) return []
      reached[middle + diagonal] = x
      if (x >= before && x - diagonal >= after) return runsBack(history, before, after)
    }
  }
  return []
}

/**
 * Returns the shorter text if the longer text begins with the shorter text and white space follows. Otherwise returns
 * an empty text. So the last word of a line stays equal if somebody adds a word after it.
 */
const sameBeginning = (removed: string, added: string): string => {
  const [short, long] = removed.length < added.length ? [removed, added] : [added, removed]
  return long.startsWith(short) && isSpace(long.charCodeAt(short.length)) ? short : ""
}

/** Shows the whole old text as removed and the whole new text as added. */
const replaceAll = (before: string, after: string): ReadonlyArray<TextSegment> =>
  [
    { kind: "removed" as const, text: before },
    { kind: "added" as const, text: after }
  ].filter(({ text }) => text !== "")

/**
 * Shows how a text changed, word by word. The "same" and "removed" pieces together make `before`. The "same" and
 * "added" pieces together make `after`. In each change, the removed words come before the added words.
 */
const wordsBetween = (before: string, after: string, budget: Budget): ReadonlyArray<TextSegment> => {
  budget.steps -= before.length + after.length
  if (budget.steps < 0) return replaceAll(before, after)
  const one = tokensOf(before)
  const other = tokensOf(after)
  const shorter = Math.min(one.count, other.count)
  let from = 0
  while (from < shorter && mismatch(one, from, other, from) === -1) from++
  let cut = 0
  while (cut < shorter - from && mismatch(one, one.count - cut - 1, other, other.count - cut - 1) === -1) cut++

  const pieces: Array<TextSegment> = []
  const add = (kind: TextSegment["kind"], text: string) => {
    if (text === "") return
    const last = pieces.at(-1)
    if (last?.kind === kind) pieces[pieces.length - 1] = { kind, text: last.text + text }
    else pieces.push({ kind, text })
  }
  let x = 0
  let y = 0
  const addRun = (run: SharedRun) => {
    const removed = before.slice(one.starts[x], one.starts[run.before])
    const added = after.slice(other.starts[y], other.starts[run.after])
    const same = sameBeginning(removed, added)
    x = run.before + run.length
    y = run.after + run.length
    add("same", same)
    add("removed", removed.slice(same.length))
    add("added", added.slice(same.length))
    add("same", before.slice(one.starts[run.before], one.starts[x]))
  }
  addRun({ before: 0, after: 0, length: from })
  for (const run of sharedRuns(one, other, from, cut, budget)) {
    addRun({ before: from + run.before, after: from + run.after, length: run.length })
  }
  addRun({ before: one.count - cut, after: other.count - cut, length: cut })
  return pieces
}

/**
 * Returns the fields in which two objects differ, sorted by name at every level. The result is empty if both objects
 * are the same JSON. The function compares two objects field by field. It compares an array, a scalar, or an object
 * with another kind of value as one value. Time and memory are limited. Beyond the limit, the middle of a text is shown
 * as one removed piece and one added piece. Each later text is then shown as completely replaced.
 */
export const diffFields = (before: Fields, after: Fields): ReadonlyArray<FieldDifference> => {
  const budget: Budget = { steps: stepsMax }
  const between = (one: Fields, other: Fields, above: ReadonlyArray<string>): ReadonlyArray<FieldDifference> =>
    fieldNames(one, other).flatMap((name): ReadonlyArray<FieldDifference> => {
      const was = fieldOf(one, name)
      const is = fieldOf(other, name)
      const path = [...above, name]
      if (hasFields(was) && hasFields(is)) return between(was, is, path)
      if (jsonEquals(was, is)) return []
      if (was === undefined) return [{ path, kind: "added", after: is }]
      if (is === undefined) return [{ path, kind: "removed", before: was }]
      const change = { path, kind: "changed", before: was, after: is } as const
      return typeof was === "string" && typeof is === "string"
        ? [{ ...change, words: wordsBetween(was, is, budget) }]
        : [change]
    })
  return between(before, after, [])
}
