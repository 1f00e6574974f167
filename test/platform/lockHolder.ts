/**
 * Runs as a separate process in the tests of the lock: locks the given directory, reports the result, and holds the
 * lock until its input ends.
 */
import { Effect } from "effect"
import { acquire } from "../../src/platform/DirectoryLock.ts"

const [dataDir = "", gate] = process.argv.slice(-2)

const untilInputEnds = Effect.async<void>((resume) => {
  process.stdin.resume().once("end", () => resume(Effect.void))
})
const untilSignal = Effect.async<void>((resume) => {
  process.stdin.once("data", () => resume(Effect.void))
})
const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const program = Effect.gen(function* () {
  yield* say("ready")
  // All contenders are loaded before any of them starts, so that they start together.
  if (gate === "gated") yield* untilSignal
  yield* acquire(dataDir)
  yield* say("held")
  yield* untilInputEnds
}).pipe(
  Effect.scoped,
  Effect.catchTag("DirectoryLocked", (refusal) => say(`refused ${refusal.pid} ${refusal.message}`))
)

await Effect.runPromise(program)
process.exit(0)
