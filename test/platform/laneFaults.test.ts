/**
 * Tests what happens to the statements of a lane (a shared connection) when the backend of the lane ends, when the
 * network is silent, and when the server restarts or crashes.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { acquireLanes } from "../../src/platform/Lanes.ts"
import { yieldToEventLoop } from "../../src/platform/EventLoop.ts"
import { aMoment } from "../support/aMoment.ts"
import { crashServer } from "../support/crashedServer.ts"
import { aFaultProxy } from "../support/faultProxy.ts"
import {
  aLaneScene,
  echo,
  type LaneScene,
  lanesAt,
  noPool,
  onLane,
  pidOf,
  take,
  unavailable
} from "../support/laneScene.ts"
import { describePostgres } from "../support/postgres.ts"
import { serverBinaries, startCluster } from "../support/postgresCluster.ts"
import { connected } from "../support/postgresServer.ts"

const patience = { timeout: 240_000 }

describePostgres("lanes (shared connections) that break", (server) => {
  let scene: LaneScene
  beforeAll(async () => {
    scene = await aLaneScene(server)
  })
  afterAll(() => scene?.stop())

  it.scoped(
    "if the server ends the connection of a lane (shared connection), the running statements fail as unavailable, and later statements are answered",
    () =>
      Effect.gen(function* () {
        const lanes = (yield* lanesAt(scene.url))(noPool)
        yield* onLane(lanes, take, [4, 0])
        yield* scene.holds(4)
        const waiting = yield* Effect.fork(
          Effect.forEach([1, 2, 3], (id) => Effect.exit(lanes.execute(take, [4, id], undefined)), {
            concurrency: "unbounded"
          })
        )
        const [pid] = yield* scene.waitersFor(4)
        yield* Effect.promise(() => scene.holder.query("SELECT pg_terminate_backend($1)", [pid]))
        for (const exit of yield* Fiber.join(waiting)) assert.isTrue(unavailable(exit), String(exit))
        yield* scene.releases(4)
        assert.strictEqual((yield* onLane(lanes, take, [4, 5]))[0].id, 5)
        // The terminated backend is gone. So it cannot run the statements that waited behind the first statement.
        const { rows } = yield* Effect.promise(() =>
          scene.holder.query("SELECT 1 FROM pg_stat_activity WHERE pid = $1", [pid])
        )
        assert.deepStrictEqual(rows, [])
      })
  )

  it.scoped(
    "if the network of a lane (shared connection) carries no bytes any more, the pod closes the lane, and the next statement opens another lane",
    () =>
      Effect.gen(function* () {
        const proxy = yield* Effect.acquireRelease(
          Effect.promise(() => aFaultProxy(scene.url)),
          (made) => Effect.promise(made.close)
        )
        const lanes = (yield* lanesAt(proxy.through(scene.url), { tickMs: 10 }))(noPool)
        const before = yield* pidOf(lanes)
        proxy.silence()
        assert.isTrue(unavailable(yield* Effect.exit(lanes.execute(echo, [1], undefined))))
        yield* Effect.promise(proxy.heal)
        assert.notStrictEqual(yield* pidOf(lanes), before)
      })
  )

  it.scoped(
    "while no server answers, statements go to the pool instead of the lanes (shared connections), and when the server answers again, lanes open again",
    () =>
      Effect.gen(function* () {
        const proxy = yield* Effect.acquireRelease(
          Effect.promise(() => aFaultProxy(scene.url)),
          (made) => Effect.promise(made.close)
        )
        const lanes = (yield* lanesAt(proxy.through(scene.url)))(noPool)
        yield* onLane(lanes, echo, [1])
        yield* scene.holds(5)
        yield* onLane(lanes, take, [6, 0])
        const waiting = yield* Effect.fork(Effect.exit(lanes.execute(take, [5, 1], undefined)))
        yield* scene.waitersFor(5)
        yield* Effect.promise(proxy.refuse)
        assert.isTrue(unavailable(yield* Fiber.join(waiting)))
        let exit = yield* Effect.exit(lanes.execute(echo, [2], undefined))
        while (!Exit.isFailure(exit) || !String(exit).includes("No room"))
          exit = yield* Effect.exit(Effect.zipRight(yieldToEventLoop, lanes.execute(echo, [2], undefined)))
        yield* Effect.promise(proxy.heal)
        yield* scene.releases(5)
        assert.strictEqual((yield* onLane(lanes, echo, [3]))[0].id, 3)
      })
  )

  it.scoped("the pod closes a lane (shared connection) that no statement uses", () =>
    Effect.gen(function* () {
      const lanes = (yield* lanesAt(scene.url, { tickMs: 10 }))(noPool)
      const pid = yield* pidOf(lanes)
      yield* Effect.promise(async () => {
        while ((await scene.holder.query("SELECT 1 FROM pg_stat_activity WHERE pid = $1", [pid])).rowCount !== 0)
          await aMoment()
      })
      assert.notStrictEqual(yield* pidOf(lanes), pid)
    })
  )
})

describePostgres("a PostgreSQL server that crashes", () => {
  it.scoped(
    "after the PostgreSQL server has crashed, statements fail as unavailable until the server answers again",
    () =>
      Effect.gen(function* () {
        const cluster = yield* Effect.acquireRelease(
          Effect.promise(async () => startCluster((await serverBinaries()) ?? assert.fail("no binaries"))),
          ({ stop }) => Effect.promise(stop)
        )
        yield* Effect.promise(() => connected(cluster.url, (client) => client.query("CREATE ROLE pod_app")))
        const url = Redacted.make(cluster.url)
        const lanes = (yield* acquireLanes({ url, read: 2, write: 1 }))(noPool)
        yield* onLane(lanes, echo, [1])
        const waiting = yield* Effect.fork(Effect.exit(lanes.execute("SELECT pg_sleep($1)", [3600], undefined)))
        yield* Effect.promise(() => crashServer(cluster.url))
        assert.isTrue(unavailable(yield* Fiber.join(waiting)))
        let exit = yield* Effect.exit(onLane(lanes, echo, [2]))
        while (Exit.isFailure(exit)) {
          assert.isTrue(unavailable(exit), String(exit))
          exit = yield* Effect.exit(onLane(lanes, echo, [2]))
        }
        assert.deepStrictEqual({ ...exit.value[0] }, { id: 2 })
      }),
    patience
  )
})
