/**
 * Ends npm and npx by the signal that `test/process/npmStart.test.ts` does not use for them. These tests are only in
 * the long run, because each starts npm and a new pod to test the same rule again.
 */
import { podEndsWithStarter } from "../process/starterEnds.ts"

podEndsWithStarter([
  ["npm", "SIGTERM"],
  ["npx", "SIGKILL"]
])
