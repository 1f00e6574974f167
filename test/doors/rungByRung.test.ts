/** The ladder rung by rung, each in words, decided alike by the pod and by the model. */
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
    "a key confined elsewhere is refused",
    "deny",
    "confinement",
    anAgentsKey({ workspaceId: home }),
    everybody,
    aWrite(),
    relaxed()
  ],
  ["whoever is not there is refused", "deny", "membership", aKey, everybody, aWrite({}, "note", elsewhere), relaxed()],
  ["a viewer's agent is refused", "deny", "membership", aKey, inRole("viewer"), aWrite(), relaxed()],
  [
    "an editor's agent deletes nothing",
    "deny",
    "membership",
    aKey,
    inRole("editor"),
    aWrite({ action: "delete" }),
    relaxed()
  ],
  [
    "an editor manages nobody",
    "deny",
    "membership",
    { kind: "session" },
    inRole("editor"),
    aWrite({ subject: "member" }),
    null
  ],
  [
    "an admin manages everybody",
    "allow",
    "person",
    { kind: "session" },
    inRole("admin"),
    aWrite({ subject: "member" }),
    null
  ],
  [
    "another kind than the grant's is refused",
    "deny",
    "grant",
    anAgentsKey(limited(["entity.task"])),
    everybody,
    aWrite(),
    relaxed()
  ],
  [
    "under a limit to objects nothing is made",
    "deny",
    "grant",
    anAgentsKey(limited(["*"], [workspace])),
    everybody,
    aWrite(),
    relaxed()
  ],
  [
    "a link outside the grant refuses the whole",
    "deny",
    "grant",
    anAgentsKey(limited(["entity"])),
    everybody,
    aWrite({ also: [aWrite({ subject: "relation" })] }),
    relaxed()
  ],
  [
    "no rule lets an agent do what is for people",
    "deny",
    "forPeople",
    aKey,
    everybody,
    aWrite({ isForPeople: true }),
    relaxed({ rules: [rule("auto", "*")], autoApproveFor: ["*"], isItsOwn: true })
  ],
  [
    "an agent with nothing ticked only reads",
    "deny",
    "capabilities",
    anAgentsKey({ capabilities: [] }),
    everybody,
    aWrite(),
    relaxed()
  ],
  [
    "a capability for one kind is not for another",
    "deny",
    "capabilities",
    anAgentsKey({ capabilities: ["entity.task"] }),
    everybody,
    aWrite(),
    relaxed()
  ],
  ["a policy that nobody could read refuses", "deny", "agentRole", aKey, everybody, aWrite(), null],
  [
    "an agent that only views is refused, whatever its person may",
    "deny",
    "agentRole",
    aKey,
    everybody,
    aWrite(),
    relaxed({ role: "viewer" })
  ],
  [
    "an agent that was never let in asks to be",
    "propose",
    "enrolment",
    aKey,
    everybody,
    aWrite(),
    relaxed({ role: null })
  ],
  [
    "what changes who may do what waits, also where everything is let through",
    "propose",
    "administrative",
    aKey,
    everybody,
    aWrite({ subject: "agent", action: "update" }),
    relaxed({ rules: [rule("auto", "*")], autoApproveFor: ["*"] })
  ],
  ["what is asked to be seen waits", "propose", "forced", aKey, everybody, aWrite({ isForced: true }), relaxed()],
  [
    "what a person only suggests waits for somebody to look at it",
    "propose",
    "suggestion",
    { kind: "session" },
    everybody,
    aWrite({ isSuggestion: true }),
    null
  ],
  [
    "a delete waits, also by rule and in the agent's own workspace",
    "propose",
    "destructive",
    aKey,
    everybody,
    aWrite({ action: "delete" }),
    relaxed({ rules: [rule("auto", "entity.*")], isItsOwn: true, autoApproveFor: ["*"] })
  ],
  [
    "what has no room for a proposal is carried out",
    "allow",
    "direct",
    aKey,
    everybody,
    aWrite({ isDirect: true }),
    relaxed({ isRelaxed: false })
  ],
  [
    "a delete waits where there is no room for it",
    "propose",
    "destructive",
    aKey,
    everybody,
    aWrite({ action: "delete", isDirect: true }),
    relaxed()
  ],
  [
    "what an agent noticed about its person waits",
    "propose",
    "observation",
    aKey,
    everybody,
    aWrite({}, "user_observation"),
    relaxed()
  ],
  [
    "a rule lets through what else would wait",
    "allow",
    "rule",
    aKey,
    everybody,
    aWrite(),
    relaxed({ isRelaxed: false, rules: [rule("auto")] })
  ],
  [
    "a rule holds back what else would pass",
    "propose",
    "rule",
    aKey,
    everybody,
    aWrite(),
    relaxed({ rules: [rule("propose")] })
  ],
  [
    "of two rules the careful one wins",
    "propose",
    "rule",
    aKey,
    everybody,
    aWrite(),
    relaxed({ rules: [rule("auto"), rule("propose")] })
  ],
  [
    "a rule for one kind says nothing of another",
    "propose",
    "writesRequireProposal",
    aKey,
    everybody,
    aWrite(),
    relaxed({ isRelaxed: false, rules: [rule("auto", "entity.*", "task")] })
  ],
  [
    "in its own workspace an agent is free",
    "allow",
    "ownWorkspace",
    aKey,
    everybody,
    aWrite({ subject: "view", action: "update" }),
    relaxed({ isRelaxed: false, isItsOwn: true })
  ],
  [
    "a workspace may let every agent do it",
    "allow",
    "workspacePolicy",
    aKey,
    everybody,
    aWrite({ subject: "track" }),
    relaxed({ isRelaxed: false, autoApproveFor: ["track.*"] })
  ],
  [
    "an agent as it is made asks for everything",
    "propose",
    "writesRequireProposal",
    aKey,
    everybody,
    aWrite(),
    relaxed({ isRelaxed: false })
  ],
  [
    "a relaxed one does what is on the list",
    "allow",
    "defaultList",
    aKey,
    everybody,
    aWrite({ action: "update" }),
    relaxed()
  ],
  ["and asks for the rest", "propose", "otherwise", aKey, everybody, aWrite({ subject: "track" }), relaxed()]
]

describe("rung by rung", () => {
  for (const [words, verdict, rung, ...asked] of examples) {
    const expected = { verdict, rung }
    it(words, () => assert.deepStrictEqual([decided(...asked), ladder(...asked)], [expected, expected]))
  }
})
