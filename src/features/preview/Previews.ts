/** The service of previews. It checks the planned key in the same way as the key of a real call. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Catalog } from "../../doors/Catalog.ts"
import type { Door, RowsDoor, WriteDoor } from "../../doors/Door.ts"
import { type Refused, type WriteRefusal, invalid } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import type { Operation } from "../../doors/Operation.ts"
import { operationRefusal } from "../access/Admission.ts"
import { changeOf, Changers } from "../gate/Changers.ts"
import type { Overview } from "../gate/Overview.ts"
import { gateFieldsOf, type PlannedWrite, matchingTypes } from "../gate/PlannedWrite.ts"
import { rungCode } from "../gate/Rungs.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { type GatedWrite, objectIn } from "../gate/Write.ts"
import { boundsOf, everyPermission, isUnrestricted } from "../grants/Grant.ts"
import { boundsFor } from "../grants/GrantMatcher.ts"
import { summaryOf } from "../keys/KeySummary.ts"
import { emptyOverview, operationsOf, type PreviewedType, toRuledRecord, typesOf } from "./PreviewedTypes.ts"
import { risksOf, vaultUse } from "./GrantRisks.ts"
import { hidingRule, permissionRules, readingRule, type RuledRecord } from "./GrantRules.ts"
import { grantSentence, type WriteMode } from "./GrantSentence.ts"
import type { GrantPreview, PreviewInput, PreviewQuestion } from "./Preview.ts"
import { PreviewedKeys } from "./PreviewedKey.ts"
import { kindsRead } from "./ReadKinds.ts"

// the maximum number of rows of each type that a preview shows
const samplesMax = 10

type Answer = Omit<NonNullable<GrantPreview["can"]>, "required" | "matched" | "nearMisses">

const allow: Answer = { verdict: "allow", code: null, rung: null, reason: null }
const deny = ({ code, why }: Refused): Answer => ({ verdict: "deny", code, rung: null, reason: why })
const noRecord: Answer = {
  verdict: "deny",
  code: "NOT_FOUND",
  rung: null,
  reason: "The object does not exist, or this key has no access to it."
}

/** Returns true if the operation reads records that a grant can limit. */
const readsRecords = ({ door, kind }: Operation): boolean =>
  kind === "query" && (door._tag === "Rows" || door._tag === "SeveralRows" || door._tag === "EveryKind")

const writingOf = ({ holder }: Principal, open: ReadonlyArray<Operation>): WriteMode => {
  if (!open.some(({ door }) => door._tag === "Write")) return "none"
  if (holder.kind !== "agent") return "direct"
  return holder.capabilities.length === 0 ? "incapable" : "proposing"
}

export class Previews extends Context.Tag("pod/Previews")<
  Previews,
  {
    /**
     * Makes a preview of a grant. Fails with Forbidden or Invalid in the same cases as the creation of a key with this
     * grant. Fails with NotFound if the caller has no key with the given id.
     */
    readonly of: (input: PreviewInput) => Effect.Effect<GrantPreview, WriteRefusal, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const catalog = yield* Catalog
      const changers = yield* Changers
      const gate = yield* GovernanceGate
      const previewedKeys = yield* PreviewedKeys

      /**
       * Returns the rights of a call that uses a key with this grant. But the statements still check the credential
       * with which the person asks for the preview.
       */
      const reachOf = (reach: ReachShape, draft: Principal): ReachShape => ({
        ...reach,
        principal: draft,
        bounds: (subject, action) => boundsFor(draft, subject, action)
      })

      /**
       * Builds the write about which the caller asks. The subject of the write comes from the declaration of the
       * operation (its door). The kind and the type of the record come from the door or from the question.
       */
      const imaginedBy = (question: PreviewQuestion, door: WriteDoor | RowsDoor): PlannedWrite => {
        const { kind, targetType } = door._tag === "Write" ? door : {}
        return {
          subject: door.subject,
          kind: door.subject === "entity" ? (kind ?? question.kind ?? "note") : null,
          targetType: question.objectType ?? targetType
        }
      }

      const changerFor = (imagined: PlannedWrite) => {
        const names = [...matchingTypes(changers.traits(), imagined).map(([name]) => name), imagined.targetType ?? ""]
        const found = names.flatMap((name) => {
          const changer = changers.of(name)
          return changer === undefined ? [] : [{ name, changer }]
        })
        return found.length === 0
          ? Effect.fail(
              invalid(
                "can.objectType",
                "This operation works on several types of objects. Send the type of the object in `objectType`."
              )
            )
          : Effect.succeed(found[0])
      }

      const mayWrite = Effect.fnUntraced(function* (draft: Principal, question: PreviewQuestion, door: WriteDoor) {
        const { personId } = (yield* Reach).principal
        const { objectId, workspaceId: spaceId = personId } = question
        const imagined = imaginedBy(question, door)
        const [known] = matchingTypes(changers.traits(), imagined)
        for (const action of door.actions.filter((each) => each !== "read")) {
          const anew = {
            ...(known === undefined ? {} : gateFieldsOf(known[1])),
            subject: imagined.subject,
            kind: imagined.kind,
            object: objectIn(personId, spaceId, null)
          }
          const described: Omit<GatedWrite, "action"> | undefined =
            objectId === undefined || action === "create"
              ? anew
              : yield* Effect.flatMap(changerFor(imagined), ({ changer, name }) =>
                  Effect.option(changeOf(name, changer, { action, targetId: objectId, spaceId, content: {} }))
                ).pipe(Effect.map(Option.getOrUndefined))
          if (described === undefined) return noRecord
          const { reason, rung, verdict } = yield* gate.judge(draft, { ...described, action })
          if (verdict !== "allow") return { verdict, code: rungCode(rung), rung, reason }
        }
        return allow
      })

      const mayRead = Effect.fnUntraced(function* (draft: Principal, question: PreviewQuestion, door: RowsDoor) {
        const { objectId, workspaceId } = question
        if (objectId === undefined) return allow
        const reach = yield* Reach
        const { changer } = yield* changerFor(imaginedBy(question, door))
        // If the record exists, the pod uses the space of the record and ignores `workspaceId`.
        const current = changer.current(objectId, workspaceId ?? null)
        return (yield* Effect.provideService(current, Reach, reachOf(reach, draft))) === null ? noRecord : allow
      })

      /**
       * Says whether the key is allowed to act on the object that the question names. The caller of this function has
       * already checked that the key is allowed to call the operation.
       */
      const behind = (
        door: Door,
        draft: Principal,
        question: PreviewQuestion
      ): Effect.Effect<Answer, WriteRefusal, Reach> => {
        switch (door._tag) {
          case "Public":
          case "Session":
          case "Operator":
          case "Self":
          case "SeveralRows":
          case "EveryKind":
          case "FullGrant":
            return Effect.succeed(allow)
          case "Rows":
            return mayRead(draft, question, door)
          case "Write":
            return mayWrite(draft, question, door)
        }
      }

      const can = Effect.fnUntraced(function* (draft: Principal, question: PreviewQuestion) {
        const found = operationsOf(yield* catalog.compiled).find(
          ({ operation }) => operation.name === question.operation
        )
        if (found === undefined)
          return yield* invalid("can.operation", "is unknown. `GET /api/hub/manifest` lists all.")
        const { door } = found.operation
        const refusal = operationRefusal(draft, found.operation)
        const answer = refusal === null ? yield* behind(door, draft, question) : deny(refusal)
        const object = yield* objectOf(question, door)
        return {
          ...answer,
          reason:
            answer === noRecord && object !== undefined ? hidingRule(draft, object, noRecord.reason) : answer.reason,
          ...permissionRules(draft.grant, door, object?.kind ?? question.kind ?? null)
        }
      })

      /** Finds the object that the question names. Returns undefined if the person cannot see the object. */
      const objectOf = Effect.fnUntraced(function* (question: PreviewQuestion, door: Door) {
        const { objectId, workspaceId } = question
        if (objectId === undefined || (door._tag !== "Rows" && door._tag !== "Write")) return undefined
        const { changer, name } = yield* changerFor(imaginedBy(question, door))
        const { personId } = (yield* Reach).principal
        const request = { action: "update" as const, targetId: objectId, spaceId: workspaceId ?? personId, content: {} }
        const described = yield* Effect.option(changeOf(name, changer, request))
        return Option.getOrUndefined(
          Option.map(described, ({ kind, object, subject }): RuledRecord => ({
            subject,
            kind,
            spaceId: object.spaceId,
            id: objectId
          }))
        )
      })

      /**
       * Returns the records among the person's latest records that the key cannot read. `seen` contains the latest
       * records that the key can read. Both lists are sorted in the same order. So if the key can read one of the
       * person's latest records, `seen` contains this record.
       */
      const unread = Effect.fnUntraced(function* (
        draft: Principal,
        types: ReadonlyArray<PreviewedType>,
        seen: ReadonlyArray<Overview & { readonly type: string }>
      ) {
        const found = yield* Effect.forEach(types, ({ changer, closedBy, type }) => {
          const read = new Set(seen.find((each) => each.type === type)?.samples.map(({ id }) => id))
          return changer.overview === undefined
            ? Effect.succeed([])
            : Effect.map(changer.overview.samples(samplesMax), (samples) =>
                samples
                  .filter(({ id }) => !read.has(id))
                  .map((sample) => ({
                    type,
                    ...sample,
                    rule: hidingRule(draft, toRuledRecord(draft, changer, sample), closedBy)
                  }))
              )
        })
        return found.flat()
      })

      return {
        of: Effect.fnUntraced(function* (input) {
          const { end, lost, principal: draft, workspaces } = yield* previewedKeys.of(input)
          const reach = yield* Reach
          const operations = operationsOf(yield* catalog.compiled)
          const types = typesOf(changers.all(), operations, draft)
          const overviews = Effect.forEach(types, ({ changer, closedBy, type }) =>
            Effect.map(
              changer.overview === undefined || closedBy !== null
                ? Effect.succeed(emptyOverview)
                : Effect.all({ counts: changer.overview.counts, samples: changer.overview.samples(samplesMax) }),
              (seen) => ({ type, changer, ...seen })
            )
          )
          const seen = yield* Effect.provideService(overviews, Reach, reachOf(reach, draft))
          const missed =
            isUnrestricted(draft) && types.every(({ closedBy }) => closedBy === null)
              ? []
              : yield* unread(draft, types, seen)
          const doors = operations.map(({ operation, surface }) => ({
            surface,
            operation,
            refusal: operationRefusal(draft, operation)
          }))
          const open = doors.filter(({ refusal }) => refusal === null).map(({ operation }) => operation)
          const grant = draft.grant ?? boundsOf({ permissions: [everyPermission] })
          const writing = writingOf(draft, open)
          const kinds = yield* kindsRead(grant, types, seen, missed)
          return {
            summary: summaryOf({
              grant: { ...grant, label: null },
              scopes: draft.scopes,
              workspaceId: draft.workspaceId
            }),
            sentence: grantSentence({ grant, kinds, workspaces, isReading: open.some(readsRecords) }, writing, {
              end,
              now: yield* DateTime.now
            }),
            risks: risksOf({ principal: draft, writing, end, vault: vaultUse(open) }),
            lost,
            counts: seen.flatMap(({ counts, type }) => counts.map((count) => ({ type, ...count }))),
            samples: seen.flatMap(({ changer, samples, type }) =>
              samples.map((sample) => ({
                type,
                ...sample,
                rule: readingRule(draft, toRuledRecord(draft, changer, sample))
              }))
            ),
            missed,
            doors: doors.map(({ operation, refusal, surface }) => ({
              surface,
              operation: operation.name,
              isOpen: refusal === null,
              code: refusal?.code ?? null,
              reason: refusal?.why ?? null
            })),
            can: input.can === undefined ? null : yield* can(draft, input.can)
          }
        })
      }
    })
  )
}
