/** Describes, checks and applies the changes of records of one type (its `Changer`). */
import { isDeepStrictEqual } from "node:util"
import { Effect } from "effect"
import type { WriteRefusal } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import type { Transaction } from "../../platform/Transaction.ts"
import type { AppliedChange, Changer, Changers, CheckStage } from "../gate/Changers.ts"
import type { QuotaName } from "../gate/Quota.ts"
import type { QuotaKeeper } from "../gate/Quotas.ts"
import { checkReferences } from "../gate/References.ts"
import { type Change, type JsonRecord, objectIn, requestedContent, type WriteTraits } from "../gate/Write.ts"
import type { RecordContent } from "./RecordContent.ts"
import type { ComparedChange, GovernedOptions } from "./RecordOperations.ts"
import type { recordReads } from "./RecordReads.ts"
import { filingsOf, referencesIn } from "./RecordReferences.ts"
import { type Common, jsonOf, type OwnFields, type RecordType } from "./RecordType.ts"
import type { RecordWrite } from "./RecordWrites.ts"

/** What the steps of a change need. */
interface ChangerParts<A extends Common> {
  readonly type: RecordType<A>
  readonly options: GovernedOptions<A>
  readonly traits: WriteTraits
  readonly content: RecordContent<A>
  readonly reads: ReturnType<typeof recordReads<A>>
  readonly write: RecordWrite<A>
  readonly changers: typeof Changers.Service
  readonly exclusively: (typeof Transaction.Service)["exclusively"]
  readonly keeper: QuotaKeeper
  /** The quota of the type. Undefined if the type has none. */
  readonly quota: QuotaName | undefined
}

const verbs = { create: "Create", update: "Change", delete: "Delete" }

const isPrivate = <A extends Common>({ visibility }: RecordType<A>, fields: JsonRecord): boolean =>
  visibility !== "space" && (visibility === "own" || fields[visibility.field] === visibility.own)

/** Returns the fields of `after` that are new or have another value than in `before`. */
const changedIn = (before: JsonRecord, after: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name])))

const describeRecord = <A extends Common>({ content: contents, options, reads, type }: ChangerParts<A>) =>
  Effect.fnUntraced(function* (request: Parameters<Changer["describe"]>[0]) {
    const { personId } = (yield* Reach).principal
    const { action, targetId } = request
    const found = action === "create" ? undefined : yield* reads.placed(targetId, action)
    const base = found === undefined ? null : { version: found.record.version, fields: jsonOf(type, found.record) }
    const content = requestedContent(request, base)
    const after = { ...base?.fields, ...contents.ownPart(content) }
    const object = objectIn(personId, found?.spaceId ?? request.spaceId, found === undefined ? null : targetId)
    const title = type.title((found?.record ?? content) as Partial<OwnFields<A>>) || targetId
    const {
      also = [],
      mentions = [],
      showsRecord
    } = options.otherRecords === undefined ? {} : yield* options.otherRecords(after, { action, targetId, object })
    return {
      object,
      also: [...also, ...filingsOf(type, personId, object.spaceId, content, base?.fields ?? {})],
      mentions,
      showsRecord,
      content,
      base,
      // A proposal shows the record before and after the change. So the proposal is private if the record is private
      // before or after the change.
      isPrivate: isPrivate(type, after) || (base !== null && isPrivate(type, base.fields)),
      summary: `${verbs[action]} ${type.name} “${title}”`
    }
  })

/** Checks the content of a change. The order of the steps is the order in which a caller sees their refusals. */
const checkRecord = <A extends Common>({
  changers,
  content: contents,
  exclusively,
  keeper,
  options,
  quota,
  reads,
  type
}: ChangerParts<A>) => {
  /**
   * A decision on a proposal takes the lock of the quota here, before its event locks the event log of the space. A
   * direct write takes it in `apply`.
   */
  const checkRoom = Effect.fnUntraced(function* ({ action, targetId }: Change, moment: CheckStage) {
    const isAdded = action === "create" || moment === "restored"
    if (quota === undefined || !isAdded || moment === "asked") return
    const ownerId = moment === "restored" ? yield* reads.ownerOfArchived(targetId) : undefined
    yield* keeper.room(quota, { ownerId })
  })

  /**
   * A decision on a proposal waits for other writes here, before its event locks the event log of the space. A direct
   * write locks the event log last. With another order, a decision and a direct write could wait for each other.
   */
  const compare = (fields: Partial<OwnFields<A>>, change: ComparedChange, moment: CheckStage) => {
    const name = options.comparison?.comparedGroup(fields, change)
    if (options.comparison === undefined || name === undefined) return Effect.void
    const comparing = options.comparison.check(fields, change)
    return moment === "asked" || moment === "proposed" ? comparing : exclusively(name, comparing)
  }

  return Effect.fnUntraced(function* (change: Change, moment: CheckStage) {
    yield* contents.checkComplete(change)
    // If a delete reverts a create, it gets the content of the create, but it writes none of this content.
    const given = moment === "reverted" && change.action === "delete" ? {} : change.content
    const fields = yield* contents.fieldsOf(given)
    const ruleInput = yield* contents.ruleInputOf(given)
    const after = { ...change.base?.fields, ...given }
    yield* checkReferences(changers, referencesIn(type, given, after), change.object.spaceId)
    yield* checkRoom(change, moment)
    const filled =
      options.check === undefined ? undefined : yield* options.check(fields, { moment, ruleInput, ...change })
    yield* compare(fields, { ruleInput, ...change }, moment)
    const content = filled === undefined ? given : { ...given, ...jsonOf(type, filled) }
    // An archived row still has its fields. So a restore writes only the fields that the rules of the type have changed.
    return { content: moment === "restored" ? changedIn(given, content) : content }
  })
}

const applyRecord = <A extends Common>({
  content: contents,
  exclusively,
  keeper,
  options: { comparison, whenChanged = Effect.void },
  quota,
  reads,
  write
}: ChangerParts<A>): Changer<A>["apply"] => {
  /**
   * Writes the change. If the type has a rule about other records, checks this rule again, while no other write to these
   * records can run.
   */
  const compared = Effect.fnUntraced(function* (
    { action, base, content, object, targetId }: AppliedChange,
    fields: Partial<OwnFields<A>>,
    work: ReturnType<RecordWrite<A>>
  ): Effect.fn.Return<A, WriteRefusal, Reach> {
    if (comparison === undefined) return yield* work
    const ruleInput = yield* contents.ruleInputOf(content)
    const isRestore = action === "restore"
    const change: ComparedChange = { action: isRestore ? "create" : action, ruleInput, object, targetId }
    const whole = isRestore ? yield* contents.fieldsOf({ ...base?.fields, ...content }) : fields
    const name = comparison.comparedGroup(whole, change)
    const checkedWork = Effect.zipRight(comparison.check(whole, change), work)
    return yield* name === undefined ? work : exclusively(name, checkedWork)
  })

  return (change, passed) => {
    const written = Effect.flatMap(contents.fieldsOf(change.content), (fields) =>
      compared(change, fields, write(change, fields, passed))
    ).pipe(Effect.zipLeft(change.action === "create" ? Effect.void : whenChanged))
    if (quota === undefined) return written
    if (change.action === "create") return keeper.within(quota, written)
    if (change.action !== "restore") return written
    return Effect.flatMap(reads.ownerOfArchived(change.targetId), (ownerId) =>
      keeper.within(quota, written, { ownerId })
    )
  }
}

export const recordChanger = <A extends Common>(parts: ChangerParts<A>): Changer<A> => {
  const { current, overview, placed, titles } = parts.reads
  return {
    traits: parts.traits,
    current,
    titles,
    describe: describeRecord(parts),
    check: checkRecord(parts),
    unchanged: ({ targetId }) => Effect.map(placed(targetId, "update"), ({ record }) => record),
    apply: applyRecord(parts),
    overview
  }
}
