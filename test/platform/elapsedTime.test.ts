/** The clock of the machine is set back by two hours. No time limit of the pod becomes longer because of this. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Option } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { elapsedMs } from "../../src/platform/ElapsedTime.ts"
import { EmailAddress, SignInRefused, SignInThrottled } from "../../src/platform/SignIn.ts"
import { makeSignInThrottle } from "../../src/platform/SignInThrottle.ts"
import { aPod } from "../support/pod.ts"
import { projectRoot } from "../support/migrations.ts"

const twoHoursMs = 7_200_000

/** Makes a clock with a time of day that can be set back, while its elapsed time still grows. */
const aMachineClock = (beginsMs = 10 * twoHoursMs) => {
  const real = Clock.make()
  let [elapsed, setBackMs] = [0, 0]
  const clock: Clock.Clock = {
    ...real,
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    sleep: (duration) => real.sleep(duration),
    unsafeCurrentTimeMillis: () => beginsMs + elapsed - setBackMs,
    currentTimeMillis: Effect.sync(() => beginsMs + elapsed - setBackMs),
    unsafeCurrentTimeNanos: () => BigInt(elapsed) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(elapsed) * 1_000_000n)
  }
  return { clock, pass: (ms: number) => (elapsed += ms), setBack: (ms: number) => (setBackMs += ms) }
}

describe("a clock that is set back", () => {
  it.effect("elapsed time still grows after the clock of the machine is set back", () => {
    const machine = aMachineClock()
    return Effect.gen(function* () {
      const before = yield* elapsedMs
      machine.setBack(twoHoursMs)
      machine.pass(5)
      assert.strictEqual((yield* elapsedMs) - before, 5)
    }).pipe(Effect.withClock(machine.clock))
  })

  it.effect(
    "if the clock of the machine is set back, a person who must wait for the next sign-in does not have to wait longer",
    () => {
      const machine = aMachineClock()
      const email = Option.some(EmailAddress.make("person@example.com"))
      return Effect.gen(function* () {
        const throttle = yield* makeSignInThrottle
        const refused = new SignInRefused()
        const attempt = Effect.flip(throttle({ address: "192.0.2.1", email }, Effect.fail(refused)))
        const { retryAfterSeconds } = yield* Effect.repeat(attempt, {
          until: (failure): failure is SignInThrottled => failure instanceof SignInThrottled
        })
        machine.setBack(twoHoursMs)
        machine.pass(retryAfterSeconds * 1000)
        assert.strictEqual(yield* attempt, refused)
      }).pipe(Effect.withClock(machine.clock))
    }
  )

  it("if the clock of the machine is set back, a key that used up its calls of a minute may call again after a minute", async () => {
    const machine = aMachineClock(Date.now())
    const limit = { rateLimitPerMinute: 20 }
    const pod = await aPod({ kind: "memory" }, limit, { logging: Layer.setClock(machine.clock) })
    const key = await pod.aKey(pod.owner)
    const statusNow = async () => (await key.send("GET", "/api/hub/auth/status")).status
    const statuses: Array<number> = []
    while (statuses.length < 30) statuses.push(await statusNow())
    assert.strictEqual(statuses.at(0), 200)
    assert.strictEqual(statuses.at(-1), 429)
    machine.setBack(twoHoursMs)
    machine.pass(60_000)
    assert.strictEqual(await statusNow(), 200)
    await pod.stop()
  })

  it("the pod reads the clock of the machine only for times that it stores, shows or compares with stored times or dates", () => {
    const readers = readdirSync(`${projectRoot}src`, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.includes("node_modules"))
      .filter((name) => readFileSync(`${projectRoot}src/${name}`, "utf8").includes("currentTimeMillis"))
    assert.deepStrictEqual(readers.sort(), [
      "doors/Idempotency.ts", // The clock decides when a stored answer ends.
      "features/centrality/Centralities.ts", // The clock decides how old a stored ranking is.
      "features/chat/OpenAiHandlers.ts", // An answer shows the time of the clock.
      "platform/SignInMemory.ts", // The clock decides when a session ends.
      "platform/jobs/JobStore.ts", // The clock decides when a stored job begins.
      "platform/jobs/Jobs.ts",
      "platform/models/ModelHttp.ts", // The header `Retry-After` can contain a date.
      "platform/models/TokenBudget.ts" // A token budget belongs to a date.
    ])
  })
})
