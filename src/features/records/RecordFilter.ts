/** The filters of a list of records, for the in-memory store. */
import { type Common, fieldOf } from "./RecordType.ts"
import type { Listing } from "./Records.ts"

export const hasAll = (record: object, where: object) =>
  Object.entries(where).every(
    ([name, expected]) =>
      expected === undefined ||
      (Array.isArray(expected) ? expected.includes(fieldOf(record, name)) : fieldOf(record, name) === expected)
  )

export const isNamed = (record: object, { field, name }: { readonly field: string; readonly name: string }) => {
  const value = fieldOf(record, field)
  return typeof value === "string" && value.trim().toLowerCase() === name.trim().toLowerCase()
}

export const contains = (record: object, { field, part }: NonNullable<Listing<Common>["containing"]>) => {
  const value = fieldOf(record, field)
  return typeof value === "string" && value.includes(part)
}
