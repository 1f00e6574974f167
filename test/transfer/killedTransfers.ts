/**
 * Kills the process of an import, move, restore or backup several times, each time at a later step. After the last
 * kill, one more run finishes the work.
 */
import { assert } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted } from "effect"
import { spawn } from "node:child_process"
import { layerEmbedded } from "../../src/platform/Embedded.ts"
import { layerPostgres } from "../../src/platform/Postgres.ts"
import { projectRoot } from "../support/migrations.ts"
import { testProgram } from "../support/testProgram.ts"

export interface Ended {
  readonly isKilled: boolean
  /** The standard output: the number of steps, or nothing if the process was killed. */
  readonly output: string
  readonly errors: string
}

/** Runs the work in a separate process that is killed at this step. Without `stopAt` the work runs to its end. */
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

/** Runs the work to its end. Returns the number of its steps. */
export const ended = async (work: string, path: string, target: string): Promise<number> => {
  const { errors, output } = await inProcess(work, path, target)
  assert.match(output, /^\d+\n$/, errors)
  return Number(output)
}

/** Kills the work at this step. */
export const killed = async (work: string, path: string, target: string, step: number): Promise<void> => {
  const { errors, isKilled, output } = await inProcess(work, path, target, step)
  assert.isTrue(isKilled, `${work} has no step ${step}: ${output}${errors}`)
}

export interface StepCounts {
  /** The number of steps of a run on an empty target. */
  readonly all: number
  /** The number of steps of a second run that finishes the work. The first run was killed at its last step. */
  readonly again: number
}

/** Runs the work on two scratch targets and counts its steps. Nothing else uses these targets. */
export const stepCounts = async (
  work: string,
  path: string,
  scratch: readonly [string, string]
): Promise<StepCounts> => {
  const all = await ended(work, path, scratch[0])
  await killed(work, path, scratch[1], all)
  return { all, again: await ended(work, path, scratch[1]) }
}

/**
 * Chooses the steps at which the work is killed. One half of the steps is in work that only the first run does. The
 * other half is in work that every run repeats. `before` is the number of steps of each run before its first write.
 */
export const stepsToKill = ({ again, all }: StepCounts, kills: number, before = 0): ReadonlyArray<number> => {
  const first = Math.floor(kills / 2)
  const stride = before + Math.max(1, Math.floor((all - again) / (first + 1)))
  const share = (kill: number) => Math.max(1, Math.floor(((kill + 1) / (kills - first)) * again))
  return Array.from({ length: kills }, (_, kill) => (kill < first ? stride : share(kill - first)))
}

/**
 * Runs the work on one target and kills it at each of these steps in turn. Calls `afterKill` after each kill. Finally
 * runs the work to its end.
 */
export const killAt = async (
  work: string,
  path: string,
  target: string,
  steps: ReadonlyArray<number>,
  afterKill: () => Promise<void>
): Promise<void> => {
  for (const step of steps) {
    await killed(work, path, target, step)
    await afterKill()
  }
  await ended(work, path, target)
}

/** Returns the error of a pod that must not start on this data directory or database. Fails if the pod starts. */
export const startRefusal = async (place: { readonly dataDir: string } | { readonly url: string }): Promise<string> => {
  const layer =
    "url" in place
      ? layerPostgres({ url: Redacted.make(place.url), poolMax: 2, startTimeoutMs: 5_000 })
      : layerEmbedded({ dataDir: place.dataDir, durability: "process" })
  const exit = await Effect.runPromiseExit(Effect.scoped(Layer.build(layer as Layer.Layer<unknown, unknown>)))
  return Exit.isSuccess(exit) ? assert.fail("the pod started") : String(exit.cause)
}
