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

/** Lets the work run to its end, and answers how many steps it had. */
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
  /** The steps of a call that begins the work. */
  readonly all: number
  /** The steps of a call that finds everything there: it goes on where the killed one before it was. */
  readonly again: number
}

/** Counts the steps by calls on two places that are like the target and are given up. */
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
 * The steps for so many kills in turn on one target: one half goes through what is done only once, the other half through
 * what each call repeats. `before`: the steps of each call before it writes anything.
 */
export const stepsToKill = ({ again, all }: StepCounts, kills: number, before = 0): ReadonlyArray<number> => {
  const first = Math.floor(kills / 2)
  const stride = before + Math.max(1, Math.floor((all - again) / (first + 1)))
  const share = (kill: number) => Math.max(1, Math.floor(((kill + 1) / (kills - first)) * again))
  return Array.from({ length: kills }, (_, kill) => (kill < first ? stride : share(kill - first)))
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
    await killed(work, path, target, step)
    await afterKill()
  }
  await ended(work, path, target)
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
