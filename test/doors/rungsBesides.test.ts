/**
 * One example for each rung (rule of the gate) about additional writes, such as links. The pod and the model must make
 * the same decision on each example.
 */
import { assert, describe, it } from "@effect/vitest"
import { projects } from "./generators.ts"
import { decided } from "./ladderGenerators.ts"
import { expectedVerdict } from "./ladderModel.ts"
import { anAgentsKey, aWrite, ownerOfBothSpaces, relaxedPolicy, workspace } from "./ladderParts.ts"

type Example = readonly [
  words: string,
  verdict: "allow" | "deny" | "propose",
  rung: string,
  ...Parameters<typeof decided>
]
const aKey = anAgentsKey()
/** Makes a key for one project, without a permission to file records in this project. */
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
    "if one of several writes in a request needs approval, the whole request becomes a proposal",
    "propose",
    "destructive",
    aKey,
    ownerOfBothSpaces,
    aWrite({ also: [aWrite({ subject: "relation", action: "delete" })] }),
    relaxedPolicy({ autoApproveFor: ["entity.*"] })
  ],
  [
    "a key with a grant for a project can add records to this project without a separate permission or capability",
    "allow",
    "filing",
    aKeyOf(projects[0]),
    ownerOfBothSpaces,
    filingIn(projects[0]),
    relaxedPolicy({ isRelaxed: false })
  ],
  [
    "a key with a grant for one project cannot add records to another project",
    "deny",
    "grant",
    aKeyOf(projects[0]),
    ownerOfBothSpaces,
    filingIn(projects[0], projects[1]),
    relaxedPolicy()
  ],
  [
    "if one of several writes in an agent's request is only for people, the refusal gives this reason, even if the agent's policy is unknown",
    "deny",
    "forPeople",
    aKey,
    ownerOfBothSpaces,
    aWrite({ also: [aWrite({ isForPeople: true })] }),
    null
  ]
]

describe("the governance gate decides about the additional writes of a request", () => {
  for (const [words, verdict, rung, ...asked] of examples) {
    const expected = { verdict, rung }
    it(words, () => {
      assert.deepStrictEqual([decided(...asked), expectedVerdict(...asked)], [expected, expected])
    })
  }
})
