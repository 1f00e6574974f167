/**
 * The main screens at the smallest width, with more contrast, with the colours of the system, and behind a proxy that
 * serves the console below a path.
 */
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
