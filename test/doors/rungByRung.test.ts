/** One example for each rung of the ladder; the pod and the model must decide each alike. */
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
    "a key that is bound to another space is refused",
    "deny",
    "confinement",
    anAgentsKey({ workspaceId: home }),
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy()
  ],
  [
    "a person who is not a member of the space is refused",
    "deny",
    "membership",
    aKey,
    ownerOfBothSpaces,
    aWrite({}, "note", elsewhere),
    relaxedPolicy()
  ],
  ["an agent of a viewer cannot write", "deny", "membership", aKey, personInRole("viewer"), aWrite(), relaxedPolicy()],
  [
    "an agent of an editor cannot delete",
    "deny",
    "membership",
    aKey,
    personInRole("editor"),
    aWrite({ action: "delete" }),
    relaxedPolicy()
  ],
  [
    "an editor cannot manage members",
    "deny",
    "membership",
    { kind: "session" },
    personInRole("editor"),
    aWrite({ subject: "member" }),
    null
  ],
  [
    "an admin can manage members",
    "allow",
    "person",
    { kind: "session" },
    personInRole("admin"),
    aWrite({ subject: "member" }),
    null
  ],
  [
    "a write of a kind outside the grant is refused",
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
    "a write with a link outside the grant is refused as a whole",
    "deny",
    "grant",
    anAgentsKey(limitedGrant(["entity"])),
    ownerOfBothSpaces,
    aWrite({ also: [aWrite({ subject: "relation" })] }),
    relaxedPolicy()
  ],
  [
    "an agent cannot do what is reserved for people, whatever rules allow it",
    "deny",
    "forPeople",
    aKey,
    ownerOfBothSpaces,
    aWrite({ isForPeople: true }),
    relaxedPolicy({ rules: [rule("auto", "*")], autoApproveFor: ["*"], isItsOwn: true })
  ],
  [
    "an agent without capabilities can only read",
    "deny",
    "capabilities",
    anAgentsKey({ capabilities: [] }),
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy()
  ],
  [
    "a capability for one kind does not allow another kind",
    "deny",
    "capabilities",
    anAgentsKey({ capabilities: ["entity.task"] }),
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy()
  ],
  ["an agent whose policy is unknown is refused", "deny", "agentRole", aKey, ownerOfBothSpaces, aWrite(), null],
  [
    "an agent with the role viewer cannot write, even when its person can",
    "deny",
    "agentRole",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy({ role: "viewer" })
  ],
  [
    "a write of an agent in a workspace that it has not joined becomes a request to join",
    "propose",
    "enrolment",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy({ role: null })
  ],
  [
    "an agent's administrative write needs approval, even where rules and the workspace allow everything",
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
    "a person's suggestion becomes a proposal",
    "propose",
    "suggestion",
    { kind: "session" },
    ownerOfBothSpaces,
    aWrite({ isSuggestion: true }),
    null
  ],
  [
    "an agent's delete needs approval, even with a rule that allows it and in the agent's own workspace",
    "propose",
    "destructive",
    aKey,
    ownerOfBothSpaces,
    aWrite({ action: "delete" }),
    relaxedPolicy({ rules: [rule("auto", "entity.*")], isItsOwn: true, autoApproveFor: ["*"] })
  ],
  [
    "a write whose answer cannot hold a proposal is carried out",
    "allow",
    "direct",
    aKey,
    ownerOfBothSpaces,
    aWrite({ isDirect: true }),
    relaxedPolicy({ isRelaxed: false })
  ],
  [
    "a delete becomes a proposal even where other writes are carried out directly",
    "propose",
    "destructive",
    aKey,
    ownerOfBothSpaces,
    aWrite({ action: "delete", isDirect: true }),
    relaxedPolicy()
  ],
  [
    "an agent's observation about its person needs approval",
    "propose",
    "observation",
    aKey,
    ownerOfBothSpaces,
    aWrite({}, "user_observation"),
    relaxedPolicy()
  ],
  [
    "a rule allows a write that would otherwise need approval",
    "allow",
    "rule",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy({ isRelaxed: false, rules: [rule("auto")] })
  ],
  [
    "a rule demands approval for a write that would otherwise be carried out",
    "propose",
    "rule",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy({ rules: [rule("propose")] })
  ],
  [
    "a rule that demands approval wins over a rule that allows",
    "propose",
    "rule",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy({ rules: [rule("auto"), rule("propose")] })
  ],
  [
    "a rule for one kind does not apply to another kind",
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
    "a workspace policy can allow every agent a write without approval",
    "allow",
    "workspacePolicy",
    aKey,
    ownerOfBothSpaces,
    aWrite({ subject: "track" }),
    relaxedPolicy({ isRelaxed: false, autoApproveFor: ["track.*"] })
  ],
  [
    "every write of a new agent needs approval",
    "propose",
    "writesRequireProposal",
    aKey,
    ownerOfBothSpaces,
    aWrite(),
    relaxedPolicy({ isRelaxed: false })
  ],
  [
    "a relaxed agent may make the writes of the default list without approval",
    "allow",
    "defaultList",
    aKey,
    ownerOfBothSpaces,
    aWrite({ action: "update" }),
    relaxedPolicy()
  ],
  [
    "a write of a relaxed agent outside the default list needs approval",
    "propose",
    "otherwise",
    aKey,
    ownerOfBothSpaces,
    aWrite({ subject: "track" }),
    relaxedPolicy()
  ]
]

describe("each rule of the gate decides when no earlier rule applies", () => {
  for (const [words, verdict, rung, ...asked] of examples) {
    const expected = { verdict, rung }
    it(words, () => assert.deepStrictEqual([decided(...asked), expectedVerdict(...asked)], [expected, expected]))
  }
})
