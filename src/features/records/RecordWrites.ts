/** Writes the allowed changes of records of one type, each with its event. */
import { Effect, Option, Struct } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Conflict, type NotFound } from "../../doors/Failure.ts"
import type { Reach } from "../../doors/Reach.ts"
import { isUniqueViolation } from "../../platform/Database.ts"
import type { EventDraft } from "../events/Event.ts"
import type { AppliedChange } from "../gate/Changers.ts"
import type { Passed } from "../gate/Passed.ts"
import type { Records } from "./Records.ts"
import { type Common, completeFields, jsonOf, type OwnFields, recordedNames, type RecordType } from "./RecordType.ts"

/** The error code of a conflict with another record that already has the same name or key. */
export const alreadyExistsCode = "ALREADY_THERE"

/** Writes a change. Fails with Conflict if the record has a newer version, or if another record has its name. */
export type RecordWrite<A extends Common> = (
  change: AppliedChange,
  fields: Partial<OwnFields<A>>,
  passed: Passed
) => Effect.Effect<A, NotFound | Conflict, Reach>

export const recordWrite = <A extends Common>(records: typeof Records.Service, type: RecordType<A>): RecordWrite<A> => {
  const nameTaken = Effect.fail(
    new Conflict({
      code: alreadyExistsCode,
      why: `A ${type.name} with this name or key already exists. Use another name, or change the existing one.`
    })
  )
  const versionConflict = ({ version }: { readonly version: number }) =>
    Effect.fail(
      new Conflict({
        code: "VERSION_CONFLICT",
        why: `The ${type.name} has changed: it is now at version ${version}. Read it again before you change it.`
      })
    )

  const eventOf = ({ action, targetId }: AppliedChange, fields: Partial<OwnFields<A>>): EventDraft => {
    const recorded = recordedNames(type, fields)
    return {
      type: `${type.name}.${action}`,
      subjectId: targetId,
      // Other people in the space can read the event. So if records of the type can be private to one person, the event
      // has no title.
      data: {
        type: type.name,
        ...(type.visibility === "space" ? { title: type.title(fields) } : {}),
        fields: Object.keys(fields),
        ...(recorded.length === 0 ? {} : { after: Struct.pick(jsonOf(type, fields), ...recorded) })
      }
    }
  }

  const restored = (id: string, fields: Partial<OwnFields<A>>, event: EventDraft, passed: Passed) => {
    const row = records.restore(type, id, event, passed)
    if (Object.keys(fields).length === 0) return row
    const update = { ...event, type: `${type.name}.update` }
    return Effect.zipRight(row, records.change(type, id, { fields }, update, passed.forNext))
  }

  const written = (change: AppliedChange, fields: Partial<OwnFields<A>>, passed: Passed) => {
    const { action, expectedVersion, object, targetId: id } = change
    const event = eventOf(change, fields)
    switch (action) {
      case "create":
        return records.add(type, { id, spaceId: object.spaceId, fields: completeFields(fields) }, event, passed)
      case "update":
        return records.change(type, id, { fields, expectedVersion }, event, passed)
      case "delete":
        return records.remove(type, id, expectedVersion, event, passed)
      case "restore":
        return restored(id, fields, event, passed)
    }
  }

  return (change, fields, passed) =>
    Effect.catchTags(written(change, fields, passed), {
      RecordNotFound: () => Effect.fail(missingRecord(type.name)),
      RecordChanged: versionConflict
    }).pipe(
      // Another record got the name at the same moment, or while this record was archived. The other record keeps the
      // name.
      Effect.catchSomeDefect((defect) => (isUniqueViolation(defect) ? Option.some(nameTaken) : Option.none()))
    )
}
