/**
 * The operations on records whose writes the gate must allow. All features with such record types share these
 * operations.
 */
import { isDeepStrictEqual } from "node:util"
import { Effect, Option, Schema, Struct } from "effect"
import { spaceOf } from "../../doors/OwnSpace.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Conflict, type WriteRefusal, Invalid, NotFound } from "../../doors/Failure.ts"
import { strictDecoder } from "../../doors/Faults.ts"
import { Reach } from "../../doors/Reach.ts"
import { isUniqueViolation } from "../../platform/Database.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { type AppliedChange, type Changer, Changers, type CheckStage, titleIn, writerOf } from "../gate/Changers.ts"
import type { EventDraft } from "../events/Event.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { countsWithoutKinds } from "../gate/Overview.ts"
import type { Passed } from "../gate/Passed.ts"
import { hasQuota } from "../gate/Quota.ts"
import { quotaKeeper, type QuotaNeeds } from "../gate/Quotas.ts"
import { checkReferences } from "../gate/References.ts"
import { type RequestedWrite, type Change, requestedContent, type JsonRecord, objectIn } from "../gate/Write.ts"
import { requestedSpaces } from "../workspaces/WorkspaceAccess.ts"
import { Records } from "./Records.ts"
import { filingsOf, referencesIn } from "./RecordReferences.ts"
import {
  type Common,
  completeFields,
  jsonOf,
  type OwnFields,
  type Patch,
  recordedNames,
  type RecordType
} from "./RecordType.ts"
import type { ComparedChange, GovernedOptions, RecordOperations } from "./RecordOperations.ts"

/** The error code of a conflict with another record that already has the same name or key. */
export const alreadyExistsCode = "ALREADY_THERE"

const definedFields = <A extends Common>(patch: Patch<A>): Partial<OwnFields<A>> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<OwnFields<A>>

const isPrivate = <A extends Common>({ visibility }: RecordType<A>, fields: JsonRecord): boolean =>
  visibility !== "space" && (visibility === "own" || fields[visibility.field] === visibility.own)

/** Returns the fields of `after` that are new or have another value than in `before`. */
const changedIn = (before: JsonRecord, after: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name])))

const verbs = { create: "Create", update: "Change", delete: "Delete" }

/**
 * Registers how the pod describes, checks and applies changes of a record type (its `Changer`), and returns the
 * operations on its records. The service of the feature calls this once.
 */
export const governedRecords = <A extends Common>(
  type: RecordType<A>,
  options: GovernedOptions<A> = {}
): Effect.Effect<RecordOperations<A>, never, Records | GovernanceGate | Changers | QuotaNeeds> =>
  Effect.gen(function* () {
    const records = yield* Records
    const { exclusively } = yield* Transaction
    const keeper = yield* quotaKeeper
    const quota = hasQuota(type.name) ? type.name : undefined
    const gate = yield* GovernanceGate
    const changers = yield* Changers
    const decode = strictDecoder(type.content)
    const besideNames = Object.keys(options.ruleFields ?? {})
    // The compiler does not know the names of the fields in `ruleFields`, so the schema needs a type cast. The cast is
    // right, because the schema decodes to JSON for any names.
    const decodeBeside = strictDecoder(
      Schema.partial(Schema.Struct(options.ruleFields ?? {})) as unknown as Schema.Schema<JsonRecord>
    )
    const titleFields = type.fields.filter((field) => field === "title" || field === "name")
    const traits = {
      subject: type.subject,
      kind: null,
      isForPeople: options.isForPeople === true,
      isDirect: options.isDirect === true
    }
    const notFound = missingRecord(type.name)
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

    const part = (content: JsonRecord, isBeside: boolean): JsonRecord =>
      besideNames.length === 0
        ? isBeside
          ? {}
          : content
        : Object.fromEntries(Object.entries(content).filter(([name]) => besideNames.includes(name) === isBeside))

    const fieldsOf = (content: JsonRecord) => decode(part(content, false))

    /** Checks that the content of a create has every field of the type, because the columns have no default values. */
    const checkComplete = ({ action, content }: Pick<Change, "action" | "content">) => {
      const missing =
        action === "create"
          ? type.fields.filter((field) => !Object.hasOwn(content, field) && options.filled?.includes(field) !== true)
          : []
      return missing.length === 0
        ? Effect.void
        : Effect.fail(new Invalid({ faults: missing.map((path) => ({ path, message: "is missing" })) }))
    }

    const restored = (id: string, fields: Partial<OwnFields<A>>, event: EventDraft, passed: Passed) => {
      const row = records.restore(type, id, event, passed)
      if (Object.keys(fields).length === 0) return row
      const update = { ...event, type: `${type.name}.update` }
      return Effect.zipRight(row, records.change(type, id, fields, null, update, passed.forNext))
    }

    const write = (
      { action, expectedVersion, object, targetId }: AppliedChange,
      fields: Partial<OwnFields<A>>,
      passed: Passed
    ): Effect.Effect<A, NotFound | Conflict, Reach> => {
      const recorded = recordedNames(type, fields)
      const event = {
        type: `${type.name}.${action}`,
        subjectId: targetId,
        // Other people in the space can read the event. So if records of the type can be private to one person, the
        // event has no title.
        data: {
          type: type.name,
          ...(type.visibility === "space" ? { title: type.title(fields) } : {}),
          fields: Object.keys(fields),
          ...(recorded.length === 0 ? {} : { after: Struct.pick(jsonOf(type, fields), ...recorded) })
        }
      }
      const written =
        action === "create"
          ? records.add(type, { id: targetId, spaceId: object.spaceId, fields: completeFields(fields) }, event, passed)
          : action === "update"
            ? records.change(type, targetId, fields, expectedVersion, event, passed)
            : action === "delete"
              ? records.remove(type, targetId, expectedVersion, event, passed)
              : restored(targetId, fields, event, passed)
      return Effect.catchTags(written, {
        RecordNotFound: () => Effect.fail(notFound),
        RecordChanged: versionConflict
      }).pipe(
        // Another record got the name at the same moment, or while this record was archived. The other record keeps the
        // name.
        Effect.catchSomeDefect((defect) => (isUniqueViolation(defect) ? Option.some(nameTaken) : Option.none()))
      )
    }

    const placed = (id: string, action: "update" | "delete") =>
      Effect.catchTag(records.locate(type, id, action), "RecordNotFound", () => Effect.fail(notFound))

    const describe = Effect.fnUntraced(function* (request: RequestedWrite) {
      const { personId } = (yield* Reach).principal
      const { action, targetId } = request
      const found = action === "create" ? undefined : yield* placed(targetId, action)
      const base = found === undefined ? null : { version: found.record.version, fields: jsonOf(type, found.record) }
      const content = requestedContent(request, base)
      const after = { ...base?.fields, ...part(content, false) }
      const object = objectIn(personId, found?.spaceId ?? request.spaceId, found === undefined ? null : targetId)
      const title = type.title((found?.record ?? content) as Partial<OwnFields<A>>) || targetId
      const { also = [], mentions = [] } =
        options.otherRecords === undefined ? {} : yield* options.otherRecords(after, { action, targetId, object })
      return {
        object,
        also: [...also, ...filingsOf(type, personId, object.spaceId, content, base?.fields ?? {})],
        mentions,
        content,
        base,
        // A proposal shows the record before and after the change. So the proposal is private if the record is private
        // before or after the change.
        isPrivate: isPrivate(type, after) || (base !== null && isPrivate(type, base.fields)),
        summary: `${verbs[action]} ${type.name} “${title}”`
      }
    })

    const check = Effect.fnUntraced(function* (change: Change, moment: CheckStage) {
      yield* checkComplete(change)
      // If a delete reverts a create, it gets the content of the create, but it writes none of this content.
      const given = moment === "reverted" && change.action === "delete" ? {} : change.content
      const fields = yield* fieldsOf(given)
      const ruleInput = yield* decodeBeside(part(given, true))
      const after = { ...change.base?.fields, ...given }
      yield* checkReferences(changers, referencesIn(type, given, after), change.object.spaceId)
      // As below, a decision takes the lock before its event locks the event log. A direct write takes it in `apply`.
      const isAdded = change.action === "create" || moment === "restored"
      if (quota !== undefined && isAdded && moment !== "asked") yield* keeper.room(quota)
      const filled =
        options.check === undefined ? undefined : yield* options.check(fields, { moment, ruleInput, ...change })
      const { comparedGroup = () => undefined, check: compare = () => Effect.void } = options.comparison ?? {}
      const name = comparedGroup(fields, { ruleInput, ...change })
      if (name !== undefined) {
        const comparing = compare(fields, { ruleInput, ...change })
        // A decision on a proposal waits for other writes here, before its event locks the event log of the space. A
        // direct write locks the event log last. With another order, a decision and a direct write could wait for each
        // other.
        yield* moment === "asked" || moment === "proposed" ? comparing : exclusively(name, comparing)
      }
      const content = filled === undefined ? given : { ...given, ...jsonOf(type, filled) }
      // An archived row still has its fields. So a restore writes only the fields that the rules of the type have
      // changed.
      return { content: moment === "restored" ? changedIn(given, content) : content }
    })

    /**
     * Writes the change. If the type has a rule about other records, checks this rule again, while no other write to
     * these records can run.
     */
    const compared = Effect.fnUntraced(function* (
      { action, base, content, object, targetId }: AppliedChange,
      fields: Partial<OwnFields<A>>,
      work: Effect.Effect<A, NotFound | Conflict, Reach>
    ): Effect.fn.Return<A, WriteRefusal, Reach> {
      const { comparison } = options
      if (comparison === undefined) return yield* work
      const ruleInput = yield* decodeBeside(part(content, true))
      const isRestore = action === "restore"
      const change: ComparedChange = { action: isRestore ? "create" : action, ruleInput, object, targetId }
      const whole = isRestore ? yield* fieldsOf({ ...base?.fields, ...content }) : fields
      const name = comparison.comparedGroup(whole, change)
      const checkedWork = Effect.zipRight(comparison.check(whole, change), work)
      return yield* name === undefined ? work : exclusively(name, checkedWork)
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

    const writer = yield* writerOf<A>(type.name, {
      traits,
      current: (id, spaceId) =>
        records.get(type, id).pipe(
          Effect.map((record) =>
            spaceId === null || spaceOf(record) === spaceId
              ? { version: record.version, fields: jsonOf(type, record) }
              : null
          ),
          Effect.catchTag("RecordNotFound", () => Effect.succeed(null))
        ),
      titles: (ids, spaceId) =>
        Effect.map(
          records.among(type, ids, titleFields),
          (found) =>
            new Map(
              found
                .filter((record) => spaceId === null || spaceOf(record) === spaceId)
                .map((record) => [record.id, titleIn(record as JsonRecord)])
            )
        ),
      describe,
      check,
      unchanged: ({ targetId }) => Effect.map(placed(targetId, "update"), ({ record }) => record),
      apply: (change, passed) => {
        const isAdded = change.action === "create" || change.action === "restore"
        const written = Effect.flatMap(fieldsOf(change.content), (fields) =>
          compared(change, fields, write(change, fields, passed))
        )
        return quota === undefined || !isAdded ? written : keeper.within(quota, written)
      },
      overview
    })

    const existing = <A extends "update" | "delete">(id: string, action: A, content: JsonRecord) =>
      Effect.map(Reach, ({ principal }) => ({ action, targetId: id, spaceId: principal.personId, content }))

    return {
      list: ({ workspaceId, ...listing }) =>
        Effect.flatMap(requestedSpaces(workspaceId), (spaces) => records.list(type, { ...listing, spaces })),
      get: (id) => Effect.catchTag(records.get(type, id), "RecordNotFound", () => Effect.fail(notFound)),
      create: ({ ruleInput = {}, fields, id = uuidv7(), workspaceId, ...details }) =>
        Effect.flatMap(Reach, ({ principal }) =>
          writer(
            {
              action: "create",
              targetId: id,
              spaceId: workspaceId ?? principal.personId,
              content: { ...jsonOf(type, fields), ...ruleInput }
            },
            details
          )
        ),
      mayCreate: (workspaceId) =>
        Effect.flatMap(Reach, ({ principal: { personId } }) =>
          gate.refuse({ ...traits, action: "create", object: objectIn(personId, workspaceId ?? personId, null) })
        ),
      update: (id, fields, details = {}) =>
        Effect.flatMap(existing(id, "update", jsonOf(type, definedFields(fields))), (request) =>
          writer(request, details)
        ),
      remove: (id, details = {}) => Effect.flatMap(existing(id, "delete", {}), (request) => writer(request, details))
    }
  })
