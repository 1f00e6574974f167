/** The tabs of the details of a key, a role, an agent and an event: the address of the page contains the shown tab. */
import { assert } from "vitest"
import { describeConsole, it } from "./consoleScene.ts"
import { ok } from "./proposalScene.ts"

interface Details {
  /** The address of the page with the open details. */
  readonly address: string
  readonly title: string
  readonly first: string
  readonly other: string
}

describeConsole("the tabs of details in the console", ({ open, pod }) => {
  const details: Readonly<Record<string, () => Promise<Details>>> = {
    "a key": async () => {
      const { id } = await pod().aKey(pod().owner, { keyName: "Laptop" })
      return { address: `/connections?key=${id}`, title: "Laptop", first: "Last calls", other: "Rotations" }
    },
    "an access role": async () => {
      const role = { name: "Reader", grant: { permissions: ["entity.note.read"] } }
      const { id } = ok(await pod().owner.mutate("roles.create", role)).result.data
      return { address: `/roles?role=${id}`, title: "Reader", first: "Keys and drift", other: "Grant" }
    },
    "an agent": async () => {
      const { id } = ok(await pod().owner.mutate("agents.create", { name: "Scribe" })).result.data
      return { address: `/agents?agent=${id}`, title: "Scribe", first: "Capabilities", other: "What it did" }
    },
    "an event": async () => {
      const { id } = ok(await pod().owner.mutate("events.log", { type: "tabs.shown", data: {} })).result.data
      return { address: `/events?event=${id}`, title: "Event", first: "Payload", other: "Raw" }
    }
  }

  for (const [name, make] of Object.entries(details)) {
    it(`the details of ${name} keep the shown tab in the address, show the first tab if the address has an unknown tab, and follow the Back button`, async () => {
      const { address, first, other, title } = await make()
      const page = await open(`${address}&tab=Nothing`)
      const drawer = page.getByRole("dialog", { name: title })
      const shown = (tab: string) => drawer.getByRole("tab", { name: tab, exact: true, selected: true })
      await shown(first).waitFor()
      await drawer.getByRole("tab", { name: other, exact: true }).click()
      await page.waitForURL((url) => url.searchParams.get("tab") === other)
      await page.reload()
      await shown(other).waitFor()
      await page.goBack()
      await shown(first).waitFor()
      await page.goForward()
      await shown(other).waitFor()
      await page.keyboard.press("Escape")
      await drawer.waitFor({ state: "detached" })
      assert.isNull(new URL(page.url()).searchParams.get("tab"))
    })
  }
})
