/**
 * Attacks: several calls adopt the same template at the same moment. Also, a person tries to learn something about
 * other people from the health report.
 */
import { assert, it } from "@effect/vitest"
import { aPod, type Caller } from "../support/pod.ts"
import { onEachStorage } from "../support/storages.ts"
import { assertOk, assertRefused } from "./attackScene.ts"

const adopted = (caller: Caller, workspaceId: string, templateSlug = "meeting-notes") =>
  caller.send("POST", "/api/hub/pod/adopt", { workspaceId, templateSlug })

onEachStorage("attack: several callers apply one template to a workspace at the same moment", (storage) => {
  it("if several calls apply one template to a workspace at the same moment, the pod creates each part of the template once, and every call succeeds", async () => {
    const pod = await aPod(storage)
    try {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const answers = await Promise.all(Array.from({ length: 4 }, () => adopted(pod.owner, workspaceId)))
      const outcomes = answers.map((answer) =>
        assertOk(answer).items.map(({ outcome }: { outcome: string }) => outcome)
      )
      const [first] = outcomes
      for (let part = 0; part < first.length; part++) {
        const made = outcomes.filter((each) => each[part] === "created")
        assert.lengthOf(made, 1, `part ${part}`)
        assert.isTrue(outcomes.every((each) => each[part] === "created" || each[part] === "kept"))
      }
      const views = assertOk(await pod.owner.send("GET", `/api/hub/views?workspaceId=${workspaceId}&limit=100`))
      const names = (views as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
      assert.strictEqual(new Set(names).size, names.length)
    } finally {
      await pod.stop()
    }
  })
})

onEachStorage("attack: a person uses the health report to watch other people", (storage) => {
  it("the health report for a member of the pod does not change when other people write or search, and contains no byte counts and no queue lengths", async () => {
    const pod = await aPod(storage)
    try {
      const watcher = await pod.aPerson()
      const seen = async () => {
        const { dependencies } = assertOk(await watcher.send("GET", "/api/hub/health/dependencies"))
        return dependencies.map((each: { readonly latencyMs: number }) => ({ ...each, latencyMs: 0 }))
      }
      const before = await seen()
      assertOk(await pod.owner.send("POST", "/api/hub/entities", { title: "harbour", profileSlug: "note" }))
      assertOk(await pod.owner.send("POST", "/api/hub/knowledge/search", { query: "harbour" }))
      assert.deepStrictEqual(await seen(), before)
      assert.notMatch(JSON.stringify(before), /bytes|waiting/)
      const scoped = await pod.aKey(pod.owner, { grant: { permissions: ["entity.read"] } })
      assertRefused(await scoped.send("GET", "/api/hub/health/dependencies"), 403)
    } finally {
      await pod.stop()
    }
  })
})
