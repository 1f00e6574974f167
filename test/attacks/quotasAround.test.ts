/** Attacks: a person or an agent tries to get more records than a quota allows, by another way than a plain create. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { quotas } from "../../src/features/gate/Quota.ts"
import { aPod, type Answer, type Caller, type TestPod } from "../support/pod.ts"
import { connected } from "../support/postgresServer.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { assertOk, assertProposed, assertRefused, createRecord, procedureData } from "./attackScene.ts"
import { setRole } from "../support/membership.ts"
import { fillUp } from "./fullQuota.ts"

describePostgres("attacks: ways around a quota", (server) => {
  let pod: TestPod
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    pod = await aPod({ kind: "postgres", url: database.url })
  }, 60_000)
  afterAll(async () => {
    await pod?.stop()
    await database?.drop()
  })

  const countOf = (from: string, values: ReadonlyArray<unknown> = []) =>
    connected(database.url, async (client) => {
      const { rows } = await client.query<{ readonly count: number }>(
        `SELECT count(*)::integer AS count FROM ${from}`,
        [...values]
      )
      return rows[0].count
    })
  const profilesOf = (person: { readonly id: string }) =>
    countOf("profiles WHERE user_id = $1 AND archived_at IS NULL", [person.id])
  const kinds = (count: number, word: string) =>
    Array.from({ length: count }, (_, at) => ({ slug: `${word}${at}`, displayName: "Kind" }))
  const define = (by: Caller, body: object) => by.send("POST", "/api/hub/workspaces/from-definition", body)

  /** Makes a person who can have one more profile. */
  const aFullPerson = async (email: string) => {
    const person = await pod.aPerson(email)
    await createRecord(person, "profiles", { slug: "first", displayName: "First" })
    await fillUp(database.url, "profile", `archived_at IS NULL AND user_id = '${person.id}'`, {
      id: "gen_random_uuid()",
      slug: "'copy' || generate_series"
    })
    return person
  }

  it("the pod refuses a workspace whose definition has more profiles than the person's quota still allows, and creates no part of the workspace", async () => {
    const person = await aFullPerson("definitions@example.com")
    const before = await countOf("spaces")
    const body = { workspaceName: "Two kinds", proposalId: "two kinds", profiles: kinds(2, "a") }
    assertRefused(await define(person, body), 403, "QUOTA_REACHED")
    assert.strictEqual(await countOf("spaces"), before)
    const made = assertOk(await define(person, { ...body, profiles: kinds(1, "a") }))
    assert.strictEqual(await profilesOf(person), quotas.profile.max)
    // The quota is full now. A repeated request still finds its workspace.
    assert.deepStrictEqual(assertOk(await define(person, body)), { ...made, created: false })
  })

  it("if several calls create workspaces with profiles at the same moment, the person has no more profiles than the quota allows", async () => {
    const person = await aFullPerson("together@example.com")
    const answers = await Promise.all(
      [0, 1, 2, 3, 4].map((at) => define(person, { workspaceName: "One kind", profiles: kinds(1, `b${at}-`) }))
    )
    const statuses = answers.map(({ status }: Answer) => status)
    // Each new workspace changes the access of the person, so the pod asks some of the other calls to come again (503).
    for (const status of statuses) assert.include([200, 403, 503], status)
    assert.include(statuses, 200)
    assert.strictEqual(await profilesOf(person), quotas.profile.max)
  })

  it("if the profiles have no room when the creation of a workspace continues, the workspace says so and gets none of them", async () => {
    const person = await aFullPerson("continued@example.com")
    const { workspaceId } = assertOk(await define(person, { workspaceName: "Half created" }))
    const definition = JSON.stringify({ profiles: kinds(2, "f") })
    await connected(database.url, (client) =>
      client.query(
        "UPDATE spaces SET provisioning_status = 'failed', failed_step = 'profiles', definition = $2 WHERE id = $1",
        [workspaceId, definition]
      )
    )
    const path = `/api/hub/workspaces/${workspaceId}`
    const { failedStepError, provisioningStatus } = assertOk(await person.send("POST", `${path}/retry-provisioning`))
    assert.strictEqual(provisioningStatus, "failed")
    assert.include(failedStepError, `at most ${quotas.profile.max} profiles`)
    assert.strictEqual(await countOf("profiles WHERE space_id = $1", [workspaceId]), 0)
  })

  it("if the quota has no room for the profiles of a proposed workspace, an approval is refused, and the proposal waits", async () => {
    const person = await aFullPerson("approvals@example.com")
    const agentId = procedureData(await person.mutate("agents.create", { name: "Founder", capabilities: ["*"] })).id
    const agent = await pod.aKey(person, { agentId })
    const request = { workspaceName: "Proposed", profiles: kinds(1, "c") }
    const proposalId = assertProposed(await define(agent, request))
    await createRecord(person, "profiles", { slug: "last", displayName: "Last" })
    const before = await countOf("spaces")
    const path = `/api/hub/proposals/${proposalId}`
    assertRefused(await person.send("POST", `${path}/approve`, {}), 403, "QUOTA_REACHED")
    assert.strictEqual(assertOk(await person.send("GET", path)).status, "pending")
    assert.strictEqual(await countOf("spaces"), before)
    assert.strictEqual(await profilesOf(person), quotas.profile.max)
  })

  it("a proposal of a workspace cannot have more profiles in its definition than a request can", async () => {
    const { owner } = pod
    const agentId = procedureData(await owner.mutate("agents.create", { name: "Founder", capabilities: ["*"] })).id
    const agent = await pod.aKey(owner, { agentId })
    const request = { workspaceName: "Many", profiles: kinds(101, "d") }
    assertRefused(await define(agent, request), 400)
    const data = { name: "Many", definition: { profiles: request.profiles } }
    const filed = { targetType: "workspace", proposalType: "create", data }
    assertRefused(await agent.send("POST", "/api/hub/proposals", filed), 400)
    const proposalId = assertProposed(await define(agent, { ...request, profiles: kinds(1, "d") }))
    assertRefused(await owner.send("PATCH", `/api/hub/proposals/${proposalId}`, { data }), 400)
    const wrong = { ...data, definition: { profiles: [{ slug: "Not A Slug", displayName: "" }] } }
    assertRefused(await owner.send("PATCH", `/api/hub/proposals/${proposalId}`, { data: wrong }), 400)
  })

  it("the definition of a workspace cannot make a second profile with the slug of a built-in profile", async () => {
    const profiles = [...kinds(1, "e"), { slug: "note", displayName: "Other notes" }]
    const { workspaceId } = assertOk(await define(pod.owner, { workspaceName: "Notes", profiles }))
    assert.strictEqual(await countOf("profiles WHERE space_id = $1", [workspaceId]), 1)
  })

  it("a member does not become an owner of a workspace if the member already owns as many workspaces as the quota allows", async () => {
    const [owner, member] = [await pod.aPerson("founder@example.com"), await pod.aPerson("collector@example.com")]
    const workspaceId = await pod.aWorkspace(owner)
    await setRole(pod, { kind: "postgres", url: database.url }, member.id, workspaceId, "editor")
    await pod.aWorkspace(member)
    await fillUp(database.url, "workspace", `user_id = '${member.id}' AND role = 'owner' AND space_id <> user_id`, {
      space_id: "gen_random_uuid()"
    })
    const last = await pod.aWorkspace(member)
    const promote = () =>
      owner.send("PATCH", `/api/hub/workspaces/${workspaceId}/members/${member.id}`, { role: "owner" })
    assertRefused(await promote(), 403, "QUOTA_REACHED")
    const roleOf = "memberships WHERE user_id = $1 AND space_id = $2 AND role = $3"
    assert.strictEqual(await countOf(roleOf, [member.id, workspaceId, "editor"]), 1)
    await connected(database.url, (client) => client.query("DELETE FROM memberships WHERE space_id = $1", [last]))
    assertOk(await promote())
    assert.strictEqual(await countOf(roleOf, [member.id, workspaceId, "owner"]), 1)
  })

  it("a revert does not restore the record of a person whose quota became full after the delete, and restores it as soon as there is room", async () => {
    const [owner, member] = [await pod.aPerson("reverter@example.com"), await pod.aPerson("author@example.com")]
    const workspaceId = await pod.aWorkspace(owner)
    await setRole(pod, { kind: "postgres", url: database.url }, member.id, workspaceId, "editor")
    const { id } = await createRecord(member, "brands", { workspaceId, name: "First" })
    const agentId = procedureData(await owner.mutate("agents.create", { name: "Tidy", capabilities: ["*"] })).id
    await setRole(pod, { kind: "postgres", url: database.url }, agentId, workspaceId, "admin")
    const agent = await pod.aKey(owner, { agentId })
    const proposalId = assertProposed(await agent.send("DELETE", `/api/hub/brands/${id}`))
    assertOk(await owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {}))
    const { id: second } = await createRecord(member, "brands", { workspaceId, name: "Second" })
    const owned = `archived_at IS NULL AND user_id = '${member.id}'`
    await fillUp(database.url, "brand", owned, { id: "gen_random_uuid()", name: "'copy ' || generate_series" })
    await createRecord(member, "brands", { workspaceId, name: "Last" })
    const revert = () => owner.send("POST", `/api/hub/proposals/${proposalId}/revert`, {})
    assertRefused(await revert(), 403, "QUOTA_REACHED")
    assert.strictEqual(await countOf(`brands WHERE ${owned}`), quotas.brand.max)
    assertOk(await owner.send("DELETE", `/api/hub/brands/${second}`))
    assertOk(await revert())
    assert.strictEqual(await countOf(`brands WHERE ${owned}`), quotas.brand.max)
  })

  it("rotations with an overlap count for the quota of keys, because the old key still works", async () => {
    const request = { keyName: "Key", scope: ["hub-protocol.read"], grant: { permissions: ["*"] } }
    const person = await pod.aPerson("rotations@example.com")
    const first = procedureData(await person.mutate("apiKeys.create", request))
    await fillUp(database.url, "api_key", `revoked_at IS NULL AND person_id = '${person.id}'`, {
      id: "gen_random_uuid()",
      key_hash: "decode(replace(gen_random_uuid()::text, '-', ''), 'hex')"
    })
    const rotate = (keyId: string, overlapSeconds: number) => person.mutate("apiKeys.rotate", { keyId, overlapSeconds })
    const second = procedureData(await rotate(first.id, 3600))
    const refused = await rotate(second.id, 3600)
    assert.deepStrictEqual([refused.status, refused.body.error.data.reason], [403, "QUOTA_REACHED"])
    // Without an overlap, a rotation replaces the key, so it always has room.
    procedureData(await rotate(second.id, 0))
    assert.strictEqual(
      await countOf(
        "api_keys WHERE person_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())",
        [person.id]
      ),
      quotas.api_key.max
    )
  })
})
