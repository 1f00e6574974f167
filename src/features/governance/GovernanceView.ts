/** The inputs and answers of governance: policies, rules, and dry runs of the gate. */
import { Schema } from "effect"
import { subjects } from "../../doors/Door.ts"
import { AgentId, WorkspaceId, described, namingAgent, TimestampInput } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { Verdict } from "../../doors/GateVerdict.ts"
import { subjectFault } from "../grants/Permission.ts"
import { GovernanceRule, WorkspacePolicy } from "../gate/Policy.ts"

const GatedSubject = Schema.Literal(...subjects)
const GatedAction = Schema.Literal("create", "update", "delete")

const pattern = /^(?:\*|[a-z][a-z_]*\.(?:\*|create|update))$/

/**
 * Returns the fault of a pattern that is not `<subject>.*`, `<subject>.create`, `<subject>.update` or `*`. A person
 * always approves deletes, so no pattern names a delete.
 */
const patternFault = (text: string): string | undefined =>
  pattern.test(text)
    ? subjectFault(text.split(".", 1)[0])
    : "Use `<subject>.create`, `<subject>.update`, `<subject>.*` or `*`. A governance rule cannot be about deletes, because deletes always need the approval of a person."

const ActionPattern = Schema.String.pipe(Schema.maxLength(120), Schema.filter(patternFault)).annotations({
  // Tests generate examples from this list, because random text would almost never be the name of a subject.
  arbitrary: () => (fc) => fc.constantFrom("*", "track.create", "document.*")
})

export const DryRun = Schema.Struct({
  agentUserId: AgentId,
  subjectType: described("Subject of the write, such as `entity`.", GatedSubject),
  action: described("Action of the write, such as `create`.", GatedAction),
  profileSlug: described("Entity kind (profile slug).", Schema.optional(Schema.String)),
  targetType: described("Type of the record that the write concerns.", Schema.optional(Schema.String))
})
export type DryRun = typeof DryRun.Type

export const GovernanceQuery = namingAgent("agentUserId", {
  agentUserId: Schema.optional(
    AgentId.annotations({ description: "Id of an agent of the caller: the verdict is about a write of this agent." })
  ),
  subjectType: described(
    "Subject of the write, such as `entity`.",
    Schema.optional(GatedSubject.annotations({ description: "The subject of the write to test." }))
  ),
  action: described(
    "Action of the write, such as `create`.",
    Schema.optional(GatedAction.annotations({ description: "The action of the write to test." }))
  ),
  profileSlug: described(
    "Entity kind (profile slug).",
    Schema.optional(Schema.String.annotations({ description: "The entity kind (profile slug) of the write to test." }))
  ),
  targetType: described(
    "Type of the record that the write concerns.",
    Schema.optional(
      Schema.String.pipe(Schema.maxLength(64)).annotations({
        description:
          "The type of the record, if several types share a subject. For example, `thread` and `message` share the subject `channel`."
      })
    )
  ),
  door: described(
    "Name of the operation with which the agent would make the write.",
    Schema.optional(
      Schema.String.pipe(Schema.maxLength(120)).annotations({
        description:
          "The name of the operation with which the agent would make the write. The operation does not change the verdict."
      })
    )
  )
})

export const PolicyChange = Schema.Struct({
  governanceMode: described(
    "Always `standard`. The pod refuses the older value `agent-owned`, because deletes by agents always need approval.",
    Schema.optional(Schema.Literal("standard"))
  ),
  autoApproveFor: described(
    "What agents may do without a person's approval.",
    Schema.optional(Schema.NullOr(Schema.Array(ActionPattern).pipe(Schema.maxItems(100))))
  )
})
export type PolicyChange = typeof PolicyChange.Type

export const GovernanceRuleDraft = namingAgent("agentUserId", {
  agentUserId: Schema.optional(AgentId),
  scopeKind: described("Whether the rule applies to the pod or to a workspace.", Schema.Literal("pod", "workspace")),
  workspaceId: Schema.optional(WorkspaceId),
  targetKind: described("Whether the rule is about an action or about a profile.", Schema.Literal("action", "profile")),
  targetPattern: described(
    "Action, such as `entity.create`, or the slug of the profile.",
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(120))
  ),
  targetProfile: described(
    "Entity kind (profile slug) that the rule is about.",
    Schema.optional(Schema.String.pipe(Schema.maxLength(64)))
  ),
  verdict: described("`auto`: carry out the write; `propose`: ask a person first.", Schema.Literal("auto", "propose")),
  sourceProposalId: described("Id of the proposal that the pod learned the rule from.", Schema.optional(Id)),
  expiresAt: described("Time when the rule ends; null means never.", Schema.optional(TimestampInput))
})
  .pipe(
    Schema.filter(({ targetKind, targetPattern }) => {
      // The schema refuses a pattern that matches no write. People would believe that a `propose` rule with such a
      // pattern protects them.
      const message = targetKind === "profile" ? undefined : patternFault(targetPattern)
      return message === undefined ? undefined : { path: ["targetPattern"], message }
    })
  )
  .annotations({ identifier: "GovernanceRuleDraft" })
export type GovernanceRuleDraft = typeof GovernanceRuleDraft.Type

const verdictFields = {
  verdict: Verdict,
  rung: described("The rung (access rule) that made this decision.", Schema.String),
  reason: described("Reason for the verdict, in words.", Schema.optional(Schema.String)),
  code: described("Code of the refusal; null without a refusal.", Schema.NullOr(Schema.String))
}

export const GovernanceView = Schema.Struct({
  workspaceId: WorkspaceId,
  rbac: described(
    "Rights of the caller in the workspace.",
    Schema.Struct({
      role: Schema.String,
      writes: described("Whether the membership role allows writes.", Schema.Boolean),
      manages: described("Whether the membership role allows changes to rights and governance rules.", Schema.Boolean)
    })
  ),
  ...WorkspacePolicy.fields,
  agentOverrides: described(
    "Governance rules that apply in the workspace.",
    Schema.Array(
      Schema.Struct({
        ruleId: Id,
        agentLabel: described("Name of the agent.", Schema.NullOr(Schema.String)),
        ...GovernanceRule.fields
      })
    )
  ),
  rungs: described("Every rung (access rule), in the order in which the pod tries them.", Schema.Array(Schema.String)),
  verdict: described(
    "Verdict on the write in the request. Other writes can get other verdicts.",
    Schema.optional(
      Schema.Struct({
        ...verdictFields,
        permission: described("Permission that the write needs.", Schema.String),
        targetType: described("Record type that the verdict is about; null if none.", Schema.NullOr(Schema.String)),
        orElse: described(
          "Verdicts that certain records or record types get instead.",
          Schema.Array(
            Schema.Struct({
              when: described("When this verdict applies.", Schema.String),
              ...verdictFields
            })
          )
        )
      })
    )
  )
}).annotations({ identifier: "Governance" })
