/**
 * Ends npm and npx by the signal that `test/process/npmStart.test.ts` does not use for them. This file is long because
 * each of its tests starts npm and a new pod, and repeats the same rule.
 */
import { podEndsWithStarter } from "../process/starterEnds.ts"

podEndsWithStarter([
  ["npm", "SIGTERM"],
  ["npx", "SIGKILL"]
])
