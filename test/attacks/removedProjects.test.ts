/** After a project is removed, a key that is limited to the project reads no entity, and lists of the project are empty. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { onEachStorage } from "../support/storages.ts"
import { anAttackScene, anEntity, type AttackScene, assertOk, assertRefused, createRecord } from "./attackScene.ts"

onEachStorage("attack: a caller asks for the entities of a removed project", (storage) => {
  let scene: AttackScene
  beforeAll(async () => {
    scene = await anAttackScene(storage)
  }, 60_000)
  afterAll(() => scene?.pod.stop())

  it("a key that is limited to a project can read no entity after the project is removed, and can read the entities again after a revert restores the project", async () => {
    const { agent, owner, pod, workspaceId } = scene
    const project = await createRecord(owner, "projects", { name: "Harbour", workspaceId })
    const filed = await anEntity(owner, { title: "Boat", projectId: project.id, workspaceId })
    const later = await anEntity(owner, { title: "Crane", workspaceId })
    assertOk(await owner.send("POST", `/api/hub/projects/${project.id}/entities`, { entityIds: [later.id] }))
    const limited = await pod.aKey(owner, { grant: { permissions: ["*"], projectIds: [project.id] } })
    const whole = await pod.aKey(owner, { grant: { permissions: ["*"] } })
    const statuses = async () => [
      (await limited.send("GET", `/api/hub/entities/${filed.id}`)).status,
      (await limited.send("GET", `/api/hub/entities/${later.id}`)).status,
      (await limited.send("PATCH", `/api/hub/entities/${filed.id}`, { title: "Boat" })).status
    ]
    const lists = async () => {
      const titles = []
      for (const caller of [limited, whole, owner]) {
        const listed = assertOk(await caller.send("GET", `/api/hub/entities?projectId=${project.id}`))
        titles.push(listed.map(({ title }: { readonly title: string }) => title).toSorted())
      }
      return titles
    }
    const both = ["Boat", "Crane"]
    assert.deepStrictEqual(await statuses(), [200, 200, 200])
    assert.deepStrictEqual(await lists(), [both, both, both])

    const removal = assertOk(await agent.send("DELETE", `/api/hub/projects/${project.id}`))
    assertOk(await owner.send("POST", `/api/hub/proposals/${removal.proposalId}/approve`, {}))
    assert.deepStrictEqual(await statuses(), [404, 404, 404])
    assert.deepStrictEqual(await lists(), [[], [], []])
    const again = { entityIds: [later.id] }
    assertRefused(await owner.send("POST", `/api/hub/projects/${project.id}/entities`, again), 404)

    assertOk(await owner.send("POST", `/api/hub/proposals/${removal.proposalId}/revert`, {}))
    assert.deepStrictEqual(await statuses(), [200, 200, 200])
    assert.deepStrictEqual(await lists(), [both, both, both])
  })

  it("if people create entities in a project at the moment when somebody removes the project, no entity is in the project afterwards", async () => {
    const { owner, workspaceId } = scene
    for (const round of [0, 1, 2, 3]) {
      const { id } = await createRecord(owner, "projects", { name: `Quay ${round}`, workspaceId })
      const draft = (at: number) => ({ title: `Filed ${round} ${at}`, projectId: id, workspaceId })
      const create = (at: number) => owner.send("POST", "/api/hub/entities", draft(at))
      const answers = await Promise.all([
        ...[0, 1, 2, 3].map(create),
        owner.send("DELETE", `/api/hub/projects/${id}`),
        ...[4, 5, 6, 7].map(create)
      ])
      for (const { body, status } of answers) assert.include([200, 400], status, JSON.stringify(body))
      assert.deepStrictEqual(assertOk(await owner.send("GET", `/api/hub/entities?projectId=${id}`)), [])
    }
  })
})
