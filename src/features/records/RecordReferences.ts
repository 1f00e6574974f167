/** What the content of a record names of other records, and the projects it files the record in. Pure. */
import { filingIn, type Reference } from "../gate/References.ts"
import type { GatedWrite, Json } from "../gate/Write.ts"
import type { Common, RecordType } from "./RecordType.ts"

/** What a content names of other records. An update names only what it changes. `after`: the record as it would be. */
export const referencesIn = <A extends Common>(
  { references }: RecordType<A>,
  content: Json,
  after: Json
): ReadonlyArray<Reference & { readonly isFiling: boolean }> =>
  Object.entries(references).flatMap(([path, reference]) => {
    const isTyped = "typedBy" in reference
    const targetType = isTyped ? after[reference.typedBy] : reference.targetType
    const isNamed = Object.hasOwn(content, path) || (isTyped && Object.hasOwn(content, reference.typedBy))
    if (!isNamed || typeof targetType !== "string") return []
    const value = after[path]
    const ids = Array.isArray(value) ? value : [value]
    const isFiling = !isTyped && reference.isFiling === true
    return ids.flatMap((id) => (typeof id === "string" ? [{ path, targetType, id, isFiling }] : []))
  })

/** The projects that a write files its record in besides: those that it did not name before. */
export const filingsOf = <A extends Common>(
  type: RecordType<A>,
  personId: string,
  spaceId: string,
  content: Json,
  before: Json
): ReadonlyArray<GatedWrite> =>
  referencesIn(type, content, { ...before, ...content })
    .filter(({ id, isFiling, path }) => isFiling && before[path] !== id)
    .map(({ id }) => filingIn(personId, spaceId, id))
