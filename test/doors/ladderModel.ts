/**
 * A second, independent ladder for writes, after the specification (§5.2) and the compatibility reference (§5.1,
 * §5.2).
 */
import {
  type Credential,
  grantAllows,
  keyOf,
  type ModelKey,
  mayInRole,
  permits,
  type Person,
  type Role,
  type Target,
  mayTouch,
  unnamedKind,
  type Verb
} from "./model.ts"

/** A write in the form that the gate takes. The kind in `target` has a meaning for entities only. */
export interface ModelWrite {
  readonly subject: string
  readonly action: Exclude<Verb, "read">
  readonly target: Target
  /** What it also writes, such as a link. */
  readonly also?: ReadonlyArray<ModelWrite>
  readonly isDirect?: boolean
  /** True when it would overwrite what a person wrote. */
  readonly isOverwriting?: boolean
  /** True when it files a new record in projects. */
  readonly isFiling?: boolean
  readonly isForced?: boolean
  readonly isSuggestion?: boolean
  readonly isForPeople?: boolean
  /** True when it ends the caller's own membership. */
  readonly isLeaving?: boolean
}

/** A rule of a person about agents' writes. */
export interface ModelRule {
  /** For a rule about actions: it applies to this kind only. */
  readonly of: "action" | "profile"
  readonly pattern: string
  /** For a rule about actions: of this kind only. */
  readonly kind: string | null
  readonly says: "auto" | "propose"
}

/** What limits one agent in one space, apart from its grant and its capabilities. */
export interface ModelPolicy {
  /** The agent's own role there; null where it was never let in. */
  readonly role: Role | null
  /** Whether its person relaxed it. New agents are not relaxed. */
  readonly isRelaxed: boolean
  /** Whether the workspace is the agent's own. */
  readonly isItsOwn: boolean
  /** What the workspace lets every agent do; null where it has no such list. */
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
  /** null: the policy is unknown, and then everything is denied. */
  readonly policy: ModelPolicy | null
}

/** Writes that change who may do what. */
const administrative = new Set(["workspace", "member", "agent", "apiKey", "role"])

/**
 * What a relaxed agent may do without approval (§5.2), of the actions that this pod has; focus sessions are `session`.
 */
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
 * A key for a project could create nothing in it if it did not also cover filing there. So it covers filing in its own
 * projects and in no other, without a permission for it.
 */
const comesWithTheProject = ({ key, write }: Case) => {
  const { projectIds } = write.target
  const own = key?.grant?.projectIds ?? []
  return write.isFiling === true && projectIds.length > 0 && !projectIds.some((project) => !own.includes(project))
}

/** The rungs that refuse; each entry tells whether it refuses. A refused write is never queued. */
const refusals: Readonly<Record<string, (asked: Case) => boolean>> = {
  confinement: ({ key, write }) => (key?.workspaceId ?? write.target.spaceId) !== write.target.spaceId,
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
  // What a probe writes can be hidden only where it is new and takes no name that must be unique (specification §5.3).
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
    // An agent without capabilities can only read; an empty list never means everything (§2.3).
    return (
      isAgent(asked) &&
      !comesWithTheProject(asked) &&
      !permits(key?.capabilities ?? [], write.subject, write.target.kind, write.action)
    )
  }
}

type Step = readonly [rung: string, verdict: "allow" | "deny" | "propose", applies: (asked: Known) => boolean]
type Known = Case & { readonly policy: ModelPolicy }

/** The steps after the refusals, for an agent: the first that applies decides. */
const steps: ReadonlyArray<Step> = [
  ["enrolment", "propose", ({ policy }) => policy.role === null],
  ["agentRole", "deny", ({ policy }) => policy.role === "viewer"],
  ["administrative", "propose", ({ write }) => administrative.has(write.subject)],
  ["forced", "propose", ({ write }) => write.isForced === true],
  ["destructive", "propose", ({ write }) => write.action === "delete"],
  // What a person wrote is never overwritten without approval, even if a rule lets the agent write.
  ["overwriting", "propose", ({ write }) => write.isOverwriting === true],
  ["observation", "propose", ({ write }) => write.subject === "entity" && write.target.kind === "user_observation"],
  // The filed record itself is judged separately.
  ["filing", "allow", comesWithTheProject],
  // When two rules disagree, the one that demands approval wins.
  [
    "rule",
    "propose",
    ({ policy, write }) => policy.rules.some((rule) => rule.says === "propose" && isAbout(rule, write))
  ],
  ["rule", "allow", ({ policy, write }) => policy.rules.some((rule) => isAbout(rule, write))],
  // Knowledge, memory and events: their answers cannot hold a proposal. Rules are checked earlier.
  ["direct", "allow", ({ write }) => write.isDirect === true],
  ["ownWorkspace", "allow", ({ policy }) => policy.isItsOwn],
  ["workspacePolicy", "allow", ({ policy, write }) => (policy.autoApproveFor ?? []).some((one) => fits(one, write))],
  ["writesRequireProposal", "propose", ({ policy }) => !policy.isRelaxed],
  ["defaultList", "allow", ({ write }) => unasked.some((one) => fits(one, write))],
  ["otherwise", "propose", () => true]
]

const gravity = { allow: 0, propose: 1, deny: 2 }

/** The gate's verdict on a write, and the rung that gives it. People are limited by role and grant only. */
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
  // Each part is judged separately; the strictest verdict counts, and the first part with that verdict.
  const parts = [write, ...(write.also ?? [])].map((each) => {
    const [rung, verdict] = steps.find(([, , applies]) => applies({ ...asked, write: each, policy }))!
    return { verdict, rung }
  })
  return parts.reduce((one, other) => (gravity[other.verdict] > gravity[one.verdict] ? other : one))
}

export type WriteAnswer = "allowed" | "proposed" | "absent" | { readonly refused: string }

/** The codes that callers get for the rungs that refuse. */
export const refusalCodes: Readonly<Record<string, string>> = {
  confinement: "WORKSPACE_FORBIDDEN",
  membership: "WORKSPACE_FORBIDDEN",
  agentRole: "WORKSPACE_FORBIDDEN",
  grant: "GRANT_DENIED",
  probe: "PROBE_UNSUPPORTED",
  forPeople: "PEOPLE_ONLY",
  capabilities: "CAPABILITY_MISSING"
}

/** The policy of an agent that its person did not relax: owner in the person's own space, and in no workspace. */
export const defaultPolicy = (person: Person, spaceId: string): ModelPolicy => ({
  role: spaceId === person.id ? "owner" : null,
  isRelaxed: false,
  isItsOwn: false,
  autoApproveFor: null,
  rules: []
})

/** The caller's answer to a write of an entity that passed its door. */
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
  // Filing a new row also makes a link and changes the project. Both must be in the grant too (§5.2 rule 4), unless
  // the grant is for that very project.
  const filing = (subject: string, verb: "create" | "update", id: string | null): ModelWrite => ({
    subject,
    action: verb,
    target: { ...target, id, kind: unnamedKind },
    isFiling: true
  })
  const [project] = action === "create" ? target.projectIds : []
  const also = project === undefined ? [] : [filing("project", "update", project), filing("relation", "create", null)]
  const write: ModelWrite = { subject: "entity", action, target, also }
  const { rung, verdict } = expectedVerdict(credential, person, write, policy)
  return verdict === "allow" ? "allowed" : verdict === "propose" ? "proposed" : { refused: refusalCodes[rung] }
}
