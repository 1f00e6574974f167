/** Attack: somebody rotates the key of an agent while a new setup of the agent revokes its keys. */
import { assert } from "@effect/vitest"
import { it } from "vitest"
import { Option, Redacted } from "effect"
import { aMoment } from "../support/aMoment.ts"
import { aPod } from "../support/pod.ts"
import { aDatabaseOn, describePostgres } from "../support/postgres.ts"
import { connected } from "../support/postgresServer.ts"
import { procedureData } from "./attackScene.ts"

const token = "provisioning-token-of-a-test-0123456789"

describePostgres("attack: a key is rotated during a setup of its agent", (server) => {
  it("a setup of an agent also revokes the successor of a key that somebody rotates at the same moment", async () => {
    const database = await aDatabaseOn(server)
    const pod = await aPod(
      { kind: "postgres", url: database.url },
      { provisioningToken: Option.some(Redacted.make(token)) }
    )
    const bearer = (secret: string) => pod.as({ authorization: `Bearer ${secret}` })
    const setUp = async () => (await bearer(token).send("POST", "/api/hub/setup/agent", { agentType: "scribe" })).body
    const statusWith = async (key: string) => (await bearer(key).send("GET", "/api/hub/users/me")).status
    const { keyId } = await setUp()
    await connected(database.url, (holder) =>
      connected(database.url, async (watcher) => {
        const untilWaiting = async (count: number) => {
          const waiting =
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
          while ((await watcher.query(waiting)).rows.length < count) await aMoment()
        }
        await holder.query("BEGIN")
        await holder.query("SELECT 1 FROM api_keys WHERE id = $1 FOR UPDATE", [keyId])
        const rotation = pod.owner.mutate("apiKeys.rotate", { keyId })
        await untilWaiting(1)
        const setup = setUp()
        await untilWaiting(2)
        await holder.query("COMMIT")
        const successor = procedureData(await rotation).key as string
        assert.strictEqual(await statusWith((await setup).hubApiKey), 200)
        assert.strictEqual(await statusWith(successor), 401)
      })
    )
    await pod.stop()
    await database.drop()
  })
})
