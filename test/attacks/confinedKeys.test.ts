/**
 * A key for one workspace with the permission `*` can read all content of this workspace, and nothing else
 * (specification §5.1 and §5.4).
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { onOneStorage } from "../support/storages.ts"
import { anAttackScene, anEntity, type AttackScene, assertOk, procedureData } from "./attackScene.ts"
import { ask, nameOf } from "../doors/surfaces.ts"
import { allApproaches } from "../doors/walk.ts"
import { openingScopes, type Caller } from "../support/pod.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { variantsOf } from "./variants.ts"

onOneStorage("a key with full access to one workspace", (storage) => {
  let scene: AttackScene
  let key: Caller
  let [ours, other] = ["", ""]
  let hidden: { readonly id: string }
  beforeAll(async () => {
    scene = await anAttackScene(storage)
    const { owner, pod } = scene
    ours = await pod.aWorkspace(owner, "Harbour office")
    other = await pod.aWorkspace(owner, "Secret office")
    await anEntity(owner, { workspaceId: ours, profileSlug: "note", title: "harbour plan" })
    hidden = await anEntity(owner, { workspaceId: other, profileSlug: "note", title: "harbour secret" })
    await anEntity(owner, { profileSlug: "note", title: "harbour diary" })
    const entry = { key: "tide", value: "harbour secret tide" }
    for (const workspaceId of [other, null])
      assertOk(await owner.send("POST", "/api/hub/knowledge", { ...entry, workspaceId }))
    assertOk(await owner.send("POST", "/api/hub/knowledge", { key: "pier", value: "harbour", workspaceId: ours }))
    key = await pod.aKey(owner, { grant: { permissions: ["*"] }, workspaceId: ours })
  }, 60_000)
  afterAll(() => scene?.pod.stop())
  const get = (path: string) => key.send("GET", `/api/hub/${path}`)

  it("a key with full access to one workspace can read the knowledge, entities, automation rules, events and digest of this workspace, and can search this workspace", async () => {
    const reads = [
      `knowledge?workspaceId=${ours}`,
      `knowledge/pier?workspaceId=${ours}`,
      `workspaces/${ours}`,
      "entities?q=harbour",
      "profiles"
    ]
    for (const path of [...reads, `rules?workspaceId=${ours}`, "events", `workspaces/${ours}/digest`]) {
      const { body, status } = await get(path)
      assert.strictEqual(status, 200, `${path}: ${JSON.stringify(body)}`)
    }
    const { answers } = assertOk(await key.send("POST", "/api/hub/knowledge/search", { query: "harbour" }))
    assert.include(JSON.stringify(answers), "harbour plan")
  })

  it("no answer to a call with a key for one workspace contains a name, a text or an id of another workspace or of the personal space of the person who owns the key", async () => {
    const { ownerId } = scene.pod
    const paths = [
      "knowledge",
      "workspaces",
      "entities",
      "entities?q=harbour",
      "events",
      "rules",
      "orient",
      "profiles",
      "views",
      "channels",
      "threads",
      "documents",
      "relations",
      "artifacts",
      "subscriptions",
      "focus-sessions",
      "auth/status",
      `discover?userId=${ownerId}`,
      `graph/workspace/${ours}`,
      "resolve?kind=workspace&name=Secret%20office",
      "pod/config",
      "knowledge/search?q=harbour",
      "brand/kit",
      "projects",
      "proposals",
      "health/dependencies"
    ]
    const answers = await Promise.all(paths.map(async (path) => ({ path, ...(await get(path)) })))
    const search = await key.send("POST", "/api/hub/knowledge/search", { query: "harbour secret tide", compare: true })
    for (const { body, path } of [...answers, { path: "search", body: search.body }]) {
      const text = JSON.stringify(body)
      for (const secret of ["Secret office", "harbour secret", "harbour diary", "tide", other, hidden.id]) {
        assert.notInclude(text.replaceAll("harbour secret tide", ""), secret, path)
      }
    }
  })

  it("a key for one workspace can read the governance rules of this workspace, but not the rules for all agents of the person who owns the key", async () => {
    const rule = { targetKind: "action", targetPattern: "brand.create", verdict: "propose" }
    const made = []
    for (const scope of [{ scopeKind: "pod" }, { scopeKind: "workspace", workspaceId: ours }]) {
      made.push(procedureData(await scene.owner.mutate("governanceRules.create", { ...rule, ...scope })).id as string)
    }
    const rulesFor = async (caller: Caller) => {
      const { agentOverrides } = assertOk(await caller.send("GET", `/api/hub/workspaces/${ours}/governance`))
      return (agentOverrides as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
    }
    assert.sameMembers(await rulesFor(scene.owner), made)
    assert.deepStrictEqual(await rulesFor(key), [made[1]])
  })

  it("a key for one workspace gets 403 or 404 for a request with the id of another workspace, and cannot find records in other workspaces", async () => {
    for (const path of [
      `knowledge?workspaceId=${other}`,
      `workspaces/${other}`,
      `rules?workspaceId=${other}`,
      `events?workspaceId=${other}`,
      `workspaces/${other}/digest`
    ]) {
      assert.include([403, 404], (await get(path)).status, path)
    }
    for (const path of [`entities/${hidden.id}`, `graph/entity/${hidden.id}`, `knowledge/tide?workspaceId=${ours}`]) {
      const { body, status } = await get(path)
      assert.isTrue(status === 404 || body.found === false, `${path}: ${JSON.stringify(body)}`)
    }
    const { body } = await get(`resolve/${hidden.id}`)
    assert.strictEqual(body.type, "unknown")
    const ids = [hidden.id, other, scene.pod.ownerId, ours]
    const titles = assertOk(await key.send("POST", "/api/hub/resolve/titles", { ids }))
    assert.deepStrictEqual(titles, [{ id: ours, type: "workspace", displayName: "Harbour office", workspaceId: ours }])
  })

  it("if the input of a read contains no workspace, no surface answers `WORKSPACE_FORBIDDEN` to a key for one workspace", async () => {
    const scope = openingScopes.filter((one) => one !== "providers.write" && one !== "setup.agent")
    const confined = [
      await scene.pod.aKey(scene.owner, { scope, workspaceId: ours }),
      await scene.pod.aKey(scene.owner, { scope, grant: { permissions: ["*"], workspaceIds: [ours] } })
    ]
    const reads = (await allApproaches(scene.pod, false)).filter(
      ({ operation, place }) => operation.kind === "query" && place !== "session"
    )
    const refused: Array<string> = []
    let answers = 0
    for (const way of reads) {
      for (const variant of variantsOf(way, ["seen"], ["entities"]).slice(0, 4)) {
        const input = JSON.stringify(variant).replaceAll("@seen/entities", uuidv7())
        if (input.includes("orkspace")) continue
        for (const limited of confined) {
          const { body, verdict } = await ask(limited, way, JSON.parse(input))
          if (verdict === "answered") answers += 1
          if (JSON.stringify([body]).includes("WORKSPACE_FORBIDDEN")) refused.push(`${nameOf(way)} ${input}`)
        }
      }
    }
    assert.isAbove(answers, 100)
    assert.deepStrictEqual(refused, [])
  })

  it("a key for one workspace finds no entity and no knowledge entry in the personal space of the person who owns the key", async () => {
    for (const path of ["entities?scope=pod", "knowledge", "knowledge/search?q=harbour"]) {
      assert.deepStrictEqual(assertOk(await get(path)), [], path)
    }
    for (const path of ["knowledge/tide", "knowledge/tide/versions"]) {
      assert.strictEqual((await get(path)).status, 404, path)
    }
  })
})
