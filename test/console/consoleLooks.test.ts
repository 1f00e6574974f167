/**
 * The main screens at the smallest width, with more contrast, with the colours of the system, and behind a proxy that
 * serves the console below a path.
 */
import type { Locator } from "playwright-core"
import { assert } from "vitest"
import { aPathProxy } from "../support/pathProxy.ts"
import { ownerEmail, ownerPassword } from "../support/pod.ts"
import { assertAccessible, assertNoSidewaysScroll, describeConsole, it } from "./consoleScene.ts"
import { aNote, anAgent } from "./proposalScene.ts"

const screens = [
  ["/", "Home"],
  ["/inbox", "Inbox"],
  ["/explore", "Explore"],
  ["/memory", "Memory"],
  ["/events", "Events"],
  ["/webhooks", "Webhooks"],
  ["/connections", "Connections"],
  ["/keys/new", "New key"],
  ["/roles", "Access roles"],
  ["/agents", "Agents"],
  ["/workspaces", "Workspaces"],
  ["/health", "Health"],
  ["/settings", "Settings"]
] as const

const smallest = 360 // In pixels. This is the narrowest window that the console must fit.

describeConsole("the appearance of the console", ({ open, pod }) => {
  it("every main screen fits into a window of 360 pixels", async () => {
    const scribe = await anAgent(pod(), "Scribe")
    await scribe.create({ title: "A title that is long enough to need more than one line on a small screen" })
    await aNote(pod(), { title: "Narrow" })
    const page = await open("/", { width: smallest })
    for (const [path, heading] of screens) {
      await page.goto(`${pod().baseUrl}/admin${path}`)
      await page.getByRole("heading", { level: 1, name: heading }).waitFor()
      await assertNoSidewaysScroll(page)
      await assertAccessible(page, ["target-size", "scrollable-region-focusable"])
    }
  })

  it("if the operating system asks for more contrast, every main screen of the console has enough contrast, and if it sets its own colours, links do not differ from the text by their colour alone", async () => {
    const page = await open("/")
    // The test turns animations off, because axe cannot judge colours that still change.
    await page.emulateMedia({ reducedMotion: "reduce" })
    for (const [path, heading] of screens) {
      await page.goto(`${pod().baseUrl}/admin${path}`)
      await page.getByRole("heading", { level: 1, name: heading }).waitFor()
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, contrast: "more", forcedColors: "none" })
        await assertAccessible(page, ["color-contrast"])
        await page.emulateMedia({ colorScheme, contrast: "no-preference", forcedColors: "active" })
        // With forced colours, the browser replaces the colours of the page. But axe would check the replaced colours,
        // which nobody sees. So the test runs only the rule of axe that a link must differ from the text around it by
        // more than its colour.
        await assertAccessible(page, ["link-in-text-block"])
      }
    }
  })

  it("if the operating system asks for more contrast, the console shows muted text in another colour", async () => {
    const page = await open("/")
    const muted = page.locator(".text-muted").first()
    await muted.waitFor()
    const colour = () => muted.evaluate((element) => getComputedStyle(element).color)
    await page.emulateMedia({ contrast: "no-preference" })
    const usual = await colour()
    await page.emulateMedia({ contrast: "more" })
    assert.notStrictEqual(await colour(), usual)
  })

  it("if the operating system sets its own colours, what is chosen differs from what is not: the current place, a tab, a row, a record of the palette and a pressed button", async () => {
    await aNote(pod(), { title: "Chosen or not" })
    const scribe = await anAgent(pod(), "Chooser")
    await scribe.create({ title: "The first of two" })
    await scribe.create({ title: "The second of two" })
    const page = await open("/inbox")
    await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" })
    await page.getByRole("link", { name: /The second of two/ }).click()
    await page.getByRole("button", { name: "Unified" }).waitFor()
    const style = (locator: Locator, property: "background-color" | "border-bottom-color" | "color") =>
      locator.first().evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
    const differ = async (chosen: Locator, other: Locator, property: Parameters<typeof style>[1]) =>
      assert.notStrictEqual(await style(chosen, property), await style(other, property))
    const places = page.getByRole("navigation", { name: "Places" })
    await differ(
      places.getByRole("link", { name: "Inbox" }),
      places.getByRole("link", { name: "Memory" }),
      "background-color"
    )
    const current = places.getByRole("link", { name: "Inbox" })
    assert.notStrictEqual(await style(current.locator("svg"), "color"), await style(current, "background-color"))
    const lists = page.getByRole("navigation", { name: "Lists of the inbox" })
    await differ(
      lists.getByRole("link", { name: "Waiting" }),
      lists.getByRole("link", { name: "Snoozed" }),
      "border-bottom-color"
    )
    const row = (title: string) => page.locator("li[id^=row-]").filter({ hasText: title })
    await differ(row("The second of two"), row("The first of two"), "background-color")
    await differ(
      page.getByRole("button", { name: "Unified" }),
      page.getByRole("button", { name: "Split" }),
      "background-color"
    )

    await page.goto(`${pod().baseUrl}/admin/explore`)
    await page.getByRole("tab", { name: "Search" }).waitFor()
    await differ(
      page.getByRole("tab", { name: "Browse" }),
      page.getByRole("tab", { name: "Search" }),
      "border-bottom-color"
    )
    await page.keyboard.press("Control+k")
    await page.getByRole("option").first().waitFor()
    await differ(
      page.getByRole("option", { selected: true }),
      page.getByRole("option", { selected: false }),
      "background-color"
    )
  })

  it("in a window of 360 pixels the bar of the console has one line, and a long title of a record has the whole width", async () => {
    const title = "The plan of the summer festival, with all of its guests"
    const id = await aNote(pod(), { title })
    const page = await open(`/explore/entity/${id}`, { width: smallest })
    const heading = page.getByRole("heading", { level: 1, name: title })
    await heading.waitFor()
    const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? assert.fail("not shown")
    const [search, connect] = [
      await boxOf(page.getByRole("button", { name: "Search" })),
      await boxOf(page.getByRole("link", { name: "Connect" }))
    ]
    assert.strictEqual(search.y, connect.y)
    assert.isAtLeast((await boxOf(heading)).width, smallest * 0.9)
  })

  it("if a proxy serves the console below a path, a person can sign in, see a new event at once, and load the page again", async () => {
    const proxy = await aPathProxy(pod(), "/team")
    const page = await open("/sign-in", { session: null, at: proxy.url })
    await page.getByLabel("E-mail address").fill(ownerEmail)
    await page.getByLabel("Password", { exact: true }).fill(ownerPassword)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
    assert.include(page.url(), "/team/admin")
    await page.getByRole("link", { name: "Events" }).first().click()
    await page.getByText("live", { exact: true }).waitFor()
    await aNote(pod(), { title: "Seen through the proxy" })
    await page
      .getByRole("region", { name: "Events" })
      .getByRole("link", { name: /entity\.note\.create/ })
      .first()
      .waitFor()
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "Events" }).waitFor()
    proxy.stop()
  })
})
