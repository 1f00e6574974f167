/**
 * Merges the changes of a proposal into the current record. The record might have changed after the proposal was made.
 */
import { fieldOf, type Fields, hasFields, jsonEquals, fieldNames } from "./FieldDiff.ts"

/**
 * A value that the proposal and somebody else changed in different ways. `undefined` on one side means that the value
 * is absent there.
 */
export interface MergeConflict {
  /** The names of the fields that lead from the record to the conflicting value, such as `["properties", "due"]`. */
  readonly path: ReadonlyArray<string>
  readonly base: unknown
  readonly current: unknown
  readonly proposed: unknown
}

export interface MergeResult {
  /** The merged record. A field with a conflict keeps its current value. */
  readonly fields: Fields
  /** The conflicts, sorted by field name at every level. */
  readonly conflicts: ReadonlyArray<MergeConflict>
}

const mayHaveFields = (value: unknown): value is Fields | undefined => value === undefined || hasFields(value)

/**
 * Makes the three-way merge. Finds the changes between `base` and `proposed`, and applies these changes to `current`.
 * Merges objects field by field, and treats a missing object as an empty object. If a value is an array or a scalar on
 * one side, merges the value as a whole. Merges removed fields like other changes.
 */
export const mergeFields = (base: Fields, current: Fields, proposed: Fields): MergeResult => {
  const conflicts: Array<MergeConflict> = []

  const mergeObjects = (before: Fields, now: Fields, then: Fields, above: ReadonlyArray<string>): Fields =>
    // The code makes the object from entries, because an assignment to a field named `__proto__` would change the
    // prototype.
    Object.fromEntries(
      fieldNames(before, now, then).flatMap((name) => {
        const merged = mergeValues(fieldOf(before, name), fieldOf(now, name), fieldOf(then, name), [...above, name])
        return merged === undefined ? [] : [[name, merged] as const]
      })
    )

  const mergeValues = (before: unknown, now: unknown, then: unknown, path: ReadonlyArray<string>): unknown => {
    if (mayHaveFields(before) && mayHaveFields(now) && mayHaveFields(then)) {
      const merged = mergeObjects(before ?? {}, now ?? {}, then ?? {}, path)
      if (Object.keys(merged).length > 0) return merged
      // Here the merged object has no fields. The code below decides whether the merged record contains this empty
      // object or no value.
      const isUnchanged = (before === undefined) === (then === undefined)
      return (isUnchanged ? now : then) === undefined ? undefined : merged
    }
    if (jsonEquals(before, then)) return now
    if (jsonEquals(before, now) || jsonEquals(now, then)) return then
    conflicts.push({ path, base: before, current: now, proposed: then })
    return now
  }

  return { fields: mergeObjects(base, current, proposed, []), conflicts }
}
