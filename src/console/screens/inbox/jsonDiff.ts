/** Finds how two JSON values differ in structure: which keys and list items were added, removed, changed or moved. */
import { diffArrays } from "diff"

export type Path = ReadonlyArray<string | number>

export type JsonChange =
  | { readonly kind: "added"; readonly path: Path; readonly after: unknown }
  | { readonly kind: "removed"; readonly path: Path; readonly before: unknown }
  | { readonly kind: "changed"; readonly path: Path; readonly before: unknown; readonly after: unknown }
  /**
   * A value that moved to another key, or to another index of its list. `path` is the new place, and `from` is the old
   * place.
   */
  | { readonly kind: "moved"; readonly path: Path; readonly from: Path; readonly value: unknown }
  /** A change in a long list of numbers, such as an embedding. */
  | { readonly kind: "numbers"; readonly path: Path; readonly count: number; readonly changed: number }

type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Writes a value as a text. Equal values have equal texts, even if their keys are in a different order. */
export const stableText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(stableText).join(",")}]`
  if (!isFields(value)) return JSON.stringify(value) ?? "null"
  const entries = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${entries
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${stableText(field)}`)
    .join(",")}}`
}

// A list of at least this many numbers is too long to read.
const numbersLeast = 32
const isNumbers = (value: unknown): value is ReadonlyArray<number> =>
  Array.isArray(value) && value.length >= numbersLeast && value.every((each) => typeof each === "number")

/**
 * True if a value is so long that an equal value at another place is probably the same value after a move. Two short
 * values can be equal only by chance.
 */
const isTelling = (value: unknown): boolean =>
  typeof value === "string"
    ? value.length > 2
    : typeof value === "object" && value !== null && stableText(value).length > 2

const fieldsChanges = (before: Fields, after: Fields, path: Path): ReadonlyArray<JsonChange> => {
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name))
  const moved = new Map<string, string>()
  for (const name of added) {
    const text = stableText(after[name])
    const source = removed.find(
      (each) => ![...moved.values()].includes(each) && isTelling(before[each]) && stableText(before[each]) === text
    )
    if (source !== undefined) moved.set(name, source)
  }
  const sources = new Set(moved.values())
  return [
    ...Object.keys(before)
      .filter((name) => Object.hasOwn(after, name))
      .flatMap((name) => jsonChanges(before[name], after[name], [...path, name])),
    ...removed
      .filter((name) => !sources.has(name))
      .map((name) => ({ kind: "removed" as const, path: [...path, name], before: before[name] })),
    ...added.map((name) => {
      const from = moved.get(name)
      return from === undefined
        ? { kind: "added" as const, path: [...path, name], after: after[name] }
        : { kind: "moved" as const, path: [...path, name], from: [...path, from], value: after[name] }
    })
  ]
}

interface Gap {
  readonly removed: ReadonlyArray<number>
  readonly added: ReadonlyArray<number>
}

/**
 * Compares two lists, and finds the gaps between the items that both lists have in the same order. Each gap has the
 * indexes of its removed items and the indexes of its added items.
 */
const gapsBetween = (before: ReadonlyArray<unknown>, after: ReadonlyArray<unknown>): ReadonlyArray<Gap> => {
  const gaps: Array<{ removed: Array<number>; added: Array<number> }> = []
  let [at, now, isOpen] = [0, 0, false]
  for (const part of diffArrays(before.map(stableText), after.map(stableText))) {
    if (!part.added && !part.removed) {
      at += part.count
      now += part.count
      isOpen = false
      continue
    }
    if (!isOpen) gaps.push({ removed: [], added: [] })
    isOpen = true
    const gap = gaps.at(-1)
    for (let each = 0; each < part.count; each++) {
      if (part.removed) gap?.removed.push(at++)
      else gap?.added.push(now++)
    }
  }
  return gaps
}

/**
 * Finds the added items that were only moved. For each of them, returns the index in the new list and the index in the
 * old list.
 */
const movesAmong = (gaps: ReadonlyArray<Gap>, before: ReadonlyArray<unknown>, after: ReadonlyArray<unknown>) => {
  const free = new Set(gaps.flatMap(({ removed }) => removed))
  const moves = new Map<number, number>()
  for (const now of gaps.flatMap(({ added }) => added)) {
    const text = stableText(after[now])
    const at = [...free].find((each) => stableText(before[each]) === text)
    if (at === undefined) continue
    free.delete(at)
    moves.set(now, at)
  }
  return moves
}

const itemsChanges = (before: ReadonlyArray<unknown>, after: ReadonlyArray<unknown>, path: Path) => {
  const gaps = gapsBetween(before, after)
  const moves = movesAmong(gaps, before, after)
  const gone = new Set(moves.values())
  return gaps.flatMap((gap): ReadonlyArray<JsonChange> => {
    const removed = gap.removed.filter((at) => !gone.has(at))
    const added = gap.added.filter((now) => !moves.has(now))
    const paired = Math.min(removed.length, added.length)
    return [
      ...gap.added.flatMap((now) => {
        const from = moves.get(now)
        return from === undefined
          ? []
          : [{ kind: "moved" as const, path: [...path, now], from: [...path, from], value: after[now] }]
      }),
      // A removed item and an added item at the same place together count as one changed item.
      ...removed
        .slice(0, paired)
        .flatMap((at, each) => jsonChanges(before[at], after[added[each] ?? 0], [...path, added[each] ?? 0])),
      ...removed.slice(paired).map((at) => ({ kind: "removed" as const, path: [...path, at], before: before[at] })),
      ...added.slice(paired).map((now) => ({ kind: "added" as const, path: [...path, now], after: after[now] }))
    ]
  })
}

/**
 * Every difference between two values. Empty if they are equal. The path of a removed item has the index in the old
 * list.
 */
export const jsonChanges = (before: unknown, after: unknown, path: Path = []): ReadonlyArray<JsonChange> => {
  if (stableText(before) === stableText(after)) return []
  if (isNumbers(before) && isNumbers(after)) {
    const count = Math.max(before.length, after.length)
    const changed = Array.from({ length: count }).filter((_, at) => before[at] !== after[at]).length
    return [{ kind: "numbers", path, count, changed }]
  }
  if (isFields(before) && isFields(after)) return fieldsChanges(before, after, path)
  if (Array.isArray(before) && Array.isArray(after)) return itemsChanges(before, after, path)
  return [{ kind: "changed", path, before, after }]
}

/** A path as text, such as `properties.due` or `items[2].name`. */
export const pathText = (path: Path): string =>
  path.map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? step : `.${step}`)).join("")

/** The value at a path. Undefined if the path does not exist. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (within, step) =>
      typeof within === "object" && within !== null && Object.hasOwn(within, step)
        ? Reflect.get(within, step)
        : undefined,
    value
  )

/** A copy of `fields` with another value at a path. If the value is undefined, the copy has no entry at the path. */
export const withValueAt = (fields: Fields, path: ReadonlyArray<string>, value: unknown): Fields => {
  const [name, ...rest] = path
  if (name === undefined) return fields
  const within = Object.hasOwn(fields, name) ? fields[name] : undefined
  const next = rest.length === 0 ? value : withValueAt(isFields(within) ? within : {}, rest, value)
  // The new object is made from entries, because an assignment to a field named `__proto__` would change the prototype
  // instead.
  const others = Object.entries(fields).filter(([each]) => each !== name)
  return Object.fromEntries(next === undefined ? others : [...others, [name, next]])
}
