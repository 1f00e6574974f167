/** One Chromium for all test files of a process. Each file opens its own browser contexts, which share no state. */
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"
import { describe, it } from "vitest"

const places = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome"
]

/**
 * The browser of this machine, unless CHROMIUM_PATH names another browser. The headless shell is Chromium without
 * windows. By measurement, it saves ten seconds of processor time in a suite.
 */
const chromiumPath = [process.env["CHROMIUM_PATH"], ...places].find((path) => path !== undefined && existsSync(path))

/**
 * Declares a suite that needs a browser. Without a browser the suite is skipped, or fails if POD_REQUIRE_BROWSER is 1.
 */
export const describeBrowser = (name: string, suite: () => void): void => {
  if (chromiumPath !== undefined) describe(name, suite)
  else if (process.env["POD_REQUIRE_BROWSER"] === "1") {
    describe(name, () => {
      it("this test suite needs Chromium: run apt-get install chromium-headless-shell, or set CHROMIUM_PATH", () => {
        throw new Error("no Chromium on this machine")
      })
    })
  } else
    describe.skip(
      `${name} (skipped because this machine has no Chromium; CHROMIUM_PATH can contain the path of a Chromium)`,
      suite
    )
}

let launched: Promise<Browser> | undefined

/**
 * Returns the browser of this process, and starts the browser if it does not run. If the browser has crashed, the next
 * test file gets a new browser. Playwright ends the browser when the process ends.
 */
export const sharedBrowser = async (): Promise<Browser> => {
  const known = await launched
  if (known?.isConnected() === true) return known
  launched = chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: [
      "--disable-gpu",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
      // Tests run as root in containers, where the sandbox cannot start.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])
    ]
  })
  return launched
}
