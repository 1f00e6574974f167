/** What people say when they govern agents, and what they are shown. */
import { Schema } from "effect"
import { subjects } from "../../doors/Door.ts"
import { AgentId, WorkspaceId, described, namingAgent, TimestampInput } from "../../doors/Fields.ts"
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
  agentUserId: AgentId,
  subjectType: described("What would be written, such as `entity`.", GatedSubject),
  action: described("What would be done with it.", GatedAction),
  profileSlug: described("Its kind: the slug of a profile.", Schema.optional(Schema.String)),
  targetType: described("The type of what it writes.", Schema.optional(Schema.String))
})
export type DryRun = typeof DryRun.Type

export const GovernanceQuery = namingAgent("agentUserId", {
  agentUserId: Schema.optional(AgentId.annotations({ description: "An agent of the caller's, for a dry run." })),
  subjectType: described(
    "What would be written, such as `entity`.",
    Schema.optional(GatedSubject.annotations({ description: "What it would write." }))
  ),
  action: described(
    "What would be done with it.",
    Schema.optional(GatedAction.annotations({ description: "What it would do to it." }))
  ),
  profileSlug: described(
    "Its kind: the slug of a profile.",
    Schema.optional(Schema.String.annotations({ description: "The kind of entity that it would write." }))
  ),
  targetType: described(
    "The type of what it writes.",
    Schema.optional(
      Schema.String.pipe(Schema.maxLength(64)).annotations({
        description: "The type of record, where several share a subject: `thread` or `message` of `channel`."
      })
    )
  ),
  door: described(
    "What it takes to pass.",
    Schema.optional(
      Schema.String.pipe(Schema.maxLength(120)).annotations({
        description: "Where it would come in. The ladder says the same at every door."
      })
    )
  )
})

export const PolicyChange = Schema.Struct({
  governanceMode: described(
    "Whether agents' writes wait for a person.",
    Schema.optional(Schema.Literal("standard", "agent-owned"))
  ),
  autoApproveFor: described(
    "What agents may do unasked.",
    Schema.optional(Schema.NullOr(Schema.Array(ActionPattern).pipe(Schema.maxItems(100))))
  )
})
export type PolicyChange = typeof PolicyChange.Type

export const RuleDraft = namingAgent("agentUserId", {
  agentUserId: Schema.optional(AgentId),
  scopeKind: described("Whether it holds for the pod or a workspace.", Schema.Literal("pod", "workspace")),
  workspaceId: Schema.optional(WorkspaceId),
  targetKind: described("What it is about: a kind, an operation …", Schema.Literal("action", "profile")),
  targetPattern: described(
    "Which of those it is about.",
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(120))
  ),
  targetProfile: described("The kind it is about.", Schema.optional(Schema.String.pipe(Schema.maxLength(64)))),
  verdict: described("What the gate said: allow, deny or propose.", Schema.Literal("auto", "propose")),
  sourceProposalId: described("The proposal it was learned from.", Schema.optional(Schema.UUID)),
  expiresAt: described("When it ends; null: never.", Schema.optional(TimestampInput))
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
  verdict: described("What the gate said: allow, deny or propose.", Schema.Literal("allow", "deny", "propose")),
  rung: described("The rule of the gate that decided.", Schema.String),
  reason: described("Why, for people.", Schema.optional(Schema.String)),
  code: described("Under which a refusal is answered.", Schema.NullOr(Schema.String))
}

export const GovernanceView = Schema.Struct({
  workspaceId: WorkspaceId,
  rbac: described(
    "What the caller's own role there lets them do.",
    Schema.Struct({
      role: described("What its holder may do there.", Schema.String),
      writes: described("What may be written.", Schema.Boolean),
      manages: described("Whether it may change who may do what.", Schema.Boolean)
    })
  ),
  ...WorkspacePolicy.fields,
  agentOverrides: described(
    "What every agent in the workspace does unasked, where somebody said so.",
    Schema.Array(
      Schema.Struct({
        ruleId: described("The rule it is about.", Schema.UUID),
        agentLabel: described("What the agent is called.", Schema.NullOr(Schema.String)),
        ...GovernanceRule.fields
      })
    )
  ),
  rungs: described("Every rung of the ladder, in order.", Schema.Array(Schema.String)),
  verdict: described(
    "What the ladder would say to the write that was asked about. What it writes besides is asked about by itself.",
    Schema.optional(
      Schema.Struct({
        ...said,
        permission: described("The permission it is about.", Schema.String),
        targetType: described(
          "The type of record that was taken to be meant; null where nothing of the sort is written here.",
          Schema.NullOr(Schema.String)
        ),
        orElse: described(
          "What it would say where something holds that only the record tells, or for another type of the subject.",
          Schema.Array(Schema.Struct({ when: described("When the rule acts.", Schema.String), ...said }))
        )
      })
    )
  )
}).annotations({ identifier: "Governance" })
