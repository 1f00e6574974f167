/**
 * All steps of the creation of a workspace run in the transaction that has checked the credential. A revocation waits
 * for this transaction, so no step of the creation follows a revocation that the pod has answered.
 */
import { SqlClient } from "@effect/sql"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { aPod, type TestPod } from "../../support/pod.ts"
import { asOwner } from "../../support/stores.ts"
import { database } from "../../support/storages.ts"

describe("the transaction that creates a workspace", () => {
  let pod: TestPod
  beforeAll(async () => void (pod = await aPod(database)))
  afterAll(() => pod?.stop())

  /** Sends a request to create a workspace. Returns its id. */
  const created = async (path: string, body: object): Promise<string> => {
    const { body: made, status } = await pod.owner.send("POST", `/api/hub/workspaces/${path}`, body)
    assert.strictEqual(status, 200, JSON.stringify(made))
    return made.workspaceId
  }

  // The database gives all rows of one transaction the time at which the transaction began.
  it("the pod stores a workspace, the profiles of its definition and the membership of its agent in one transaction", async () => {
    const profiles = [{ slug: "ship", displayName: "Ship" }]
    const ports = await created("from-definition", { workspaceName: "Ports", profiles })
    const agent = await pod.owner.mutate("agents.create", { name: "Pilot", capabilities: ["*"] })
    const agentUserId = agent.body.result.data.id
    const own = await created("provision-agent", { agentUserId })
    const [times] = await pod.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ readonly profile: boolean; readonly membership: boolean }>`
          SELECT (
              SELECT profile.created_at = space.created_at::timestamptz(3) FROM profiles profile JOIN spaces space ON space.id = profile.space_id
              WHERE space.id = ${ports}::uuid AND profile.slug = 'ship') AS profile, (
              SELECT membership.created_at = space.created_at FROM memberships membership JOIN spaces space ON space.id = membership.space_id
              WHERE space.id = ${own}::uuid AND membership.user_id = ${agentUserId}::uuid) AS membership`
      ).pipe(asOwner)
    )
    assert.deepStrictEqual(times, { profile: true, membership: true })
  })
})
