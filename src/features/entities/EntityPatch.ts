/** The change of an entity's properties: the difference between two states of the properties. */
import { Predicate } from "effect"
import { isDeepStrictEqual } from "node:util"
import type { JsonRecord } from "../gate/Write.ts"

/** Returns the value of the field `properties`. Returns an empty object if there is no such field. */
export const propertiesIn = (fields: JsonRecord | undefined): JsonRecord => {
  const properties = fields?.["properties"]
  return Predicate.isRecord(properties) ? properties : {}
}

/**
 * Returns only the properties that differ between `before` and `after`. So the change does not overwrite other
 * properties that somebody else writes at the same time.
 */
export const patchOf = (before: JsonRecord, after: JsonRecord) => ({
  properties: Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(before[name], value))
  ),
  deleteProperties: Object.keys(before).filter((name) => !Object.hasOwn(after, name))
})
