/**
 * The health report while the database server is stopped: it answers 200, says which dependencies are down, and
 * contains nothing about people or workspaces.
 */
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { aModelStub, replies } from "../../support/modelStub.ts"
import { aPod } from "../../support/pod.ts"
import { serverBinaries, startCluster } from "../../support/postgresCluster.ts"

const path = "/api/hub/health/dependencies"
const binaries = await serverBinaries()

describe.skipIf(binaries === undefined)("a pod whose database server is stopped", () => {
  it("while the database is down, the health report answers 200 with status `degraded` and no details, and other operations answer 503", async () => {
    const cluster = await startCluster(binaries!)
    const stub = await aModelStub()
    stub.reply(replies.json(200, { data: [] }))
    const pod = await aPod(
      { kind: "postgres", url: cluster.url },
      { languageModelUrl: Option.some(stub.url), languageModelName: Option.some("a-model") }
    )
    const [key, unseen] = [await pod.aKey(pod.owner), await pod.aKey(pod.owner)]
    const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["entity.read"] } })
    const workspaceId = await pod.aWorkspace(pod.owner)
    const { body: whole } = await key.send("GET", path)
    assert.strictEqual(whole.status, "ok")
    assert.include(JSON.stringify(whole), "a-model")
    assert.strictEqual((await narrow.send("GET", path)).status, 403)
    await cluster.stop()

    for (const caller of [key, unseen, narrow, pod.owner]) {
      for (const asked of [path, `${path}?workspaceId=${workspaceId}`]) {
        const { body, status } = await caller.send("GET", asked)
        assert.strictEqual(status, 200, JSON.stringify(body))
        assert.deepInclude(body, { status: "degraded", service: "hub-protocol" })
        assert.deepStrictEqual(body.resolution, { workspaceId: null, capability: "all" })
        const states = Object.fromEntries(
          body.dependencies.map(({ name, state }: { readonly name: string; readonly state: string }) => [name, state])
        )
        assert.deepInclude(states, { database: "down", "model-service": "ok", "search-index": "ok" })
        for (const dependency of body.dependencies) {
          assert.deepInclude(dependency, { reason: null, endpoint: null, serviceId: null, httpStatus: null })
        }
        assert.notInclude(JSON.stringify(body), "a-model")
        assert.notInclude(JSON.stringify(body), workspaceId)
      }
      assert.strictEqual((await caller.send("GET", "/api/hub/users/me")).status, 503)
      assert.strictEqual((await caller.query("health.migrations")).status, 503)
    }
    assert.strictEqual((await pod.stranger.send("GET", path)).status, 401)
    const mistyped = pod.as({ authorization: "Bearer svc_nothing" })
    assert.strictEqual((await mistyped.send("GET", path)).status, 401)
    await pod.stop()
    await stub.stop()
  })

  it("while the database is down, the pod limits the number of health reports for each client address, because each report checks the services of the pod", async () => {
    const cluster = await startCluster(binaries!)
    const pod = await aPod({ kind: "postgres", url: cluster.url }, { rateLimitPerMinute: 20 })
    const key = await pod.aKey(pod.owner)
    await cluster.stop()
    const statuses: Array<number> = []
    for (let asked = 0; asked < 25; asked++) statuses.push((await key.send("GET", path)).status)
    assert.deepStrictEqual([...new Set(statuses)], [200, 429])
    await pod.stop()
  })
})
