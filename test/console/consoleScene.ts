/** Opens the console of a pod in a real browser, and watches it: page errors, refused files, other origins, accessibility. */
import axe from "axe-core"
import { mkdirSync } from "node:fs"
import type { BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, it } from "vitest"
import { anEmbedded } from "../support/pgliteImage.ts"
import { describeBrowser, sharedBrowser } from "../support/playwrightBrowser.ts"
import { aPod, ownerEmail, ownerPassword, type PodHooks, type TestPod } from "../support/pod.ts"

export interface ConsoleScene {
  readonly pod: () => TestPod
  /**
   * A signed-in page of the console at a path such as `/inbox`. `session` names another person than the owner. After each
   * test the pages are closed, and it fails if one of them had an error or asked another origin.
   */
  readonly open: (path: string, options?: OpenOptions) => Promise<Page>
}

export interface OpenOptions {
  readonly width?: number
  readonly theme?: "light" | "dark"
  /** The token of a session; null: nobody has signed in. Default: a session of the owner. */
  readonly session?: string | null
  /** Address of another pod than that of the scene. */
  readonly at?: string
  /** Whether the test sets the clock of the page forward (`page.clock`), instead of waiting for a time to pass. */
  readonly hasClock?: boolean
}

const heights = 900
export const wide = 1280
export const narrow = 390

/** The WCAG 2.2 rules of levels A and AA. */
const accessibilityTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

/** Fails with every finding of axe on what the page shows now; `rules` names the only ones that are judged. */
export const assertAccessible = async (page: Page, rules?: ReadonlyArray<string>): Promise<void> => {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source) // once for each page that is loaded
  const runOnly =
    rules === undefined
      ? { type: "tag" as const, values: accessibilityTags }
      : { type: "rule" as const, values: [...rules] }
  const findings = await page.evaluate(async (only) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: only,
      resultTypes: ["violations"]
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)
  }, runOnly)
  assert.deepStrictEqual(findings, [])
}

/** Fails if the page is wider than its window. */
export const assertNoSidewaysScroll = async (page: Page): Promise<void> => {
  const [whole, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.isAtMost(whole ?? 0, window ?? 0)
}

/** The rules of axe whose findings can differ between two looks of one screen. */
const rulesOfLooks = ["color-contrast", "target-size", "scrollable-region-focusable"]

/** How a screen may look. Each theme and each width once; the long run sees all pairs (test/long/everyLook.test.ts). */
const looks: ReadonlyArray<{ readonly theme: "light" | "dark"; readonly width: number }> = [
  { theme: "light", width: wide },
  { theme: "dark", width: narrow },
  ...(process.env["POD_EVERY_LOOK"] === "1"
    ? ([
        { theme: "light", width: narrow },
        { theme: "dark", width: wide }
      ] as const)
    : [])
]

/** The screen in both themes and at both widths: nothing for axe, nothing sideways. POD_PICTURES names a folder for pictures. */
export const assertScreenFits = async (page: Page, name: string): Promise<void> => {
  for (const [place, { theme, width }] of looks.entries()) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: heights })
    await assertNoSidewaysScroll(page)
    await assertAccessible(page, place === 0 || process.env["POD_EVERY_LOOK"] === "1" ? undefined : rulesOfLooks)
    const folder = process.env["POD_PICTURES"]
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: `${folder}/${name}-${theme}-${width}.png` })
    }
  }
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize({ width: wide, height: heights })
}

/** A suite over one pod and one browser; `hooks` change the pod. Without Chromium it is skipped by name, or fails where POD_REQUIRE_BROWSER is set. */
export const describeConsole = (name: string, suite: (scene: ConsoleScene) => void, hooks: PodHooks = {}): void => {
  describeBrowser(name, () => {
    let pod: TestPod
    let contexts: Array<BrowserContext> = []
    let complaints: Array<string> = []

    beforeAll(async () => {
      pod = await aPod({ kind: "pglite", open: anEmbedded }, {}, hooks)
      await sharedBrowser()
    })
    afterAll(() => pod?.stop())
    afterEach(async () => {
      const [found, opened] = [complaints, contexts]
      complaints = []
      contexts = []
      await Promise.all(opened.map((context) => context.close()))
      assert.deepStrictEqual(
        found,
        [],
        "errors of the page, files that the policy refused, or requests to other origins"
      )
    })

    const open: ConsoleScene["open"] = async (
      path,
      { width = wide, theme = "light", session, at = pod.baseUrl, hasClock = false } = {}
    ) => {
      const context = await (
        await sharedBrowser()
      ).newContext({ viewport: { width, height: heights }, colorScheme: theme })
      contexts.push(context)
      const page = await context.newPage()
      page.setDefaultTimeout(60_000) // it ends a wait for what never comes; no screen is judged by its time
      page.on("pageerror", (error) => complaints.push(`page error: ${error.message}`))
      page.on("console", (message) => {
        // The browser itself notes each answer of 400 and above; the console shows those to the person.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
          complaints.push(`console: ${message.text()}`)
        }
      })
      page.on("request", (request) => {
        if (!request.url().startsWith(at) && !request.url().startsWith("data:")) {
          complaints.push(`other origin: ${request.url()}`)
        }
      })
      if (session !== null) await signIn(context, session)
      if (hasClock) await page.clock.install()
      await page.goto(`${at}/admin${path}`)
      return page
    }

    /** Puts a session where the console keeps it, as a sign-in does. */
    const signIn = async (context: BrowserContext, token: string | undefined) => {
      const { body } = await pod.stranger.send("POST", "/auth/sign-in", { email: ownerEmail, password: ownerPassword })
      const own = async (held: string) => ({
        ...body,
        token: held,
        user: (await pod.as({ "x-session-token": held }).send("GET", "/api/hub/users/me")).body
      })
      const session = JSON.stringify(token === undefined ? body : await own(token))
      await context.addInitScript(
        ([place, text]) => localStorage.setItem(place ?? "", text ?? ""),
        ["pod-session:/admin", session]
      )
    }

    suite({ pod: () => pod, open })
  })
}

export { it }
