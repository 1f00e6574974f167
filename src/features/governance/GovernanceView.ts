/** What people say when they govern agents, and what they are shown. */
import { Schema } from "effect"
import { subjects } from "../../doors/Door.ts"
import { namingAgent, TimestampInput } from "../../doors/Fields.ts"
import { subjectFault } from "../grants/Permission.ts"
import { GovernanceRule, WorkspacePolicy } from "../gate/Policy.ts"

const GatedSubject = Schema.Literal(...subjects)
const GatedAction = Schema.Literal("create", "update", "delete")

const pattern = /^(?:\*|[a-z][a-z_]*\.(?:\*|create|update))$/

/** `<subject>.*`, `<subject>.create`, `<subject>.update` or `*`. Deletes are always seen, so no list names them. */
const patternFault = (text: string): string | undefined =>
  pattern.test(text)
    ? subjectFault(text.split(".", 1)[0])
    : "Use <subject>.create, <subject>.update, <subject>.* or *; deletes are always seen."

const ActionPattern = Schema.String.pipe(Schema.maxLength(120), Schema.filter(patternFault)).annotations({
  // A text that is made up at random names no subject.
  arbitrary: () => (fc) => fc.constantFrom("*", "track.create", "document.*")
})

export const DryRun = Schema.Struct({
  agentUserId: Schema.UUID,
  subjectType: GatedSubject,
  action: GatedAction,
  profileSlug: Schema.optional(Schema.String),
  targetType: Schema.optional(Schema.String)
})
export type DryRun = typeof DryRun.Type

export const GovernanceQuery = namingAgent("agentUserId", {
  agentUserId: Schema.optional(Schema.UUID.annotations({ description: "An agent of the caller's, for a dry run." })),
  subjectType: Schema.optional(GatedSubject.annotations({ description: "What it would write." })),
  action: Schema.optional(GatedAction.annotations({ description: "What it would do to it." })),
  profileSlug: Schema.optional(Schema.String.annotations({ description: "The kind of entity that it would write." })),
  targetType: Schema.optional(
    Schema.String.pipe(Schema.maxLength(64)).annotations({
      description: "The type of record, where several share a subject: `thread` or `message` of `channel`."
    })
  ),
  door: Schema.optional(
    Schema.String.pipe(Schema.maxLength(120)).annotations({
      description: "Where it would come in. The ladder says the same at every door."
    })
  )
})

export const PolicyChange = Schema.Struct({
  governanceMode: Schema.optional(Schema.Literal("standard", "agent-owned")),
  autoApproveFor: Schema.optional(Schema.NullOr(Schema.Array(ActionPattern).pipe(Schema.maxItems(100))))
})
export type PolicyChange = typeof PolicyChange.Type

export const RuleDraft = namingAgent("agentUserId", {
  agentUserId: Schema.optional(Schema.UUID),
  scopeKind: Schema.Literal("pod", "workspace"),
  workspaceId: Schema.optional(Schema.UUID),
  targetKind: Schema.Literal("action", "profile"),
  targetPattern: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(120)),
  targetProfile: Schema.optional(Schema.String.pipe(Schema.maxLength(64))),
  verdict: Schema.Literal("auto", "propose"),
  sourceProposalId: Schema.optional(Schema.UUID),
  expiresAt: Schema.optional(TimestampInput)
})
  .pipe(
    Schema.filter(({ targetKind, targetPattern }) => {
      // A rule to ask first that speaks of nothing would be taken for one that is in force.
      const message = targetKind === "profile" ? undefined : patternFault(targetPattern)
      return message === undefined ? undefined : { path: ["targetPattern"], message }
    })
  )
  .annotations({ identifier: "GovernanceRuleDraft" })
export type RuleDraft = typeof RuleDraft.Type

const said = {
  verdict: Schema.Literal("allow", "deny", "propose"),
  rung: Schema.String,
  reason: Schema.optional(Schema.String),
  /** Under which a refusal is answered. */
  code: Schema.NullOr(Schema.String)
}

export const GovernanceView = Schema.Struct({
  workspaceId: Schema.UUID,
  /** What the caller's own role there lets them do. */
  rbac: Schema.Struct({ role: Schema.String, writes: Schema.Boolean, manages: Schema.Boolean }),
  ...WorkspacePolicy.fields,
  /** What every agent in the workspace does unasked, where somebody said so. */
  agentOverrides: Schema.Array(
    Schema.Struct({ ruleId: Schema.UUID, agentLabel: Schema.NullOr(Schema.String), ...GovernanceRule.fields })
  ),
  /** Every rung of the ladder, in order. */
  rungs: Schema.Array(Schema.String),
  /** What the ladder would say to the write that was asked about. What it writes besides is asked about by itself. */
  verdict: Schema.optional(
    Schema.Struct({
      ...said,
      permission: Schema.String,
      /** The type of record that was taken to be meant; null where nothing of the sort is written here. */
      targetType: Schema.NullOr(Schema.String),
      /** What it would say where something holds that only the record tells, or for another type of the subject. */
      orElse: Schema.Array(Schema.Struct({ when: Schema.String, ...said }))
    })
  )
}).annotations({ identifier: "Governance" })
