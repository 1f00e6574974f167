/** Kills processes that move data, at one step after another, and finishes their work with a further call. */
import { assert } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted } from "effect"
import { spawn } from "node:child_process"
import { layerEmbedded } from "../../src/platform/Embedded.ts"
import { layerPostgres } from "../../src/platform/Postgres.ts"
import { projectRoot } from "../support/migrations.ts"
import { testProgram } from "../support/testProgram.ts"

export interface Ended {
  readonly isKilled: boolean
  /** What it wrote: the number of its steps, if nothing killed it. */
  readonly output: string
  readonly errors: string
}

/** Runs the work in a process of its own, which is killed at this step. Without a step it runs to its end. */
export const inProcess = async (work: string, path: string, target: string, stopAt?: number): Promise<Ended> => {
  const program = await testProgram("test/transfer/transferHolder.ts")
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--liftoff-only", program, work, path, target, String(stopAt ?? 0)], {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: projectRoot
    })
    let output = ""
    let errors = ""
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
    child.once("error", reject)
    child.once("close", (_code, signal) => resolve({ isKilled: signal === "SIGKILL", output, errors }))
  })
}

/** Kills the work at each of these steps, in turn, on the same target, with a check after each kill. Then lets it end. */
export const killAt = async (
  work: string,
  path: string,
  target: string,
  steps: ReadonlyArray<number>,
  afterKill: () => Promise<void>
): Promise<void> => {
  for (const step of steps) {
    const ended = await inProcess(work, path, target, step)
    assert.isTrue(ended.isKilled, ended.errors)
    await afterKill()
  }
  const last = await inProcess(work, path, target)
  assert.match(last.output, /^\d+\n$/, last.errors)
}

/** How a pod that starts on this place is refused. Fails if it starts. */
export const startRefusal = async (place: { readonly dataDir: string } | { readonly url: string }): Promise<string> => {
  const layer =
    "url" in place
      ? layerPostgres({ url: Redacted.make(place.url), poolMax: 2, startTimeoutMs: 5_000 })
      : layerEmbedded({ dataDir: place.dataDir, durability: "process" })
  const exit = await Effect.runPromiseExit(Effect.scoped(Layer.build(layer as Layer.Layer<unknown, unknown>)))
  return Exit.isSuccess(exit) ? assert.fail("the pod started") : String(exit.cause)
}
