/**
 * The details of a key, a role, an agent and an event: the address of the page contains the shown tab, and the Back
 * button closes the details.
 */
import type { Locator, Page } from "playwright-core"
import { assert } from "vitest"
import { describeConsole, it } from "./consoleScene.ts"
import { ok } from "./proposalScene.ts"

interface Details {
  /** The address of the page with the open details. */
  readonly address: string
  readonly title: string
  /** The control in the list that opens the details. */
  readonly opener: (page: Page) => Locator
  readonly first: string
  readonly other: string
}

const named = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).first()

describeConsole("the tabs of details in the console", ({ open, pod }) => {
  const details: Readonly<Record<string, (title: string) => Promise<Details>>> = {
    "a key": async (title) => {
      const { id } = await pod().aKey(pod().owner, { keyName: title })
      return { address: `/connections?key=${id}`, title, opener: named(title), first: "Last calls", other: "Rotations" }
    },
    "an access role": async (title) => {
      const role = { name: title, grant: { permissions: ["entity.note.read"] } }
      const { id } = ok(await pod().owner.mutate("roles.create", role)).result.data
      return { address: `/roles?role=${id}`, title, opener: named(title), first: "Keys", other: "Grant" }
    },
    "an agent": async (title) => {
      const { id } = ok(await pod().owner.mutate("agents.create", { name: title })).result.data
      return {
        address: `/agents?agent=${id}`,
        title,
        opener: named(title),
        first: "Capabilities",
        other: "What it did"
      }
    },
    "an event": async () => {
      const { id } = ok(await pod().owner.mutate("events.log", { type: "tabs.shown", data: {} })).result.data
      return {
        address: `/events?event=${id}`,
        title: "Event",
        opener: (page: Page) => page.getByRole("link", { name: /tabs\.shown/ }).first(),
        first: "Payload",
        other: "Raw"
      }
    }
  }

  for (const [name, make] of Object.entries(details)) {
    it(`the details of ${name} keep the shown tab in the address, and show the first tab if the address has an unknown tab`, async () => {
      const { address, first, other, title } = await make("Tabs")
      const page = await open(`${address}&tab=Nothing`)
      const drawer = page.getByRole("dialog", { name: title })
      const shown = (tab: string) => drawer.getByRole("tab", { name: tab, exact: true, selected: true })
      await shown(first).waitFor()
      await drawer.getByRole("tab", { name: other, exact: true }).click()
      await page.waitForURL((url) => url.searchParams.get("tab") === other)
      await page.reload()
      await shown(other).waitFor()
      await page.keyboard.press("Escape")
      await drawer.waitFor({ state: "detached" })
      assert.isNull(new URL(page.url()).searchParams.get("tab"))
    })

    it(`the Back button closes the details of ${name} from every tab and keeps the list, and closed details leave no entry in the history`, async () => {
      const { address, first, opener, other, title } = await make("History")
      const page = await open("/health")
      const [list = "", id = ""] = address.split("?")
      await page.getByRole("navigation", { name: "Places" }).locator(`a[href$="${list}"]`).click()
      const drawer = page.getByRole("dialog", { name: title })
      const openDrawer = async () => {
        await opener(page).click()
        await drawer.getByRole("tab", { name: first, exact: true, selected: true }).waitFor()
        assert.include(page.url(), id)
      }
      const isListAlone = async () => {
        await drawer.waitFor({ state: "detached" })
        await opener(page).waitFor()
        assert.strictEqual(new URL(page.url()).pathname, `/admin${list}`)
        assert.strictEqual(new URL(page.url()).search, "")
      }
      await openDrawer()
      await page.goBack()
      await isListAlone()
      await openDrawer()
      for (const tab of [other, first, other]) await drawer.getByRole("tab", { name: tab, exact: true }).click()
      await page.waitForURL((url) => url.searchParams.get("tab") === other)
      await page.goBack()
      await isListAlone()
      await openDrawer()
      await drawer.getByRole("button", { name: "Close" }).click()
      await isListAlone()
      await page.goBack()
      await page.waitForURL(/\/health$/)
    })
  }
})
