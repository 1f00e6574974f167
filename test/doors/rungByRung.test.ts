/** One example for each rung of the ladder; the pod and the model must decide each alike. */
import { assert, describe, it } from "@effect/vitest"
import { decided } from "./ladderGenerators.ts"
import { ladder } from "./ladderModel.ts"
import {
  anAgentsKey,
  aWrite,
  elsewhere,
  everybody,
  home,
  inRole,
  limited,
  relaxed,
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
    everybody,
    aWrite(),
    relaxed()
  ],
  [
    "a person who is not a member of the space is refused",
    "deny",
    "membership",
    aKey,
    everybody,
    aWrite({}, "note", elsewhere),
    relaxed()
  ],
  ["an agent of a viewer cannot write", "deny", "membership", aKey, inRole("viewer"), aWrite(), relaxed()],
  [
    "an agent of an editor cannot delete",
    "deny",
    "membership",
    aKey,
    inRole("editor"),
    aWrite({ action: "delete" }),
    relaxed()
  ],
  [
    "an editor cannot manage members",
    "deny",
    "membership",
    { kind: "session" },
    inRole("editor"),
    aWrite({ subject: "member" }),
    null
  ],
  [
    "an admin can manage members",
    "allow",
    "person",
    { kind: "session" },
    inRole("admin"),
    aWrite({ subject: "member" }),
    null
  ],
  [
    "a write of a kind outside the grant is refused",
    "deny",
    "grant",
    anAgentsKey(limited(["entity.task"])),
    everybody,
    aWrite(),
    relaxed()
  ],
  [
    "a key with a grant for single objects cannot create a record",
    "deny",
    "grant",
    anAgentsKey(limited(["*"], [workspace])),
    everybody,
    aWrite(),
    relaxed()
  ],
  [
    "a write with a link outside the grant is refused as a whole",
    "deny",
    "grant",
    anAgentsKey(limited(["entity"])),
    everybody,
    aWrite({ also: [aWrite({ subject: "relation" })] }),
    relaxed()
  ],
  [
    "an agent cannot do what is reserved for people, whatever rules allow it",
    "deny",
    "forPeople",
    aKey,
    everybody,
    aWrite({ isForPeople: true }),
    relaxed({ rules: [rule("auto", "*")], autoApproveFor: ["*"], isItsOwn: true })
  ],
  [
    "an agent without capabilities can only read",
    "deny",
    "capabilities",
    anAgentsKey({ capabilities: [] }),
    everybody,
    aWrite(),
    relaxed()
  ],
  [
    "a capability for one kind does not allow another kind",
    "deny",
    "capabilities",
    anAgentsKey({ capabilities: ["entity.task"] }),
    everybody,
    aWrite(),
    relaxed()
  ],
  ["an agent whose policy is unknown is refused", "deny", "agentRole", aKey, everybody, aWrite(), null],
  [
    "an agent with the role viewer cannot write, even when its person can",
    "deny",
    "agentRole",
    aKey,
    everybody,
    aWrite(),
    relaxed({ role: "viewer" })
  ],
  [
    "a write of an agent in a workspace that it has not joined becomes a request to join",
    "propose",
    "enrolment",
    aKey,
    everybody,
    aWrite(),
    relaxed({ role: null })
  ],
  [
    "an agent's administrative write needs approval, even where rules and the workspace allow everything",
    "propose",
    "administrative",
    aKey,
    everybody,
    aWrite({ subject: "agent", action: "update" }),
    relaxed({ rules: [rule("auto", "*")], autoApproveFor: ["*"] })
  ],
  [
    "a write for which the caller asks for approval becomes a proposal",
    "propose",
    "forced",
    aKey,
    everybody,
    aWrite({ isForced: true }),
    relaxed()
  ],
  [
    "a person's suggestion becomes a proposal",
    "propose",
    "suggestion",
    { kind: "session" },
    everybody,
    aWrite({ isSuggestion: true }),
    null
  ],
  [
    "an agent's delete needs approval, even with a rule that allows it and in the agent's own workspace",
    "propose",
    "destructive",
    aKey,
    everybody,
    aWrite({ action: "delete" }),
    relaxed({ rules: [rule("auto", "entity.*")], isItsOwn: true, autoApproveFor: ["*"] })
  ],
  [
    "a write whose answer cannot hold a proposal is carried out",
    "allow",
    "direct",
    aKey,
    everybody,
    aWrite({ isDirect: true }),
    relaxed({ isRelaxed: false })
  ],
  [
    "a delete becomes a proposal even where other writes are carried out directly",
    "propose",
    "destructive",
    aKey,
    everybody,
    aWrite({ action: "delete", isDirect: true }),
    relaxed()
  ],
  [
    "an agent's observation about its person needs approval",
    "propose",
    "observation",
    aKey,
    everybody,
    aWrite({}, "user_observation"),
    relaxed()
  ],
  [
    "a rule allows a write that would otherwise need approval",
    "allow",
    "rule",
    aKey,
    everybody,
    aWrite(),
    relaxed({ isRelaxed: false, rules: [rule("auto")] })
  ],
  [
    "a rule demands approval for a write that would otherwise be carried out",
    "propose",
    "rule",
    aKey,
    everybody,
    aWrite(),
    relaxed({ rules: [rule("propose")] })
  ],
  [
    "a rule that demands approval wins over a rule that allows",
    "propose",
    "rule",
    aKey,
    everybody,
    aWrite(),
    relaxed({ rules: [rule("auto"), rule("propose")] })
  ],
  [
    "a rule for one kind does not apply to another kind",
    "propose",
    "writesRequireProposal",
    aKey,
    everybody,
    aWrite(),
    relaxed({ isRelaxed: false, rules: [rule("auto", "entity.*", "task")] })
  ],
  [
    "an agent may write in its own workspace without approval",
    "allow",
    "ownWorkspace",
    aKey,
    everybody,
    aWrite({ subject: "view", action: "update" }),
    relaxed({ isRelaxed: false, isItsOwn: true })
  ],
  [
    "a workspace policy can allow every agent a write without approval",
    "allow",
    "workspacePolicy",
    aKey,
    everybody,
    aWrite({ subject: "track" }),
    relaxed({ isRelaxed: false, autoApproveFor: ["track.*"] })
  ],
  [
    "every write of a new agent needs approval",
    "propose",
    "writesRequireProposal",
    aKey,
    everybody,
    aWrite(),
    relaxed({ isRelaxed: false })
  ],
  [
    "a relaxed agent may make the writes of the default list without approval",
    "allow",
    "defaultList",
    aKey,
    everybody,
    aWrite({ action: "update" }),
    relaxed()
  ],
  [
    "a write of a relaxed agent outside the default list needs approval",
    "propose",
    "otherwise",
    aKey,
    everybody,
    aWrite({ subject: "track" }),
    relaxed()
  ]
]

describe("the ladder, one rung after another", () => {
  for (const [words, verdict, rung, ...asked] of examples) {
    const expected = { verdict, rung }
    it(words, () => assert.deepStrictEqual([decided(...asked), ladder(...asked)], [expected, expected]))
  }
})
