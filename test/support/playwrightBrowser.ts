/** One Chromium for all test files of a process: each file opens contexts of its own in it, which share nothing. */
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** The browser of this machine; CHROMIUM_PATH can name another. */
export const chromiumPath = [process.env["CHROMIUM_PATH"], ...places].find(
  (path) => path !== undefined && existsSync(path)
)

let launched: Promise<Browser> | undefined

/** The browser ends with the process: Playwright kills it then. A browser that died is replaced for the next file. */
export const sharedBrowser = async (): Promise<Browser> => {
  const known = await launched
  if (known?.isConnected() === true) return known
  launched = chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : []
  })
  return launched
}
