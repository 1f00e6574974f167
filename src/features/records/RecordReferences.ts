/**
 * Finds the records to which the content of a record refers, and the projects to which a change adds the record. The
 * functions have no side effects.
 */
import { filingWrite, type Reference } from "../gate/References.ts"
import type { GatedWrite, JsonRecord } from "../gate/Write.ts"
import type { Common, RecordType } from "./RecordType.ts"

/**
 * Finds the references to other records in the content of a change. For an update, finds only the references that the
 * update changes. `after` is the record after the change.
 */
export const referencesIn = <A extends Common>(
  { references }: RecordType<A>,
  content: JsonRecord,
  after: JsonRecord
): ReadonlyArray<Reference & { readonly isFiling: boolean }> =>
  Object.entries(references).flatMap(([path, reference]) => {
    const isTyped = "typeField" in reference
    const targetType = isTyped ? after[reference.typeField] : reference.targetType
    const isNamed = Object.hasOwn(content, path) || (isTyped && Object.hasOwn(content, reference.typeField))
    if (!isNamed || typeof targetType !== "string") return []
    const value = after[path]
    const ids = Array.isArray(value) ? value : [value]
    const isFiling = !isTyped && reference.isFiling === true
    return ids.flatMap((id) => (typeof id === "string" ? [{ path, targetType, id, isFiling }] : []))
  })

/**
 * Finds the projects to which a change adds its record. Returns one write for each project, because the change also
 * changes the project. Leaves out projects that already contain the record.
 */
export const filingsOf = <A extends Common>(
  type: RecordType<A>,
  personId: string,
  spaceId: string,
  content: JsonRecord,
  before: JsonRecord
): ReadonlyArray<GatedWrite> =>
  referencesIn(type, content, { ...before, ...content })
    .filter(({ id, isFiling, path }) => isFiling && before[path] !== id)
    .map(({ id }) => filingWrite(personId, spaceId, id))
