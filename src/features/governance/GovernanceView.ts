/** The inputs and answers of governance: policies, rules, and dry runs of the gate. */
import { Schema } from "effect"
import { subjects } from "../../doors/Door.ts"
import { AgentId, WorkspaceId, described, namingAgent, TimestampInput } from "../../doors/Fields.ts"
import { subjectFault } from "../grants/Permission.ts"
import { GovernanceRule, WorkspacePolicy } from "../gate/Policy.ts"

const GatedSubject = Schema.Literal(...subjects)
const GatedAction = Schema.Literal("create", "update", "delete")

const pattern = /^(?:\*|[a-z][a-z_]*\.(?:\*|create|update))$/

/** `<subject>.*`, `<subject>.create`, `<subject>.update` or `*`. A person always approves deletes, so they are not listed. */
const patternFault = (text: string): string | undefined =>
  pattern.test(text)
    ? subjectFault(text.split(".", 1)[0])
    : "Use <subject>.create, <subject>.update, <subject>.* or *; a person always approves deletes."

const ActionPattern = Schema.String.pipe(Schema.maxLength(120), Schema.filter(patternFault)).annotations({
  // Random text is almost never the name of a subject.
  arbitrary: () => (fc) => fc.constantFrom("*", "track.create", "document.*")
})

export const DryRun = Schema.Struct({
  agentUserId: AgentId,
  subjectType: described("The subject of the write, such as `entity`.", GatedSubject),
  action: described("The action of the write.", GatedAction),
  profileSlug: described("Its kind: the slug of a profile.", Schema.optional(Schema.String)),
  targetType: described("The type of record that it writes.", Schema.optional(Schema.String))
})
export type DryRun = typeof DryRun.Type

export const GovernanceQuery = namingAgent("agentUserId", {
  agentUserId: Schema.optional(AgentId.annotations({ description: "An agent of the caller's, for a dry run." })),
  subjectType: described(
    "The subject of the write, such as `entity`.",
    Schema.optional(GatedSubject.annotations({ description: "The subject that it would write." }))
  ),
  action: described(
    "The action of the write.",
    Schema.optional(GatedAction.annotations({ description: "The action that it would take." }))
  ),
  profileSlug: described(
    "Its kind: the slug of a profile.",
    Schema.optional(Schema.String.annotations({ description: "The kind of entity that it would write." }))
  ),
  targetType: described(
    "The type of record that it writes.",
    Schema.optional(
      Schema.String.pipe(Schema.maxLength(64)).annotations({
        description: "The type of record when several share a subject: `thread` or `message` of `channel`."
      })
    )
  ),
  door: described(
    "The operation that would make the write.",
    Schema.optional(
      Schema.String.pipe(Schema.maxLength(120)).annotations({
        description: "The operation that would make the write. It does not change the verdict."
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
    "What agents may do without asking.",
    Schema.optional(Schema.NullOr(Schema.Array(ActionPattern).pipe(Schema.maxItems(100))))
  )
})
export type PolicyChange = typeof PolicyChange.Type

export const RuleDraft = namingAgent("agentUserId", {
  agentUserId: Schema.optional(AgentId),
  scopeKind: described("Whether it applies to the pod or to a workspace.", Schema.Literal("pod", "workspace")),
  workspaceId: Schema.optional(WorkspaceId),
  targetKind: described("Whether it is about an action or about a profile.", Schema.Literal("action", "profile")),
  targetPattern: described(
    "The action, such as `entity.create`, or the slug of the profile.",
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(120))
  ),
  targetProfile: described("The kind it is about.", Schema.optional(Schema.String.pipe(Schema.maxLength(64)))),
  verdict: described("`auto`: carry it out; `propose`: ask a person first.", Schema.Literal("auto", "propose")),
  sourceProposalId: described("The proposal it was learned from.", Schema.optional(Schema.UUID)),
  expiresAt: described("When it ends; null: never.", Schema.optional(TimestampInput))
})
  .pipe(
    Schema.filter(({ targetKind, targetPattern }) => {
      // People would believe that a `propose` rule protects them although its pattern matches no write.
      const message = targetKind === "profile" ? undefined : patternFault(targetPattern)
      return message === undefined ? undefined : { path: ["targetPattern"], message }
    })
  )
  .annotations({ identifier: "GovernanceRuleDraft" })
export type RuleDraft = typeof RuleDraft.Type

const verdictFields = {
  verdict: described("The verdict of the gate.", Schema.Literal("allow", "deny", "propose")),
  rung: described("The rule of the gate that decided.", Schema.String),
  reason: described("Why, for people.", Schema.optional(Schema.String)),
  code: described("The code of the refusal; null when it is not refused.", Schema.NullOr(Schema.String))
}

export const GovernanceView = Schema.Struct({
  workspaceId: WorkspaceId,
  rbac: described(
    "What the caller's own role in the workspace allows.",
    Schema.Struct({
      role: described("The caller's role in the workspace.", Schema.String),
      writes: described("Whether the role may write.", Schema.Boolean),
      manages: described("Whether the role may change who may do what.", Schema.Boolean)
    })
  ),
  ...WorkspacePolicy.fields,
  agentOverrides: described(
    "The rules in force for agents in the workspace.",
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
    "The verdict on the write of the dry run. It does not include further writes: ask about each of them.",
    Schema.optional(
      Schema.Struct({
        ...verdictFields,
        permission: described("The permission that the write needs.", Schema.String),
        targetType: described(
          "The type of record that the verdict assumes; null when the pod has no such type.",
          Schema.NullOr(Schema.String)
        ),
        orElse: described(
          "Other verdicts, for facts that only the record shows, or for another type of the subject.",
          Schema.Array(
            Schema.Struct({ when: described("When this verdict applies.", Schema.String), ...verdictFields })
          )
        )
      })
    )
  )
}).annotations({ identifier: "Governance" })
