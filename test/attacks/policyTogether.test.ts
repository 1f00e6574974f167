/**
 * Two people change the policy of one workspace at the same moment, on two pods with one database. Both changes are
 * stored.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { procedureData, assertOk } from "./attackScene.ts"

const pairs = 50

describePostgres("two pods change the policy of one workspace", (server) => {
  let database: TestDatabase
  let first: TestPod
  let second: TestPod
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    const storage = { kind: "postgres", url: database.url } as const
    first = await aPod(storage)
    second = await aPod(storage)
  })
  afterAll(async () => {
    await first?.stop()
    await second?.stop()
    await database?.drop()
  })

  it("if two pods on one database set different policy fields of one workspace at the same time, both fields are stored", async () => {
    const say = (by: Caller, workspaceId: string, change: object) =>
      by.mutate("governance.setPolicy", { workspaceId, ...change })
    for (let pair = 0; pair < pairs; pair++) {
      const workspaceId = await first.aWorkspace(first.owner, `Pair ${pair}`)
      const modes = { governanceMode: "standard" }
      const unasked = { autoApproveFor: [`track.create`] }
      const [one, other] = pair % 2 === 0 ? [modes, unasked] : [unasked, modes]
      for (const answer of await Promise.all([
        say(first.owner, workspaceId, one),
        say(second.owner, workspaceId, other)
      ])) {
        procedureData(answer)
      }
      for (const { owner } of [first, second]) {
        const { autoApproveFor, governanceMode } = assertOk(
          await owner.send("GET", `/api/hub/workspaces/${workspaceId}/governance`)
        )
        assert.deepStrictEqual({ autoApproveFor, governanceMode }, { ...modes, ...unasked }, `pair ${pair}`)
      }
    }
  })
})
