/** One example for each rung (rule of the gate). The pod and the model must make the same decision on each example. */
import { assert, describe, it } from "@effect/vitest"
import { decided } from "./ladderGenerators.ts"
import { expectedVerdict } from "./ladderModel.ts"
import {
  anAgentsKey,
  aWrite,
  elsewhere,
  ownerOfBothSpaces,
  home,
  personInRole,
  limitedGrant,
  relaxedPolicy,
  rule,
  workspace
} from "./ladderParts.ts"

type Example = readonly [
  words: string,
  verdict: "allow" | "deny" | "propose",
  rung: string,
  ...Parameters<typeof decided>
]
const aKey = anAgentsKey()
const examples: ReadonlyArray<Example> = [
  [
    "the governance gate refuses a write outside the workspace to which the key is limited",
    "deny",
    "confinement",
    anAgentsKey({ workspaceId: home }),
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy()
  ],
  [
    "the governance gate refuses a write of a person who is not a member of the workspace",
    "deny",
    "membership",
    aKey,
    ownerOfBothSpaces,
    aWrite({}, "note", elsewhere),
    relaxedPolicy()
  ],
  [
    "a key with the scope `probe` cannot change a record that other people see",
    "deny",
    "probe",
    anAgentsKey({ scopes: ["hub-protocol.write", "probe"] }),
    ownerOfBothSpaces,
    aWrite({ action: "update" }),
    relaxedPolicy()
  ],
  [
    "an agent of a viewer cannot write in the workspace",
    "deny",
    "membership",
    aKey,
    personInRole("viewer"),
    aWrite(),
    relaxedPolicy()
  ],
  [
    "an agent of an editor cannot delete records in the workspace",
    "deny",
    "membership",
    aKey,
    personInRole("editor"),
    aWrite({ action: "delete" }),
    relaxedPolicy()
  ],
  [
    "an editor of a workspace cannot manage its members",
    "deny",
    "membership",
    { kind: "session" },
    personInRole("editor"),
    aWrite({ subject: "member" }),
    null
  ],
  [
    "a viewer of a workspace can leave it",
    "allow",
    "person",
    { kind: "session" },
    personInRole("viewer"),
    aWrite({ subject: "member", action: "delete", isLeaving: true }),
    null
  ],
  [
    "a person who is not a member of a workspace cannot leave it",
    "deny",
    "membership",
    { kind: "session" },
    ownerOfBothSpaces,
    aWrite({ subject: "member", action: "delete", isLeaving: true }, "note", elsewhere),
    null
  ],
  [
    "an admin of a workspace can manage its members",
    "allow",
    "person",
    { kind: "session" },
    personInRole("admin"),
    aWrite({ subject: "member" }),
    null
  ],
  [
    "the governance gate refuses a write of a record kind outside the grant of the key",
    "deny",
    "grant",
    anAgentsKey(limitedGrant(["entity.task"])),
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy()
  ],
  [
    "a key with a grant for single objects cannot create a record",
    "deny",
    "grant",
    anAgentsKey(limitedGrant(["*"], [workspace])),
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy()
  ],
  [
    "a caller who may not read all entities of a workspace cannot make these entities public",
    "deny",
    "disclosure",
    anAgentsKey(limitedGrant(["workspace.update", "entity.note.read", "facet.read"])),
    ownerOfBothSpaces,
    aWrite({ subject: "workspace", action: "update", discloses: ["entity", "facet"] }),
    relaxedPolicy()
  ],
  [
    "a caller who may read all entities of a workspace can make these entities public",
    "allow",
    "person",
    { ...anAgentsKey(limitedGrant(["workspace.update", "entity.read", "facet.read"])), capabilities: null },
    ownerOfBothSpaces,
    aWrite({ subject: "workspace", action: "update", discloses: ["entity", "facet"] }),
    null
  ],
  [
    "a caller who may not read a record cannot change it, because the answer shows the whole record",
    "deny",
    "reading",
    anAgentsKey(limitedGrant(["entity.note.update", "entity.task.read"])),
    ownerOfBothSpaces,
    aWrite({ action: "update", showsRecord: true }),
    relaxedPolicy()
  ],
  [
    "a caller with the permission to change a record can change it if the caller may also read it",
    "allow",
    "person",
    { ...anAgentsKey(limitedGrant(["entity.note.update", "entity.note.read"])), capabilities: null },
    ownerOfBothSpaces,
    aWrite({ action: "update", showsRecord: true }),
    null
  ],
  [
    "the governance gate refuses a whole write if it contains a link to a record outside the grant of the key",
    "deny",
    "grant",
    anAgentsKey(limitedGrant(["entity"])),
    ownerOfBothSpaces,
    aWrite({ also: [aWrite({ subject: "relation" })] }),
    relaxedPolicy()
  ],
  [
    "an agent cannot make a write that only people may make, whatever the governance rules allow",
    "deny",
    "forPeople",
    aKey,
    ownerOfBothSpaces,
    aWrite({ isForPeople: true }),
    relaxedPolicy({ rules: [rule("auto", "*")], autoApproveFor: ["*"], isItsOwn: true })
  ],
  [
    "an agent without capabilities cannot create a record",
    "deny",
    "capabilities",
    anAgentsKey({ capabilities: [] }),
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy()
  ],
  [
    "an agent's capability for one kind does not allow writes of another kind",
    "deny",
    "capabilities",
    anAgentsKey({ capabilities: ["entity.task"] }),
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy()
  ],
  [
    "the governance gate refuses a write of an agent whose policy is unknown",
    "deny",
    "agentRole",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    null
  ],
  [
    "an agent with the role `viewer` cannot write, even if the person who owns the agent can",
    "deny",
    "agentRole",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy({ role: "viewer" })
  ],
  [
    "if an agent writes in a workspace that it has not joined, the write becomes a request to join",
    "propose",
    "enrolment",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy({ role: null })
  ],
  [
    "an agent's write that changes access rights needs approval, even if the governance rules and the workspace allow every write",
    "propose",
    "administrative",
    aKey,
    ownerOfBothSpaces,
    aWrite({ subject: "agent", action: "update" }),
    relaxedPolicy({ rules: [rule("auto", "*")], autoApproveFor: ["*"] })
  ],
  [
    "a write for which the caller asks for approval becomes a proposal",
    "propose",
    "forced",
    aKey,
    ownerOfBothSpaces,
    aWrite({ isForced: true }),
    relaxedPolicy()
  ],
  [
    "a write that a person sends as a suggestion becomes a proposal",
    "propose",
    "suggestion",
    { kind: "session" },
    ownerOfBothSpaces,
    aWrite({ isSuggestion: true }),
    null
  ],
  [
    "an agent's delete needs approval, even in the agent's own workspace and with a governance rule that allows the delete",
    "propose",
    "destructive",
    aKey,
    ownerOfBothSpaces,
    aWrite({ action: "delete" }),
    relaxedPolicy({ rules: [rule("auto", "entity.*")], isItsOwn: true, autoApproveFor: ["*"] })
  ],
  [
    "if the answer of an operation cannot contain a proposal, the governance gate allows a write that would otherwise need approval",
    "allow",
    "direct",
    aKey,
    ownerOfBothSpaces,
    aWrite({ isDirect: true }),
    relaxedPolicy({ isRelaxed: false })
  ],
  [
    "an agent's delete becomes a proposal, even if the agent's other writes are applied directly",
    "propose",
    "destructive",
    aKey,
    ownerOfBothSpaces,
    aWrite({ action: "delete", isDirect: true }),
    relaxedPolicy()
  ],
  [
    "if an agent writes what it has observed about the person who owns it, the write needs approval",
    "propose",
    "observation",
    aKey,
    ownerOfBothSpaces,
    aWrite({}, "user_observation"),
    relaxedPolicy()
  ],
  [
    "a governance rule can allow an agent's write that would otherwise need approval",
    "allow",
    "rule",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy({ isRelaxed: false, rules: [rule("auto")] })
  ],
  [
    "a governance rule can require approval for an agent's write that would otherwise be applied directly",
    "propose",
    "rule",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy({ rules: [rule("propose")] })
  ],
  [
    "if one governance rule requires approval and another rule allows the write, the write needs approval",
    "propose",
    "rule",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy({ rules: [rule("auto"), rule("propose")] })
  ],
  [
    "a governance rule for one kind does not apply to writes of another kind",
    "propose",
    "writesRequireProposal",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy({ isRelaxed: false, rules: [rule("auto", "entity.*", "task")] })
  ],
  [
    "an agent may write in its own workspace without approval",
    "allow",
    "ownWorkspace",
    aKey,
    ownerOfBothSpaces,
    aWrite({ subject: "view", action: "update" }),
    relaxedPolicy({ isRelaxed: false, isItsOwn: true })
  ],
  [
    "the policy of a workspace can allow every agent to make a write without approval",
    "allow",
    "workspacePolicy",
    aKey,
    ownerOfBothSpaces,
    aWrite({ subject: "track" }),
    relaxedPolicy({ isRelaxed: false, autoApproveFor: ["track.*"] })
  ],
  [
    "a new record of a new agent needs approval",
    "propose",
    "writesRequireProposal",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy({ isRelaxed: false })
  ],
  [
    "if a person has turned approvals off for an agent, the agent may make the writes in the pod's default list without approval",
    "allow",
    "defaultList",
    aKey,
    ownerOfBothSpaces,
    aWrite({ action: "update" }),
    relaxedPolicy()
  ],
  [
    "if a person has turned approvals off for an agent, the agent still needs approval for a write that is not in the pod's default list",
    "propose",
    "otherwise",
    aKey,
    ownerOfBothSpaces,
    aWrite({ subject: "track" }),
    relaxedPolicy()
  ]
]

describe("each rule of the governance gate decides when no earlier rule applies", () => {
  for (const [words, verdict, rung, ...asked] of examples) {
    const expected = { verdict, rung }
    it(words, () => assert.deepStrictEqual([decided(...asked), expectedVerdict(...asked)], [expected, expected]))
  }
})
