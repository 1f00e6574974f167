/**
 * Carries out one step of a run, with the access rights of the rule. For every write of a step, the gate decides
 * whether the write is allowed, refused or proposed.
 */
import { Effect } from "effect"
import type { WriteRefusal } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { noClient, Reach, systemReach } from "../../doors/Reach.ts"
import { Messages } from "../conversations/Messages.ts"
import { Threads } from "../conversations/Threads.ts"
import { Entities } from "../entities/Entities.ts"
import { EventLog } from "../events/EventLog.ts"
import { Changers, writeWith } from "../gate/Changers.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { Passed, type SystemReason } from "../gate/Passed.ts"
import { WebhookCalls, type WebhookUncallable } from "../webhooks/WebhookCalls.ts"
import type { Step } from "./Automation.ts"
import type { AutomationRuleRecord } from "./AutomationRule.ts"
import type { StepResult } from "./AutomationRun.ts"
import { withValueAt } from "./Conditions.ts"
import type { ClaimedFiring } from "./Firing.ts"
import { ruleRights } from "./RuleRights.ts"
import { StepRefused, stepTargets } from "./StepTargets.ts"
import type { TriggerRecord } from "./TriggerRecord.ts"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"

/** The data that the steps of a run work with. */
export interface RunContext {
  readonly firing: ClaimedFiring
  readonly rule: AutomationRuleRecord
  /** The record of the event; null if the event has no record, or if a schedule started the run. */
  readonly record: TriggerRecord | null
  /** The space in which the steps write. */
  readonly spaceId: string
}

export type StepFailure = WriteRefusal | Proposed | StepRefused | WebhookUncallable

type Done = Pick<StepResult, "id">

/**
 * The types of records whose fields a rule can set. These records hold content. Types of records that hold rights or
 * addresses are not in the list.
 */
const settable = new Set(["entity", "document", "project", "view", "track", "channel", "thread", "artifact"])

const threadSource = "automation"

/**
 * Makes the function that carries out a step. The function fails with Proposed if the write of the step waits for the
 * decision of a person.
 */
export const stepWork = Effect.gen(function* () {
  const changers = yield* Changers
  const entities = yield* Entities
  const gate = yield* GovernanceGate
  const log = yield* EventLog
  const mayHaveRule = yield* ruleRights
  const messages = yield* Messages
  const targets = yield* stepTargets
  const threads = yield* Threads
  const webhooks = yield* WebhookCalls

  /**
   * Writes an event about work that the pod itself does in this run. The event belongs to the person who owns the rule.
   * In a workspace, the rule must have the right to be there, because other people can read the event.
   */
  const logged = Effect.fnUntraced(function* (
    type: string,
    reason: SystemReason,
    spaceId: string,
    { firing, record, rule }: RunContext,
    data: object
  ) {
    const { origin } = yield* Reach
    if (spaceId !== rule.userId && !(yield* mayHaveRule(rule.id, spaceId))) {
      return yield* new StepRefused({
        why: "The rule may only read in this workspace, so the pod carried out nothing there."
      })
    }
    return yield* Effect.provideService(
      log.append(
        spaceId,
        {
          type,
          ...(record === null ? {} : { subjectId: record.id }),
          data: { ruleId: rule.id, runId: firing.id, ...data }
        },
        Passed.bySystem(reason)
      ),
      Reach,
      systemReach(reason, rule.userId, [spaceId], { ...origin, client: noClient })
    )
  })

  const notify = Effect.fnUntraced(function* (step: Extract<Step, { kind: "notify" }>, context: RunContext) {
    const { firing, record, rule, spaceId } = context
    const personId = yield* targets.person(step.whom, spaceId, record)
    // The notification stores no text of the record. It shows the title of the record only to a reader who is allowed
    // to read the record.
    const text = step.text ?? firing.event?.type ?? rule.name
    const about = record === null ? null : { type: record.targetType, id: record.id, spaceId }
    // If the step notifies the person who owns the rule, the event stays in this person's own log.
    const home = personId === rule.userId ? personId : spaceId
    const notification = { personId, text, showsTitle: step.text === null, about }
    const event = yield* logged("automation.notify", "notify a person", home, context, notification)
    return { id: event.id }
  })

  const create = Effect.fnUntraced(function* (
    { profileSlug, title }: Extract<Step, { kind: "create" }>,
    { rule, spaceId }: RunContext
  ) {
    const { projectId } = rule.rule.scope
    const { entity } = yield* entities.create({
      profileSlug,
      title,
      workspaceId: workspaceIdOf(spaceId, rule.userId),
      ...(projectId == null ? {} : { projectId })
    })
    return { id: entity.id }
  })

  const set = Effect.fnUntraced(function* (
    { path, value }: Extract<Step, { kind: "set" }>,
    { record, spaceId }: RunContext
  ) {
    const changer = record === null ? undefined : changers.of(record.targetType)
    if (record === null || changer === undefined || !settable.has(record.targetType)) {
      return yield* new StepRefused({
        why: `The rule cannot set ${path}, because the event that started the rule has no record that the rule may change.`
      })
    }
    const write = writeWith(gate, record.targetType, changer)
    yield* write({
      action: "update",
      targetId: record.id,
      spaceId,
      content: (before) => withValueAt(before, path, value)
    })
    return { id: record.id }
  })

  /** Writes a message in the thread in which the rule talks to an agent or a channel. */
  const say = Effect.fnUntraced(function* (
    place: {
      readonly key: string
      readonly title: string
      readonly agentId: string | null
      readonly channelId: string | null
    },
    role: "user" | "system",
    content: string,
    { firing, record, rule, spaceId }: RunContext
  ) {
    const { record: thread } = yield* threads.begin({
      workspaceId: workspaceIdOf(spaceId, rule.userId),
      fields: {
        title: place.title,
        assignedAgentId: place.agentId,
        parentChannelId: place.channelId,
        branchPurpose: null,
        contextSummary: null,
        status: null,
        contextObjectId: null,
        contextObjectType: null,
        externalSource: threadSource,
        externalId: `${rule.id} ${place.key}`
      }
    })
    // Any member of the space can begin a thread with this external id. So the step checks the channel and the agent
    // of the thread.
    if (thread.parentChannelId !== place.channelId || thread.assignedAgentId !== place.agentId) {
      return yield* new StepRefused({
        why: "Somebody has moved the thread to which this rule posts, so the pod posted nothing."
      })
    }
    const metadata = { kind: "automation", ruleId: rule.id, runId: firing.id, subjectId: record?.id ?? null }
    const [id] = yield* messages.send(thread.id, [{ role, content, metadata, sessionId: null }])
    return { id }
  })

  const tell = (step: Extract<Step, { kind: "tell" }>, context: RunContext) =>
    Effect.flatMap(targets.agent(step.agent), ({ id }) =>
      say({ key: id, title: context.rule.name, agentId: id, channelId: null }, "user", step.text, context)
    )

  const post = (step: Extract<Step, { kind: "post" }>, context: RunContext) =>
    Effect.flatMap(targets.channel(step.channel, context.spaceId), ({ id }) =>
      say({ key: id, title: context.rule.name, agentId: null, channelId: id }, "system", step.text, context)
    )

  const callWebhook = Effect.fnUntraced(function* (step: Extract<Step, { kind: "call_webhook" }>, context: RunContext) {
    const { event } = context.firing
    const { rule, spaceId } = context
    // A webhook gets only events of the person who owns the webhook. If another person caused the event, the webhook
    // gets an event of the run instead.
    const sent =
      event !== null && event.personId === rule.userId
        ? event
        : yield* Effect.map(
            logged("automation.run", "record the run of an automation", spaceId, context, {}),
            ({ id, seq, subjectId, type }) => ({ id, seq, type, spaceId, subjectId: subjectId ?? null })
          )
    return { id: yield* webhooks.call(step.webhook, sent) }
  })

  return (step: Step, context: RunContext): Effect.Effect<Done, StepFailure, Reach> => {
    switch (step.kind) {
      case "notify":
        return notify(step, context)
      case "create":
        return create(step, context)
      case "set":
        return set(step, context)
      case "tell":
        return tell(step, context)
      case "post":
        return post(step, context)
      case "call_webhook":
        return callWebhook(step, context)
    }
  }
})
