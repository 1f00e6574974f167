/** Reads the titles of records that other records name. */
import { Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { Changer } from "./Changers.ts"
import type { JsonRecord } from "./Write.ts"

/** The titles of records, by the ids of the records. */
export type RecordTitles = ReadonlyMap<string, string | null>

/** Returns the title of a record with these fields. Returns null if the record has none. */
export const titleIn = (fields: JsonRecord): string | null => {
  const title = fields["title"] ?? fields["name"]
  return typeof title === "string" && title !== "" ? title : null
}

/** Reads the titles of the records with these ids that the caller can reach in the space. */
export const titlesAmong = (
  { current, titles }: Pick<Changer, "current" | "titles">,
  ids: ReadonlyArray<string>,
  spaceId: string | null
): Effect.Effect<RecordTitles, never, Reach> => {
  if (titles !== undefined) return titles(ids, spaceId)
  const found = Effect.forEach(ids, (id) => Effect.map(current(id, spaceId), (record) => [id, record] as const))
  return Effect.map(
    found,
    (all) => new Map(all.flatMap(([id, record]) => (record === null ? [] : [[id, titleIn(record.fields)]])))
  )
}
