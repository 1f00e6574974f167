/** Checks a change of an automation rule before the pod writes it, and finds the key that limits the rule. */
import { DateTime, Effect, Either } from "effect"
import { Forbidden, invalid } from "../../doors/Failure.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { keyIdOf, type Principal } from "../../doors/Principal.ts"
import { Reach } from "../../doors/Reach.ts"
import { Changers } from "../gate/Changers.ts"
import { checkReferences } from "../gate/References.ts"
import type { Change } from "../gate/Write.ts"
import type { Keys } from "../keys/Keys.ts"
import type { RecordChange } from "../records/RecordOperations.ts"
import { Records } from "../records/Records.ts"
import type { OwnFields } from "../records/RecordType.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import type { ClauseRefused } from "./Automation.ts"
import { isExpired, isSameWork, matchesSentence, AutomationRuleRecord } from "./AutomationRule.ts"
import { refusalText } from "./Sentence.ts"

/** Makes the refusal of a rule with a clause that the pod cannot read (compatibility reference §11.2). */
export const unreadableRule = (refused: ClauseRefused): Forbidden =>
  new Forbidden({
    code: "RULE_REFUSED",
    why: refusalText(refused),
    required: [],
    granted: [],
    details: { clause: refused.clause }
  })

/** The services that a check of a rule uses. */
interface CheckServices {
  readonly changers: typeof Changers.Service
  readonly keys: typeof Keys.Service
  readonly records: typeof Records.Service
}

type CheckedChange = Pick<Change, "action" | "object">

type RuleFields = Partial<OwnFields<AutomationRuleRecord>>

const notOwnAgent = new Forbidden({
  code: "OWNER_ONLY",
  why: "A rule acts as the person who made it, so only this person can change it. Others can pause or delete it.",
  required: ["owner of the rule"],
  granted: []
})

/**
 * Returns true if the caller is the person of the call. If another person approves a proposal of this person, the call
 * has no membership in this person's own space. So the function looks for that membership.
 */
const isOwnCall = ({ memberships, personId }: Principal): boolean =>
  memberships.some(({ spaceId }) => spaceId === personId)

const limitedByOther = new Forbidden({
  code: "GRANT_DENIED",
  why: "Another key limits what this rule may do. Only that key, or the person after signing in, can resume the rule or postpone its end.",
  required: [],
  granted: []
})

/**
 * Finds the current rule that a caller wants to change. The caller must be allowed to change the rule. The caller need
 * not be allowed to read it.
 */
export const existingRule = (records: typeof Records.Service, id: string) =>
  Effect.mapError(records.locate(AutomationRuleRecord, id, "update"), () => missingRecord("rule"))

/** Returns true if a change resumes a paused rule, or lets the rule end later than before. */
const isRestart = ({ active, expiresAt }: RuleFields, record: RuleFields): boolean =>
  (active === true && record.active === false) ||
  (expiresAt !== undefined &&
    record.expiresAt != null &&
    (expiresAt === null || DateTime.greaterThan(expiresAt, record.expiresAt)))

/**
 * Finds the key that limits the rule: the rule may do only what this key may do. It is the key with which a caller last
 * changed the work or the scope of the rule. If no key limits the rule yet, the key of a caller who restarts the rule
 * limits the rule from then on. A rule acts with the rights of the person who owns it. So only this person is allowed
 * to change the rule or to approve a change. Other people can only pause the rule.
 */
const ordererOf = Effect.fnUntraced(function* (
  { keys, records }: CheckServices,
  fields: RuleFields,
  { action, moment, targetId }: RecordChange
) {
  const { principal } = yield* Reach
  const keyId = keyIdOf(principal)
  const isPause = Object.entries(fields).every(([name, value]) => name === "active" && value === false)
  // A rule acts with the rights of the person who made it, but another person can restore the rule after a delete. So
  // the restored rule is paused until the person who made it resumes it.
  if (moment === "restored") return { active: false }
  if (moment === "approved" && !isPause && !isOwnCall(principal)) return yield* notOwnAgent
  if (action === "create") return { keyId, active: fields.active ?? true }
  const { record } = yield* existingRule(records, targetId)
  if (record.userId !== principal.personId && !isPause) return yield* notOwnAgent
  const isOrder = keyId !== null && isRestart(fields, record)
  if (fields.rule !== undefined && !isSameWork(fields.rule, record.rule)) return { keyId }
  if (isOrder && record.keyId !== null && !(yield* keys.ownLine).includes(record.keyId)) return yield* limitedByOther
  if (isOrder) return { keyId }
  // The change does not alter the work or the scope of the rule, so the same key still limits the rule. If no key
  // limits the rule yet, the key of the caller limits it from now on.
  if (fields.rule !== undefined) return { keyId: record.keyId ?? keyId }
  return fields.keyId !== undefined ? { keyId: record.keyId } : {}
})

export const makeContentCheck = (services: CheckServices) => (fields: RuleFields, change: RecordChange) =>
  change.action === "delete"
    ? Effect.void
    : Effect.zipRight(checkContent(services.changers)(fields, change), ordererOf(services, fields, change))

const checkContent =
  (changers: typeof Changers.Service) =>
  ({ expiresAt = null, rule }: RuleFields, { object }: CheckedChange) =>
    Effect.gen(function* () {
      if (isExpired({ expiresAt }, yield* DateTime.now)) {
        return yield* invalid("expiresAt", "must be in the future, because the pod never applies an expired rule")
      }
      if (rule === undefined) return
      const { kind, workspaceId } = rule.scope
      if (kind === "workspace") {
        if (workspaceId !== object.spaceId || object.isPersonal) {
          return yield* invalid("scope.workspaceId", "must be the workspace of the rule")
        }
      } else {
        if (!object.isPersonal)
          return yield* invalid(
            "scope.kind",
            `must be "workspace" for a rule in a workspace; a rule with the scope "${kind}" must be in your personal space`
          )
        if (workspaceId !== undefined && workspaceId !== null) yield* requestedSpace(workspaceId)
      }
      const { projectId } = rule.scope
      if (projectId != null) {
        const project = { path: "scope.projectId", targetType: "project", id: projectId }
        yield* checkReferences(changers, [project], workspaceId ?? object.spaceId)
      }
      if (!(yield* Either.mapLeft(matchesSentence(rule), unreadableRule))) {
        return yield* invalid(
          "rule.automation",
          "is not equal to the automation that the pod compiles from the sentence of the rule: leave this field out"
        )
      }
    })
