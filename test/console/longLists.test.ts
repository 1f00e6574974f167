/** Lists that have more rows than the pod returns on one page: a person reaches all of their rows. */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { aReceiver, quickWebhooks } from "../support/receiver.ts"
import { describeConsole, it } from "./consoleScene.ts"
import { ok } from "./proposalScene.ts"

const many = 205 // This is more than the number of rows on one page of any of these lists.

const rowsIn = (page: Page, table: string) => page.getByRole("region", { name: table, exact: true }).getByRole("row")

/** Runs the work for each number below `count`. A few of these runs happen at the same time. */
const forEach = async (count: number, work: (at: number) => Promise<unknown>) => {
  for (let at = 0; at < count; at += 10) {
    await Promise.all(Array.from({ length: Math.min(10, count - at) }, (_, next) => work(at + next)))
  }
}

describeConsole(
  "lists with several pages",
  ({ open, pod }) => {
    it("the console finds the oldest of more than 200 access roles, although the pod returns the roles in several pages", async () => {
      const grant = { permissions: ["entity.note.read"] }
      ok(await pod().owner.mutate("roles.create", { name: "The oldest role", grant }))
      await forEach(many, async (at) => ok(await pod().owner.mutate("roles.create", { name: `Role ${at}`, grant })))
      const page = await open("/roles?q=oldest")
      await rowsIn(page, "Access roles").filter({ hasText: "The oldest role" }).waitFor()
      await page.goto(`${pod().baseUrl}/admin/keys/new`)
      await page.getByRole("button", { name: /^The oldest role/ }).waitFor()
    })

    it("the console lists every invitation, even if the pod returns the invitations in several pages", async () => {
      await forEach(many, async (at) =>
        ok(await pod().owner.send("POST", "/api/hub/invitations", { note: `Guest ${at}` }))
      )
      const page = await open("/settings?show=People")
      await rowsIn(page, "Invitations")
        .filter({ hasText: /^Guest 0\D/ })
        .waitFor()
      assert.strictEqual(await rowsIn(page, "Invitations").filter({ hasText: "Guest" }).count(), many)
    })

    it("a person reads the deliveries of a webhook page by page, until all of them are shown", async () => {
      const receiver = await aReceiver()
      const draft = { name: "busy", url: receiver.url, eventTypes: ["busy.happened"] }
      const { subscription } = ok(await pod().owner.mutate("webhooks.create", draft)).result.data
      await forEach(many, async () => ok(await pod().owner.mutate("events.log", { type: "busy.happened" })))
      await receiver.until((_, calls) => calls.length >= many)
      const page = await open(`/webhooks?id=${subscription.id}`)
      const shown = rowsIn(page, "Deliveries of busy").filter({ hasText: "busy.happened" })
      await shown.nth(99).waitFor()
      assert.strictEqual(await shown.count(), 100)
      for (const count of [200, many]) {
        await page.getByRole("button", { name: "Show more deliveries" }).click()
        await shown.nth(count - 1).waitFor()
        assert.strictEqual(await shown.count(), count)
      }
      await page.getByRole("button", { name: "Show more deliveries" }).waitFor({ state: "detached" })
      await receiver.stop()
    })

    it("the tree of causes of an event shows fifty effects of the event, and shows more effects when the person asks for them", async () => {
      const cause = ok(await pod().owner.mutate("events.log", { type: "parent.happened" })).result.data.id
      const child = { type: "child.happened", causationId: cause }
      await forEach(60, async () => ok(await pod().owner.mutate("events.log", child)))
      const page = await open(`/events?event=${cause}`)
      await page.getByRole("tab", { name: "Tree" }).click()
      const children = page.getByRole("list", { name: "Tree of causes" }).getByText("child.happened")
      await children.nth(49).waitFor()
      assert.strictEqual(await children.count(), 50)
      await page.getByRole("button", { name: "Show more of what it caused" }).click()
      await children.nth(59).waitFor()
    })
  },
  { webhooks: quickWebhooks() }
)
