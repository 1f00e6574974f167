/** A thousand random sequences of steps with proposals, in the pod and in an independent model of the rules. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { aPodInProcess, type PodInProcess } from "../../support/podInProcess.ts"
import { aSequenceRunner } from "./life/sequenceRunner.ts"
import { sequence } from "./life/steps.ts"

/** The number of sequences. The long suite runs many more, in parts. */
const runs = Number(process.env["POD_TEST_SEQUENCES"] ?? 1_000)

describe("random sequences of proposals, edits and decisions", () => {
  let pod: PodInProcess
  beforeAll(async () => {
    pod = await aPodInProcess()
  })
  afterAll(() => pod?.stop())

  it(
    "in random sequences of proposals, edits and decisions, the answers of the pod and the records that each caller sees are as the test model expects",
    { timeout: 3_600_000 },
    () => {
      const seed = Number(process.env["POD_TEST_SEED"] ?? Date.now() % 1_000_000_000)
      const heard = new Map<string, number>()
      const { live } = aSequenceRunner(pod)
      const begun = performance.now()
      const worked = process.cpuUsage()
      fc.assert(
        fc.property(sequence, (steps) => {
          for (const outcome of live(steps)) heard.set(outcome, (heard.get(outcome) ?? 0) + 1)
        }),
        { numRuns: runs, seed }
      )
      const perSecond = Math.round((runs * 1000) / (performance.now() - begun))
      const { system, user } = process.cpuUsage(worked)
      const cpuSeconds = Math.round((user + system) / 1e6)
      const counted = [...heard].toSorted(([one], [other]) => (one < other ? -1 : 1))
      process.stdout.write(
        `seed ${seed}: ${runs} sequences, ${perSecond} a second, ${cpuSeconds} s of CPU, ${JSON.stringify(Object.fromEntries(counted))}\n`
      )
      for (const outcome of ["approve ok", "approve 409", "edit ok", "edit 403", "edit 404", "revert ok"]) {
        assert.isAbove(heard.get(outcome) ?? 0, 10, outcome)
      }
    }
  )
})
