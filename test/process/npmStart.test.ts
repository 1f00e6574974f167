/**
 * A pod that is started by `npm start` or `npx pod start` must end when npm or npx ends, even if only npm is killed and
 * there is no terminal. The long run does the same with other signals (`test/long/otherStarterEnds.test.ts`).
 */
import { podEndsWithStarter } from "./starterEnds.ts"

podEndsWithStarter([
  ["npm", "SIGKILL"],
  ["npx", "SIGTERM"]
])
