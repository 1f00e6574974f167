/** Opens the console in Chromium with the session of a signed-in person. */
import { existsSync } from "node:fs"
import { chromium } from "playwright-core"

/**
 * The path of Chromium on this machine, or undefined. The environment variable `CHROMIUM_PATH` can name another path.
 */
export const browserPath = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/chromium-headless-shell"
].find((path) => path !== undefined && existsSync(path))

/**
 * Starts Chromium. Returns the browser and a function that opens a page in a new context. `prepare` runs before the page
 * loads anything. `session` is the answer of `POST /auth/sign-in`.
 */
export const openConsole = async (session) => {
  const browser = await chromium.launch({
    executablePath: browserPath,
    // Chromium refuses to run as the root user inside its sandbox.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : []
  })
  const openPage = async ({ prepare, width = 1280, height = 900 } = {}) => {
    const context = await browser.newContext({ viewport: { width, height } })
    await context.addInitScript(
      ([place, text]) => localStorage.setItem(place, text),
      ["pod-session:/admin", JSON.stringify(session)]
    )
    const page = await context.newPage()
    page.setDefaultTimeout(120_000)
    await prepare?.(page)
    return page
  }
  return { browser, openPage }
}
