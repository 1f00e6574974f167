/**
 * The health of dependencies: who may ask, and what the report says about a service that is down, slow, broken or not
 * configured.
 */
import { assert, describe, it } from "@effect/vitest"
import { Data, Duration, Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"
import { Reach } from "../../../src/doors/Reach.ts"
import { Dependencies, type Probe } from "../../../src/features/health/Dependencies.ts"
import { DependencyHealth, probeMax } from "../../../src/features/health/DependencyHealth.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aModelStub, replies } from "../../support/modelStub.ts"
import { aPod } from "../../support/pod.ts"
import { aReach } from "../../support/reach.ts"
import { storages } from "../../support/storages.ts"

class Unreachable extends Data.TaggedError("Unreachable")<{ readonly message: string }> {}

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

describe("the health of dependencies", () => {
  it("the pod refuses the health report to a stranger and to a key with a narrow grant, and refuses a health report for a workspace of other people", async () => {
    const pod = await aPod({ kind: "memory" })
    assert.strictEqual((await pod.stranger.send("GET", path)).status, 401)
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.read"] } })
    assert.strictEqual((await key.send("GET", path)).status, 403)
    assert.strictEqual((await pod.owner.send("GET", `${path}?workspaceId=${uuidv7()}`)).status, 403)
    await pod.stop()
  })

  it("the health report has the state of the database, and lists the services that are not configured", async () => {
    const pod = await aPod({ kind: "memory" })
    const workspaceId = await pod.aWorkspace(pod.owner)
    await pod.owner.send("GET", "/api/hub/workspaces")
    const { body, status } = await pod.owner.send("GET", `${path}?workspaceId=${workspaceId}`)
    assert.strictEqual(status, 200)
    assert.deepInclude(body, { status: "ok", service: "hub-protocol", resolution: { workspaceId, capability: "all" } })
    assert.deepInclude(body.dependencies[0], { name: "database", state: "ok", reachable: true, serviceId: "embedded" })
    assert.deepStrictEqual(
      body.dependencies.slice(1).map(({ name, state }: Record<string, string>) => [name, state]),
      [
        ["search-index", "ok"],
        ["embedding-service", "not_configured"],
        ["model-service", "not_configured"],
        ["jobs", "ok"]
      ]
    )
    await pod.stop()
  })

  for (const [where, storage] of storages) {
    it(`the health report of a pod ${where} says whether the model service answers, and what the indexes and queues contain`, async () => {
      const stub = await aModelStub()
      const pod = await aPod(storage, {
        languageModelUrl: Option.some(stub.url),
        languageModelName: Option.some("a-model")
      })
      const asked = async () => {
        const { body } = await pod.owner.send("GET", path)
        const of = (name: string) => body.dependencies.find((each: { readonly name: string }) => each.name === name)
        return { status: body.status, model: of("model-service"), index: of("search-index"), jobs: of("jobs") }
      }
      stub.reply(replies.json(200, { data: [] }))
      const first = await asked()
      assert.deepInclude(first.model, { state: "ok", reachable: true, serviceId: "a-model", reason: null })
      assert.match(first.jobs.reason, /^\d+ jobs wait, the oldest for 0 seconds; 0 jobs failed for good\.$/)
      assert.strictEqual(first.index.reason, "The search index of 0 spaces is in memory and takes about 0 bytes.")
      await pod.owner.send("POST", "/api/hub/entities", { title: "harbour", profileSlug: "note" })
      assert.strictEqual((await pod.owner.send("GET", "/api/hub/knowledge/search?q=harbour")).status, 200)
      assert.match(
        (await asked()).index.reason,
        /^The search index of 1 space is in memory and takes about [1-9]\d* bytes\.$/
      )

      stub.reply(replies.refusing(401, { message: "the key sk-secret is wrong" }))
      const refused = await asked()
      assert.deepInclude(refused.model, { state: "down", reachable: false })
      assert.notInclude(JSON.stringify(refused), "secret")
      assert.strictEqual(refused.status, "degraded")

      stub.reply(replies.silent)
      const slow = await asked()
      assert.deepInclude(slow.model, { state: "down", reason: "The model service did not answer in time." })
      assert.strictEqual(slow.jobs.state, "ok")

      await stub.stop()
      assert.deepInclude((await asked()).model, { state: "down", reachable: false })
      await pod.stop()
    })
  }

  it.effect(
    "if the probe of a dependency fails, the health report says that the dependency is down, and does not show the error",
    () =>
      Effect.gen(function* () {
        const { dependencies, status } = yield* reported(
          { name: "jobs", check: () => Effect.fail(new Unreachable({ message: "password=secret" })) },
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

  it.effect(
    "if a dependency does not answer within two seconds, the health report says that the dependency is down",
    () =>
      Effect.gen(function* () {
        const waiting = yield* Effect.fork(reported({ name: "jobs", check: () => Effect.never }))
        yield* TestClock.adjust(Duration.sum(probeMax, "1 millis"))
        const { dependencies, status } = yield* Fiber.join(waiting)
        assert.strictEqual(status, "degraded")
        assert.match(dependencies.find(({ name }) => name === "jobs")?.reason ?? "", /did not answer within 2 seconds/)
      })
  )

  it.effect("a pod does not start if two health probes have the same name", () =>
    Effect.gen(function* () {
      const probe: Probe = { name: "jobs", check: () => Effect.succeed({ state: "ok" }) }
      assert.isTrue(Exit.isFailure(yield* Effect.exit(reported(probe, probe))))
    })
  )
})
