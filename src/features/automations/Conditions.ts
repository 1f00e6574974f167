/**
 * Reads and sets values of a record by path, and decides whether a condition is true. The functions of this file are
 * pure.
 */
import { Predicate } from "effect"
import type { JsonRecord } from "../gate/Write.ts"
import type { Condition, Value } from "./Automation.ts"

const memberOf = (value: unknown, name: string): unknown =>
  Predicate.isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined

/**
 * Returns the value at a path. If the first segment is not a field of the record, the path starts in the record's
 * properties. Returns undefined if there is no value.
 */
export const valueAt = (fields: JsonRecord, path: string): unknown => {
  const segments = path.split(".")
  const from = Object.hasOwn(fields, segments[0]) ? fields : fields["properties"]
  return segments.reduce<unknown>(memberOf, from)
}

const withMember = (value: unknown, [name, ...rest]: ReadonlyArray<string>, member: Value): JsonRecord => ({
  ...(Predicate.isRecord(value) ? value : {}),
  [name]: rest.length === 0 ? member : withMember(memberOf(value, name), rest, member)
})

/** Sets the value at a path. Returns only the changed field of the record, with its complete new value. */
export const withValueAt = (fields: JsonRecord, path: string, value: Value): JsonRecord => {
  const segments = path.split(".")
  const isField = Object.hasOwn(fields, segments[0]) || !Object.hasOwn(fields, "properties")
  const full = isField ? segments : ["properties", ...segments]
  return { [full[0]]: withMember(fields, full, value)[full[0]] }
}

/** Returns true if two values are equal. Ignores letter case, because people write the texts by hand. */
const isSame = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" ? one.toLowerCase() === other.toLowerCase() : one === other

const contains = (whole: unknown, part: Value): boolean =>
  Array.isArray(whole)
    ? whole.some((each) => isSame(each, part))
    : typeof whole === "string" && whole.toLowerCase().includes(String(part).toLowerCase())

/** Returns the difference of two numbers or of two dates. Returns NaN if the values cannot be compared. */
const difference = (one: unknown, other: unknown): number =>
  typeof one === "number" && typeof other === "number"
    ? one - other
    : typeof one === "string" && typeof other === "string"
      ? Date.parse(one) - Date.parse(other)
      : NaN

export const isConditionMet = (fields: JsonRecord, { op, path, value }: Condition): boolean => {
  const found = valueAt(fields, path)
  switch (op) {
    case "is":
      return isSame(found, value)
    case "is_not":
      return !isSame(found, value)
    case "contains":
      return contains(found, value)
    case "greater_than":
      return difference(found, value) > 0
    case "less_than":
      return difference(found, value) < 0
  }
}
