/**
 * Generators of random writes for the ladder, which is the ordered list of the gate's rules (rungs). All subjects,
 * kinds and policies occur, and each rung is reached often.
 */
import { DateTime } from "effect"
import fc from "fast-check"
import { type Subject, subjects } from "../../src/doors/Door.ts"
import type { MembershipRole } from "../../src/doors/Principal.ts"
import type { AgentPolicy, GovernanceRule } from "../../src/features/gate/Policy.ts"
import { decide, earlyVerdicts } from "../../src/features/gate/Ladder.ts"
import type { GatedWrite } from "../../src/features/gate/Write.ts"
import { person, principalOf, projects, roles, rowIds, spaces } from "./generators.ts"
import type { ModelWrite, ModelPolicy, ModelRule, LadderAnswer } from "./ladderModel.ts"
import { allowsObject, boundsFor, covers, kindsCovered } from "../../src/features/grants/GrantMatcher.ts"
import type { Credential, ModelGrant, Person } from "./model.ts"

const pick = <A>(values: ReadonlyArray<A>) => fc.constantFrom(...values)
const rarely = (times: number) => fc.nat(times).map((drawn) => drawn === 0)
const mostly = <A>(weight: number, value: A, other: fc.Arbitrary<A>) =>
  fc.oneof({ weight, arbitrary: fc.constant(value) }, { weight: 10 - weight, arbitrary: other })

const kinds = ["note", "knowledge", "task", "user_observation"]
const verbs = ["create", "update", "delete"] as const
/** Entities have the most rules of their own, so half of all writes are of entities. */
const subject = mostly<Subject>(5, "entity", pick(subjects))

const permission = fc.oneof(
  fc.constant("*"),
  pick(subjects),
  fc.tuple(pick(subjects), pick(["read", ...verbs, "*"])).map((parts) => parts.join(".")),
  fc.tuple(pick([...kinds, "*"]), pick(["read", ...verbs, "*"])).map((parts) => `entity.${parts.join(".")}`)
)

const axis = (values: ReadonlyArray<string>) => mostly<ReadonlyArray<string> | null>(8, null, fc.subarray([...values]))

const grant: fc.Arbitrary<ModelGrant> = fc.record({
  permissions: fc.oneof(
    { weight: 4, arbitrary: fc.constant(["*"]) },
    { weight: 5, arbitrary: fc.array(permission, { maxLength: 4 }) },
    // This grant allows writing entities but not reading them.
    { weight: 1, arbitrary: fc.constant(["entity.create", "entity.update", "entity.delete"]) }
  ),
  workspaceIds: axis(spaces),
  projectIds: mostly<ReadonlyArray<string> | null>(6, null, fc.subarray(projects, { minLength: 1 })),
  entityIds: axis(rowIds)
})

export const caller: fc.Arbitrary<Credential> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ kind: "session" as const }) },
  {
    weight: 19,
    arbitrary: fc.record({
      kind: fc.constant("key" as const),
      scopes: mostly<ReadonlyArray<string>>(
        8,
        ["hub-protocol.write"],
        pick([["hub-protocol.read"], ["hub-protocol.write", "probe"]])
      ),
      grant: mostly<ModelGrant | null>(4, null, grant),
      workspaceId: mostly<string | null>(9, null, pick(spaces)),
      capabilities: fc.oneof(
        { weight: 1, arbitrary: fc.constant(null) },
        { weight: 5, arbitrary: fc.constant(["*"]) },
        { weight: 4, arbitrary: fc.array(permission, { maxLength: 3 }) }
      )
    })
  }
)

/** A person with a role in nearly every space. Most of these roles allow the person to manage the space. */
export const member: fc.Arbitrary<Person> = fc
  .array(mostly<MembershipRole | null>(5, "owner", pick([...roles, null])), { minLength: 4, maxLength: 4 })
  .map((drawn) => ({
    id: person,
    roles: new Map([
      [person, "owner" as const],
      ...drawn.flatMap((one, at) => (one === null ? [] : [[spaces[at + 1], one] as const]))
    ])
  }))

const pattern = fc.oneof(
  { weight: 1, arbitrary: fc.constant("*") },
  { weight: 9, arbitrary: fc.tuple(subject, pick([...verbs, "*", "read"])).map((parts) => parts.join(".")) }
)

const rule: fc.Arbitrary<ModelRule> = fc.oneof(
  fc.record({
    of: fc.constant("action" as const),
    pattern,
    kind: mostly<string | null>(6, null, pick(kinds)),
    says: pick(["auto", "propose"] as const)
  }),
  fc.record({
    of: fc.constant("profile" as const),
    pattern: pick(kinds),
    kind: fc.constant(null),
    says: pick(["auto", "propose"] as const)
  })
)

const given: fc.Arbitrary<ModelPolicy> = fc.record({
  role: mostly<MembershipRole | null>(7, "editor", pick([...roles, null])),
  isRelaxed: fc.boolean(),
  isItsOwn: rarely(6),
  autoApproveFor: mostly<ReadonlyArray<string> | null>(6, null, fc.array(pattern, { maxLength: 3 })),
  rules: mostly<ReadonlyArray<ModelRule>>(5, [], fc.array(rule, { maxLength: 3 }))
})

export const policy: fc.Arbitrary<ModelPolicy | null> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 30, arbitrary: given }
)

const alone: fc.Arbitrary<ModelWrite> = fc.record({
  subject,
  action: pick(verbs),
  target: fc.record({
    id: mostly<string | null>(3, null, pick(rowIds)),
    spaceId: pick(spaces),
    kind: pick(kinds),
    projectIds: mostly<ReadonlyArray<string>>(6, [], fc.subarray(projects))
  }),
  isDirect: rarely(9),
  isOverwriting: rarely(9),
  isFiling: rarely(9),
  isForced: rarely(9),
  isSuggestion: rarely(9),
  isForPeople: rarely(19),
  discloses: mostly<ReadonlyArray<Subject>>(8, [], fc.subarray<Subject>(["entity", "facet"], { minLength: 1 })),
  isLeaving: rarely(9)
})

/** A write that files a new record in projects. A grant for these projects covers this write. */
const filing: fc.Arbitrary<ModelWrite> = fc.record({
  subject: pick(["relation", "project"]),
  action: pick(["create", "update"] as const),
  target: fc.record({
    id: fc.constant(null),
    spaceId: pick(spaces.slice(0, 4)),
    kind: pick(kinds),
    projectIds: fc.subarray(projects, { minLength: 1, maxLength: 2 })
  }),
  isFiling: fc.constant(true)
})

export const write: fc.Arbitrary<ModelWrite> = fc
  .tuple(
    fc.oneof({ weight: 1, arbitrary: filing }, { weight: 7, arbitrary: alone }),
    mostly<ReadonlyArray<ModelWrite>>(8, [], fc.array(alone, { maxLength: 2 }))
  )
  .map(([asked, also]) => ({ ...asked, also, showsRecord: asked.action === "update" }))

/** Returns the write in the form that the pod's gate accepts. */
export const gated = ({ action, also = [], discloses = [], subject: of, target, ...rest }: ModelWrite): GatedWrite => ({
  subject: of as Subject,
  kind: of === "entity" ? target.kind : null,
  action,
  object: {
    spaceId: target.spaceId,
    isPersonal: target.spaceId === person,
    objectId: target.id,
    projectIds: target.projectIds
  },
  also: also.map(gated),
  discloses: discloses as ReadonlyArray<Subject>,
  ...rest
})

const [somewhere] = rowIds

const ruleAsKept = ({ kind, of, pattern: targetPattern, says }: ModelRule): GovernanceRule => ({
  id: somewhere,
  principalKind: "any",
  agentUserId: null,
  scopeKind: "workspace",
  workspaceId: somewhere,
  targetKind: of,
  targetPattern,
  targetProfile: kind,
  verdict: says,
  createdBy: person,
  sourceProposalId: null,
  provenance: "authored",
  createdAt: DateTime.unsafeMake(0),
  expiresAt: null
})

/** Returns the policy in the form that the pod's gate accepts, for the agent with this id. */
export const policyOf = (policyGiven: ModelPolicy | null, agentId: string): AgentPolicy | undefined =>
  policyGiven === null
    ? undefined
    : {
        agentRole: policyGiven.role,
        writesRequireProposal: !policyGiven.isRelaxed,
        workspace: {
          governanceMode: "standard",
          autoApproveFor: policyGiven.autoApproveFor,
          linkedAgentId: policyGiven.isItsOwn ? agentId : null
        },
        rules: policyGiven.rules.map(ruleAsKept)
      }

export const matcher = { covers, kindsCovered, allowsObject, boundsFor }

/** Returns the pod's verdict on the write, and the rung (rule of the gate) that decided it. */
export const decided = (
  credential: Credential,
  who: Person,
  asked: ModelWrite,
  policyGiven: ModelPolicy | null
): LadderAnswer => {
  const principal = principalOf(credential, who)
  const early = earlyVerdicts(matcher, principal, gated(asked))
  const { rung, verdict } = decide(early, () => policyOf(policyGiven, principal.holder.id))
  return { verdict, rung }
}
