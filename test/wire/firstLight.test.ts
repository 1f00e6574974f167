/** The shortest complete use of a pod on every storage: a person, a workspace, a key, and a read with the key. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aPod, type Storage, type TestPod } from "../support/pod.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"

const suite = (storage: () => Storage) => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod(storage())
  })
  afterAll(() => pod.stop())

  it("a key can list and read exactly the entities that its grant covers", async () => {
    const workspace = await pod.aWorkspace(pod.owner, "Acme")
    const other = await pod.aWorkspace(pod.owner, "Other")
    const made = async (workspaceId: string | null, profileSlug: string, title: string) =>
      (await pod.owner.send("POST", "/api/hub/entities", { workspaceId, profileSlug, title })).body.id as string
    const seen = await made(workspace, "knowledge", "seen")
    const hidden = [
      await made(workspace, "note", "another kind"),
      await made(other, "knowledge", "another workspace"),
      await made(null, "knowledge", "own space")
    ]
    const key = await pod.aKey(pod.owner, {
      grant: { permissions: ["entity.knowledge.read"], workspaceIds: [workspace] }
    })
    const listed = await key.send("GET", "/api/hub/entities")
    assert.deepStrictEqual(
      listed.body.map((entity: { id: string }) => entity.id),
      [seen]
    )
    assert.strictEqual((await key.send("GET", `/api/hub/entities/${seen}`)).status, 200)
    for (const id of hidden) assert.strictEqual((await key.send("GET", `/api/hub/entities/${id}`)).status, 404)
    assert.strictEqual((await key.send("GET", "/api/hub/knowledge")).body.code, "GRANT_DOOR_UNSUPPORTED")
    assert.strictEqual((await key.send("PATCH", `/api/hub/entities/${seen}`, { title: "x" })).status, 403)
  })

  it("a revoked key is refused with 401", async () => {
    const key = await pod.aKey(pod.owner)
    assert.strictEqual((await key.send("GET", "/api/hub/users/me")).status, 200)
    assert.strictEqual((await pod.owner.mutate("apiKeys.revoke", { keyId: key.id })).status, 200)
    const refused = await key.send("GET", "/api/hub/users/me")
    assert.strictEqual(refused.status, 401)
    assert.strictEqual(refused.body.reason, "key_revoked")
  })
}

describe("a pod in memory", () => suite(() => ({ kind: "memory" })))
describe("a pod on PGlite", () => suite(() => ({ kind: "pglite", open: anEmbedded })))
describePostgres("a pod on PostgreSQL", (url) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(url)
  })
  afterAll(() => database.drop())
  suite(() => ({ kind: "postgres", url: database.url }))
})
