/** The health of dependencies: who may ask, and what is told of one that is down, slow, broken or not configured. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Layer, TestClock } from "effect"
import { Reach } from "../../../src/doors/Reach.ts"
import { Dependencies, type Probe } from "../../../src/features/health/Dependencies.ts"
import { DependencyHealth, probeMost } from "../../../src/features/health/DependencyHealth.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPod } from "../../support/pod.ts"
import { aReach } from "../../support/reach.ts"

const path = "/api/hub/health/dependencies"

const reported = (...probes: ReadonlyArray<Probe>) =>
  Effect.flatMap(DependencyHealth, ({ report }) => report(undefined)).pipe(
    Effect.provideService(Reach, aReach()),
    Effect.provide(
      DependencyHealth.layer.pipe(
        Layer.provideMerge(
          Layer.mergeAll(Layer.empty, ...probes.map((probe) => Dependencies.probing(Effect.succeed(probe))))
        ),
        Layer.provideMerge(Dependencies.layer)
      )
    )
  )

describe("the health of what a pod depends on", () => {
  it("a key with a narrow grant and a request for a workspace of other people cannot read the health of dependencies", async () => {
    const pod = await aPod({ kind: "memory" })
    assert.strictEqual((await pod.stranger.send("GET", path)).status, 401)
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.read"] } })
    assert.strictEqual((await key.send("GET", path)).status, 403)
    assert.strictEqual((await pod.owner.send("GET", `${path}?workspaceId=${uuidv7()}`)).status, 403)
    await pod.stop()
  })

  it("the health report names the pod's database and the services that the pod runs without", async () => {
    const pod = await aPod({ kind: "memory" })
    const workspaceId = await pod.aWorkspace(pod.owner)
    await pod.owner.send("GET", "/api/hub/workspaces")
    const { body, status } = await pod.owner.send("GET", `${path}?workspaceId=${workspaceId}`)
    assert.strictEqual(status, 200)
    assert.deepInclude(body, { status: "ok", service: "hub-protocol", resolution: { workspaceId, capability: "all" } })
    assert.deepInclude(body.dependencies[0], { name: "database", state: "ok", reachable: true, serviceId: "embedded" })
    assert.deepStrictEqual(
      body.dependencies.slice(1).map(({ name, state }: Record<string, string>) => [name, state]),
      ["search-index", "embedding-service", "model-service", "jobs"].map((name) => [name, "not_configured"])
    )
    await pod.stop()
  })

  it.effect("a dependency whose check fails is reported as down, and its error is not shown", () =>
    Effect.gen(function* () {
      const { dependencies, status } = yield* reported(
        { name: "jobs", check: () => Effect.fail(new Error("password=secret")) },
        { name: "model-service", check: () => Effect.die(new Error("password=secret")) },
        {
          name: "further",
          check: () => Effect.succeed({ state: "ok", endpoint: "https://ai.example", httpStatus: 204 })
        }
      )
      assert.strictEqual(status, "degraded")
      const stateOf = (name: string) => dependencies.find((each) => each.name === name)?.state
      assert.deepStrictEqual([stateOf("jobs"), stateOf("model-service"), stateOf("further")], ["down", "down", "ok"])
      assert.notInclude(JSON.stringify(dependencies), "secret")
      assert.deepInclude(dependencies.at(-1), { name: "further", httpStatus: 204, endpoint: "https://ai.example" })
    })
  )

  it.effect("a dependency that does not answer in time is reported as down, and does not delay the others", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.fork(reported({ name: "jobs", check: () => Effect.never }))
      yield* TestClock.adjust(Duration.sum(probeMost, "1 millis"))
      const { dependencies, status } = yield* Fiber.join(waiting)
      assert.strictEqual(status, "degraded")
      assert.match(dependencies.find(({ name }) => name === "jobs")?.reason ?? "", /did not answer within 2 seconds/)
    })
  )

  it.effect("two health checks with the same name stop the start of the pod", () =>
    Effect.gen(function* () {
      const probe: Probe = { name: "jobs", check: () => Effect.succeed({ state: "ok" }) }
      assert.isTrue(Exit.isFailure(yield* Effect.exit(reported(probe, probe))))
    })
  )
})
