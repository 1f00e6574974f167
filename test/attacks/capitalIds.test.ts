/** An id in capital letters is the same id: what it removes or suspends ends as with small letters. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Revocations } from "../../src/doors/Revocations.ts"
import { setRole } from "../support/membership.ts"
import { aPod, type TestPod } from "../support/pod.ts"
import { onOneDatabase } from "../support/storages.ts"
import { assertOk } from "./attackScene.ts"

// The stores in memory compare ids as texts, so an id in capital letters is unknown there.
describe("attack: an id in capital letters", () => {
  onOneDatabase((storage) => {
    let pod: TestPod
    beforeAll(async () => {
      pod = await aPod(storage())
    })
    afterAll(() => pod?.stop())

    /** Whether the running calls of this person were ended by the time of the answer. */
    const endsCallsOf = async (personId: string, change: () => Promise<unknown>) => {
      let isEnded = false
      const unwatch = await pod.run(Effect.map(Revocations, ({ watch }) => watch(personId, () => (isEnded = true))))
      await change()
      unwatch()
      return isEnded
    }

    it("a suspension ends the running calls of the person before its answer", async () => {
      const person = await pod.aPerson()
      for (const id of [person.id, person.id.toUpperCase()]) {
        const path = `/api/hub/people/${id}`
        assert.isTrue(
          await endsCallsOf(person.id, async () =>
            assertOk(await pod.owner.send("PATCH", path, { isSuspended: true }))
          ),
          id
        )
        assertOk(await pod.owner.send("PATCH", path, { isSuspended: false }))
      }
    })

    it("a removal from a workspace ends the running calls of the person before its answer", async () => {
      const person = await pod.aPerson()
      const workspaceId = await pod.aWorkspace(pod.owner, "Shared")
      await setRole(pod, storage(), person.id, workspaceId, "editor")
      const path = `/api/hub/workspaces/${workspaceId}/members/${person.id.toUpperCase()}`
      assert.isTrue(await endsCallsOf(person.id, async () => assertOk(await pod.owner.send("DELETE", path))))
    })
  })
})
