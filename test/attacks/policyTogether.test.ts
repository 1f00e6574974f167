/**
 * Two people change the policy of one workspace at the same moment, on two pods with one database. Both changes are
 * stored.
 */
import { assert, it } from "@effect/vitest"
import type { Caller } from "../support/pod.ts"
import { describeTwoPods } from "../support/twoPods.ts"
import { procedureData, assertOk } from "./attackScene.ts"

const pairs = 50

describeTwoPods("two pods change the policy of one workspace", (pods) => {
  it("if two pods on one database set different policy fields of one workspace at the same time, both fields are stored", async () => {
    const say = (by: Caller, workspaceId: string, change: object) =>
      by.mutate("governance.setPolicy", { workspaceId, ...change })
    for (let pair = 0; pair < pairs; pair++) {
      const workspaceId = await pods.first.aWorkspace(pods.first.owner, `Pair ${pair}`)
      const modes = { governanceMode: "standard" }
      const unasked = { autoApproveFor: [`track.create`] }
      const [one, other] = pair % 2 === 0 ? [modes, unasked] : [unasked, modes]
      for (const answer of await Promise.all([
        say(pods.first.owner, workspaceId, one),
        say(pods.second.owner, workspaceId, other)
      ])) {
        procedureData(answer)
      }
      for (const { owner } of [pods.first, pods.second]) {
        const { autoApproveFor, governanceMode } = assertOk(
          await owner.send("GET", `/api/hub/workspaces/${workspaceId}/governance`)
        )
        assert.deepStrictEqual({ autoApproveFor, governanceMode }, { ...modes, ...unasked }, `pair ${pair}`)
      }
    }
  })
})
