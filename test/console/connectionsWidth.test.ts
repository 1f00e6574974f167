/** Tests that the list of connections fits into a usual window with long names. */
import { Effect } from "effect"
import { assert } from "vitest"
import { KeyUsage } from "../../src/features/usage/KeyUsage.ts"
import { describeConsole, it } from "./consoleScene.ts"
import { anAgent } from "./proposalScene.ts"

describeConsole("the width of the list of connections", ({ open, pod }) => {
  it("a window of 1280 pixels shows every column of the list of connections, also for a key that ends soon, was refused, and has a long name and a holder with a long name", async () => {
    const { id } = await anAgent(pod(), "Careful bookkeeping assistant of the northern branch")
    const key = await pod().aKey(pod().owner, {
      keyName: "The accounting export of the spring, for the northern branch",
      agentId: id,
      expiresInDays: 5,
      grant: { permissions: ["entity.knowledge.read", "document.read"] }
    })
    for (let sent = 0; sent < 4; sent++) await key.send("GET", "/api/hub/documents")
    await pod().run(Effect.flatMap(KeyUsage, ({ flush }) => flush))
    const page = await open("/connections")
    const list = page.getByRole("region", { name: "Connections" })
    await list.getByText("4 calls, 4 refused", { exact: true }).waitFor()
    for (const forcedColors of ["none", "active"] as const) {
      await page.emulateMedia({ forcedColors })
      const [whole, visible] = await list.evaluate(({ clientWidth, scrollWidth }) => [scrollWidth, clientWidth])
      assert.isAtMost(whole ?? 0, visible ?? 0, `forced colours: ${forcedColors}`)
    }
  })
})
