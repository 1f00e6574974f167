/**
 * A second, independent version of the gate's rules for writes, after the specification (§5.2) and the compatibility
 * reference (§5.1, §5.2).
 */
import {
  type Credential,
  grantAllows,
  keyOf,
  type ModelKey,
  mayInRole,
  permits,
  type Person,
  type MembershipRole,
  type Target,
  mayTouch,
  unnamedKind,
  type Verb
} from "./model.ts"

/** A write in the form that this model of the gate accepts. The kind in `target` has a meaning for entities only. */
export interface ModelWrite {
  readonly subject: string
  readonly action: Exclude<Verb, "read">
  readonly target: Target
  /** Further writes that belong to this write, such as a link. */
  readonly also?: ReadonlyArray<ModelWrite>
  readonly isDirect?: boolean
  /** True when the write would overwrite what a person wrote. */
  readonly isOverwriting?: boolean
  /** True when the write files a new record in projects. */
  readonly isFiling?: boolean
  readonly isForced?: boolean
  readonly isSuggestion?: boolean
  readonly isForPeople?: boolean
  /** The subjects whose records in the space of the write become public. */
  readonly discloses?: ReadonlyArray<string>
  /** True when the answer shows fields of the record that the caller did not send. */
  readonly showsRecord?: boolean
  /** True when the write ends the caller's own membership. */
  readonly isLeaving?: boolean
}

/** A rule of a person about agents' writes. */
export interface ModelRule {
  /** What the pattern names: an action, or the profile of an entity. */
  readonly of: "action" | "profile"
  readonly pattern: string
  /** For a rule about actions: the only kind to which the rule applies. Null means every kind. */
  readonly kind: string | null
  readonly says: "auto" | "propose"
}

/** What limits one agent in one space, apart from its grant and its capabilities. */
export interface ModelPolicy {
  /** The agent's own role in this space. Null if the agent has no role there. */
  readonly role: MembershipRole | null
  /** True if the person lets the agent do some actions without approval (relaxed). A new agent is not relaxed. */
  readonly isRelaxed: boolean
  /** True if the space is a workspace that was created for this agent. */
  readonly isItsOwn: boolean
  /** The actions that the workspace approves for every agent. Null if the workspace has no such list. */
  readonly autoApproveFor: ReadonlyArray<string> | null
  readonly rules: ReadonlyArray<ModelRule>
}

export interface LadderAnswer {
  readonly verdict: "allow" | "deny" | "propose"
  readonly rung: string
}

interface Case {
  readonly key: ModelKey | undefined
  readonly person: Person
  readonly write: ModelWrite
  /** Null means that the policy is unknown. Then every write is denied. */
  readonly policy: ModelPolicy | null
}

/** The subjects whose writes change who may do what. */
const administrative = new Set(["workspace", "member", "agent", "apiKey", "role"])

/** The actions that a relaxed agent may do without approval in this pod (§5.2). `session` means focus sessions. */
const unasked = `
  view.create profile.create profile.update property_def.create property_def.update entity.create entity.update
  document.create relation.create channel.create session.create session.update`
  .trim()
  .split(/\s+/)

const fits = (pattern: string, { action, subject }: ModelWrite) => {
  const [first, second, ...more] = pattern.split(".")
  if (first === "*") return second === undefined
  return first === subject && (second === "*" || second === action) && more.length === 0
}

const isAbout = ({ kind, of, pattern }: ModelRule, write: ModelWrite) => {
  const kindWritten = write.subject === "entity" ? write.target.kind : null
  return of === "profile" ? kindWritten === pattern : fits(pattern, write) && (kind === null || kind === kindWritten)
}

const isAgent = ({ key }: Case) => key !== undefined && key.capabilities !== null

/**
 * A key whose grant is limited to projects may put new records in these projects without a separate permission.
 * Otherwise the key could create nothing in the projects. It may not put records in any other project.
 */
const comesWithTheProject = ({ key, write }: Case) => {
  const { projectIds } = write.target
  const own = key?.grant?.projectIds ?? []
  return write.isFiling === true && projectIds.length > 0 && !projectIds.some((project) => !own.includes(project))
}

/**
 * The rungs (rules of the gate) that refuse. Each function tells whether its rung refuses a write. A refused write
 * never becomes a proposal.
 */
const refusals: Readonly<Record<string, (asked: Case) => boolean>> = {
  // If a key may not use a workspace, the pod does not tell the key whether the workspace exists. Everybody knows that
  // the key's person has an own space, so the pod does not hide this space.
  confinement: ({ key, person, write: { target } }) =>
    (key?.workspaceId ?? target.spaceId) !== target.spaceId ||
    (target.spaceId !== person.id && key?.grant?.workspaceIds?.includes(target.spaceId) === false),
  membership: ({ person, write }) => {
    const role = person.roles.get(write.target.spaceId)
    if (write.isLeaving === true) return role === undefined
    return !mayInRole(role, write.action) || (administrative.has(write.subject) && !mayInRole(role, "delete"))
  },
  grant: (asked) => {
    const { key, person, write } = asked
    return (
      !comesWithTheProject(asked) && !grantAllows(key?.grant ?? null, person, write.subject, write.action, write.target)
    )
  },
  // A caller may not make a record public if the caller may not read this record.
  disclosure: ({ key, write }) => {
    const grant = key?.grant ?? null
    const seesPart =
      grant !== null &&
      (grant.projectIds !== null ||
        grant.entityIds !== null ||
        grant.workspaceIds?.includes(write.target.spaceId) === false)
    return (write.discloses ?? []).some(
      (subject) => seesPart || (grant !== null && !permits(grant.permissions, subject, unnamedKind, "read"))
    )
  },
  // The answer to an update shows every field of the record. So the pod refuses an update by a caller who may not read
  // the record.
  reading: (asked) => {
    const { key, write } = asked
    const grant = key?.grant ?? null
    return (
      write.showsRecord === true &&
      !comesWithTheProject(asked) &&
      grant !== null &&
      !permits(grant.permissions, write.subject, write.target.kind, "read")
    )
  },
  // A key with the scope `probe` may write only new records without a unique name, because only these can stay hidden
  // (specification §5.3).
  probe: ({ key, write }) =>
    (key?.scopes.includes("probe") ?? false) &&
    !(
      write.action === "create" &&
      !(write.subject === "entity" && write.target.kind === "knowledge") &&
      ["entity", "document", "project", "track", "view", "artifact"].includes(write.subject)
    ),
  forPeople: (asked) => isAgent(asked) && asked.write.isForPeople === true,
  capabilities: (asked) => {
    const { key, write } = asked
    // An agent without capabilities can only read, because an empty list never means everything (§2.3).
    return (
      isAgent(asked) &&
      !comesWithTheProject(asked) &&
      !permits(key?.capabilities ?? [], write.subject, write.target.kind, write.action)
    )
  }
}

type Step = readonly [rung: string, verdict: "allow" | "deny" | "propose", applies: (asked: Known) => boolean]
type Known = Case & { readonly policy: ModelPolicy }

/** The rungs (rules of the gate) for an agent after the refusals. The first rung that applies decides. */
const steps: ReadonlyArray<Step> = [
  ["enrolment", "propose", ({ policy }) => policy.role === null],
  ["agentRole", "deny", ({ policy }) => policy.role === "viewer"],
  ["administrative", "propose", ({ write }) => administrative.has(write.subject)],
  ["forced", "propose", ({ write }) => write.isForced === true],
  ["destructive", "propose", ({ write }) => write.action === "delete"],
  // Without approval, an agent never overwrites what a person wrote, even if a rule lets the agent write.
  ["overwriting", "propose", ({ write }) => write.isOverwriting === true],
  ["observation", "propose", ({ write }) => write.subject === "entity" && write.target.kind === "user_observation"],
  // The gate decides separately whether the record that is put in the project may be created.
  ["filing", "allow", comesWithTheProject],
  // When two rules disagree, the one that demands approval wins.
  [
    "rule",
    "propose",
    ({ policy, write }) => policy.rules.some((rule) => rule.says === "propose" && isAbout(rule, write))
  ],
  ["rule", "allow", ({ policy, write }) => policy.rules.some((rule) => isAbout(rule, write))],
  // Writes of knowledge, memory and events are applied directly, because their answers have no place for a proposal.
  // The gate checks the governance rules before this step.
  ["direct", "allow", ({ write }) => write.isDirect === true],
  ["ownWorkspace", "allow", ({ policy }) => policy.isItsOwn],
  ["workspacePolicy", "allow", ({ policy, write }) => (policy.autoApproveFor ?? []).some((one) => fits(one, write))],
  ["writesRequireProposal", "propose", ({ policy }) => !policy.isRelaxed],
  ["defaultList", "allow", ({ write }) => unasked.some((one) => fits(one, write))],
  ["otherwise", "propose", () => true]
]

const gravity = { allow: 0, propose: 1, deny: 2 }

/**
 * Returns the gate's verdict on a write, and the rung (rule) that gives it. For people, only the role and the grant
 * decide.
 */
export const expectedVerdict = (
  credential: Credential,
  person: Person,
  write: ModelWrite,
  policy: ModelPolicy | null
): LadderAnswer => {
  const asked: Case = { key: keyOf(credential), person, write, policy }
  for (const each of [write, ...(write.also ?? [])]) {
    for (const [rung, refuses] of Object.entries(refusals)) {
      if (refuses({ ...asked, write: each })) return { verdict: "deny", rung }
    }
  }
  if (!isAgent(asked)) {
    return [write, ...(write.also ?? [])].some(({ isSuggestion }) => isSuggestion === true)
      ? { verdict: "propose", rung: "suggestion" }
      : { verdict: "allow", rung: "person" }
  }
  if (policy === null) return { verdict: "deny", rung: "agentRole" }
  // Each part of a write is judged separately. The answer is the strictest verdict, with the rung of the first part
  // that got this verdict.
  const parts = [write, ...(write.also ?? [])].map((each) => {
    const [rung, verdict] = steps.find(([, , applies]) => applies({ ...asked, write: each, policy }))!
    return { verdict, rung }
  })
  return parts.reduce((one, other) => (gravity[other.verdict] > gravity[one.verdict] ? other : one))
}

export type WriteAnswer = "allowed" | "proposed" | "absent" | { readonly refused: string }

/** The error codes that callers get from the rungs (rules of the gate) that refuse. */
export const refusalCodes: Readonly<Record<string, string>> = {
  confinement: "WORKSPACE_FORBIDDEN",
  membership: "WORKSPACE_FORBIDDEN",
  agentRole: "WORKSPACE_FORBIDDEN",
  grant: "GRANT_DENIED",
  disclosure: "GRANT_DENIED",
  reading: "GRANT_DENIED",
  probe: "PROBE_UNSUPPORTED",
  forPeople: "PEOPLE_ONLY",
  capabilities: "CAPABILITY_MISSING"
}

/**
 * Returns the policy of an agent that is not relaxed. The agent is owner in the person's own space and has no role in a
 * workspace.
 */
export const defaultPolicy = (person: Person, spaceId: string): ModelPolicy => ({
  role: spaceId === person.id ? "owner" : null,
  isRelaxed: false,
  isItsOwn: false,
  autoApproveFor: null,
  rules: []
})

/** Returns the expected answer to the write of an entity, for a caller that the operation has admitted. */
export const expectedWrite = (
  credential: Credential,
  person: Person,
  action: Exclude<Verb, "read">,
  target: Target,
  policy: ModelPolicy = defaultPolicy(person, target.spaceId)
): WriteAnswer => {
  const isThere =
    target.id === null || mayTouch(credential, person, action, target) || mayTouch(credential, person, "read", target)
  if (!isThere) return "absent"
  // Filing a new row also makes a link and changes the project. The grant must cover both of these writes (§5.2 rule
  // 4), unless the grant is for exactly this project.
  const filing = (subject: string, verb: "create" | "update", id: string | null): ModelWrite => ({
    subject,
    action: verb,
    target: { ...target, id, kind: unnamedKind },
    isFiling: true
  })
  const [project] = action === "create" ? target.projectIds : []
  const also = project === undefined ? [] : [filing("project", "update", project), filing("relation", "create", null)]
  const write: ModelWrite = { subject: "entity", action, target, also, showsRecord: action === "update" }
  const { rung, verdict } = expectedVerdict(credential, person, write, policy)
  return verdict === "allow" ? "allowed" : verdict === "propose" ? "proposed" : { refused: refusalCodes[rung] }
}
