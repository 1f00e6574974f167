/**
 * A pod is killed under load. It keeps every acknowledged write with its event, and stores every other write completely
 * or not at all. The long test run has more kills.
 */
import { assert, it } from "@effect/vitest"
import { killRounds } from "../support/killRounds.ts"

const load = { rounds: 1, writers: 8, acknowledgedLeast: 60 }

it("a pod on PGlite that is killed keeps every write that it acknowledged", async () => {
  const { acknowledged } = await killRounds(load)
  assert.isAtLeast(acknowledged, load.rounds * load.acknowledgedLeast)
})
