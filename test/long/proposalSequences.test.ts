/**
 * Runs two hundred thousand random sequences of proposals in the pod and in the test model, on all cores of the
 * machine.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import { projectRoot } from "../support/migrations.ts"

const sequencesLeast = 200_000
const partSize = 12_500

interface Part {
  readonly sequences: number
  readonly failure: string | undefined
}

const lived = (seed: number): Promise<Part> =>
  new Promise((resolve) => {
    const config = "test/long/proposalSequences.config.ts"
    const env = { ...process.env, POD_TEST_SEED: String(seed), POD_TEST_SEQUENCES: String(partSize) }
    const child = spawn(process.execPath, [`${projectRoot}node_modules/vitest/vitest.mjs`, "run", "--config", config], {
      cwd: projectRoot,
      env
    })
    let output = ""
    child.stdout.on("data", (text: Buffer) => (output += text.toString()))
    child.stderr.on("data", (text: Buffer) => (output += text.toString()))
    child.on("close", (code) => {
      const summary = /seed \d+: (\d+) sequences.*/.exec(output)
      if (summary !== null) process.stdout.write(`${summary[0].slice(0, 90)}\n`)
      resolve({ sequences: Number(summary?.[1] ?? 0), failure: code === 0 ? undefined : output })
    })
  })

describe("random sequences of proposals, edits and decisions", () => {
  it(
    "in 200,000 random sequences of proposals, edits and decisions, the pod gives the answers that an independent model of the rules for proposals expects",
    { timeout: 3_600_000 },
    async () => {
      const first = Number(process.env["POD_TEST_SEED"] ?? Date.now() % 1_000_000_000)
      const parts = Math.ceil(sequencesLeast / partSize)
      let begun = 0
      let sequences = 0
      const failures: Array<string> = []
      const worker = async () => {
        while (begun < parts && failures.length === 0) {
          const part = await lived(first + begun++)
          sequences += part.sequences
          if (part.failure !== undefined) failures.push(part.failure)
        }
      }
      await Promise.all(Array.from({ length: availableParallelism() }, worker))
      process.stdout.write(`${sequences} sequences, from seed ${first}\n`)
      assert.deepStrictEqual(failures, [])
      assert.isAtLeast(sequences, sequencesLeast)
    }
  )
})
