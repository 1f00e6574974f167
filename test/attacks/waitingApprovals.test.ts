/** While an approval waits for another write in the same space, it does not block further writes in this space. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Effect } from "effect"
import { Transaction } from "../../src/platform/Transaction.ts"
import { aMoment } from "../support/aMoment.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { connected } from "../support/postgresServer.ts"
import { anAttackScene, anEntity, type AttackScene, assertOk } from "./attackScene.ts"

describePostgres("approvals that wait for another write on PostgreSQL", (server) => {
  let database: TestDatabase
  let scene: AttackScene
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    scene = await anAttackScene({ kind: "postgres", url: database.url })
  }, 60_000)
  afterAll(async () => {
    await scene?.pod.stop()
    await database?.drop()
  })

  /** Runs `work` while another transaction holds the lock with this name. */
  const during = async (name: string, work: () => Promise<void>) => {
    let begin = () => {}
    let end = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const ended = new Promise<void>((resolve) => (end = resolve))
    const untilEnd = Effect.promise(() => {
      begin()
      return ended
    })
    const holding = scene.pod.run(Effect.flatMap(Transaction, ({ exclusively }) => exclusively(name, untilEnd)))
    await begun
    await work().finally(end)
    await holding
  }

  const untilOneWaits = () =>
    connected(database.url, async (client) => {
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'"
      while ((await client.query(waiting)).rows.length === 0) await aMoment()
    })

  it("while the approval of a new record waits for the creation of a similar record, the pod still stores other writes in the same workspace", async () => {
    const { agent, owner, workspaceId } = scene
    const person = { title: "Ada Example", profileSlug: "person", workspaceId }
    const brand = { name: "Ours", isDefault: true, workspaceId }
    const cases = [
      { name: `creates of person in ${workspaceId}`, path: "entities", draft: person },
      { name: `default brand of ${workspaceId}`, path: "brands", draft: brand }
    ]
    for (const { draft, name, path } of cases) {
      const { proposalId } = assertOk(await agent.send("POST", `/api/hub/${path}`, draft))
      let approving: ReturnType<typeof owner.send> | undefined
      await during(name, async () => {
        approving = owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {})
        await untilOneWaits()
        const note = await anEntity(owner, { workspaceId })
        assert.isString(note.id, path)
      })
      assertOk(await approving!)
    }
  })
})
