/**
 * One tab of Chromium, for tests of the pages that use no framework. A test reads a page with JavaScript expressions
 * that run in the page.
 */
import type { Page } from "playwright-core"
import { sharedBrowser } from "../support/playwrightBrowser.ts"

export interface Tab {
  readonly open: (url: string) => Promise<void>
  /** Returns the awaited value of an expression in the page. The caller states the type of the value. */
  readonly read: <A = unknown>(expression: string) => Promise<A>
  /** Waits until an expression is truthy. */
  readonly until: (expression: string) => Promise<void>
  /** Clicks the element that matches a selector, as a mouse would. */
  readonly click: (selector: string) => Promise<void>
  /** Types into the focused element. */
  readonly type: (text: string) => Promise<void>
  readonly press: (key: "Enter" | "Escape" | "Tab" | "/") => Promise<void>
  readonly look: (options: { readonly width: number; readonly isDark: boolean }) => Promise<void>
  /** Returns a PNG of the visible window. */
  readonly picture: () => Promise<Buffer>
  readonly close: () => Promise<void>
  /** Every address that the tab requested, in order. */
  readonly asked: ReadonlyArray<string>
  /** The complaints of the browser: violated policies, failed loads, thrown errors. */
  readonly complaints: ReadonlyArray<string>
}

export interface Browser {
  readonly tab: () => Promise<Tab>
  readonly close: () => Promise<void>
}

const patienceMs = 60_000 // Only an endless wait reaches this limit. The tests do not check how fast a page is.

const tabOf = (page: Page): Tab => {
  const asked: Array<string> = []
  const complaints: Array<string> = []
  page.on("request", (request) => asked.push(request.url()))
  page.on("pageerror", (error) => complaints.push(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} ${message.location().url}`)
  })
  const read = <A>(expression: string): Promise<A> => page.evaluate<A>(expression)
  return {
    asked,
    complaints,
    read,
    close: () => page.close(),
    open: async (url) => void (await page.goto(url, { waitUntil: "load" })),
    until: async (expression) => {
      // The page itself checks the expression again and again. The security policy of the page forbids the check that
      // Playwright would add to the page.
      const isTrue = await read<boolean>(
        `new Promise((resolve) => { const endMs = performance.now() + ${patienceMs}; const look = () => { let found = false; try { found = Boolean(${expression}) } catch {} if (found || performance.now() > endMs) resolve(found); else setTimeout(look, 20) }; look() })`
      )
      if (!isTrue) throw new Error(`never true: ${expression}; ${await read("document.body.innerText")}`)
    },
    click: (selector) => page.locator(selector).first().click(),
    type: (text) => page.keyboard.insertText(text),
    press: (key) => page.keyboard.press(key === "/" ? "Slash" : key),
    look: async ({ isDark, width }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: isDark ? "dark" : "light", reducedMotion: "reduce" })
    },
    picture: () => page.screenshot()
  }
}

/** Opens a browser context for one test suite, without cookies and storage. `close` closes the context. */
export const aBrowser = async (): Promise<Browser> => {
  const context = await (await sharedBrowser()).newContext()
  context.setDefaultTimeout(patienceMs)
  return { tab: async () => tabOf(await context.newPage()), close: () => context.close() }
}
