/** The change of an entity's properties, as the difference between two states. */
import { isDeepStrictEqual } from "node:util"
import type { JsonRecord } from "../gate/Write.ts"

/** The value of the field `properties`; an empty object if there is none. */
export const propertiesIn = (fields: JsonRecord | undefined): JsonRecord => (fields?.["properties"] ?? {}) as JsonRecord

/**
 * Returns only the properties that differ between `before` and `after`. So the change keeps other properties that
 * somebody else writes at the same time.
 */
export const patchOf = (before: JsonRecord, after: JsonRecord) => ({
  properties: Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(before[name], value))
  ),
  deleteProperties: Object.keys(before).filter((name) => !Object.hasOwn(after, name))
})
