/** The service of diagnosis: it examines proposals, webhooks and runs that the caller may read. */
import { Array, Context, DateTime, Effect, Layer } from "effect"
import { invalid, type Forbidden, type Invalid } from "../../doors/Failure.ts"
import type { Cursor } from "../../doors/Cursor.ts"
import type { Page } from "../../doors/Page.ts"
import type { Reach } from "../../doors/Reach.ts"
import { highestId, lowestIdAt, msOfId } from "../../platform/Ids.ts"
import { readFirst } from "../../platform/ResultSize.ts"
import { AutomationRuleRecord } from "../automations/AutomationRule.ts"
import { AutomationRun } from "../automations/AutomationRun.ts"
import type { Proposal } from "../proposals/Proposal.ts"
import { Proposals } from "../proposals/Proposals.ts"
import { Records } from "../records/Records.ts"
import type { Delivery } from "../webhooks/Delivery.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import { requestedSpaces } from "../workspaces/WorkspaceAccess.ts"
import type { DiagnosedType, DiagnoseInput, Diagnosis, Finding } from "./DiagnoseTools.ts"

const examinedMax = 200 // the maximum number of records of each type that one diagnosis examines
// the maximum number of pages of proposals that a diagnosis reads to find the proposals of one agent
const pagesMax = 5
const slackMs = 60_000 // milliseconds; the clocks of the pod and of its database can differ by up to this time
const deliveriesMax = 5 // the maximum number of deliveries of a webhook that a diagnosis examines, latest first

/** The input of a diagnosis in which each argument has only one name, because aliases are resolved. */
interface DiagnosisRequest extends Omit<DiagnoseInput, "flowType" | "flowId" | "type" | "id"> {
  readonly type: DiagnosedType | undefined
  readonly id: string | undefined
}

const oneOf = <A>(name: "type" | "id", first: A | undefined, second: A | undefined) =>
  first !== undefined && second !== undefined && first !== second
    ? Effect.fail(invalid(name, `Send either ${name} or ${name === "id" ? "flowId" : "flowType"}.`))
    : Effect.succeed(first ?? second)

/** Returns true if the caller asks about this id. A caller who names no id asks about every id. */
const isAsked = (requestedId: string | undefined, id: string | null) => requestedId === undefined || requestedId === id

export class Diagnoses extends Context.Tag("pod/Diagnoses")<
  Diagnoses,
  {
    /** Finds work that is stuck or failing. Fails with Forbidden for a workspace that the caller cannot reach. */
    readonly of: (input: DiagnoseInput) => Effect.Effect<Diagnosis, Forbidden | Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const proposals = yield* Proposals
      const records = yield* Records
      const webhooks = yield* Webhooks

      /**
       * Reads proposals with this status, latest first, whose id is lower than `before`. A page has proposals of all
       * agents, so the function reads further pages to find the proposals of one agent. If the request names a
       * proposal, the first page begins at the time of that proposal.
       */
      const proposalsWith = Effect.fnUntraced(function* (
        status: "approval_failed" | "pending",
        { agentId, id, workspaceId }: DiagnosisRequest,
        before: string
      ) {
        const above = id === undefined ? before : lowestIdAt(msOfId(id) + 1)
        let cursor: Cursor | undefined = { at: null, id: above < before ? above : before }
        let found: ReadonlyArray<Proposal> = []
        for (let pages = 0; pages < pagesMax && cursor !== undefined; pages++) {
          const from: Cursor = cursor
          const page: Page<Proposal> = yield* readFirst(examinedMax, (limit) =>
            proposals.page({ workspaceId, status, limit, offset: 0, cursor: from })
          )
          found = [...found, ...page.items.filter(({ createdBy }) => isAsked(agentId, createdBy))]
          const last = page.items.at(-1)
          const hasMore = page.next !== null && last !== undefined && agentId !== undefined
          cursor = hasMore ? { at: null, id: last.id } : undefined
        }
        return found
      })

      const stuckProposals = Effect.fnUntraced(function* (request: DiagnosisRequest) {
        const { id, stuckThresholdHours } = request
        const before = DateTime.subtract(yield* DateTime.now, { millis: stuckThresholdHours * 3_600_000 })
        const failed = yield* proposalsWith("approval_failed", request, highestId)
        // The id of a proposal contains its time. So the search begins at the lowest id for the time `before`. Newer
        // proposals are not stuck, so they must not fill the page.
        const pending = yield* proposalsWith("pending", request, lowestIdAt(DateTime.toEpochMillis(before) + slackMs))
        return [...failed, ...pending].flatMap((proposal): ReadonlyArray<Finding> => {
          const isStuck = proposal.status !== "pending" || DateTime.lessThanOrEqualTo(proposal.createdAt, before)
          if (!isStuck || !isAsked(id, proposal.id)) return []
          const problem =
            proposal.status === "pending"
              ? "The proposal waits for a person."
              : `The proposal was approved, but the pod could not carry it out: ${proposal.statusReason ?? "no reason is known"}`
          const { createdAt: since, id: proposalId, summary: title } = proposal
          return [{ type: "proposal", id: proposalId, runId: null, title, problem, since }]
        })
      })

      const failingWebhooks = Effect.fnUntraced(function* ({ id, workspaceId }: DiagnosisRequest) {
        const page = { workspaceId, limit: examinedMax, offset: 0, cursor: undefined }
        const { items } = yield* webhooks.list(page)
        const requestedWebhooks = items.filter((webhook) => isAsked(id, webhook.id))
        const ids = requestedWebhooks.map((webhook) => webhook.id)
        const latest = Array.groupBy(yield* webhooks.latestDeliveries(ids, deliveriesMax), (one) => one.subscriptionId)
        return requestedWebhooks.flatMap((webhook): ReadonlyArray<Finding> => {
          const deliveries: ReadonlyArray<Delivery> = latest[webhook.id] ?? []
          const bad = deliveries.filter(
            (one) => one.status === "failed" || (one.status === "pending" && one.error !== null)
          )
          if (bad.length === 0 && webhook.disabledReason === null) return []
          const last = bad[0]
          const reason = last?.error ?? (last?.responseStatus == null ? "no answer" : `status ${last.responseStatus}`)
          const problem =
            webhook.disabledReason === null
              ? `${bad.length} of the last ${deliveries.length} deliveries failed; the latest: ${reason}.`
              : `The pod stopped calling the webhook (${webhook.disabledReason})${last === undefined ? "" : `; the latest failure: ${reason}`}.`
          const since = bad.at(-1)?.createdAt ?? webhook.updatedAt
          return [{ type: "webhook", id: webhook.id, runId: null, title: webhook.name, problem, since }]
        })
      })

      const failedRuns = Effect.fnUntraced(function* ({ id, runId, workspaceId }: DiagnosisRequest) {
        const spaces = yield* requestedSpaces(workspaceId)
        const where = { status: "failed" as const, ...(id === undefined ? {} : { ruleId: id }) }
        const { items } = yield* readFirst(examinedMax, (limit) =>
          records.list(AutomationRun, { where, spaces, limit })
        )
        const runs = items.filter((run) => isAsked(runId, run.id))
        const rules = [...new Set(runs.flatMap(({ ruleId }) => (ruleId === null ? [] : [ruleId])))]
        const known = yield* records.among(AutomationRuleRecord, rules, ["name"])
        const names = new Map(known.map((rule) => [rule.id, rule.name]))
        return runs.map(({ automationId, createdAt, error, finishedAt, id: run, ruleId }) => ({
          type: "automation" as const,
          id: ruleId ?? automationId ?? run,
          runId: run,
          title: names.get(ruleId ?? "") ?? "A run of a rule",
          problem: error ?? "The run failed; no reason is known.",
          since: finishedAt ?? createdAt
        }))
      })

      return {
        of: Effect.fnUntraced(function* ({ flowId, flowType, id, type, ...rest }) {
          const request = { ...rest, type: yield* oneOf("type", type, flowType), id: yield* oneOf("id", id, flowId) }
          const isWanted = (one: DiagnosedType) =>
            request.runId !== undefined
              ? one === "automation"
              : request.agentId !== undefined
                ? one === "proposal"
                : true
          const examine = <A, E>(
            one: DiagnosedType,
            work: (request: DiagnosisRequest) => Effect.Effect<ReadonlyArray<A>, E, Reach>
          ) => ((request.type ?? one) === one && isWanted(one) ? work(request) : Effect.succeed([]))
          const found: ReadonlyArray<Finding> = [
            ...(yield* examine("proposal", stuckProposals)),
            ...(yield* examine("webhook", failingWebhooks)),
            ...(yield* examine("automation", failedRuns))
          ]
          const findings = found.slice(0, request.limit)
          const counts = { proposal: 0, webhook: 0, automation: 0 }
          for (const one of found) counts[one.type]++
          return { findings, counts, leftOut: found.length - findings.length }
        })
      }
    })
  )
}
