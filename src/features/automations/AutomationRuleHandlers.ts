/** The handlers of rules: they translate between the Hub endpoints and the service. */
import { Effect } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement } from "../../doors/Implement.ts"
import { pagedAnswer } from "../../doors/Page.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import { classify } from "./Classify.ts"
import { parseRule } from "./Parse.ts"
import { AutomationRuleApi } from "./AutomationRuleApi.ts"
import { AutomationRules } from "./AutomationRules.ts"

/**
 * Makes the error for a rule that the pod refuses. The error has a special form, because existing clients expect this
 * form (compatibility reference §11.2).
 */
const deniedAnswer = (refusal: Forbidden) =>
  Effect.fail(new Forbidden({ ...refusal, details: { ...refusal.details, status: "denied", reason: refusal.why } }))

export const layer = implement(
  AutomationRuleApi,
  Effect.map(AutomationRules, (rules) => ({
    "rules.classify": ({ payload }) => Effect.sync(() => classify(payload.text, payload.context)),
    "rules.parse": ({ payload: { text, workspaceId } }) =>
      Effect.zipRight(
        workspaceId === undefined || workspaceId === null ? Effect.void : requestedSpace(workspaceId),
        Effect.sync(() => parseRule(text))
      ),
    "rules.list": ({ urlParams }) =>
      Effect.map(rules.list(urlParams), (page) => pagedAnswer(page, (found) => ({ rules: found }))),
    "rules.create": ({ payload }) =>
      rules.create(payload).pipe(
        Effect.map((ruleId) => ({ status: "created" as const, ruleId })),
        Effect.catchTag("Forbidden", deniedAnswer)
      ),
    "rules.update": ({ path, payload }) => rules.change(path.id, payload),
    "rules.delete": ({ path }) => Effect.map(rules.remove(path.id), deleteResponse)
  }))
)
