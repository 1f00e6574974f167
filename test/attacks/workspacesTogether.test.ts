/** Attacks: one person makes many calls at the same moment, and each of them changes the access of this person. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aPod, type TestPod } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { assertOk } from "./attackScene.ts"

onOneStorage("calls of one person that change the access of this person", (storage) => {
  let pod: TestPod
  beforeAll(async () => void (pod = await aPod(storage)), 60_000)
  afterAll(() => pod?.stop())

  it("a person who creates eight workspaces at the same moment gets eight workspaces, each with one owner", async () => {
    const person = await pod.aPerson()
    const names = Array.from({ length: 8 }, (_, at) => `Together ${at}`)
    const answers = await Promise.all(
      names.map((workspaceName) => person.send("POST", "/api/hub/workspaces/from-definition", { workspaceName }))
    )
    const ids = answers.map((answer) => assertOk(answer).workspaceId as string)
    assert.strictEqual(new Set(ids).size, names.length)
    const { workspaces } = assertOk(await person.send("GET", "/api/hub/workspaces"))
    const listed: ReadonlyArray<{ readonly name: string; readonly role: string }> = workspaces
    assert.sameMembers(
      listed.map(({ name }) => name),
      names
    )
  })
})
