/**
 * The operations on records whose writes the gate must allow. All features with such record types share these
 * operations.
 */
import { Effect } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Changers, writerOf } from "../gate/Changers.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { hasQuota } from "../gate/Quota.ts"
import { quotaKeeper, type QuotaNeeds } from "../gate/Quotas.ts"
import { type JsonRecord, objectIn } from "../gate/Write.ts"
import { requestedSpaces } from "../workspaces/WorkspaceAccess.ts"
import { recordChanger } from "./RecordChanger.ts"
import { recordContent } from "./RecordContent.ts"
import type { GovernedOptions, RecordOperations } from "./RecordOperations.ts"
import { recordReads } from "./RecordReads.ts"
import { Records } from "./Records.ts"
import { type Common, jsonOf, type OwnFields, type Patch, type RecordType } from "./RecordType.ts"
import { recordWrite } from "./RecordWrites.ts"

const definedFields = <A extends Common>(patch: Patch<A>): Partial<OwnFields<A>> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<OwnFields<A>>

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
    const gate = yield* GovernanceGate
    const { exclusively } = yield* Transaction
    const traits = {
      subject: type.subject,
      kind: null,
      isForPeople: options.isForPeople === true,
      isDirect: options.isDirect === true
    }
    const changer = recordChanger({
      type,
      options,
      traits,
      content: recordContent(type, options),
      reads: recordReads(records, type),
      write: recordWrite(records, type),
      changers: yield* Changers,
      exclusively,
      keeper: yield* quotaKeeper,
      quota: hasQuota(type.name) ? type.name : undefined
    })
    const writer = yield* writerOf<A>(type.name, changer)

    const existing = <A extends "update" | "delete">(id: string, action: A, content: JsonRecord) =>
      Effect.map(Reach, ({ principal }) => ({ action, targetId: id, spaceId: principal.personId, content }))

    return {
      list: ({ workspaceId, ...listing }) =>
        Effect.flatMap(requestedSpaces(workspaceId), (spaces) => records.list(type, { ...listing, spaces })),
      get: (id) =>
        Effect.catchTag(records.get(type, id), "RecordNotFound", () => Effect.fail(missingRecord(type.name))),
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
