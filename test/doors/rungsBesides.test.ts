/** The rungs about what is written besides, each in words, decided alike by the pod and by the model. */
import { assert, describe, it } from "@effect/vitest"
import { projects } from "./generators.ts"
import { decided } from "./ladderGenerators.ts"
import { ladder } from "./ladderModel.ts"
import { anAgentsKey, aWrite, everybody, relaxed, workspace } from "./ladderParts.ts"

type Example = readonly [
  words: string,
  verdict: "allow" | "deny" | "propose",
  rung: string,
  ...Parameters<typeof decided>
]
const aKey = anAgentsKey()
/** For one project, with no permission for filing in it. */
const aKeyOf = (project: string) =>
  anAgentsKey({
    grant: { permissions: ["entity"], workspaceIds: null, projectIds: [project], entityIds: null },
    capabilities: ["entity"]
  })
const filingIn = (...projectIds: ReadonlyArray<string>) =>
  aWrite({
    subject: "relation",
    isFiling: true,
    target: { id: null, spaceId: workspace, kind: "note", projectIds }
  })
const examples: ReadonlyArray<Example> = [
  [
    "what waits, written besides, holds back the whole",
    "propose",
    "destructive",
    aKey,
    everybody,
    aWrite({ also: [aWrite({ subject: "relation", action: "delete" })] }),
    relaxed({ autoApproveFor: ["entity.*"] })
  ],
  [
    "a grant for a project covers filing in it, without a permission or a capability that says so",
    "allow",
    "filing",
    aKeyOf(projects[0]),
    everybody,
    filingIn(projects[0]),
    relaxed({ isRelaxed: false })
  ],
  [
    "and filing in no other project",
    "deny",
    "grant",
    aKeyOf(projects[0]),
    everybody,
    filingIn(projects[0], projects[1]),
    relaxed()
  ],
  [
    "what is refused besides is said to be the reason, and not what is unknown of a policy",
    "deny",
    "forPeople",
    aKey,
    everybody,
    aWrite({ also: [aWrite({ isForPeople: true })] }),
    null
  ]
]

describe("besides", () => {
  for (const [words, verdict, rung, ...asked] of examples) {
    const expected = { verdict, rung }
    it(words, () => {
      assert.deepStrictEqual([decided(...asked), ladder(...asked)], [expected, expected])
    })
  }
})
