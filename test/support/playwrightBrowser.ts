/** One Chromium for all test files of a process: each file opens contexts of its own in it, which share nothing. */
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
 * The browser of this machine; CHROMIUM_PATH can name another. The headless shell is Chromium without its windows, and takes ten
 * seconds of processor time less for a suite (measured).
 */
const chromiumPath = [process.env["CHROMIUM_PATH"], ...places].find((path) => path !== undefined && existsSync(path))

/** A suite that needs a browser. Without one it is skipped by name, or fails where POD_REQUIRE_BROWSER is set. */
export const describeBrowser = (name: string, suite: () => void): void => {
  if (chromiumPath !== undefined) describe(name, suite)
  else if (process.env["POD_REQUIRE_BROWSER"] === "1") {
    describe(name, () => {
      it("this suite needs Chromium: apt-get install chromium-headless-shell, or set CHROMIUM_PATH", () => {
        throw new Error("no Chromium on this machine")
      })
    })
  } else describe.skip(`${name} (skipped: no Chromium on this machine; CHROMIUM_PATH may name one)`, suite)
}

let launched: Promise<Browser> | undefined

/** The browser ends with the process: Playwright kills it then. A browser that died is replaced for the next file. */
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
