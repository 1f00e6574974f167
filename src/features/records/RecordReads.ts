/** The reads of records of one type that the gate, the proposals and references need. */
import { Effect } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { spaceOf } from "../../doors/OwnSpace.ts"
import type { Changer } from "../gate/Changers.ts"
import { titleIn } from "../gate/RecordTitles.ts"
import { countsWithoutKinds } from "../gate/Overview.ts"
import type { JsonRecord } from "../gate/Write.ts"
import type { Records } from "./Records.ts"
import { type Common, jsonOf, type RecordType } from "./RecordType.ts"

export const recordReads = <A extends Common>(records: typeof Records.Service, type: RecordType<A>) => {
  const isIn = (spaceId: string | null) => (record: Common) => spaceId === null || spaceOf(record) === spaceId
  const titleFields = type.fields.filter((field) => field === "title" || field === "name")

  const current: Changer["current"] = (id, spaceId) =>
    records.get(type, id).pipe(
      Effect.map((record) =>
        isIn(spaceId)(record) ? { version: record.version, fields: jsonOf(type, record) } : null
      ),
      Effect.catchTag("RecordNotFound", () => Effect.succeed(null))
    )

  const titles: Changer["titles"] = (ids, spaceId) =>
    Effect.map(records.among(type, ids, titleFields), (found) => {
      const inSpace = found.filter(isIn(spaceId))
      return new Map(inSpace.map((record) => [record.id, titleIn(record as unknown as JsonRecord)]))
    })

  const overview: Changer["overview"] = {
    counts: countsWithoutKinds(records.countBySpace(type)),
    samples: (limit) =>
      Effect.map(records.list(type, { limit }), ({ items }) =>
        items.map((record) => ({
          id: record.id,
          title: type.title(record),
          kind: null,
          workspaceId: record.workspaceId
        }))
      )
  }

  return {
    current,
    titles,
    overview,
    /** Finds a record and its space. Fails with NotFound if the call may neither read it nor do the action on it. */
    placed: (id: string, action: "update" | "delete") =>
      Effect.catchTag(records.locate(type, id, action), "RecordNotFound", () => Effect.fail(missingRecord(type.name))),
    /** Returns the person whose quota a restored record counts for. This need not be the person who reverts the delete. */
    ownerOfArchived: (id: string) => Effect.map(records.ownerOfArchived(type, id), (ownerId) => ownerId ?? undefined)
  }
}
