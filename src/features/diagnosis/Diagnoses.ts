/** The service of diagnosis: it examines proposals, webhooks and runs that the caller may read. */
import { Context, DateTime, Effect, Layer } from "effect"
import { invalid, type Forbidden, type Invalid } from "../../doors/Failure.ts"
import type { Reach } from "../../doors/Reach.ts"
import { AutomationRuleRecord } from "../automations/AutomationRule.ts"
import { AutomationRun } from "../automations/AutomationRun.ts"
import { Proposals } from "../proposals/Proposals.ts"
import { Records } from "../records/Records.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import type { DiagnosedType, DiagnoseInput, Diagnosis, Finding } from "./DiagnoseTools.ts"

const examinedMost = 200 // records of each type
const deliveriesMost = 5 // latest deliveries of a webhook that are looked at

/** The request with one name for each argument. */
interface Asked extends Omit<DiagnoseInput, "flowType" | "flowId" | "type" | "id"> {
  readonly type: DiagnosedType | undefined
  readonly id: string | undefined
}

const oneOf = <A>(name: "type" | "id", first: A | undefined, second: A | undefined) =>
  first !== undefined && second !== undefined && first !== second
    ? Effect.fail(invalid(name, `Send either ${name} or ${name === "id" ? "flowId" : "flowType"}.`))
    : Effect.succeed(first ?? second)

/** An id that was not asked for, or the one that was. */
const isAsked = (asked: string | undefined, id: string | null) => asked === undefined || asked === id

export class Diagnoses extends Context.Tag("pod/Diagnoses")<
  Diagnoses,
  {
    /** Work that is stuck or failing. Fails with Forbidden for a workspace that the caller cannot reach. */
    readonly of: (input: DiagnoseInput) => Effect.Effect<Diagnosis, Forbidden | Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const proposals = yield* Proposals
      const records = yield* Records
      const webhooks = yield* Webhooks

      const stuckProposals = ({ agentId, id, stuckThresholdHours, workspaceId }: Asked) =>
        Effect.gen(function* () {
          const before = DateTime.subtract(yield* DateTime.now, { millis: stuckThresholdHours * 3_600_000 })
          const page = { limit: examinedMost, offset: 0, cursor: undefined }
          const failed = yield* proposals.page({ workspaceId, status: "approval_failed", ...page })
          const pending = yield* proposals.page({ workspaceId, status: "pending", ...page })
          return [...failed.items, ...pending.items].flatMap((proposal): ReadonlyArray<Finding> => {
            const isStuck = proposal.status !== "pending" || DateTime.lessThanOrEqualTo(proposal.createdAt, before)
            if (!isStuck || !isAsked(id, proposal.id) || !isAsked(agentId, proposal.createdBy)) return []
            const problem =
              proposal.status === "pending"
                ? "The proposal waits for a person."
                : `The approval could not be carried out: ${proposal.statusReason ?? "no reason is known"}`
            const { createdAt: since, id: proposalId, summary: title } = proposal
            return [{ type: "proposal", id: proposalId, runId: null, title, problem, since }]
          })
        })

      const failingWebhooks = ({ id, workspaceId }: Asked) =>
        Effect.gen(function* () {
          const page = { workspaceId, limit: examinedMost, offset: 0, cursor: undefined }
          const { items } = yield* webhooks.list(page)
          const asked = items.filter((webhook) => isAsked(id, webhook.id))
          const found = yield* Effect.forEach(
            asked,
            (webhook) =>
              Effect.gen(function* () {
                const deliveries = yield* webhooks.deliveries(webhook.id, deliveriesMost)
                const bad = deliveries.filter(
                  (one) => one.status === "failed" || (one.status === "pending" && one.error !== null)
                )
                if (bad.length === 0 && webhook.disabledReason === null) return []
                const last = bad[0]
                const reason =
                  last?.error ?? (last?.responseStatus == null ? "no answer" : `status ${last.responseStatus}`)
                const problem =
                  webhook.disabledReason === null
                    ? `${bad.length} of the last ${deliveries.length} deliveries failed; the latest: ${reason}.`
                    : `The pod stopped calling the webhook (${webhook.disabledReason})${last === undefined ? "" : `; the latest failure: ${reason}`}.`
                const since = bad.at(-1)?.createdAt ?? webhook.updatedAt
                return [{ type: "webhook" as const, id: webhook.id, runId: null, title: webhook.name, problem, since }]
              }).pipe(Effect.catchTag("NotFound", () => Effect.succeed([]))) // deleted while it was examined
          )
          return found.flat()
        })

      const failedRuns = ({ id, runId, workspaceId }: Asked) =>
        Effect.gen(function* () {
          const spaces = workspaceId === undefined ? null : [yield* requestedSpace(workspaceId)]
          const where = { status: "failed" as const, ...(id === undefined ? {} : { ruleId: id }) }
          const { items } = yield* records.list(AutomationRun, { where, spaces, limit: examinedMost })
          const runs = items.filter((run) => isAsked(runId, run.id))
          const rules = [...new Set(runs.flatMap(({ ruleId }) => (ruleId === null ? [] : [ruleId])))]
          const known = yield* Effect.forEach(rules, (rule) => Effect.option(records.get(AutomationRuleRecord, rule)))
          const names = new Map(
            known.flatMap((rule) => (rule._tag === "Some" ? [[rule.value.id, rule.value.name]] : []))
          )
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
        of: ({ flowId, flowType, id, type, ...rest }) =>
          Effect.gen(function* () {
            const asked = { ...rest, type: yield* oneOf("type", type, flowType), id: yield* oneOf("id", id, flowId) }
            const isWanted = (one: DiagnosedType) =>
              asked.runId !== undefined ? one === "automation" : asked.agentId !== undefined ? one === "proposal" : true
            const examine = <A, E>(
              one: DiagnosedType,
              work: (request: Asked) => Effect.Effect<ReadonlyArray<A>, E, Reach>
            ) => ((asked.type ?? one) === one && isWanted(one) ? work(asked) : Effect.succeed([]))
            const found: ReadonlyArray<Finding> = [
              ...(yield* examine("proposal", stuckProposals)),
              ...(yield* examine("webhook", failingWebhooks)),
              ...(yield* examine("automation", failedRuns))
            ]
            const findings = found.slice(0, asked.limit)
            const counts = { proposal: 0, webhook: 0, automation: 0 }
            for (const one of found) counts[one.type]++
            return { findings, counts, leftOut: found.length - findings.length }
          })
      }
    })
  )
}
