/** The order of the test files: the files that take longest are first, so that none of them runs alone at the end, even in a new checkout. */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that take longest, in this order. Vitest sorts new files by size, which says little about their time. */
const longest = [
  "process/dataDirectory.test.ts",
  "doors.test.ts",
  "process/guide.test.ts",
  "process/lifecycle.test.ts",
  "process/kill.test.ts",
  "attacks/webhookGrants.test.ts",
  "doors/differential.test.ts",
  "attacks/impersonation.test.ts",
  "attacks/narrowKeys.test.ts",
  "platform/jobs/killedPod.test.ts",
  "attacks/heldRevocation.test.ts",
  "platform/jobs/jobs.test.ts",
  "wire/trpcSubscriptions.test.ts",
  "process/revocation.test.ts",
  "process/idempotency.test.ts",
  "process/demo.test.ts",
  "process/refusedStart.test.ts",
  "features/access/predicates.test.ts",
  "attacks/automationReach.test.ts",
  "doors/identity.test.ts",
  "browser/docs.test.ts",
  "browser/layout.test.ts",
  "process/interleavings.test.ts",
  "features/search/searchLaws.test.ts",
  "features/proposals/sequences.test.ts",
  "wire/fuzz.test.ts",
  "wire/rest.test.ts",
  "process/logReader.test.ts"
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((name) => moduleId.endsWith(`/test/${name}`))
  return place === -1 ? longest.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
