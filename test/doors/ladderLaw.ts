/**
 * Compares the pod's gate with the model for random writes: both must give the same verdict by the same rung (rule of
 * the gate).
 */
import { assert, it } from "@effect/vitest"
import fc from "fast-check"
import { writes } from "../../src/doors/Door.ts"
import { doorRefusal } from "../../src/features/access/Admission.ts"
import { rungs } from "../../src/features/gate/Rungs.ts"
import { principalOf } from "./generators.ts"
import { caller, decided, gated, member, policy, write } from "./ladderGenerators.ts"
import { expectedVerdict, type LadderAnswer } from "./ladderModel.ts"
import { doorAnswer } from "./model.ts"

const writesEach = 17 // The runs must have at least this many writes on average. A run has about twenty writes.
const eachRungLeast = 200 // In 100,000 writes, each rung must decide at least this many times.

const described = ({ rung, verdict }: LadderAnswer) => `${verdict} on ${rung}`

/** Each run has one caller with one policy and about twenty writes. */
export const decidesAsTheModel = (runs: number): void => {
  it(
    "the governance gate and the test model decide about random writes by the same rung, and refuse writes that the grant of the key does not allow",
    { timeout: 600_000 },
    () => {
      const seed = Number(process.env["POD_TEST_SEED"] ?? Date.now() % 1_000_000_000)
      const reached = new Map<string, number>(rungs.map((rung) => [rung, 0]))
      let cases = 0
      fc.assert(
        fc.property(
          caller,
          member,
          policy,
          fc.array(write, { minLength: 1, maxLength: 40, size: "max" }),
          (credential, who, given, asked) => {
            for (const one of asked) {
              const answer = decided(credential, who, one, given)
              assert.strictEqual(described(answer), described(expectedVerdict(credential, who, one, given)))
              const { action, subject, target } = one
              const kind = subject === "entity" ? target.kind : undefined
              const door = writes("hub-protocol.write", gated(one).subject, [action], kind)
              const refusal = doorRefusal(principalOf(credential, who), door)
              const expected = doorAnswer("rest", door, credential)
              assert.strictEqual(refusal?.code, expected.passes ? undefined : expected.reason)
              // One write creates the record and files it in a project. The operation has already checked the access of
              // the caller for the whole write, so filing needs no access check of its own.
              const hasDoor = one.isFiling !== true
              if (hasDoor && refusal?.code === "GRANT_DENIED") assert.strictEqual(answer.verdict, "deny")
              cases += 1
              reached.set(answer.rung, (reached.get(answer.rung) ?? 0) + 1)
            }
          }
        ),
        { numRuns: runs, seed }
      )
      process.stdout.write(`seed ${seed}: ${cases} writes, ${JSON.stringify(Object.fromEntries(reached))}\n`)
      assert.isAtLeast(cases, runs * writesEach)
      assert.deepStrictEqual([...reached.keys()], [...rungs])
      for (const [rung, times] of reached) assert.isAtLeast(times, (eachRungLeast * cases) / 100_000, rung)
    }
  )
}
