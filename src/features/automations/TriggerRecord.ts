/**
 * Reads the record that an event names, with the access rights of the rule. A rule never uses the content of the event
 * itself.
 */
import { Effect, Option } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { StandingReach } from "../access/StandingReach.ts"
import { Entities } from "../entities/Entities.ts"
import { EventLog } from "../events/EventLog.ts"
import { isReservedType } from "../events/ReservedEvents.ts"
import { Changers } from "../gate/Changers.ts"
import { type RecordTitles, titlesAmong } from "../gate/RecordTitles.ts"
import type { JsonRecord } from "../gate/Write.ts"
import { Message } from "../conversations/Message.ts"
import { Records } from "../records/Records.ts"
import { jsonOf } from "../records/RecordType.ts"
import { spaceOf } from "../../doors/OwnSpace.ts"
import type { CausingEvent } from "./Firing.ts"

export interface TriggerRecord {
  /** The name of the record type, such as `document`. */
  readonly targetType: string
  readonly id: string
  readonly fields: JsonRecord
}

/**
 * What a rule is allowed to see of an event. `record` is null if the event has no record but the rule is allowed to
 * read the event itself.
 */
export type TriggerView = { readonly record: TriggerRecord | null }

/**
 * Makes the function that reads the fields of a record of any type. The function returns null if the call may not read
 * the record in this space.
 */
const recordFields = Effect.gen(function* () {
  const changers = yield* Changers
  const records = yield* Records

  const message = (id: string, spaceId: string) =>
    records.get(Message, id).pipe(
      Effect.map((found) => (spaceOf(found) === spaceId ? jsonOf(Message, found) : null)),
      Effect.catchTag("RecordNotFound", () => Effect.succeed(null))
    )

  return (targetType: string, id: string, spaceId: string): Effect.Effect<JsonRecord | null, never, Reach> => {
    if (targetType === "message") return message(id, spaceId)
    const changer = changers.of(targetType)
    return changer === undefined
      ? Effect.succeed(null)
      : Effect.map(changer.current(id, spaceId), (found) => found?.fields ?? null)
  }
})

/**
 * Makes the function that reads the titles of records of one type, by their ids. The title is null if the record has
 * none. The function leaves out records that the call may not read in this space.
 */
export const recordTitles = Effect.gen(function* () {
  const changers = yield* Changers
  const records = yield* Records

  return (
    targetType: string,
    ids: ReadonlyArray<string>,
    spaceId: string
  ): Effect.Effect<RecordTitles, never, Reach> => {
    if (targetType === "message") {
      return Effect.map(
        records.among(Message, ids, []),
        (found) => new Map(found.filter((one) => spaceOf(one) === spaceId).map(({ id }) => [id, null]))
      )
    }
    const changer = changers.of(targetType)
    return changer === undefined ? Effect.succeed(new Map()) : titlesAmong(changer, ids, spaceId)
  }
})

/**
 * Makes the function that reads the record that an event names. The function returns null if the rule may read neither
 * the record nor the event.
 */
export const triggerRecords = Effect.gen(function* () {
  const changers = yield* Changers
  const entities = yield* Entities
  const events = yield* EventLog
  const standing = yield* StandingReach

  /**
   * Returns the fields only if the record is in the space of the event. So an event cannot show a record of another
   * space.
   */
  const fieldsOf = yield* recordFields

  const isFiledIn = (projectId: string, { fields, id, targetType }: TriggerRecord) =>
    targetType === "entity"
      ? entities.locate(id, "update").pipe(
          Effect.map(({ projectIds }) => projectIds.includes(projectId)),
          Effect.catchTag("EntityNotFound", () => Effect.succeed(false))
        )
      : Effect.succeed(targetType === "project" ? id === projectId : fields["projectId"] === projectId)

  /**
   * Returns true if the caller who logged the event is allowed to read the record that the event names. Without this
   * check, a key that can only log events could choose the record that a person's rule changes. The pod's own events
   * need no check, because they name only records that the pod wrote.
   */
  const mayName = Effect.fnUntraced(function* (event: CausingEvent, targetType: string, recordId: string) {
    if (isReservedType(event.type)) return true
    const work = { operation: "automations.run", reason: "a rule reads the record of a logged event", scope: null }
    const person = yield* standing.of({ personId: event.personId, keyId: null }, work)
    if (Option.isNone(person)) return false
    const logged = yield* Effect.option(Effect.provideService(events.decided(event.id), Reach, person.value))
    if (Option.isNone(logged)) return false
    const { credentialId } = logged.value
    if (credentialId === null) return true
    const logger = yield* standing.ofCredential(event.personId, credentialId, work)
    if (Option.isNone(logger)) return false
    return (yield* Effect.provideService(fieldsOf(targetType, recordId, event.spaceId), Reach, logger.value)) !== null
  })

  const recordOf = Effect.fnUntraced(function* (event: CausingEvent) {
    const { spaceId, subjectId, type } = event
    if (subjectId === null) return null
    const [noun] = type.split(".")
    const isRecordEvent = noun === "message" || changers.of(noun) !== undefined
    const targetType = isRecordEvent ? noun : "entity"
    const fields = yield* fieldsOf(targetType, subjectId, spaceId)
    if (fields === null || !(yield* mayName(event, targetType, subjectId))) return null
    return { targetType, id: subjectId, fields }
  })

  /**
   * Returns true if the rule is allowed to read an event that has no record, such as an event that a client logged.
   * Only the person who caused the event can read it.
   */
  const isOwnEvent = ({ id }: CausingEvent): Effect.Effect<boolean, never, Reach> =>
    Effect.match(events.get(id), { onFailure: () => false, onSuccess: () => true })

  return (event: CausingEvent, projectId: string | null): Effect.Effect<TriggerView | null, never, Reach> =>
    Effect.gen(function* () {
      const record = yield* recordOf(event)
      if (record !== null) {
        return projectId === null || (yield* isFiledIn(projectId, record)) ? { record } : null
      }
      // If a rule cannot read the record that an event names, the rule does not see the event either. A delete event is
      // an exception, because nobody can read a deleted record.
      const isRecordEvent = changers.of(event.type.split(".")[0]) !== undefined
      if (projectId !== null || (isRecordEvent && !event.type.endsWith(".delete"))) return null
      return (yield* isOwnEvent(event)) ? { record: null } : null
    })
})
