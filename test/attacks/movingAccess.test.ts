/**
 * A person makes many changes of their own access at the same moment. Each change makes the cached access of the other
 * calls outdated, so the pod runs these calls again.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aPod, type TestPod } from "../support/pod.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { assertOk } from "./attackScene.ts"

const together = 16
const rounds = 4

describePostgres("many changes of a person's access at the same moment", (server) => {
  let database: TestDatabase
  let pod: TestPod
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    pod = await aPod({ kind: "postgres", url: database.url })
  })
  afterAll(async () => {
    await pod?.stop()
    await database?.drop()
  })

  it("if a person creates many workspaces at the same moment, each call succeeds or gets 503, and no call gets 401 as if the session were revoked", async () => {
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all(
        Array.from({ length: together }, (_, at) =>
          pod.owner.send("POST", "/api/hub/workspaces/from-definition", { workspaceName: `Room ${round} ${at}` })
        )
      )
      for (const { body, status } of answers) assert.include([200, 503], status, JSON.stringify(body))
    }
    assertOk(await pod.owner.send("GET", "/api/hub/users/me"))
  })

  it("after a change of a person's access, a request with a faulty body gets the refusal of this body, although the pod runs the call twice", async () => {
    const key = await pod.aKey(pod.owner)
    const send = (body: string) => key.send("POST", "/api/hub/workspaces/from-definition", body)
    const bodies = [
      "{",
      `{"x":${"[".repeat(100)}${"]".repeat(100)}}`,
      '{"workspaceName":"\\ud800"}',
      '{"__proto__":{}}'
    ]
    for (const body of bodies) {
      // The creation of a workspace changes the access of its person, so the access in the cache is outdated.
      assertOk(await send('{"workspaceName":"Another"}'))
      const outdated = await send(body)
      const again = await send(body)
      assert.deepStrictEqual([outdated.status, outdated.body], [400, again.body])
    }
  })
})
