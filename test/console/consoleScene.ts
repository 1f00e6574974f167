/**
 * Opens the console of a pod in a real browser, and finds page errors, refused files, requests to other origins and
 * accessibility faults.
 */
import axe from "axe-core"
import { mkdirSync } from "node:fs"
import type { BrowserContext, Locator, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, it } from "vitest"
import { anEmbedded } from "../support/pgliteImage.ts"
import { describeBrowser, sharedBrowser } from "../support/playwrightBrowser.ts"
import { aPod, ownerEmail, ownerPassword, type PodHooks, type TestPod } from "../support/pod.ts"

export interface ConsoleScene {
  readonly pod: () => TestPod
  /**
   * Opens a page of the console at a path such as `/inbox`, signed in as the owner or with `session`. After each test
   * all pages are closed. The test fails if a page had an error or sent a request to another origin.
   */
  readonly open: (path: string, options?: OpenOptions) => Promise<Page>
  /** Loads the page again in the same browser, signed in as the person with this session. */
  readonly signInAgain: (page: Page, session: string) => Promise<void>
}

export interface OpenOptions {
  readonly width?: number
  readonly theme?: "light" | "dark"
  /** The token of a session. Null means that nobody has signed in. Undefined means a session of the owner. */
  readonly session?: string | null
  /** The address of a pod other than the pod of this scene. */
  readonly at?: string
  /** Whether the test sets the clock of the page forward (`page.clock`), instead of waiting for a time to pass. */
  readonly hasClock?: boolean
}

const heights = 900
export const wide = 1280
export const narrow = 390

/** The WCAG 2.2 rules of levels A and AA. */
const accessibilityTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

/** Fails if axe finds a fault on the page as it is now. `rules` limits the check to these rules of axe. */
export const assertAccessible = async (page: Page, rules?: ReadonlyArray<string>): Promise<void> => {
  // Each page needs to load axe only once.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source)
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

/** Returns the panel of the page with this heading. */
export const panelNamed = (page: Page, title: string): Locator =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title }) })

/** Fails if the page is wider than its window. */
export const assertNoSidewaysScroll = async (page: Page): Promise<void> => {
  const [whole, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.isAtMost(whole ?? 0, window ?? 0)
}

/** The rules of axe whose findings can differ between two looks (theme and width) of one screen. */
const rulesOfLooks = ["color-contrast", "target-size", "scrollable-region-focusable"]

/**
 * The looks in which a screen is tested: each theme and each width once. The long run tests all pairs
 * (test/long/everyLook.test.ts).
 */
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

/**
 * Tests a screen in both themes and at both widths: axe finds no fault, and nothing scrolls sideways. If POD_PICTURES
 * names a folder, the function saves pictures of the screen in this folder.
 */
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

/**
 * Declares a test suite with one pod and one browser. `hooks` change the pod. Without Chromium the suite is listed as
 * skipped, or fails if POD_REQUIRE_BROWSER is set.
 */
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
      // Only an endless wait reaches this limit. The tests do not check how fast the console is.
      page.setDefaultTimeout(60_000)
      page.on("pageerror", (error) => complaints.push(`page error: ${error.message}`))
      page.on("console", (message) => {
        // The browser logs every answer of 400 and above as an error. This is no fault of the page, because the console
        // shows these answers to the person.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
          complaints.push(`console: ${message.text()}`)
        }
      })
      page.on("request", (request) => {
        if (!request.url().startsWith(at) && !request.url().startsWith("data:")) {
          complaints.push(`other origin: ${request.url()}`)
        }
      })
      if (session !== null) await signIn(context, session, at)
      if (hasClock) await page.clock.install()
      await page.goto(`${at}/admin${path}`)
      return page
    }

    /** Stores a session in the browser, at the place where the console stores the session after a sign-in. */
    const signIn = async (context: BrowserContext, token: string | undefined, at = pod.baseUrl) => {
      const { body } = await pod.stranger.send("POST", "/auth/sign-in", { email: ownerEmail, password: ownerPassword })
      const own = async (token: string) => ({
        ...body,
        token,
        user: (await pod.as({ "x-session-token": token }).send("GET", "/api/hub/users/me")).body
      })
      const session = JSON.stringify(token === undefined ? body : await own(token))
      await context.addInitScript(
        ([place, text]) => localStorage.setItem(place ?? "", text ?? ""),
        [`pod-session:${new URL(at).pathname.replace(/\/$/, "")}/admin`, session]
      )
    }

    const signInAgain: ConsoleScene["signInAgain"] = async (page, session) => {
      await signIn(page.context(), session)
      await page.reload()
    }

    suite({ pod: () => pod, open, signInAgain })
  })
}

export { it }
